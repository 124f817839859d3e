/** Begins a session. */
import { NO_LINE_BEFORE } from "./line.ts";
import { openLog } from "./log.ts";
import { sessionId, sessionPath, sessionsDir } from "./place.ts";
import type { SessionLog } from "./port.ts";
import { makePrivateDir } from "./private_files.ts";
import { writing } from "./write_error.ts";

/** What a new session needs. */
export interface NewSession {
  /** Absolute. */
  readonly home: string;
  readonly now: () => Date;
  /** Something unique, for example a UUID. */
  readonly new_id: () => string;
}

/** Makes the log of a new session, empty, readable for the user only. Throws `SessionWriteError`. */
export function createSession({ home, now, new_id: newId }: NewSession): SessionLog {
  const folder = sessionsDir(home);
  writing("the sessions folder", folder, () => makePrivateDir(folder));
  const moment = now();
  for (let tries = 1;; tries++) {
    const id = sessionId(moment, newId());
    const path = sessionPath(home, id);
    try {
      const file = writing(
        "the session log",
        path,
        () => Deno.openSync(path, { createNew: true, append: true, mode: 0o600 }),
      );
      lock(file);
      return openLog(file, { id, path, started_at: moment.toISOString(), seq: 0, head: NO_LINE_BEFORE, size: 0 }, now);
    } catch (error) {
      const taken = error instanceof Error && error.cause instanceof Deno.errors.AlreadyExists;
      if (!taken || tries === MOST_TRIES) throw error;
    }
  }
}

const MOST_TRIES = 10;

/**
 * Takes the file for this process until it is closed, also by a crash. False when another process has it. A file system
 * without locks counts as free.
 */
export function lock(file: Deno.FsFile): boolean {
  try {
    return file.tryLockSync(true);
  } catch {
    return true;
  }
}
