/** What the protocols have in common for the rest of the room: one row a protocol. */
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { JsonObject } from "../../protocol/mod.ts";

/** Where and with what a provider is reached. */
export interface Endpoint {
  readonly model_id: string;
  readonly base_url: string;
  /** Empty when the server wants none. */
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Makes the library's model for one try, with that try's `fetch`. */
export type Connect = (fetch: typeof globalThis.fetch) => LanguageModelV4;

/** One wire protocol. */
export interface WireProtocol {
  /** Name under which opaque data of the protocol is kept, so that it never goes to another one. */
  readonly name: "anthropic" | "openai-compatible" | "google";
  /** Loads the provider's library. */
  readonly open: (endpoint: Endpoint) => Promise<Connect>;
  /** The address as the library wants it, from the address as users of the official programs write it. */
  readonly completeBaseUrl: (base_url: string) => string;
  /** True for the event of the stream after which the answer is complete. */
  readonly endsAnswer: (event: JsonObject) => boolean;
  /** True when arguments travel as text that can be sent back as it was written. */
  readonly keepsArgumentText: boolean;
  /** True when the server caches the part of a request up to a mark. */
  readonly marksCache: boolean;
}

/** Appends the version of the API unless the address ends with one. */
export function withVersion(base_url: string, version: string): string {
  return /\/v\d+[a-z0-9]*$/.test(base_url) ? base_url : `${base_url}/${version}`;
}
