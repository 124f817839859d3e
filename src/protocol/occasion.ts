/**
 * An occasion: what is known at a point when hooks are asked. It holds references only; payloads are built from it when a
 * hook needs one.
 */
import type { Json } from "./json.ts";
import type { Message, ModelAnswer, Usage } from "./conversation.ts";
import type { ToolCall, ToolResult } from "./tool_call.ts";

/** What is the same for every point of a run. */
export interface RunScope {
  readonly session_id: string;
  readonly run_id: string;
  /** ISO 8601. */
  readonly session_started_at: string;
  /** Real path of the project. */
  readonly project_dir: string;
  readonly transcript_path: string;
  readonly permission_mode: string;
  /** How the agent is used. */
  readonly mode: "headless" | "interactive";
  readonly agent?: { readonly id: string; readonly type: string };
}

/** What changes from emission to emission. */
export interface Moment {
  /** Number of the prompt in the session, from 1; 0 before the first. */
  readonly turn: number;
  readonly usage: Usage;
  readonly tool_call_count: number;
  readonly elapsed_ms: number;
}

/** Facts by point. */
export type Occasion =
  | { readonly point: "agent_startup"; readonly source: "startup" | "resume"; readonly tools: readonly string[] }
  | { readonly point: "input"; readonly prompt: string }
  | { readonly point: "pre_model_call"; readonly model_id: string; readonly messages: readonly Message[] }
  | {
    readonly point: "post_model_call";
    readonly model_id: string;
    readonly answer: ModelAnswer;
    /** In the place of the answer's own, for a part of a stream: `incremental`, or `stream_incomplete` at its end. */
    readonly finish_reason?: "incremental" | "stream_incomplete";
    /** A reserved reason of agent-hooks/0.1: the loop itself refuses this answer, and nobody is asked. */
    readonly refused?: "streaming_unsupported";
  }
  | { readonly point: "pre_tool_call"; readonly call: ToolCall }
  | { readonly point: "post_tool_call"; readonly call: ToolCall; readonly result: ToolResult }
  | {
    readonly point: "stop";
    /** True when a Stop hook has already sent the model back in this turn. */
    readonly stop_hook_active: boolean;
    /** How often that happened. */
    readonly stop_denials: number;
    readonly last_assistant_message: string;
  }
  | { readonly point: "output"; readonly text: string }
  | {
    readonly point: "agent_shutdown";
    readonly reason: "completed" | "error" | "cancelled";
    readonly source?: string;
    readonly summary?: Json;
  };

/** The text that matchers of this point are compared with: tool name, model id, or nothing. */
export function subjectOf(occasion: Occasion): string {
  switch (occasion.point) {
    case "pre_model_call":
    case "post_model_call":
      return occasion.model_id;
    case "pre_tool_call":
    case "post_tool_call":
      return occasion.call.name;
    default:
      return "";
  }
}
