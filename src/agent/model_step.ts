/** One model request and its complete answer, with the hooks before and after it. */
import type { AgentEvent, FinishedReason, ModelAnswer, RequestedCall } from "../protocol/mod.ts";
import type { Model } from "../model/mod.ts";
import { askHooks, reasonsOf } from "./ask.ts";
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

  yield eventOf(state, {
    type: "model_request",
    model: `${model.provider}/${model.id}`,
    step,
    message_count: state.history.length,
  });
  const hold = hooks.hasBlocking("output") || hooks.hasBlocking("post_model_call");
  const streamed = yield* streamAnswer(parts, state, model, hold, signal);
  if (streamed.kind === "end") return streamed;
  const answer = { ...streamed.answer, tool_calls: uniqueCalls(state, streamed.answer.tool_calls) };
  state.usage = addUsage(state.usage, answer.usage);

  const after = yield* askHooks(parts, state, { point: "post_model_call", model_id: model.id, answer }, signal);
  if (after.effect === "discard") return yield* blocked(state, reasonsOf(after), "model answer");
  if (after.cancelled || signal.aborted) return { kind: "end", reason: "aborted" };
  return { kind: "answer", answer, held_text: streamed.held_text };
}

async function* streamAnswer(
  parts: AgentParts,
  state: AgentState,
  model: Model,
  hold: boolean,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, StepEnd> {
  let held = "";
  const tools = parts.tools.tools.map((tool) => ({
    name: parts.tools.wireName(tool),
    description: tool.description,
    parameters: tool.parameters,
  }));
  for await (const event of model.stream({ system: parts.system, messages: state.history, tools }, signal)) {
    switch (event.type) {
      case "text_delta":
        if (hold) held += event.text;
        else yield eventOf(state, { type: "assistant_delta", text: event.text });
        break;
      case "retry":
        held = "";
        yield eventOf(state, {
          type: "warning",
          code: "model_retry",
          message: `${event.reason}; trying again in ${event.delay_ms} ms (try ${event.attempt})`,
        });
        break;
      case "finish":
        return { kind: "answer", answer: event.answer, held_text: held };
      case "failure":
        if (event.failure.kind === "cancelled" || signal.aborted) return { kind: "end", reason: "aborted" };
        yield eventOf(state, { type: "error", code: `model_${event.failure.kind}`, message: event.failure.message });
        return { kind: "end", reason: "error" };
    }
  }
  yield eventOf(state, { type: "error", code: "model_cut", message: "the model ended without an answer" });
  return { kind: "end", reason: "error" };
}

function* blocked(state: AgentState, reasons: readonly string[], what: string): Generator<AgentEvent, StepEnd> {
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
