/** Reads a log as it is, for showing: nothing is checked beyond the shape of each line, nothing is changed. */
import type { LoggedEvent } from "../protocol/mod.ts";
import { decodeLine } from "./line.ts";
import { readLines } from "./line_reader.ts";
import { openLogFile } from "./log_file.ts";
import { reasonOf } from "./write_error.ts";

/** One line of a log. Lines count from 1. */
export type SessionLine =
  | { readonly kind: "event"; readonly line: number; readonly event: LoggedEvent }
  /** The line is no event. `torn`: it is the last one and has no end. */
  | { readonly kind: "damaged"; readonly line: number; readonly torn: boolean; readonly size_bytes: number }
  /** The file cannot be read (further). */
  | { readonly kind: "unreadable"; readonly reason: string };

/** The lines one after another; memory does not grow with the file. */
export function* readSession(path: string): Generator<SessionLine, void> {
  let line = 0;
  try {
    using file = openLogFile(path, { read: true });
    for (const raw of readLines(file)) {
      line += 1;
      const event = decodeLine(raw.bytes);
      yield event === undefined
        ? { kind: "damaged", line, torn: !raw.terminated, size_bytes: raw.bytes.length }
        : { kind: "event", line, event };
    }
  } catch (error) {
    yield { kind: "unreadable", reason: reasonOf(error) };
  }
}
