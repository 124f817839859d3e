/** One model request and its complete answer, with the hooks before and after it. */
import type { AgentEvent, FinishedReason, Message, ModelAnswer, RequestedCall } from "../protocol/mod.ts";
import { askHooks, reasonsOf, rewrittenAt } from "./ask.ts";
import type { AgentParts } from "./ports.ts";
import { addUsage, type AgentState, eventOf } from "./state.ts";

/** What a step came to: an answer that is still pending, or the end of the turn. */
export type StepEnd =
  | { readonly kind: "answer"; readonly answer: ModelAnswer; readonly held_text: string }
  | { readonly kind: "end"; readonly reason: FinishedReason };

/**
 * Asks the model once.
 *
 * While a hook that could withhold it is registered, text is held and comes back as `held_text`; otherwise it is streamed as
 * `assistant_delta`.
 */
export async function* runModelStep(
  parts: AgentParts,
  state: AgentState,
  step: number,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, StepEnd> {
  const { model, hooks } = parts;
  const before = yield* askHooks(
    parts,
    state,
    { point: "pre_model_call", model_id: model.id, messages: state.history },
    signal,
  );
  if (before.cancelled || signal.aborted) return { kind: "end", reason: "aborted" };
  if (before.effect === "block") return yield* blocked(state, reasonsOf(before), "model request");
  const messages = rewrittenAt(before, "pre_model_call")?.messages;
  if (messages) yield eventOf(state, { type: "hook_transformed", point: "pre_model_call" });

  yield eventOf(state, {
    type: "model_request",
    model: `${model.provider}/${model.id}`,
    step,
    message_count: (messages ?? state.history).length,
  });
  const incremental = parts.incremental === true && hooks.hasActive("post_model_call", model.id);
  // Hooks that judge the parts have agreed to what is shown before the end; the others are promised that nothing is.
  const hold = incremental
    ? hooks.hasBlocking("output", { besides: "agent-hooks/0.1" })
    : hooks.hasBlocking("output") || hooks.hasBlocking("post_model_call");
  const streaming = { messages: messages ?? state.history, hold, incremental };
  const streamed = yield* streamAnswer(parts, state, streaming, signal);
  if (streamed.kind === "end") return streamed;
  const answer = { ...streamed.answer, tool_calls: uniqueCalls(state, streamed.answer.tool_calls) };
  state.usage = addUsage(state.usage, answer.usage);

  const after = yield* askHooks(parts, state, { point: "post_model_call", model_id: model.id, answer }, signal);
  if (after.effect === "discard") return yield* blocked(state, reasonsOf(after), "model answer");
  if (after.cancelled || signal.aborted) return { kind: "end", reason: "aborted" };
  const rewritten = rewrittenAt(after, "post_model_call")?.answer;
  if (rewritten === undefined) {
    const { unreleased_text: rest, held_text: heldText } = streamed;
    if (rest !== "" && !hold) yield eventOf(state, { type: "assistant_delta", text: rest });
    return { kind: "answer", answer, held_text: hold ? heldText + rest : heldText };
  }
  yield eventOf(state, { type: "hook_transformed", point: "post_model_call" });
  // What was shown of the answer is shown; a rewritten text is shown whole.
  return {
    kind: "answer",
    answer: { ...rewritten, tool_calls: uniqueCalls(state, rewritten.tool_calls) },
    held_text: rewritten.text === answer.text ? streamed.held_text + streamed.unreleased_text : rewritten.text,
  };
}

interface Streaming {
  readonly messages: readonly Message[];
  /** Text is kept back to the end of the step. */
  readonly hold: boolean;
  /** Hooks are asked about each part of the text. */
  readonly incremental: boolean;
}

/** A whole answer; `unreleased_text` is its last part, about which nobody was asked yet. */
interface Streamed {
  readonly kind: "answer";
  readonly answer: ModelAnswer;
  readonly held_text: string;
  readonly unreleased_text: string;
}

async function* streamAnswer(
  parts: AgentParts,
  state: AgentState,
  { messages, hold, incremental }: Streaming,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, Streamed | Extract<StepEnd, { kind: "end" }>> {
  const { model } = parts;
  let held = "";
  /** Text that hooks have permitted, and the part that came after it. */
  let permitted = "";
  let part = "";
  const tools = parts.tools.tools.map((tool) => ({
    name: parts.tools.wireName(tool),
    description: tool.description,
    parameters: tool.parameters,
  }));
  for await (const event of model.stream({ system: parts.system, messages, tools }, signal)) {
    switch (event.type) {
      case "text_delta":
        if (incremental && part !== "") {
          const end = yield* judgePart(parts, state, permitted + part, signal);
          if (end !== undefined) return end;
          if (hold) held += part;
          else yield eventOf(state, { type: "assistant_delta", text: part });
          permitted += part;
        }
        if (incremental) part = event.text;
        else if (hold) held += event.text;
        else yield eventOf(state, { type: "assistant_delta", text: event.text });
        break;
      case "retry":
        if (permitted !== "") return yield* refuseRest(parts, state, permitted + part, signal);
        [held, part] = ["", ""];
        yield eventOf(state, {
          type: "warning",
          code: "model_retry",
          message: `${event.reason}; trying again in ${event.delay_ms} ms (try ${event.attempt})`,
        });
        break;
      case "finish":
        return { kind: "answer", answer: event.answer, held_text: held, unreleased_text: part };
      case "failure":
        if (event.failure.kind === "cancelled" || signal.aborted) return { kind: "end", reason: "aborted" };
        if (permitted + part !== "") return yield* refuseRest(parts, state, permitted + part, signal);
        yield eventOf(state, { type: "error", code: `model_${event.failure.kind}`, message: event.failure.message });
        return { kind: "end", reason: "error" };
    }
  }
  if (permitted + part !== "") return yield* refuseRest(parts, state, permitted + part, signal);
  yield eventOf(state, { type: "error", code: "model_cut", message: "the model ended without an answer" });
  return { kind: "end", reason: "error" };
}

type Ended = Extract<StepEnd, { kind: "end" }>;

/** Asks about an answer so far; undefined when the part may be shown. A rewrite of a part counts at the end only. */
async function* judgePart(
  parts: AgentParts,
  state: AgentState,
  text: string,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, Ended | undefined> {
  const occasion = { ...partOf(parts, text), finish_reason: "incremental" } as const;
  const judged = yield* askHooks(parts, state, occasion, signal);
  if (judged.effect === "discard") return yield* blocked(state, reasonsOf(judged), "model answer");
  return judged.cancelled || signal.aborted ? { kind: "end", reason: "aborted" } : undefined;
}

/** A stream that broke off: what nobody was asked about is withheld, and the record says so. */
async function* refuseRest(
  parts: AgentParts,
  state: AgentState,
  text: string,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, Ended> {
  const occasion = {
    ...partOf(parts, text),
    finish_reason: "stream_incomplete",
    refused: "streaming_unsupported",
  } as const;
  yield* askHooks(parts, state, occasion, signal);
  return yield* blocked(state, ["the stream broke off before the end of the answer"], "model answer");
}

function partOf({ model }: AgentParts, text: string) {
  const usage = { input_tokens: 0, output_tokens: 0 };
  const answer: ModelAnswer = { text, tool_calls: [], finish_reason: "stop", usage };
  return { point: "post_model_call", model_id: model.id, answer } as const;
}

function* blocked(state: AgentState, reasons: readonly string[], what: string): Generator<AgentEvent, Ended> {
  yield eventOf(state, {
    type: "error",
    code: "blocked_by_hook",
    message: `A hook blocked the ${what}: ${reasons.join("; ")}`,
  });
  return { kind: "end", reason: "blocked" };
}

/** Call ids that are unique in the whole conversation, so that every result finds its call. */
function uniqueCalls(state: AgentState, calls: readonly RequestedCall[]): readonly RequestedCall[] {
  if (calls.length === 0) return calls;
  const taken = new Set<string>();
  for (const message of state.history) {
    if (message.role === "assistant") { for (const call of message.tool_calls) taken.add(call.id); }
  }
  return calls.map((call) => {
    const base = call.id === "" ? "call" : call.id;
    let id = base;
    for (let count = 2; id === "" || taken.has(id); count++) id = `${base}_${count}`;
    taken.add(id);
    return id === call.id ? call : { ...call, id };
  });
}
