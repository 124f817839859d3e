/**
 * What hook runs are and what they mean: run (facts) → slot (meaning) → verdict (decision) → combined verdict → effect.
 *
 * "Undecided" is never the same value as "allow": only `settle` in `hooks/` turns one into the other, by a stated policy.
 */
import type { Json, JsonObject } from "./json.ts";
import type { Lane, Point, Speech } from "./points.ts";

/** Why something was denied. The model and the record are told which. */
export type DenyCause = "policy" | "hook_failure" | "engine_fault" | "permission_rule" | "user" | "protected";

/** Why a hook run gave no usable decision. */
export type UndecidedCause = "not_started" | "timeout" | "exit" | "output" | "transport" | "cancelled";

/** A recorded concern that changes nothing. */
export interface Warning {
  readonly reason: string;
  readonly message?: string;
}

/** What any verdict may carry beside its decision; the last two come from hooks that speak agent-hooks/0.1 only. */
interface VerdictFacts {
  readonly message?: string;
  readonly warnings: readonly Warning[];
  /** An opaque pointer to something that can be checked offline; kept as it came. */
  readonly evidence?: JsonObject;
  readonly result_labels?: readonly string[];
}

/** What a run decided. */
export type Verdict =
  & VerdictFacts
  & (
    | { readonly decision: "allow"; readonly reason?: string }
    | {
      readonly decision: "deny";
      readonly reason: string;
      readonly cause: DenyCause;
      /** Present = an approval can lift this deny. */
      readonly approval?: JsonObject;
    }
    | {
      readonly decision: "transform";
      readonly reason?: string;
      /** Rooted at `$target`. */
      readonly path: string;
      readonly value: Json;
    }
  );

/** What one hook run means, before any policy is applied. */
export type Slot =
  | { readonly kind: "verdict"; readonly verdict: Verdict }
  | {
    readonly kind: "undecided";
    readonly cause: UndecidedCause;
    readonly detail: string;
    /** The reserved reason of agent-hooks/0.1 (section 11), where the cause alone does not tell which. */
    readonly reserved_reason?: string;
  }
  | { readonly kind: "observed"; readonly verdict: Verdict };

/** How a hook process or request ended. There is no ending without a name. */
export type Ending =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "signalled"; readonly signal: string }
  | { readonly kind: "timed_out"; readonly limit_ms: number }
  | { readonly kind: "cancelled" }
  | { readonly kind: "not_started"; readonly reason: string }
  /** An executor without a process (static rule, in-process interceptor, request) returned. */
  | { readonly kind: "returned"; readonly status?: number }
  /** The request failed on its way: connection, TLS, refused status. */
  | { readonly kind: "transport_failed"; readonly reason: string; readonly status?: number };

/** The facts of one execution of a hook. */
export interface HookRun {
  readonly ending: Ending;
  /** Bytes as they came, cut at the limit; strict decoding is the classifier's work. */
  readonly stdout: Uint8Array;
  /** True when stdout was larger than the limit, so that `stdout` is not all of it. */
  readonly stdout_truncated: boolean;
  /** Decoded leniently, cut at the limit with a mark. */
  readonly stderr: string;
  readonly duration_ms: number;
  /** A value that an in-process executor returned instead of bytes. */
  readonly value?: unknown;
  /** What was odd about the hook's settings, said once a hook and code; never changes what the run means. */
  readonly warnings?: readonly { readonly code: string; readonly message: string }[];
}

/** What `hook_finished` says a hook came to. */
export type HookOutcome = "allow" | "deny" | "transform" | "undecided" | "observed";

/** The account of one hook at one emission, ready to be an event (payload-free apart from the hook's own words). */
export interface HookReport {
  readonly hook_id: string;
  readonly point: Point;
  readonly event: string;
  readonly dialect: Speech;
  readonly source: string;
  readonly outcome: HookOutcome;
  /** The undecided cause, or the deny cause. */
  readonly cause?: UndecidedCause | DenyCause;
  readonly reason?: string;
  readonly duration_ms: number;
  readonly exit_code?: number;
  readonly message?: string;
  readonly logs?: readonly Json[];
  readonly metadata?: Json;
  readonly stderr?: string;
  readonly warnings?: readonly string[];
}

/** What the loop has to do after an emission. */
export type Effect = "proceed" | "block" | "discard" | "send_back" | "tell";

/** What all verdicts at one emission come to. */
export type CombinedVerdict =
  | { readonly decision: "allow" }
  /** The rewritten occasion stands beside the verdict. */
  | { readonly decision: "transform" }
  | {
    readonly decision: "deny";
    /** Every reason, first first; never empty strings. */
    readonly reasons: readonly string[];
    readonly cause: DenyCause;
    /** Ids of the hooks that denied, in the order of `reasons`. */
    readonly hook_ids: readonly string[];
    readonly liftable: boolean;
    readonly lane: Lane;
  };

/** What happens to the later calls of a batch after a denied call: `by_tier` is the soong rule, `go_on` the onecode one. */
export type BatchRule = "by_tier" | "go_on";

/** Text that a hook adds to the conversation, with its origin. */
export interface ContextAddition {
  readonly hook_id: string;
  readonly text: string;
}

/** The payload-free account of one emission (agent-hooks/0.1, section 10.3). */
export interface InterceptionRecord {
  readonly interception_point: Exclude<Point, "stop">;
  readonly mode: "enforce" | "evaluate_only";
  readonly verdict: JsonObject;
  readonly input_identity: string | null;
  readonly enforced_identity: string | null;
  readonly identity_provider: string | null;
  readonly session_id: string;
  readonly sequence: number;
  readonly timestamp?: string;
  readonly decided_by?: number | null;
  readonly composition: JsonObject;
  readonly verdicts?: readonly JsonObject[];
  readonly fold_truncated?: boolean;
  readonly resolved_by?: "approval" | "rejection" | null;
  readonly interceptors_registered: number;
}
