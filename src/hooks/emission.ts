/** One emission while it runs: what every step of it needs, and what it has gathered. */
import type { ContextAddition, HookReport, Moment, Occasion, Speech } from "../protocol/mod.ts";
import type { Vote } from "./compose.ts";
import type { DialectModule } from "./dialect.ts";
import type { Notice } from "./notices.ts";
import type { OnceMemory } from "./once.ts";
import type { HookEngineOptions, StandardOptions } from "./port.ts";
import type { MatchedRegistration } from "./registry.ts";

/** The dialects an engine speaks. */
export type DialectTable = { readonly [S in Speech]?: DialectModule };

/** A matching hook with its place among all that match. */
export interface MatchedHook extends MatchedRegistration {
  readonly index: number;
}

/** What is fixed from the beginning of an emission to its end. */
export interface Emission {
  readonly occasion: Occasion;
  readonly moment: Moment;
  readonly signal: AbortSignal;
  readonly generation: number;
  readonly timestamp: Date;
  /** Place among the emissions at standard points of the session; undefined at `stop`. */
  readonly sequence: number | undefined;
  readonly dialects: DialectTable;
  readonly options: HookEngineOptions & { readonly standard: StandardOptions };
  readonly gathered: Gathered;
  readonly once: OnceMemory;
}

/** What grows while hooks run; kept when the engine itself fails halfway. */
export interface Gathered {
  readonly reports: HookReport[];
  readonly votes: Vote[];
  readonly notices: Notice[];
  readonly contexts: ContextAddition[];
  cancelled: boolean;
}
