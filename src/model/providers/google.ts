/** The Gemini API through `@ai-sdk/google`. */
import { isJsonObject, type Json } from "../../protocol/mod.ts";
import { type Connect, type Endpoint, type WireProtocol, withVersion } from "./wire.ts";

/** The protocol's row. */
export const google: WireProtocol = {
  name: "google",
  open,
  completeBaseUrl: (base_url) => withVersion(base_url, "v1beta"),
  endsAnswer: (event) => hasFinishReason(event["candidates"]) || isBlocked(event["promptFeedback"]),
  keepsArgumentText: false,
  marksCache: false,
};

async function open(endpoint: Endpoint): Promise<Connect> {
  const { createGoogle } = await import("@ai-sdk/google");
  const { model_id, base_url, key, headers } = endpoint;
  return (fetch) => createGoogle({ baseURL: base_url, apiKey: key, headers: { ...headers }, fetch })(model_id);
}

/** `CONTINUATION` is no end: the library asks for the rest by itself. */
function hasFinishReason(candidates: Json | undefined): boolean {
  const first = Array.isArray(candidates) ? candidates[0] : undefined;
  if (!isJsonObject(first)) return false;
  return typeof first["finishReason"] === "string" && first["finishReason"] !== "CONTINUATION";
}

function isBlocked(feedback: Json | undefined): boolean {
  return isJsonObject(feedback) && typeof feedback["blockReason"] === "string";
}
