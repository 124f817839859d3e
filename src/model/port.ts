/** The model as the loop sees it: one streaming method; failures arrive as values. */
import type { Diagnostic, JsonObject, Message, ModelAnswer } from "../protocol/mod.ts";

/** A tool as the model is told of it. */
export interface ToolDeclaration {
  /** The name on the wire: letters, digits, `_` and `-`, at most 64. */
  readonly name: string;
  readonly description: string;
  /** JSON schema of the arguments, an object schema. */
  readonly parameters: JsonObject;
}

/** One request. */
export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDeclaration[];
}

/** Why a request failed for good. `message` is for people: no prompt, no key, no stack. */
export interface ModelFailure {
  readonly kind: "status" | "connection" | "cut" | "idle" | "script" | "configuration" | "cancelled" | "other";
  readonly status?: number;
  readonly message: string;
}

/** What a stream yields. The last event is `finish` or `failure`, exactly one of them, exactly once. */
export type ModelEvent =
  | { readonly type: "text_delta"; readonly text: string }
  /** The request is tried again; whatever text came before belongs to no answer. */
  | { readonly type: "retry"; readonly attempt: number; readonly delay_ms: number; readonly reason: string }
  | { readonly type: "finish"; readonly answer: ModelAnswer }
  | { readonly type: "failure"; readonly failure: ModelFailure };

/** A model. */
export interface Model {
  /** The id that matchers of model points are compared with, without the provider: `gpt-5`, `script-1`. */
  readonly id: string;
  /** `anthropic`, `openai`, `google`, `script`, `demo`, or the name in `[providers.X]`. */
  readonly provider: string;
  /** Never throws; ends soon after `signal` aborts, with a failure of kind `cancelled`. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

/** A provider of `[providers.X]` in the configuration. */
export interface ProviderSettings {
  readonly type: "openai-compatible" | "anthropic" | "google";
  readonly base_url: string;
  /** The environment variable that holds the key; without it no key is sent. */
  readonly api_key_env?: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What making a model needs from outside; the room reads nothing by itself. */
export interface ModelOptions {
  /** The value of an environment variable: keys and base URLs. */
  readonly readEnvironment: (name: string) => string | undefined;
  /** Reads a script file; the path is the one in the spec. */
  readonly readTextFile: (path: string) => Promise<string>;
  readonly providers: Readonly<Record<string, ProviderSettings>>;
  /** Scripts inside the program by their spec (`demo`), as values of the shape of a script file. */
  readonly embedded_scripts: Readonly<Record<string, unknown>>;
  /** A stream without a byte for this long has failed. */
  readonly idle_timeout_ms: number;
  /** Tries after the first. */
  readonly max_retries: number;
  /** A number from 0 up to 1, for the jitter of the back-off; default `Math.random`. */
  readonly random?: () => number;
  /** Waits; returns early, without throwing, when the signal aborts. Default a timer. */
  readonly sleep?: (duration_ms: number, signal: AbortSignal) => Promise<void>;
}

/** Why there is no model. `message` says what to set or to write; it may have several lines. */
export interface ModelProblem {
  readonly code:
    | "bad_spec"
    | "unknown_provider"
    | "missing_key"
    | "bad_base_url"
    | "bad_header"
    | "unreadable_script"
    | "bad_script";
  readonly message: string;
  /** Of a script file: every finding with its place. */
  readonly diagnostics?: readonly Diagnostic[];
}

/** What `createModel` gives. */
export type ModelCreation =
  | { readonly kind: "model"; readonly model: Model }
  | { readonly kind: "problem"; readonly problem: ModelProblem };
