/** The conversation with the model: what a request holds and an answer brings. */
import type { JsonObject } from "./json.ts";
import type { RequestedCall } from "./tool_call.ts";

/** One message of the history. */
export type Message =
  | { readonly role: "user"; readonly text: string }
  | {
    readonly role: "assistant";
    readonly text: string;
    readonly tool_calls: readonly RequestedCall[];
    /** Opaque data of the provider (for example signed reasoning) that must go back unchanged. */
    readonly provider_metadata?: JsonObject;
  }
  | {
    readonly role: "tool";
    readonly call_id: string;
    readonly name: string;
    readonly content: string;
    readonly is_error: boolean;
  };

/** Tokens of one or more model requests. */
export interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
}

/** Why the model stopped. */
export type FinishReason = "stop" | "tool_calls" | "length" | "content_filter" | "other";

/** One complete model answer. */
export interface ModelAnswer {
  readonly text: string;
  readonly tool_calls: readonly RequestedCall[];
  readonly finish_reason: FinishReason;
  readonly usage: Usage;
  readonly provider_metadata?: JsonObject;
}
