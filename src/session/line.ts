/** One line of a log: an event with its stamp, as JSON in UTF-8. */
import { type AgentEvent, isJsonObject, type LoggedEvent, parseJson, writeJson } from "../protocol/mod.ts";

/** `prev` of the first line. */
export const NO_LINE_BEFORE: string = "0".repeat(64);

/** What the log adds to an event. */
export interface Stamp {
  readonly seq: number;
  readonly ts: string;
  readonly session_id: string;
  readonly prev: string;
}

/**
 * The event with its stamp. `session_finished` gets the head it follows, so that the number can be checked without
 * the log.
 */
export function stampEvent(event: AgentEvent, stamp: Stamp): LoggedEvent {
  const { seq, ts, session_id, prev } = stamp;
  const { turn, ...body } = event;
  const head = body.type === "session_finished" ? { head: prev } : {};
  return { seq, ts, session_id, turn, ...body, ...head, prev } as LoggedEvent;
}

/** The line without its line end. */
export function encodeLine(event: LoggedEvent): Uint8Array {
  return new TextEncoder().encode(writeJson(event));
}

/** The event of a line; undefined when the bytes are no stamped event. */
export function decodeLine(bytes: Uint8Array): LoggedEvent | undefined {
  try {
    const value: unknown = parseJson(STRICT_UTF8.decode(bytes));
    return isStamped(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const STRICT_UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function isStamped(value: unknown): value is LoggedEvent {
  return isJsonObject(value) && Number.isSafeInteger(value.seq) && Number.isSafeInteger(value.turn) &&
    typeof value.ts === "string" && typeof value.session_id === "string" && typeof value.prev === "string" &&
    typeof value.type === "string";
}
