/** The model as the loop sees it: one streaming method; failures arrive as values. */
import type { JsonObject, Message, ModelAnswer } from "../protocol/mod.ts";

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
