/** The conversation as the providers' libraries want it. The way back is `answer.ts`. */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4ToolResultPart,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import { isJsonObject, type JsonObject, type Message, type RequestedCall } from "../protocol/mod.ts";
import type { ModelRequest } from "./port.ts";
import type { WireProtocol } from "./providers/wire.ts";

type AssistantMessage = Extract<Message, { role: "assistant" }>;
type ToolMessage = Extract<Message, { role: "tool" }>;
type AssistantPart = Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number];

/**
 * The order of an answer whose parts carry opaque data: signed reasoning, signed text, the places of the calls. It is
 * kept in `provider_metadata` and rebuilt unchanged for the same protocol.
 */
export type Layout = readonly (
  | { readonly type: "reasoning"; readonly text: string; readonly options?: JsonObject }
  | { readonly type: "text"; readonly length: number; readonly options?: JsonObject }
  | { readonly type: "call" }
)[];

const CACHE_MARK: SharedV4ProviderOptions = { anthropic: { cacheControl: { type: "ephemeral" } } };

/** The call options for one request: prompt and tools. */
export function toCallOptions(
  request: ModelRequest,
  protocol: WireProtocol,
): Pick<LanguageModelV4CallOptions, "prompt" | "tools"> {
  const prompt: LanguageModelV4Message[] = [];
  if (request.system !== "") prompt.push({ role: "system", content: request.system });
  const messages = wholePairs(request.messages);
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index]!;
    if (message.role === "user") {
      prompt.push({ role: "user", content: [{ type: "text", text: message.text }] });
    } else if (message.role === "assistant") {
      const content = assistantParts(message, protocol);
      if (content.length > 0) prompt.push({ role: "assistant", content });
    } else {
      const last = prompt.at(-1);
      if (last?.role === "tool") last.content.push(toolResultPart(message));
      else prompt.push({ role: "tool", content: [toolResultPart(message)] });
    }
  }
  if (protocol.marksCache) markCache(prompt);
  const tools = request.tools.map(({ name, description, parameters }) => ({
    type: "function" as const,
    name,
    description,
    inputSchema: parameters as LanguageModelV4FunctionTool["inputSchema"],
  }));
  return tools.length === 0 ? { prompt } : { prompt, tools };
}

/** Moves user messages from between the results of one answer's calls behind the last: the APIs refuse them there. */
function wholePairs(messages: readonly Message[]): readonly Message[] {
  const ordered: Message[] = [];
  let waiting: Message[] = [];
  const open = new Set<string>();
  for (const message of messages) {
    if (message.role === "tool") open.delete(message.call_id);
    if (message.role === "user" && open.size > 0) {
      waiting.push(message);
      continue;
    }
    if (message.role === "assistant") {
      ordered.push(...waiting);
      waiting = [];
      open.clear();
      for (const call of message.tool_calls) open.add(call.id);
    }
    ordered.push(message);
    if (open.size === 0) {
      ordered.push(...waiting);
      waiting = [];
    }
  }
  return [...ordered, ...waiting];
}

function assistantParts(message: AssistantMessage, protocol: WireProtocol): AssistantPart[] {
  const layout = layoutOf(message, protocol);
  if (layout === undefined) {
    const text = message.text.trim() === "" ? [] : [{ type: "text" as const, text: message.text }];
    return [...text, ...message.tool_calls.map((call) => callPart(call, protocol))];
  }
  let position = 0;
  let callIndex = 0;
  const parts: AssistantPart[] = [];
  for (const entry of layout) {
    const options = entry.type !== "call" && entry.options !== undefined
      ? { providerOptions: entry.options as SharedV4ProviderOptions }
      : {};
    if (entry.type === "reasoning") {
      parts.push({ type: "reasoning", text: entry.text, ...options });
    } else if (entry.type === "text") {
      const text = message.text.slice(position, position += entry.length);
      if (text.trim() !== "" || entry.options !== undefined) parts.push({ type: "text", text, ...options });
    } else {
      parts.push(callPart(message.tool_calls[callIndex++]!, protocol));
    }
  }
  return parts;
}

/** The kept order, if it is of this protocol and still fits the message. */
function layoutOf(message: AssistantMessage, protocol: WireProtocol): Layout | undefined {
  const kept = message.provider_metadata;
  if (kept === undefined || kept["protocol"] !== protocol.name || !Array.isArray(kept["layout"])) return undefined;
  const layout = kept["layout"] as unknown as Layout;
  if (!layout.every(isJsonObject)) return undefined;
  const calls = layout.filter((entry) => entry.type === "call").length;
  const length = layout.reduce((sum, entry) => sum + (entry.type === "text" ? entry.length : 0), 0);
  return calls === message.tool_calls.length && length === message.text.length ? layout : undefined;
}

function callPart(call: RequestedCall, protocol: WireProtocol): AssistantPart {
  return {
    type: "tool-call",
    toolCallId: wireId(call.id),
    toolName: wireName(call.name),
    input: callInput(call.arguments_text, protocol),
    ...(call.provider_metadata && { providerOptions: call.provider_metadata as SharedV4ProviderOptions }),
  };
}

/**
 * Arguments for a request. Text that is no JSON object would make the whole request invalid, so it travels inside one;
 * the model still sees what it wrote.
 */
function callInput(arguments_text: string, protocol: WireProtocol): unknown {
  try {
    const value = JSON.parse(arguments_text);
    if (isJsonObject(value)) return protocol.keepsArgumentText ? arguments_text : value;
  } catch {
    // Falls through to the wrapped form.
  }
  return { _invalid_arguments: arguments_text };
}

function toolResultPart(message: ToolMessage): LanguageModelV4ToolResultPart {
  return {
    type: "tool-result",
    toolCallId: wireId(message.call_id),
    toolName: wireName(message.name),
    output: { type: message.is_error ? "error-text" : "text", value: message.content },
  };
}

/** Ids of another provider or of a script may hold what an API refuses. */
function wireId(id: string): string {
  return id.replace(/[^A-Za-z0-9_-]/g, "_");
}

/** A name that the model invented may be none that an API accepts back. */
function wireName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) || "unnamed_tool";
}

/** Marks the system prompt and the last message, so that the next request of the loop pays for the new part only. */
function markCache(prompt: LanguageModelV4Message[]): void {
  const first = prompt[0];
  if (first?.role === "system") first.providerOptions = CACHE_MARK;
  const last = prompt.at(-1);
  if (last !== undefined && last !== first) last.providerOptions = CACHE_MARK;
}
