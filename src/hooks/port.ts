/** What hooks are to the loop (the engine) and what the engine needs (executors). */
import type {
  BatchRule,
  CombinedVerdict,
  ContextAddition,
  Effect,
  HookReport,
  HookRun,
  InterceptionRecord,
  JsonObject,
  Moment,
  Occasion,
  Point,
  RunScope,
  Speech,
  UndecidedCause,
} from "../protocol/mod.ts";
import type { TemplateFields } from "../text/mod.ts";
import type { ApprovalResolver } from "./agent_hooks/approval.ts";
import type { Composition } from "./agent_hooks/composition.ts";
import type { IdentityProvider } from "./agent_hooks/identity.ts";
import type { HttpMethod } from "./http_methods.ts";

/** Where a hook comes from. Lists group by this, never by the priority number. */
export type HookSource = "managed" | "user" | "project" | "plugin";

/** Settings of an executor, one shape for each type. */
export type ExecutorSettings =
  | {
    readonly type: "command";
    readonly command: string | readonly [string, ...string[]];
    readonly working_dir?: string;
  }
  /** A rule that denies by itself, without a process. */
  | { readonly type: "static"; readonly reason: string }
  /** A function in this process that speaks agent-hooks/0.1: it is given an AgentContext and returns a Verdict. */
  | { readonly type: "interceptor"; readonly intercept: (context: unknown) => unknown }
  /** A request. All text is as written in the file: secrets and templates are expanded when it is sent. */
  | {
    readonly type: "http";
    readonly url: string;
    readonly method: HttpMethod;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    /** Without a body the payload is sent (soong version 2); otherwise nothing is (onecode). */
    readonly sends_payload: boolean;
  }
  /** A message to a chat service. All text is as written in the file. */
  | {
    readonly type: "notification";
    readonly provider: string;
    /** Wins over the `url` of the provider's definition. */
    readonly webhook_url?: string;
    readonly secret?: string;
    readonly message: string;
    /** `statusMessage` of the file. */
    readonly title?: string;
  };

/** What undecided comes to, by cause. */
export type OnFailure = "allow" | "deny" | "ask" | Partial<Record<UndecidedCause, "allow" | "deny" | "ask">>;

/** One hook in the registry. */
export interface Registration {
  /** `config:…` for hooks out of files, stable across reloads and runs; the own name for hooks from code. */
  readonly id: string;
  readonly point: Point;
  readonly speech: Speech;
  readonly source: HookSource;
  readonly priority: number;
  /** Place among all hooks of its file (or of its registrations), for ties. */
  readonly order: number;
  readonly matcher: Matcher;
  readonly executor: ExecutorSettings;
  readonly timeout_ms: number;
  readonly on_failure?: OnFailure;
  readonly mode: "enforce" | "observe";
  /** Asked until it has succeeded or its deny was delivered; after that it counts as taken away. */
  readonly once?: boolean;
  /** The entry in its file as canonical text: a spent `once` hook stays spent across reloads while this is the same. */
  readonly entry?: string;
  /** Where it is declared. */
  readonly declared?: { readonly file: string; readonly line: number; readonly column: number; readonly path: string };
}

/** A compiled matcher. */
export interface Matcher {
  /** As written, for lists; `*` for none. */
  readonly text: string;
  /** Pure and linear in the length of the subject. */
  matches(occasion: Occasion): MatchResult;
  /** False when the subject (`subjectOf`) alone rules a match out, for the registry's index. Absent = any may match. */
  admits?(subject: string): boolean;
  /** Looks at the disk again for what the matcher rests on (links in a path prefix); after that `matches` never does. */
  refresh?(occasion: Occasion): void;
}

/** Whether a matcher matches, and if not, which field stood against it. `alias` is the tool name it matched by, if not the canonical one. */
export type MatchResult =
  | { readonly matched: true; readonly alias?: string }
  | { readonly matched: false; readonly field: string; readonly expected: string; readonly actual: string };

/** What an executor is asked to do. */
export interface HookRequest {
  readonly registration: Registration;
  /** Payload for a process: UTF-8 bytes of one JSON line. */
  readonly payload: Uint8Array;
  /** Payload for an in-process interceptor; a copy of its own. */
  readonly context?: unknown;
  /** Extra environment names for a process, for example SOONG_HOOK_EVENT. */
  readonly env: Readonly<Record<string, string>>;
  /** What templates of http and notification hooks stand for; built when first asked for. */
  readonly fields: () => TemplateFields;
  readonly signal: AbortSignal;
}

/** Runs one hook and returns facts. Never throws for anything the hook does. */
export type Executor = (request: HookRequest) => Promise<HookRun>;

/** One executor for each type. */
export type Executors = { readonly [Type in ExecutorSettings["type"]]: Executor };

/** What one emission came to. */
export interface EmissionResult {
  readonly point: Point;
  readonly generation: number;
  readonly effect: Effect;
  readonly verdict: CombinedVerdict;
  /** One a hook that ran, in order. */
  readonly reports: readonly HookReport[];
  /** What later calls of the batch do after this deny; the strictest rule of the denying dialects. */
  readonly batch_rule: BatchRule;
  /** Context that hooks add to the conversation, in order, already capped. */
  readonly contexts: readonly ContextAddition[];
  /** To be said to the user once a hook and cause; later repeats are in the reports only. */
  readonly notices: readonly { readonly code: string; readonly message: string }[];
  /** The last message of a onecode hook that is not blank: a diagnostic, never for the model or the answer. */
  readonly message?: string;
  readonly record?: InterceptionRecord;
  /** The occasion as hooks have rewritten it; the loop goes on with this one. */
  readonly rewritten?: Occasion;
  /** A person has lifted the deny of a hook for exactly this: no second question about it. */
  readonly approved?: boolean;
  /** True when the emission was cut short by the caller's signal. */
  readonly cancelled: boolean;
  /** A fault of the engine itself: what happened, for the `error` event. */
  readonly fault?: string;
}

/** The hook engine, as the loop sees it. */
export interface HookEngine {
  /** Asks all matching hooks. Never throws: a fault of the engine is an effect of its own. */
  emit(occasion: Occasion, moment: Moment, signal: AbortSignal): Promise<EmissionResult>;
  /** Whether anything would fire; cheap. */
  hasActive(point: Point, subject: string): boolean;
  /** Whether a hook that can block is registered at this point; while one is at `output`, text is held back. */
  hasBlocking(point: Point, others?: { readonly besides: Speech }): boolean;
  readonly generation: number;
  readonly registrations: readonly Registration[];
}

/** What the host declares for hooks that speak agent-hooks/0.1. */
export interface StandardOptions {
  readonly composition: Composition;
  /** Null: records and approvals are bound to no content. */
  readonly identity_provider: IdentityProvider | null;
  /** Absent: a liftable deny stands. */
  readonly approval?: ApprovalResolver;
  /** What a resolver is shown in the place of the context. */
  readonly redactor?: (context: JsonObject) => JsonObject;
}

/** What the engine is made with. */
export interface HookEngineOptions {
  readonly scope: RunScope;
  readonly executors: Executors;
  /** `hooks.on_failure`: for blocking hooks without a setting of their own. */
  readonly on_failure: "allow" | "deny";
  readonly mode: "enforce" | "evaluate_only";
  readonly fail_closed_when_empty: boolean;
  /** How hooks that speak agent-hooks/0.1 are asked; default `DEFAULT_STANDARD`. */
  readonly standard?: StandardOptions;
  /** Clock in ISO 8601, for payloads. */
  readonly now: () => Date;
}
