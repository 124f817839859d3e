/** Chat Completions, of OpenAI and of every server that speaks it, through `@ai-sdk/openai-compatible`. */
import { isJsonObject } from "../../protocol/mod.ts";
import type { Connect, Endpoint, WireProtocol } from "./wire.ts";

/** The protocol's row. `[DONE]` is not needed: every call is there by the finish reason, and some servers omit it. */
export const openaiCompatible: WireProtocol = {
  name: "openai-compatible",
  open,
  completeBaseUrl: (base_url) => base_url,
  endsAnswer: (event) => {
    const choices = event["choices"];
    const first = Array.isArray(choices) ? choices[0] : undefined;
    return isJsonObject(first) && typeof first["finish_reason"] === "string";
  },
  keepsArgumentText: true,
  marksCache: false,
};

async function open(endpoint: Endpoint): Promise<Connect> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const { model_id, base_url, key, headers } = endpoint;
  // The library names opaque data after its provider; one name for all servers keeps that data readable after a change.
  return (fetch) =>
    createOpenAICompatible({
      name: "openai",
      baseURL: base_url,
      apiKey: key,
      headers: { ...headers },
      includeUsage: true,
      fetch,
    })(model_id);
}
