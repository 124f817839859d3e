/**
 * One prompt from its arrival to the end of its turn:
 *
 *     input → [ pre_model_call → model → post_model_call → tool calls … ]* → stop → output
 */
import type { AgentEvent, FinishedReason, ModelAnswer } from "../protocol/mod.ts";
import { askHooks, reasonsOf, rewrittenAt } from "./ask.ts";
import { refuseCutCalls, runBatch } from "./batch.ts";
import { runModelStep } from "./model_step.ts";
import type { AgentParts } from "./ports.ts";
import { release } from "./release.ts";
import { type AgentState, eventOf } from "./state.ts";
import * as wording from "./wording.ts";

/** How a turn ended. `text` is the delivered answer, only after `completed`. */
export interface TurnOutcome {
  readonly reason: FinishedReason;
  readonly text: string;
}

/** Runs one prompt. `signal` interrupts the turn; the session stays whole and can go on. */
export async function* runTurn(
  parts: AgentParts,
  state: AgentState,
  prompt: string,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, TurnOutcome> {
  state.turn += 1;
  state.repeated_failure = { key: "", count: 0 };
  const accepted = yield* acceptPrompt(parts, state, prompt, signal);
  if (accepted !== "accepted") return ended(accepted);

  let stopDenials = 0;
  for (let step = 1;; step++) {
    const bound = reachedBound(parts, state, step);
    if (bound) {
      yield eventOf(state, { type: "error", code: bound.reason, message: bound.message });
      return ended(bound.reason);
    }
    const end = yield* runModelStep(parts, state, step, signal);
    if (end.kind === "end") return ended(end.reason);
    const { answer, held_text: heldText } = end;

    if (answer.tool_calls.length > 0) {
      if (heldText !== "") yield eventOf(state, { type: "assistant_delta", text: heldText });
      yield release(state, assistantMessage(answer));
      if (answer.finish_reason !== "tool_calls" && answer.finish_reason !== "stop") {
        yield* refuseCutCalls(parts, state, answer.tool_calls, answer.finish_reason);
        continue;
      }
      const batch = yield* runBatch(parts, state, answer.tool_calls, signal);
      if (batch === "interrupted") return ended("aborted");
      if (batch === "repeated_failure") {
        yield eventOf(state, {
          type: "error",
          code: "repeated_failure",
          message: `The model sent the same failing call ${parts.limits.max_repeated_failures} times in a row.`,
        });
        return ended("repeated_failure");
      }
      continue;
    }

    if (answer.finish_reason === "tool_calls" && answer.text.trim() === "") {
      const message = "The model announced tool calls and sent none that can be read.";
      yield eventOf(state, { type: "error", code: "model_no_calls", message });
      return ended("error");
    }
    const stop = yield* askHooks(parts, state, {
      point: "stop",
      stop_hook_active: stopDenials > 0,
      stop_denials: stopDenials,
      last_assistant_message: answer.text,
    }, signal);
    if (stop.cancelled || signal.aborted) return ended("aborted");
    if (stop.effect === "send_back" && stop.verdict.decision === "deny") {
      const { reasons, hook_ids: hookIds } = stop.verdict;
      stopDenials += 1;
      if (heldText !== "") yield eventOf(state, { type: "assistant_delta", text: heldText });
      yield release(state, assistantMessage(answer));
      yield eventOf(state, { type: "stop_hook_prevented", reasons, hook_ids: hookIds, denials: stopDenials });
      if (stopDenials > parts.limits.max_stop_denials) {
        yield eventOf(state, {
          type: "error",
          code: "stop_hook_limit",
          message: `A Stop hook still says no after it sent the model back ${parts.limits.max_stop_denials} times: ` +
            reasons.join("; "),
        });
        return ended("stop_hook_limit");
      }
      yield release(state, {
        type: "hook_context",
        origin: "stop",
        text: wording.stopPrevented(reasons, hookIds),
        hook_ids: hookIds,
      });
      continue;
    }
    return yield* deliver(parts, state, answer, heldText, signal);
  }
}

async function* acceptPrompt(
  parts: AgentParts,
  state: AgentState,
  prompt: string,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, "accepted" | "blocked" | "aborted"> {
  const judged = yield* askHooks(parts, state, { point: "input", prompt }, signal);
  if (judged.cancelled || signal.aborted) return "aborted";
  if (judged.effect === "block") {
    yield eventOf(state, { type: "input_blocked", reasons: reasonsOf(judged), length: prompt.length });
    yield eventOf(state, {
      type: "error",
      code: "input_blocked",
      message: `A hook blocked the prompt: ${reasonsOf(judged).join("; ")}`,
    });
    return "blocked";
  }
  const rewritten = rewrittenAt(judged, "input");
  if (rewritten) yield eventOf(state, { type: "hook_transformed", point: "input" });
  for (const addition of judged.contexts) {
    yield release(state, {
      type: "hook_context",
      origin: "additional_context",
      text: wording.hookContext(addition.hook_id, addition.text),
      hook_ids: [addition.hook_id],
    });
  }
  yield release(state, { type: "user_message", text: rewritten?.prompt ?? prompt });
  return "accepted";
}

async function* deliver(
  parts: AgentParts,
  state: AgentState,
  answer: ModelAnswer,
  heldText: string,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, TurnOutcome> {
  const judged = yield* askHooks(parts, state, { point: "output", text: answer.text }, signal);
  if (judged.cancelled || signal.aborted) return ended("aborted");
  if (judged.effect === "block") {
    const reasons = reasonsOf(judged);
    yield eventOf(state, { type: "output_blocked", reasons, length: answer.text.length });
    yield eventOf(state, {
      type: "error",
      code: "output_blocked",
      message: `A hook blocked the answer: ${reasons.join("; ")}`,
    });
    return ended("blocked");
  }
  const rewritten = rewrittenAt(judged, "output");
  if (rewritten) yield eventOf(state, { type: "hook_transformed", point: "output" });
  if (answer.finish_reason === "length" || answer.finish_reason === "content_filter") {
    yield eventOf(state, {
      type: "warning",
      code: `answer_${answer.finish_reason}`,
      message: answer.finish_reason === "length"
        ? "The answer was cut at the model's output limit."
        : "The provider's content filter ended the answer.",
    });
  }
  const text = rewritten?.text ?? answer.text;
  const shown = rewritten ? text : heldText;
  if (shown !== "") yield eventOf(state, { type: "assistant_delta", text: shown });
  yield release(state, { ...assistantMessage({ ...answer, text }), final: true });
  return { reason: "completed", text };
}

function assistantMessage(answer: ModelAnswer) {
  return {
    type: "assistant_message",
    text: answer.text,
    tool_calls: answer.tool_calls,
    finish_reason: answer.finish_reason,
    usage: answer.usage,
    ...(answer.provider_metadata && { provider_metadata: answer.provider_metadata }),
  } as const;
}

function reachedBound(
  parts: AgentParts,
  state: AgentState,
  step: number,
): { readonly reason: "max_turns" | "max_tokens"; readonly message: string } | undefined {
  const { max_turns: maxTurns, max_tokens: maxTokens } = parts.limits;
  if (step > maxTurns) {
    return {
      reason: "max_turns",
      message: `The run ended after ${maxTurns} model ${maxTurns === 1 ? "request" : "requests"} (--max-turns).`,
    };
  }
  const used = state.usage.input_tokens + state.usage.output_tokens;
  if (maxTokens !== undefined && used >= maxTokens) {
    return { reason: "max_tokens", message: `The run used ${used} of ${maxTokens} tokens (--max-tokens).` };
  }
  return undefined;
}

function ended(reason: FinishedReason): TurnOutcome {
  return { reason, text: "" };
}
