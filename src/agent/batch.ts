/**
 * The calls of one answer, one after another.
 *
 * After a denied readonly call the later readonly calls go on and the others are not run; after a denied write or dangerous
 * call none of the later ones is run (the onecode rule lets the batch go on). Every call gets exactly one result.
 */
import type { AgentEvent, BatchRule, ModelAnswer, RequestedCall, ToolCall } from "../protocol/mod.ts";
import type { AgentParts } from "./ports.ts";
import { release } from "./release.ts";
import { type AgentState, eventOf } from "./state.ts";
import { errorResult, prepareCall, type PreparedCall, runCall } from "./tool_call.ts";
import * as wording from "./wording.ts";

/** What a batch came to. */
export type BatchEnd = "done" | "interrupted" | "repeated_failure";

type Gate = "open" | "readonly" | "shut";

/** Runs the calls in order; returns when all have their result. */
export async function* runBatch(
  parts: AgentParts,
  state: AgentState,
  calls: readonly RequestedCall[],
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, BatchEnd> {
  let gate: Gate = "open";
  let denied: { name: string; id: string } | undefined;
  let end: BatchEnd = "done";
  for (const [index, requested] of calls.entries()) {
    const prepared = prepareCall(parts, requested);
    if (signal.aborted) {
      yield* abortCalls(parts, state, calls.slice(index), undefined);
      return "interrupted";
    }
    if (denied && !passes(gate, prepared)) {
      yield* skip(state, prepared, wording.skippedAfterDeny(denied));
      continue;
    }
    const life = yield* runCall(parts, state, prepared, signal);
    if (life.kind === "interrupted") {
      yield* abortCalls(parts, state, calls.slice(index), life);
      return "interrupted";
    }
    if (life.kind === "denied") {
      gate = narrow(gate, life.rule, life.tier);
      denied ??= { name: nameOf(prepared), id: requested.id };
    }
    const failed = life.kind === "denied" || life.failed;
    if (countFailure(state, requested, failed) >= parts.limits.max_repeated_failures) end = "repeated_failure";
  }
  return end;
}

/** Gives every call of an answer without a proper end its result, without running any. */
export function* refuseCutCalls(
  parts: AgentParts,
  state: AgentState,
  calls: readonly RequestedCall[],
  finish: ModelAnswer["finish_reason"],
): Generator<AgentEvent> {
  const reason = finish === "length" ? wording.cutAtLimit() : wording.endedOddly(finish);
  for (const requested of calls) yield* skip(state, prepareCall(parts, requested), reason);
}

function* skip(state: AgentState, prepared: PreparedCall, reason: string): Generator<AgentEvent> {
  const { id } = prepared.requested;
  const name = nameOf(prepared);
  yield eventOf(state, { type: "tool_skipped", call_id: id, name, reason });
  yield release(state, { type: "tool_result", ...errorResult(id, name, reason) });
}

function* abortCalls(
  parts: AgentParts,
  state: AgentState,
  calls: readonly RequestedCall[],
  first: { readonly started: boolean; readonly output: string } | undefined,
): Generator<AgentEvent> {
  yield eventOf(state, { type: "aborted_tools", call_ids: calls.map((call) => call.id) });
  for (const [index, requested] of calls.entries()) {
    const content = index === 0 && first?.started
      ? wording.interruptedRunning(first.output)
      : wording.interruptedBefore();
    const name = nameOf(prepareCall(parts, requested));
    yield release(state, { type: "tool_result", ...errorResult(requested.id, name, content), aborted: true });
  }
}

function passes(gate: Gate, prepared: PreparedCall): boolean {
  if (prepared.kind === "invalid") return gate !== "shut";
  return gate === "open" || (gate === "readonly" && prepared.tool.tier === "readonly");
}

function narrow(gate: Gate, rule: BatchRule, tier: ToolCall["tier"]): Gate {
  if (rule === "go_on" || gate === "shut") return gate;
  return tier === "readonly" ? "readonly" : "shut";
}

function countFailure(state: AgentState, requested: RequestedCall, failed: boolean): number {
  const key = `${requested.name}\n${requested.arguments_text}`;
  const { repeated_failure: before } = state;
  const count = !failed ? 0 : before.key === key ? before.count + 1 : 1;
  state.repeated_failure = { key, count };
  return count;
}

function nameOf(prepared: PreparedCall): string {
  return prepared.kind === "valid" ? prepared.tool.name : prepared.name;
}
