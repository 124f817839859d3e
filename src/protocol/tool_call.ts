/** Tool calls and results, as the loop, the hooks and the tools speak of them. */
import type { Json, JsonObject } from "./json.ts";

/** What a tool can do at worst. */
export type Tier = "readonly" | "write" | "dangerous";

/** A call as the model wrote it. `arguments_text` may be invalid JSON. */
export interface RequestedCall {
  readonly id: string;
  readonly name: string;
  readonly arguments_text: string;
  /** Opaque data of the provider that must go back with the call. */
  readonly provider_metadata?: JsonObject;
}

/** A call whose tool is known and whose arguments are valid: what hooks and permission judge. */
export interface ToolCall {
  readonly id: string;
  /** Canonical tool name. */
  readonly name: string;
  readonly input: JsonObject;
  readonly tier: Tier;
  /** The tool's tags, its tier among them. */
  readonly tags: readonly string[];
  /** The absolute path the call works on, links resolved (of the nearest existing parent for a new file). */
  readonly path?: string;
}

/** The result of a call as it enters the conversation. Exactly one for each call. */
export interface ToolResult {
  readonly call_id: string;
  readonly name: string;
  readonly is_error: boolean;
  /** What the model reads: the whole content, or the summary of an artifact. */
  readonly content: string;
  /** What the tool returned, where that is more than text; `content` is its text. */
  readonly value?: Json;
  /** Where the whole content is kept, when it was too large. */
  readonly artifact_ref?: string;
  readonly duration_ms?: number;
  /** Facts for hooks and renderers, for example the exit code of a command. */
  readonly metadata?: JsonObject;
}
