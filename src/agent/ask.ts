/** Asks the hooks at a point and accounts for what they said, and for what happened beside the loop. */
import type { EmissionResult } from "../hooks/mod.ts";
import type { AgentEvent, Occasion } from "../protocol/mod.ts";
import type { AgentParts } from "./ports.ts";
import { type AgentState, eventOf, momentOf } from "./state.ts";

/** Points at which a fault of the hook engine itself stops what was about to happen. */
const FAULT_BLOCKS: ReadonlySet<Occasion["point"]> = new Set(["input", "pre_tool_call", "output"]);

/**
 * One emission: yields what happened as events, returns what it came to.
 *
 * A throw of the engine is a fault that blocks at `input`, `pre_tool_call` and `output` and changes nothing elsewhere.
 */
export async function* askHooks(
  parts: AgentParts,
  state: AgentState,
  occasion: Occasion,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, EmissionResult> {
  yield* announcePending(parts, state);
  const result = await emit(parts, state, occasion, signal);
  const call = occasion.point === "pre_tool_call" || occasion.point === "post_tool_call"
    ? { tool_call_id: occasion.call.id }
    : {};
  for (const report of result.reports) {
    state.hook_count += 1;
    state.hook_time_ms += report.duration_ms;
    yield eventOf(state, { type: "hook_finished", ...call, ...report });
  }
  for (const notice of result.notices) yield eventOf(state, { type: "warning", ...notice });
  if (result.fault !== undefined) {
    yield eventOf(state, { type: "error", code: "hook_engine_fault", message: result.fault });
  }
  if (result.record) {
    yield eventOf(state, { type: "interception", record: result.record, generation: result.generation });
  }
  if (result.effect !== "proceed" && result.verdict.decision === "deny") {
    yield eventOf(state, {
      type: "hook_denied",
      point: occasion.point,
      hook_ids: result.verdict.hook_ids,
      reasons: result.verdict.reasons,
      cause: result.verdict.cause,
      ...call,
    });
  }
  return result;
}

/** Yields what happened beside the loop, also what happens while it yields. */
export function* announcePending(parts: AgentParts, state: AgentState): Generator<AgentEvent> {
  for (;;) {
    const bodies = parts.pending?.() ?? [];
    if (bodies.length === 0) return;
    for (const body of bodies) yield eventOf(state, body);
  }
}

/** What hooks have made of the occasion, when they have rewritten it and it may go on. */
export function rewrittenAt<At extends Occasion["point"]>(
  { effect, rewritten }: EmissionResult,
  point: At,
): Extract<Occasion, { point: At }> | undefined {
  if (effect === "block" || effect === "discard" || rewritten?.point !== point) return undefined;
  return rewritten as Extract<Occasion, { point: At }>;
}

/** The reasons of a deny, first first; empty for anything else. */
export function reasonsOf(result: EmissionResult): readonly string[] {
  return result.verdict.decision === "deny" ? result.verdict.reasons : [];
}

async function emit(
  parts: AgentParts,
  state: AgentState,
  occasion: Occasion,
  signal: AbortSignal,
): Promise<EmissionResult> {
  try {
    return await parts.hooks.emit(occasion, momentOf(state, parts), signal);
  } catch (error) {
    return faultResult(parts, occasion, error);
  }
}

function faultResult(parts: AgentParts, occasion: Occasion, error: unknown): EmissionResult {
  const what = error instanceof Error ? error.message : String(error);
  const reason = `The hook engine failed at ${occasion.point}: ${what}`;
  return {
    point: occasion.point,
    generation: parts.hooks.generation,
    effect: FAULT_BLOCKS.has(occasion.point) ? "block" : "proceed",
    verdict: {
      decision: "deny",
      reasons: [reason],
      cause: "engine_fault",
      hook_ids: [],
      liftable: false,
      lane: "soong",
    },
    reports: [],
    batch_rule: "go_on",
    contexts: [],
    notices: [],
    cancelled: false,
    fault: reason,
  };
}
