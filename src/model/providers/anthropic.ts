/** Anthropic's Messages API through `@ai-sdk/anthropic`. */
import { type Connect, type Endpoint, type WireProtocol, withVersion } from "./wire.ts";

/** The protocol's row. */
export const anthropic: WireProtocol = {
  name: "anthropic",
  open,
  completeBaseUrl: (base_url) => withVersion(base_url, "v1"),
  endsAnswer: (event) => event["type"] === "message_stop",
  keepsArgumentText: false,
  marksCache: true,
};

async function open(endpoint: Endpoint): Promise<Connect> {
  const { createAnthropic } = await import("@ai-sdk/anthropic");
  const { model_id, base_url, key, headers } = endpoint;
  return (fetch) => createAnthropic({ baseURL: base_url, apiKey: key, headers: { ...headers }, fetch })(model_id);
}
