/** The complete answer, collected from the parts of a provider's stream. The way there is `prompt.ts`. */
import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import {
  type FinishReason,
  isJsonObject,
  type JsonObject,
  type ModelAnswer,
  type RequestedCall,
} from "../protocol/mod.ts";
import type { Layout } from "./prompt.ts";
import type { WireProtocol } from "./providers/wire.ts";

/** Takes the parts of one stream. */
export interface AnswerCollector {
  /** Takes a part; gives the text that it adds to the answer, for the page. */
  take(part: LanguageModelV4StreamPart): string;
  /** The answer; undefined when the stream gave no finish. */
  finish(): FinishedStream | undefined;
}

/** How a stream that came to its end finished. */
export interface FinishedStream {
  readonly reason: LanguageModelV4FinishReason;
  readonly answer: ModelAnswer;
}

type FinishPart = Extract<LanguageModelV4StreamPart, { type: "finish" }>;
type CallPart = Extract<LanguageModelV4StreamPart, { type: "tool-call" }>;
type Block =
  | { readonly type: "reasoning" | "text"; text: string; options: JsonObject | undefined }
  | { readonly type: "call"; readonly call: RequestedCall };

/** Starts an empty answer. */
export function collectAnswer(protocol: WireProtocol): AnswerCollector {
  const blocks: Block[] = [];
  const open = new Map<string, Extract<Block, { text: string }>>();
  const argumentLengths = new Map<string, number>();
  let end: FinishPart | undefined;

  const start = (type: "reasoning" | "text", id: string): void => {
    const block = { type, text: "", options: undefined };
    blocks.push(block);
    open.set(`${type} ${id}`, block);
  };
  const extend = (type: "reasoning" | "text", id: string, delta: string, metadata: unknown): string => {
    const block = open.get(`${type} ${id}`);
    if (block === undefined) return "";
    block.text += delta;
    block.options = mergeOptions(block.options, metadata);
    return type === "text" ? delta : "";
  };
  const addCall = (part: CallPart): void => {
    if (part.providerExecuted) return;
    // A library writes `{}` where not one character of arguments came; what was written is nothing.
    const wroteNothing = argumentLengths.get(part.toolCallId) === 0;
    const metadata = mergeOptions(undefined, part.providerMetadata);
    const call = {
      id: part.toolCallId,
      name: part.toolName,
      arguments_text: wroteNothing ? "" : part.input,
      ...(metadata && { provider_metadata: metadata }),
    };
    blocks.push({ type: "call", call });
  };

  return {
    take(part) {
      switch (part.type) {
        case "text-start":
          start("text", part.id);
          return extend("text", part.id, "", part.providerMetadata);
        case "reasoning-start":
          start("reasoning", part.id);
          return extend("reasoning", part.id, "", part.providerMetadata);
        case "text-delta":
          return extend("text", part.id, part.delta, part.providerMetadata);
        case "reasoning-delta":
          return extend("reasoning", part.id, part.delta, part.providerMetadata);
        case "text-end":
          return extend("text", part.id, "", part.providerMetadata);
        case "reasoning-end":
          return extend("reasoning", part.id, "", part.providerMetadata);
        case "tool-input-start":
          argumentLengths.set(part.id, 0);
          return "";
        case "tool-input-delta":
          argumentLengths.set(part.id, (argumentLengths.get(part.id) ?? 0) + part.delta.length);
          return "";
        case "tool-call":
          addCall(part);
          return "";
        case "finish":
          end ??= part;
          return "";
        default:
          return "";
      }
    },
    finish: () => end && { reason: end.finishReason, answer: answerOf(blocks, end, protocol) },
  };
}

const FINISH_REASONS = {
  "stop": "stop",
  "tool-calls": "tool_calls",
  "length": "length",
  "content-filter": "content_filter",
  "error": "other",
  "interrupted": "other",
  "other": "other",
} as const satisfies Record<LanguageModelV4FinishReason["unified"], FinishReason>;

function answerOf(blocks: readonly Block[], end: FinishPart, protocol: WireProtocol): ModelAnswer {
  const finish_reason = FINISH_REASONS[end.finishReason.unified];
  const whole = finish_reason === "stop" || finish_reason === "tool_calls";
  const calls = blocks.flatMap((block) => block.type === "call" ? [block.call] : []);
  const layout = layoutOf(blocks);
  return {
    text: blocks.map((block) => block.type === "text" ? block.text : "").join(""),
    tool_calls: uniqueIds(whole ? calls.map(fillArguments) : calls),
    finish_reason,
    usage: {
      input_tokens: end.usage.inputTokens.total ?? 0,
      output_tokens: end.usage.outputTokens.total ?? 0,
    },
    ...(layout && { provider_metadata: { protocol: protocol.name, layout } as unknown as JsonObject }),
  };
}

/**
 * A call without any argument text in an answer that ended by itself is a call without arguments. In an answer that was
 * stopped by its length it may be the beginning of one and stays as it is.
 */
function fillArguments(call: RequestedCall): RequestedCall {
  return call.arguments_text.trim() === "" ? { ...call, arguments_text: "{}" } : call;
}

function uniqueIds(calls: readonly RequestedCall[]): readonly RequestedCall[] {
  const taken = new Set<string>();
  return calls.map((call) => {
    const base = call.id.trim() === "" ? "call" : call.id;
    let id = base;
    for (let count = 2; taken.has(id); count++) id = `${base}_${count}`;
    taken.add(id);
    return id === call.id ? call : { ...call, id };
  });
}

/** The order of the parts, when one of them must go back with more than its text. */
function layoutOf(blocks: readonly Block[]): Layout | undefined {
  const opaque = blocks.some((block) => block.type === "reasoning" || (block.type === "text" && block.options));
  if (!opaque) return undefined;
  return blocks.map((block) => {
    if (block.type === "call") return { type: "call" };
    const options = block.options && { options: block.options };
    return block.type === "text"
      ? { type: "text", length: block.text.length, ...options }
      : { type: "reasoning", text: block.text, ...options };
  });
}

/** Adds metadata to what came before, provider by provider. */
function mergeOptions(known: JsonObject | undefined, metadata: unknown): JsonObject | undefined {
  if (!isJsonObject(metadata)) return known;
  const merged: Record<string, JsonObject> = { ...known as Record<string, JsonObject> };
  for (const [provider, values] of Object.entries(JSON.parse(JSON.stringify(metadata)) as JsonObject)) {
    if (isJsonObject(values)) merged[provider] = { ...merged[provider], ...values };
  }
  return merged;
}
