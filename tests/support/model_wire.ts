/** Turns as bytes of the three wire protocols, in the shapes that the providers document. */
import type { ServedCall, ServedTurn } from "./model_server.ts";

/** A wire protocol by the built-in provider that speaks it. */
export type WireName = "openai" | "anthropic" | "google";

/** The protocol that a request path belongs to. */
export function protocolOf(path: string): WireName | "unknown" {
  if (path.endsWith("/chat/completions")) return "openai";
  if (path.endsWith("/messages")) return "anthropic";
  if (path.endsWith(":streamGenerateContent")) return "google";
  return "unknown";
}

/** The whole stream of a turn, without its `error` and `at_byte`. */
export function streamBytes(protocol: WireName, turn: ServedTurn): Uint8Array {
  const { error: _error, ...whole } = turn;
  return streamOf(protocol, whole).bytes;
}

/** The bytes of a turn and the place in the middle of its last call, or of its text. */
export function streamOf(
  protocol: WireName,
  turn: ServedTurn,
): { readonly bytes: Uint8Array; readonly middle: number } {
  const events = EVENTS[protocol](turn);
  const reported = typeof turn.error === "object" && "event" in turn.error ? turn.error.event : undefined;
  const before = events.before.join("");
  const error = reported === undefined ? "" : ERROR_EVENT[protocol](reported.message, reported.word ?? "test_error");
  const encoder = new TextEncoder();
  return {
    bytes: encoder.encode(before + error + events.after.join("")),
    middle: encoder.encode(before).length,
  };
}

/** Events up to the middle of the last call (or text), and the rest. */
interface Events {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

const EVENTS = { openai: openaiEvents, anthropic: anthropicEvents, google: googleEvents } as const satisfies Record<
  WireName,
  (turn: ServedTurn) => Events
>;

const ERROR_EVENT = {
  openai: (message, word) => data({ error: { message, type: word, code: word } }),
  anthropic: (message, word) => named("error", { error: { type: word, message } }),
  google: (message, word) => data({ error: { code: 503, message, status: word } }),
} as const satisfies Record<WireName, (message: string, word: string) => string>;

function data(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function named(type: string, fields: Readonly<Record<string, unknown>> = {}): string {
  return `event: ${type}\n${data({ type, ...fields })}`;
}

function piecesOf(turn: ServedTurn): readonly string[] {
  return turn.chunks ?? (turn.text === undefined || turn.text === "" ? [] : halves(turn.text));
}

function argumentsOf(call: ServedCall): string {
  return call.raw_input ?? JSON.stringify(call.input ?? {});
}

function halves(text: string): readonly string[] {
  const characters = [...text];
  const middle = Math.ceil(characters.length / 2);
  return [characters.slice(0, middle).join(""), characters.slice(middle).join("")].filter((part) => part !== "");
}

function idOf(call: ServedCall, index: number): string {
  return call.id ?? `call_${index + 1}`;
}

/** Splits at the middle of the last group (of a call, or the text when there is none). */
function splitInGroups(
  head: readonly string[],
  groups: readonly (readonly string[])[],
  tail: readonly string[],
): Events {
  const last = groups.at(-1) ?? [];
  const middle = Math.ceil(last.length / 2);
  return {
    before: [...head, ...groups.slice(0, -1).flat(), ...last.slice(0, middle)],
    after: [...last.slice(middle), ...tail],
  };
}

function openaiEvents(turn: ServedTurn): Events {
  const calls = turn.tool_calls ?? [];
  const chunk = (delta: unknown, finish_reason: string | null = null) =>
    data({
      id: "chatcmpl-test",
      object: "chat.completion.chunk",
      created: 1,
      model: "test",
      choices: [{ index: 0, delta, finish_reason }],
    });
  const head = [chunk({ role: "assistant", content: "" })];
  if (turn.reasoning !== undefined) head.push(chunk({ reasoning_content: turn.reasoning.text }));
  const text = piecesOf(turn).map((content) => chunk({ content }));
  const groups = calls.map((call, index) => {
    const [first = "", second = ""] = halves(argumentsOf(call));
    const argument = (text: string) => chunk({ tool_calls: [{ index, function: { arguments: text } }] });
    const start = { index, id: idOf(call, index), type: "function", function: { name: call.name, arguments: "" } };
    return [chunk({ tool_calls: [start] }), argument(first), argument(second)];
  });
  const { input_tokens: prompt_tokens = 11, output_tokens: completion_tokens = 7 } = turn.usage ?? {};
  const reason = turn.finish_reason === undefined ? (calls.length > 0 ? "tool_calls" : "stop") : turn.finish_reason;
  const usage = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
  const tail = [
    ...(reason === null ? [] : [chunk({}, reason)]),
    data({ id: "chatcmpl-test", object: "chat.completion.chunk", created: 1, model: "test", choices: [], usage }),
    "data: [DONE]\n\n",
  ];
  return splitInGroups(head, [text, ...groups], tail);
}

function anthropicEvents(turn: ServedTurn): Events {
  const calls = turn.tool_calls ?? [];
  const { input_tokens = 11, output_tokens = 7 } = turn.usage ?? {};
  const message = {
    id: "msg_test",
    type: "message",
    role: "assistant",
    model: "test",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens, output_tokens: 1 },
  };
  const head = [named("message_start", { message }), named("ping")];
  let index = 0;
  const block = (content_block: unknown, deltas: readonly unknown[]) => {
    const place = index++;
    const event = (type: string, more: Record<string, unknown>) => named(type, { index: place, ...more });
    return [
      event("content_block_start", { content_block }),
      ...deltas.map((delta) => event("content_block_delta", { delta })),
      event("content_block_stop", {}),
    ];
  };
  if (turn.reasoning !== undefined) {
    const { text: thinking, signature } = turn.reasoning;
    head.push(
      ...block({ type: "thinking", thinking: "", signature: "" }, [
        { type: "thinking_delta", thinking },
        { type: "signature_delta", signature },
      ]),
    );
  }
  const pieces = piecesOf(turn);
  const text = pieces.length === 0
    ? []
    : block({ type: "text", text: "" }, pieces.map((piece) => ({ type: "text_delta", text: piece })));
  const groups = calls.map((call, callIndex) => {
    const start = { type: "tool_use", id: idOf(call, callIndex), name: call.name, input: {} };
    const deltas = ["", ...halves(argumentsOf(call))].map((partial_json) => ({
      type: "input_json_delta",
      partial_json,
    }));
    return block(start, deltas);
  });
  const stop_reason = turn.finish_reason === undefined
    ? (calls.length > 0 ? "tool_use" : "end_turn")
    : turn.finish_reason;
  const end = { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens } };
  return splitInGroups(head, [text, ...groups], [named("message_delta", end), named("message_stop")]);
}

function googleEvents(turn: ServedTurn): Events {
  const calls = turn.tool_calls ?? [];
  const { input_tokens = 11, output_tokens = 7 } = turn.usage ?? {};
  const usageMetadata = {
    promptTokenCount: input_tokens,
    candidatesTokenCount: output_tokens,
    totalTokenCount: input_tokens + output_tokens,
  };
  const chunk = (parts: readonly unknown[], finishReason?: string) =>
    data({
      candidates: [{ content: { parts, role: "model" }, index: 0, ...(finishReason && { finishReason }) }],
      usageMetadata,
      modelVersion: "test",
      responseId: "response-test",
    });
  const { reasoning } = turn;
  const head = reasoning === undefined ? [] : [
    chunk([{
      text: reasoning.text,
      thought: true,
      ...(reasoning.signature !== undefined && { thoughtSignature: reasoning.signature }),
    }]),
  ];
  const text = piecesOf(turn).map((piece) => chunk([{ text: piece }]));
  const groups = calls.map((call) => {
    const args = call.raw_input === undefined ? call.input ?? {} : { raw_input: call.raw_input };
    const functionCall = { name: call.name, args, ...(call.id !== undefined && { id: call.id }) };
    return [chunk([{ functionCall, ...(call.signature !== undefined && { thoughtSignature: call.signature }) }])];
  });
  const reason = turn.finish_reason === undefined ? "STOP" : turn.finish_reason;
  return splitInGroups(head, [text, ...groups], reason === null ? [] : [chunk([{ text: "" }], reason)]);
}
