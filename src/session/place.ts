/** Where sessions are kept, and what they are called. */
import { join } from "node:path";

/** The folder of the logs. */
export function sessionsDir(home: string): string {
  return join(home, "sessions");
}

/** The log of a session. The id must be one (`isSessionId`). */
export function sessionPath(home: string, id: string): string {
  return join(sessionsDir(home), id + LOG_ENDING);
}

/** A new id: the moment in UTC, so that names sort by time, and eight letters or digits of `unique`. */
export function sessionId(moment: Date, unique: string): string {
  const time = moment.toISOString().replace(/[-:.]/g, "").toLowerCase();
  return `${time}-${unique.toLowerCase().replace(/[^a-z0-9]/g, "").slice(0, 8).padEnd(8, "0")}`;
}

/** True for what can be the id of a session: one plain file name. */
export function isSessionId(text: string): boolean {
  return /^[A-Za-z0-9][\w.-]{0,200}$/.test(text);
}

/** Ids of all sessions of this home, oldest first. A missing folder has none. Throws what the system says otherwise. */
export function sessionIds(home: string): readonly string[] {
  try {
    return [...Deno.readDirSync(sessionsDir(home))]
      .filter((entry) => entry.isFile && entry.name.endsWith(LOG_ENDING))
      .map((entry) => entry.name.slice(0, -LOG_ENDING.length))
      .filter(isSessionId)
      .sort();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

const LOG_ENDING = ".jsonl";
