/**
 * Events of a session: one JSON line each, in the log and (with `--output stream-json`) on stdout.
 *
 * The agent makes `AgentEvent`s; the session log stamps each with `seq`, `ts`, `session_id` and `prev` on append.
 */
import type { Json, JsonObject } from "./json.ts";
import type { Usage } from "./conversation.ts";
import type { DenyCause, HookReport, InterceptionRecord } from "./verdict.ts";
import type { Point } from "./points.ts";
import type { RequestedCall, Tier } from "./tool_call.ts";

/** Why a run of the agent ended. */
export type FinishedReason =
  | "completed"
  | "blocked"
  | "max_turns"
  | "max_tokens"
  | "stop_hook_limit"
  | "repeated_failure"
  | "aborted"
  | "error";

/** Events without their stamp. `turn` is the number of the prompt in the session, from 1; 0 before the first. */
export type AgentEvent = { readonly turn: number } & EventBody;

/** An event as it stands in the log. */
export type LoggedEvent = AgentEvent & {
  readonly seq: number;
  /** ISO 8601 with milliseconds, UTC. */
  readonly ts: string;
  readonly session_id: string;
  /** SHA-256 (hex) of the line before, without its line end; 64 zeros on the first line. */
  readonly prev: string;
};

/** What each kind of event holds. */
export type EventBody =
  | {
    readonly type: "session_started";
    readonly version: string;
    readonly source: "startup" | "resume";
    readonly project_dir: string;
    readonly model: string;
    readonly permission_mode: string;
    readonly hooks_enabled: boolean;
    readonly hook_count: number;
    readonly generation: number;
  }
  | { readonly type: "user_message"; readonly text: string }
  | ({ readonly type: "hook_finished"; readonly tool_call_id?: string } & HookReport)
  | {
    readonly type: "hook_denied";
    readonly point: Point;
    readonly hook_ids: readonly string[];
    readonly reasons: readonly string[];
    readonly cause: DenyCause;
    readonly tool_call_id?: string;
  }
  /** Text of a hook that enters the conversation as a user message; `text` is what the model reads. */
  | {
    readonly type: "hook_context";
    readonly origin: "stop" | "additional_context" | "post_tool_call";
    readonly text: string;
    readonly hook_ids: readonly string[];
  }
  /** The record is closed by its standard, so the generation of the hooks stands beside it. */
  | { readonly type: "interception"; readonly record: InterceptionRecord; readonly generation: number }
  | {
    readonly type: "model_request";
    readonly model: string;
    readonly step: number;
    readonly message_count: number;
    readonly attempt?: number;
  }
  /** Stream only, never logged. */
  | { readonly type: "assistant_delta"; readonly text: string }
  | {
    readonly type: "assistant_message";
    readonly text: string;
    readonly tool_calls: readonly RequestedCall[];
    readonly finish_reason: string;
    readonly usage: Usage;
    readonly provider_metadata?: JsonObject;
    /** True for the answer that ends the turn. */
    readonly final?: boolean;
  }
  /** A call enters its life: before hooks and permission. */
  | {
    readonly type: "tool_call";
    readonly call_id: string;
    readonly name: string;
    readonly input: Json;
    readonly tier?: Tier;
  }
  | {
    readonly type: "permission_decision";
    readonly call_id: string;
    readonly name: string;
    readonly decision: "allow" | "deny";
    readonly by: "rule" | "mode" | "prompt" | "sensitive" | "protected" | "approval";
    readonly detail?: string;
  }
  | {
    readonly type: "tool_denied";
    readonly call_id: string;
    readonly name: string;
    readonly by: "hook" | "permission" | "protected";
    readonly reason: string;
    readonly cause?: DenyCause;
  }
  | { readonly type: "tool_skipped"; readonly call_id: string; readonly name: string; readonly reason: string }
  /** Execution begins: from here on the call may have had effects. */
  | { readonly type: "tool_started"; readonly call_id: string; readonly name: string }
  | {
    readonly type: "tool_result";
    readonly call_id: string;
    readonly name: string;
    readonly is_error: boolean;
    readonly content: string;
    readonly artifact_ref?: string;
    readonly duration_ms?: number;
    readonly metadata?: JsonObject;
    /** Why the call has no result of its own: it was interrupted by the user. */
    readonly aborted?: boolean;
  }
  | { readonly type: "aborted_tools"; readonly call_ids: readonly string[] }
  | {
    readonly type: "stop_hook_prevented";
    readonly reasons: readonly string[];
    readonly hook_ids: readonly string[];
    readonly denials: number;
  }
  /** Hooks have rewritten what the loop goes on with. For a tool call both versions of its arguments. */
  | {
    readonly type: "hook_transformed";
    readonly point: Point;
    readonly tool_call_id?: string;
    readonly input?: Json;
    readonly rewritten_input?: Json;
  }
  | { readonly type: "input_blocked"; readonly reasons: readonly string[]; readonly length: number }
  | { readonly type: "output_blocked"; readonly reasons: readonly string[]; readonly length: number }
  /**
   * What is in force out of files has changed while the agent works. `changed` has the paths of the files. The generation
   * is the one before where the set of hooks is: a broken file was repaired to what it was, or only providers changed.
   */
  | {
    readonly type: "config_reloaded";
    readonly generation: number;
    readonly previous_generation?: number;
    readonly changed: readonly string[];
    /** Ids; `changed` are hooks whose entry is the same and whose place, priority or limits are not. */
    readonly hooks?: {
      readonly added: readonly string[];
      readonly removed: readonly string[];
      readonly changed: readonly string[];
    };
  }
  | { readonly type: "warning"; readonly code: string; readonly message: string; readonly detail?: Json }
  | { readonly type: "error"; readonly code: string; readonly message: string; readonly detail?: Json }
  | {
    readonly type: "session_finished";
    readonly reason: FinishedReason;
    readonly usage: Usage;
    readonly tool_call_count: number;
    readonly hook_count: number;
    readonly hook_time_ms: number;
    readonly duration_ms: number;
    /** SHA-256 of the line before this one: the head that `sessions verify --head` checks. */
    readonly head?: string;
  };
