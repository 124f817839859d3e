/** Checks the chain of a log and names the first place where it breaks. */
import type { LoggedEvent } from "../protocol/mod.ts";
import { CHAIN_START, type ChainLink, followChain } from "./chain.ts";
import { decodeLine } from "./line.ts";
import { type RawLine, readLines } from "./line_reader.ts";
import { sha256Hex } from "./sha256.ts";
import { openLogFile } from "./log_file.ts";
import { reasonOf } from "./write_error.ts";

/**
 * How a chain is broken.
 *
 * - `edit`: a line was changed
 * - `cut`: lines are missing
 * - `swap`: a line stands at another place
 * - `insert`: a line was added or repeated
 * - `torn`: the last line has no end, as after a crash
 * - `head`: the chain holds, but the expected head is not in it: the file was rewritten or shortened
 */
export type ChainFault = "edit" | "cut" | "swap" | "insert" | "torn" | "head";

/** What a check came to. Lines count from 1. */
export type Verification =
  | {
    readonly kind: "whole";
    readonly lines: number;
    /** Hash of the last line. */
    readonly head: string;
    /** The line that the expected head is the hash of: lines after it were added later, for example by a resume. */
    readonly head_line?: number;
  }
  | { readonly kind: "broken"; readonly line: number; readonly fault: ChainFault; readonly detail: string }
  | { readonly kind: "unreadable"; readonly reason: string };

/** What to check beside the chain itself. */
export interface ExpectedChain {
  /** SHA-256 (hex) of a line that must be there, as a run prints it at its end. */
  readonly head?: string;
}

/** Checks a log line by line; memory does not grow with the file. */
export function verifySession(path: string, expected: ExpectedChain = {}): Verification {
  try {
    using file = openLogFile(path, { read: true });
    return verifyLines(readLines(file), expected);
  } catch (error) {
    return { kind: "unreadable", reason: reasonOf(error) };
  }
}

function verifyLines(lines: Generator<RawLine, void>, expected: ExpectedChain): Verification {
  const wanted = expected.head?.trim().toLowerCase();
  let link: ChainLink = CHAIN_START;
  let headLine: number | undefined;
  for (let next = lines.next(); !next.done; next = lines.next()) {
    const raw = next.value;
    const step = followChain(link, raw);
    if (!raw.terminated) return broken(link.line + 1, "torn", "the line has no end");
    if (step.kind === "unreadable") return broken(link.line + 1, "edit", "the line is no event");
    if (step.kind === "breaks") return explainBreak(link, raw, step.event, lines);
    link = step.link;
    if (link.head === wanted) headLine = link.line;
  }
  if (link.line === 0) return broken(1, "cut", "the file has no lines");
  if (wanted !== undefined && headLine === undefined) {
    return broken(
      link.line,
      "head",
      `the chain ends with ${link.head}, and ${wanted} is the hash of none of its lines`,
    );
  }
  return { kind: "whole", lines: link.line, head: link.head, ...(headLine !== undefined && { head_line: headLine }) };
}

/** Says what was done to a chain from the first event that does not belong where it stands. */
function explainBreak(
  link: ChainLink,
  raw: RawLine,
  event: LoggedEvent,
  rest: Generator<RawLine, void>,
): Verification {
  const line = link.line + 1;
  if (event.prev === link.head) {
    const what = event.seq === line ? "session id" : "number";
    return broken(line, "edit", `the ${what} of the line was changed`);
  }
  const after = lookAhead(rest, line);
  if (event.seq < line) return broken(line, "insert", `line ${event.seq} stands here again, or another in its name`);
  if (event.seq > line) {
    return after.found
      ? broken(line, "swap", `line ${event.seq} stands here, and line ${line} stands further down`)
      : broken(line, "cut", `line ${event.seq} comes where line ${line} belongs`);
  }
  // The next line tells which of the two was changed: it holds the hash of this one as it was written.
  const intact = after.next === undefined ? line > 1 : after.next.prev === sha256Hex(raw.bytes);
  return intact && line > 1
    ? broken(line - 1, "edit", `line ${line} was written after another line ${line - 1}`)
    : broken(line, "edit", "the line was changed");
}

function lookAhead(
  rest: Generator<RawLine, void>,
  line: number,
): { readonly next: LoggedEvent | undefined; readonly found: boolean } {
  let next: LoggedEvent | undefined;
  let found = false;
  let count = 0;
  for (const raw of rest) {
    const event = decodeLine(raw.bytes);
    if (count++ === 0) next = event;
    found ||= event?.seq === line;
  }
  return { next, found };
}

function broken(line: number, fault: ChainFault, detail: string): Verification {
  return { kind: "broken", line, fault, detail };
}
