/** The chain of a log: each line holds its number and the hash of the line before. */
import type { LoggedEvent } from "../protocol/mod.ts";
import { decodeLine, NO_LINE_BEFORE } from "./line.ts";
import type { RawLine } from "./line_reader.ts";
import { sha256Hex } from "./sha256.ts";

/** A place in a chain that holds up to there. */
export interface ChainLink {
  /** Number of the last line, 0 before the first. */
  readonly line: number;
  /** Hash of that line. */
  readonly head: string;
  /** Undefined before the first line. */
  readonly session_id: string | undefined;
}

/** The place before the first line. */
export const CHAIN_START: ChainLink = { line: 0, head: NO_LINE_BEFORE, session_id: undefined };

/** What a line is to the chain before it. */
export type ChainStep =
  | { readonly kind: "follows"; readonly event: LoggedEvent; readonly link: ChainLink }
  /** The bytes are no event. */
  | { readonly kind: "unreadable" }
  /** An event that does not belong here: its number, its hash of the line before, or its session is another. */
  | { readonly kind: "breaks"; readonly event: LoggedEvent };

/** Checks the next line. */
export function followChain(link: ChainLink, raw: RawLine): ChainStep {
  const event = decodeLine(raw.bytes);
  if (event === undefined) return { kind: "unreadable" };
  const line = link.line + 1;
  const sameSession = link.session_id === undefined || event.session_id === link.session_id;
  if (event.seq !== line || event.prev !== link.head || !sameSession) return { kind: "breaks", event };
  return { kind: "follows", event, link: { line, head: sha256Hex(raw.bytes), session_id: event.session_id } };
}
