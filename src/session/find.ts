/** Finds the log of a session by what the user wrote. */
import { nearest } from "../protocol/mod.ts";
import { decodeLine } from "./line.ts";
import { readLines } from "./line_reader.ts";
import { openLogFile } from "./log_file.ts";
import { sessionIds, sessionPath, sessionsDir } from "./place.ts";
import { reasonOf } from "./write_error.ts";

/** Which session is meant. */
export interface SessionWish {
  /** Absolute. */
  readonly home: string;
  /** An id, or `last`: the session of this project that was worked on last. */
  readonly id: string;
  /** Real path of the project, for `last`. */
  readonly project_dir: string;
}

/** What a search came to. `message` says what to do. */
export type FoundSession =
  | { readonly kind: "found"; readonly id: string; readonly path: string }
  | { readonly kind: "unknown" | "unreadable"; readonly message: string };

/** Looks for a session of this home. */
export function findSession({ home, id: wanted, project_dir: projectDir }: SessionWish): FoundSession {
  let ids: readonly string[];
  try {
    ids = sessionIds(home);
  } catch (error) {
    return { kind: "unreadable", message: `cannot read ${sessionsDir(home)}: ${reasonOf(error)}` };
  }
  const id = wanted === "last" ? lastOfProject(home, ids, projectDir) : ids.find((known) => known === wanted);
  if (id === undefined) return { kind: "unknown", message: unknownMessage(wanted, ids, projectDir) };
  return { kind: "found", id, path: sessionPath(home, id) };
}

/** The session of this project whose file was written last. */
function lastOfProject(home: string, ids: readonly string[], projectDir: string): string | undefined {
  return ids
    .map((id) => ({ id, written: writtenAt(sessionPath(home, id)) }))
    .sort((left, right) => right.written - left.written || (left.id < right.id ? 1 : -1))
    .find(({ id }) => projectOf(sessionPath(home, id)) === projectDir)?.id;
}

function writtenAt(path: string): number {
  try {
    return Deno.statSync(path).mtime?.getTime() ?? 0;
  } catch {
    return 0;
  }
}

/** The project of a session, read from its beginning; undefined when that is no `session_started`. */
function projectOf(path: string): string | undefined {
  try {
    using file = openLogFile(path, { read: true });
    for (const { bytes } of readLines(file)) {
      const event = decodeLine(bytes);
      if (event?.type === "session_started") return event.project_dir;
      if (event === undefined) return undefined;
    }
  } catch {
    // A file that cannot be read is not the one looked for.
  }
  return undefined;
}

function unknownMessage(wanted: string, ids: readonly string[], projectDir: string): string {
  if (ids.length === 0) return "there is no session yet: none has been recorded";
  const list = '"soong-agent sessions list" shows all sessions';
  if (wanted === "last") return `no session of the project ${projectDir} has been recorded; ${list}`;
  const near = nearest(wanted, ids);
  const hint = near === undefined ? list : `did you mean ${near}? ${list}`;
  return `there is no session ${JSON.stringify(wanted)}; ${hint}`;
}
