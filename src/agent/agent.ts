/** An agent: starts once, runs prompts one after another, shuts down once. */
import type { AgentEvent, FinishedReason } from "../protocol/mod.ts";
import { announcePending, askHooks, reasonsOf } from "./ask.ts";
import type { AgentParts } from "./ports.ts";
import { release } from "./release.ts";
import { type AgentState, eventOf, initialState } from "./state.ts";
import { runTurn, type TurnOutcome } from "./turn.ts";
import * as wording from "./wording.ts";

/** What `start` announces. */
export interface AgentStart {
  readonly version: string;
  readonly source: "startup" | "resume";
  readonly project_dir: string;
  readonly hooks_enabled: boolean;
}

/** An agent in its life. Each method yields events, which the caller logs and shows before it asks for the next one. */
export interface Agent {
  /** Fires `agent_startup`. Returns false when a hook refused the session: no input may be processed then. */
  start(start: AgentStart, signal: AbortSignal): AsyncGenerator<AgentEvent, boolean>;
  /** Runs one prompt. */
  prompt(text: string, signal: AbortSignal): AsyncGenerator<AgentEvent, TurnOutcome>;
  /** Fires `agent_shutdown` and accounts for the run. */
  finish(reason: FinishedReason, signal: AbortSignal): AsyncGenerator<AgentEvent, void>;
}

/** Makes an agent out of its parts. */
export function createAgent(parts: AgentParts): Agent {
  const state = initialState(parts);
  return {
    start: (start, signal) => startAgent(parts, state, start, signal),
    prompt: (text, signal) => runTurn(parts, state, text, signal),
    finish: (reason, signal) => finishAgent(parts, state, reason, signal),
  };
}

async function* startAgent(
  parts: AgentParts,
  state: AgentState,
  start: AgentStart,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, boolean> {
  yield eventOf(state, {
    type: "session_started",
    ...start,
    model: `${parts.model.provider}/${parts.model.id}`,
    permission_mode: parts.permission.mode,
    hook_count: parts.hooks.registrations.length,
    generation: parts.hooks.generation,
  });
  const tools = parts.tools.tools.map((tool) => tool.name);
  const judged = yield* askHooks(parts, state, { point: "agent_startup", source: start.source, tools }, signal);
  if (judged.effect === "block") {
    yield eventOf(state, {
      type: "error",
      code: "session_refused",
      message: `The session was refused: ${reasonsOf(judged).join("; ")}`,
    });
    return false;
  }
  for (const addition of judged.contexts) {
    yield release(state, {
      type: "hook_context",
      origin: "additional_context",
      text: wording.hookContext(addition.hook_id, addition.text),
      hook_ids: [addition.hook_id],
    });
  }
  return true;
}

async function* finishAgent(
  parts: AgentParts,
  state: AgentState,
  reason: FinishedReason,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, void> {
  yield* askHooks(parts, state, { point: "agent_shutdown", reason: SHUTDOWN_REASON[reason] }, signal);
  yield* announcePending(parts, state);
  yield eventOf(state, {
    type: "session_finished",
    reason,
    usage: state.usage,
    tool_call_count: state.tool_call_count,
    hook_count: state.hook_count,
    hook_time_ms: Math.round(state.hook_time_ms),
    duration_ms: Math.round(parts.clock() - state.started_ms),
  });
}

const SHUTDOWN_REASON = {
  completed: "completed",
  blocked: "error",
  max_turns: "error",
  max_tokens: "error",
  stop_hook_limit: "error",
  repeated_failure: "error",
  aborted: "cancelled",
  error: "error",
} as const satisfies Record<FinishedReason, "completed" | "error" | "cancelled">;
