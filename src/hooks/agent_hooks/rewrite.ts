/** The way back from a rewritten context to what the loop works with. */
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type Message,
  type Occasion,
  type RequestedCall,
  writeJson,
} from "../../protocol/mod.ts";

/** The occasion with the target of the context in it; undefined for a target that the loop could not go on with. */
export function rewriteOccasion(occasion: Occasion, context: JsonObject): Occasion | undefined {
  const target = context["target"] ?? null;
  switch (occasion.point) {
    case "input": {
      const text = contentOf(target);
      return text === undefined || !isJsonObject(target) || target["role"] !== "user"
        ? undefined
        : { ...occasion, prompt: text };
    }
    case "pre_model_call": {
      const messages = messagesOf(target, occasion.messages);
      return messages && { ...occasion, messages };
    }
    case "post_model_call": {
      if (!isJsonObject(target) || typeof target["finish_reason"] !== "string") return undefined;
      const text = target["content"] === null ? "" : contentOf(target);
      const calls = callsOf(target["tool_calls"], occasion.answer.tool_calls);
      if (text === undefined || calls === undefined) return undefined;
      return { ...occasion, answer: { ...occasion.answer, text, tool_calls: calls } };
    }
    case "pre_tool_call":
      return isJsonObject(target) ? { ...occasion, call: { ...occasion.call, input: target } } : undefined;
    case "post_tool_call": {
      const { value: _, artifact_ref: __, ...result } = occasion.result;
      const content = typeof target === "string" ? target : writeJson(target);
      const more = typeof target === "string" ? {} : { value: target };
      return { ...occasion, result: { ...result, content, ...more } };
    }
    case "output": {
      const text = contentOf(target);
      return text === undefined ? undefined : { ...occasion, text };
    }
    default:
      return undefined;
  }
}

/** `content` as text: an object is shown as JSON. */
function contentOf(holder: Json): string | undefined {
  const content = isJsonObject(holder) ? holder["content"] : undefined;
  if (typeof content === "string") return content;
  return isJsonObject(content) ? writeJson(content) : undefined;
}

/** Messages keep what a context does not show (opaque data of the provider) where they stand as before. */
function messagesOf(target: Json, before: readonly Message[]): readonly Message[] | undefined {
  if (!Array.isArray(target)) return undefined;
  const messages = target.map((item: Json, index): Message | undefined => {
    const text = contentOf(item);
    if (!isJsonObject(item) || text === undefined) return undefined;
    const old = before[index];
    switch (item["role"]) {
      case "user":
        return { role: "user", text };
      case "assistant": {
        const known = old?.role === "assistant" ? old : undefined;
        const calls = callsOf(item["tool_calls"] ?? [], known?.tool_calls ?? []);
        return calls && { ...known, role: "assistant", text, tool_calls: calls };
      }
      case "tool": {
        const { tool_call_id: id, name } = item;
        if (typeof id !== "string" || typeof name !== "string") return undefined;
        return { role: "tool", call_id: id, name, content: text, is_error: old?.role === "tool" && old.is_error };
      }
      default:
        return undefined;
    }
  });
  return messages.every((message) => message !== undefined) ? messages : undefined;
}

function callsOf(target: Json | undefined, before: readonly RequestedCall[]): readonly RequestedCall[] | undefined {
  if (!Array.isArray(target)) return undefined;
  const calls = target.map((item: Json): RequestedCall | undefined => {
    if (!isJsonObject(item)) return undefined;
    const { id, name, args } = item;
    if (typeof id !== "string" || typeof name !== "string" || !isJsonObject(args)) return undefined;
    const known = before.find((call) => call.id === id && call.name === name);
    const raw = known !== undefined && Object.keys(args).length === 1 && args["raw_arguments"] === known.arguments_text;
    return { ...known, id, name, arguments_text: raw ? known.arguments_text : writeJson(args) };
  });
  return calls.every((call) => call !== undefined) ? calls : undefined;
}
