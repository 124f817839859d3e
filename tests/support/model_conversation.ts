/** The conversation of a recorded request in one form for all three protocols. */
import type { RecordedRequest } from "./model_server.ts";

/** A message in neutral form. Each tool result is a message of its own, in the order in which the request has them. */
export type NeutralMessage =
  | { readonly role: "system" | "user"; readonly text: string }
  | {
    readonly role: "assistant";
    readonly text: string;
    readonly tool_calls: readonly { readonly id: string | undefined; readonly name: string; readonly input: unknown }[];
  }
  | {
    readonly role: "tool";
    readonly call_id: string | undefined;
    readonly content: string;
    /** Undefined where the protocol has no such flag (OpenAI). */
    readonly is_error: boolean | undefined;
  };

/** Reads the messages of a request, system prompt first. */
export function conversationOf(request: RecordedRequest): readonly NeutralMessage[] {
  switch (request.protocol) {
    case "openai":
      return request.body.messages.map(openaiMessage);
    case "anthropic":
      return [...systemText(textOf(request.body.system)), ...request.body.messages.flatMap(anthropicMessages)];
    case "google":
      return [
        ...systemText(textOf(request.body.systemInstruction?.parts)),
        ...request.body.contents.flatMap(googleMessages),
      ];
    case "unknown":
      throw new Error(`${request.path} belongs to no protocol`);
  }
}

// deno-lint-ignore no-explicit-any
type Body = any;

function systemText(text: string): readonly NeutralMessage[] {
  return text === "" ? [] : [{ role: "system", text }];
}

/** The text of a string or of a list of parts. */
function textOf(content: Body): string {
  if (content === undefined || content === null) return "";
  if (typeof content === "string") return content;
  return content.map((part: Body) => typeof part.text === "string" && !part.thought ? part.text : "").join("");
}

function openaiMessage(message: Body): NeutralMessage {
  if (message.role === "tool") {
    return { role: "tool", call_id: message.tool_call_id, content: textOf(message.content), is_error: undefined };
  }
  if (message.role !== "assistant") return { role: message.role, text: textOf(message.content) };
  const tool_calls = (message.tool_calls ?? []).map((call: Body) => ({
    id: call.id,
    name: call.function.name,
    input: JSON.parse(call.function.arguments),
  }));
  return { role: "assistant", text: textOf(message.content), tool_calls };
}

function anthropicMessages(message: Body): readonly NeutralMessage[] {
  const parts: Body[] = typeof message.content === "string"
    ? [{ type: "text", text: message.content }]
    : message.content;
  if (message.role === "assistant") {
    const calls = parts.filter((part) => part.type === "tool_use");
    const tool_calls = calls.map(({ id, name, input }) => ({ id, name, input }));
    return [{ role: "assistant", text: textOf(parts), tool_calls }];
  }
  return parts.map((part) =>
    part.type === "tool_result"
      ? {
        role: "tool",
        call_id: part.tool_use_id,
        content: textOf(part.content),
        is_error: part.is_error === true,
      }
      : { role: "user", text: part.text }
  );
}

function googleMessages(message: Body): readonly NeutralMessage[] {
  const parts: Body[] = message.parts;
  if (message.role === "model") {
    const calls = parts.filter((part) => part.functionCall !== undefined).map((part) => part.functionCall);
    const tool_calls = calls.map(({ id, name, args }) => ({ id, name, input: args }));
    return [{ role: "assistant", text: textOf(parts), tool_calls }];
  }
  return parts.map((part) => {
    const result = part.functionResponse;
    if (result === undefined) return { role: "user", text: part.text };
    const { error, content } = result.response;
    return { role: "tool", call_id: result.id, content: String(error ?? content), is_error: error !== undefined };
  });
}
