/** What sessions there are. */
import type { FinishedReason, LoggedEvent } from "../protocol/mod.ts";
import { decodeLine } from "./line.ts";
import { readLines } from "./line_reader.ts";
import { openLogFile } from "./log_file.ts";
import { sessionIds, sessionPath } from "./place.ts";
import { reasonOf } from "./write_error.ts";

/** A session in a list. */
export interface SessionSummary {
  readonly id: string;
  readonly path: string;
  /** ISO 8601; undefined when the file holds no event. */
  readonly started_at?: string;
  /** ISO 8601, of the last event. */
  readonly last_at?: string;
  readonly project_dir?: string;
  /** On one line, at most `PROMPT_LENGTH` characters. Undefined when no prompt was accepted. */
  readonly first_prompt?: string;
  /** Lines of the file. */
  readonly event_count: number;
  /** Why it ended; `unfinished`: it still runs, or it ended without a word. */
  readonly end: FinishedReason | "unfinished";
  /** Why the file cannot be read, or what is wrong with it. */
  readonly problem?: string;
}

/** Longest first prompt of a summary in characters. */
export const PROMPT_LENGTH = 80;

/** All sessions of a home, the newest first. Throws what the system says when the folder cannot be read. */
export function listSessions(home: string): readonly SessionSummary[] {
  return sessionIds(home).toReversed().map((id) => summarizeSession(home, id));
}

function summarizeSession(home: string, id: string): SessionSummary {
  const path = sessionPath(home, id);
  try {
    using file = openLogFile(path, { read: true });
    return { id, path, ...scan(file) };
  } catch (error) {
    return { id, path, event_count: 0, end: "unfinished", problem: reasonOf(error) };
  }
}

/** Decodes only what the summary shows: the lines up to the first prompt, and the last one. */
function scan(file: Deno.FsFile): Omit<SessionSummary, "id" | "path"> {
  let count = 0;
  let first: LoggedEvent | undefined;
  let start: Extract<LoggedEvent, { type: "session_started" }> | undefined;
  let prompt: string | undefined;
  let lastLine: Uint8Array | undefined;
  let torn = false;
  for (const { bytes, terminated } of readLines(file)) {
    if (!terminated) {
      torn = true;
      continue;
    }
    count += 1;
    lastLine = bytes;
    if (start !== undefined && prompt !== undefined) continue;
    const event = decodeLine(bytes);
    first ??= event;
    if (event?.type === "session_started") start ??= event;
    if (event?.type === "user_message") prompt ??= oneLine(event.text);
  }
  const last = lastLine && decodeLine(lastLine);
  const problem = torn || (count > 0 && last === undefined) ? "the last line is damaged" : undefined;
  return {
    ...(first && { started_at: first.ts }),
    ...(last && { last_at: last.ts }),
    ...(start && { project_dir: start.project_dir }),
    ...(prompt !== undefined && { first_prompt: prompt }),
    event_count: count,
    end: last?.type === "session_finished" ? last.reason : "unfinished",
    ...(problem !== undefined && { problem }),
  };
}

function oneLine(text: string): string {
  const line = text.slice(0, 4 * PROMPT_LENGTH).replace(/\s+/g, " ").trim();
  const characters = [...line];
  return characters.length <= PROMPT_LENGTH ? line : characters.slice(0, PROMPT_LENGTH - 1).join("") + "…";
}
