/** What a session log is to the rest. */
import type { AgentEvent, LoggedEvent, Message } from "../protocol/mod.ts";

/** An open log: one writer, append-only. */
export interface SessionLog {
  readonly id: string;
  /** Absolute path of the JSON-lines file. */
  readonly path: string;
  /** ISO 8601; of the first event for a resumed session. */
  readonly started_at: string;
  /** Stamps, chains and writes one event as one line. Throws `SessionWriteError` when the disk refuses. */
  append(event: AgentEvent): LoggedEvent;
  /** Forces what was written to the disk. */
  sync(): void;
  /** SHA-256 (hex) of the last line. */
  readonly head: string;
  close(): void;
}

/** A session read back. */
export interface ResumedSession {
  readonly log: SessionLog;
  /** The conversation, well paired: calls without a result got one that says what is known of them. */
  readonly history: readonly Message[];
  /** Number of the last prompt. */
  readonly turn: number;
  /** What was repaired or lost, for the user. */
  readonly warnings: readonly string[];
  /** Results that were made up for interrupted calls: to be appended as events by the caller. */
  readonly repairs: readonly AgentEvent[];
}

/** Keeps results that are too large for the conversation. */
export interface ArtifactStore {
  /** Writes the content and returns its reference (a path below the home) and the absolute path. */
  put(name: string, content: string): { readonly ref: string; readonly path: string };
  /** Removes a content by the reference that `put` gave. */
  drop(ref: string): void;
}
