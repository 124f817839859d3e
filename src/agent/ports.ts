/** What the loop is given: models, tools, hooks, permission and artifacts as ports, and its limits. */
import type { HookEngine } from "../hooks/mod.ts";
import type { Model } from "../model/mod.ts";
import type { EventBody, Message, ToolCall } from "../protocol/mod.ts";
import type { ToolRegistry } from "../tools/mod.ts";

/** What a permission question came to. */
export interface PermissionAnswer {
  readonly decision: "allow" | "deny";
  /** A word of the user to the model. */
  readonly message?: string;
}

/** What is shown with a permission question. */
export interface PermissionQuestion {
  readonly call: ToolCall;
  /** Why it is asked: the mode, or that the file is sensitive. */
  readonly why: "mode" | "sensitive";
  /** What hooks said about the call, one line each. */
  readonly hook_notes: readonly string[];
}

/** The facts that permission is decided by; the order of the decision is the loop's (see permission.ts). */
export interface PermissionRules {
  readonly mode: "ask" | "accept-edits" | "read-only" | "full";
  /** Why the call may never run, whatever rules and mode say; undefined for a call that is not about a protected file. */
  protectedBy(call: ToolCall): string | undefined;
  /** The deny rule that matches, as written. */
  deniedBy(call: ToolCall): string | undefined;
  /** The pattern that makes the file of the call sensitive. */
  sensitiveBy(call: ToolCall): string | undefined;
  /** The allow rule that matches, as written, and whether it names a path or command. */
  allowedBy(call: ToolCall): { readonly rule: string; readonly specific: boolean } | undefined;
  /** Asks the user; absent when there is nobody to ask, which means deny. */
  readonly ask?: (question: PermissionQuestion, signal: AbortSignal) => Promise<PermissionAnswer>;
}

/** How results that are too large for the conversation are kept. */
export interface ArtifactPort {
  /** Largest result in UTF-8 bytes that stays in the conversation. */
  readonly limit_bytes: number;
  /** Keeps the content; gives what the model and hooks read instead, and the reference. */
  keep(call: { readonly id: string; readonly name: string }, content: string): {
    readonly summary: string;
    readonly ref: string;
  };
  /** Forgets a content that hooks have withheld. */
  discard(ref: string): void;
}

/** Bounds of a run. */
export interface AgentLimits {
  /** Model requests for one prompt. */
  readonly max_turns: number;
  /** Tokens (input and output) for the whole run; absent means no bound. */
  readonly max_tokens?: number;
  /** How often Stop hooks can send the model back for one prompt; the deny after that ends the run. */
  readonly max_stop_denials: number;
  /** Identical failing calls in a row that end the turn. */
  readonly max_repeated_failures: number;
}

/** Everything an agent is made of. */
export interface AgentParts {
  readonly model: Model;
  readonly tools: ToolRegistry;
  readonly hooks: HookEngine;
  readonly permission: PermissionRules;
  readonly artifacts: ArtifactPort;
  readonly limits: AgentLimits;
  /** The system prompt. Nothing a hook, a tool or a file says ever enters it. */
  readonly system: string;
  /** Messages of a resumed session. */
  readonly history: readonly Message[];
  /** Number of the last prompt of a resumed session, else 0. */
  readonly turn: number;
  /** Milliseconds of a clock that never goes back. */
  readonly clock: () => number;
  /**
   * What happened beside the loop since it was asked last (reloads of the configuration), in order. Asked before each
   * emission and before the end, so that it stands in the session before what follows from it.
   */
  readonly pending?: () => readonly EventBody[];
  /** Hooks are asked about each part of a streaming answer, and a part is shown when they permit it. */
  readonly incremental?: boolean;
}
