/** What an agent remembers between the steps of a run. */
import type { AgentEvent, EventBody, Message, Moment, Usage } from "../protocol/mod.ts";
import type { AgentParts } from "./ports.ts";

/** The mutable state of one agent. Only `release` adds to the history. */
export interface AgentState {
  readonly history: Message[];
  /** Number of the prompt in the session, from 1; 0 before the first. */
  turn: number;
  usage: Usage;
  tool_call_count: number;
  hook_count: number;
  hook_time_ms: number;
  readonly started_ms: number;
  /** The last failing call and how often it came in a row. */
  repeated_failure: { key: string; count: number };
}

/** The state an agent begins with. */
export function initialState(parts: AgentParts): AgentState {
  return {
    history: [...parts.history],
    turn: parts.turn,
    usage: { input_tokens: 0, output_tokens: 0 },
    tool_call_count: 0,
    hook_count: 0,
    hook_time_ms: 0,
    started_ms: parts.clock(),
    repeated_failure: { key: "", count: 0 },
  };
}

/** The moment, for payloads. */
export function momentOf(state: AgentState, parts: AgentParts): Moment {
  return {
    turn: state.turn,
    usage: state.usage,
    tool_call_count: state.tool_call_count,
    elapsed_ms: Math.round(parts.clock() - state.started_ms),
  };
}

/** Puts the turn onto an event. */
export function eventOf(state: AgentState, body: EventBody): AgentEvent {
  return { turn: state.turn, ...body };
}

/** Sum of two usages. */
export function addUsage(left: Usage, right: Usage): Usage {
  return {
    input_tokens: left.input_tokens + right.input_tokens,
    output_tokens: left.output_tokens + right.output_tokens,
  };
}
