/** The open log: stamps, chains and appends. */
import type { AgentEvent, LoggedEvent } from "../protocol/mod.ts";
import { encodeLine, stampEvent } from "./line.ts";
import type { SessionLog } from "./port.ts";
import { sha256Hex } from "./sha256.ts";
import { SessionWriteError, writing } from "./write_error.ts";

/** Where a log stands when it is opened. */
export interface LogStart {
  readonly id: string;
  readonly path: string;
  readonly started_at: string;
  /** Number of the last line, 0 for an empty file. */
  readonly seq: number;
  /** Hash of the last line. */
  readonly head: string;
  /** Size of the file in bytes: where the next line begins. */
  readonly size: number;
}

/**
 * A log over a file that is open for append and locked for this process; the log owns both from here on.
 *
 * A line that the disk took only a part of is taken back, so that the file ends with a whole line whatever happens;
 * then the append throws, and the next one may succeed again.
 */
export function openLog(file: Deno.FsFile, start: LogStart, now: () => Date): SessionLog {
  const { id, path } = start;
  let { seq, head, size } = start;
  let torn = false;
  let closed = false;

  function append(event: AgentEvent): LoggedEvent {
    if (closed) throw new TypeError(`the session log ${path} is closed`);
    const written = event.type !== "assistant_delta";
    const stamp = { seq: written ? seq + 1 : seq, ts: now().toISOString(), session_id: id, prev: head };
    const logged = stampEvent(event, stamp);
    if (!written) return logged;

    const line = encodeLine(logged);
    writing("the session log", path, () => writeLine(line));
    seq += 1;
    head = sha256Hex(line);
    size += line.length + 1;
    return logged;
  }

  function writeLine(line: Uint8Array): void {
    if (torn) takeBack();
    const bytes = new Uint8Array(line.length + 1);
    bytes.set(line);
    bytes[line.length] = LINE_FEED;
    torn = true;
    try {
      let done = file.writeSync(bytes);
      while (done < bytes.length) done += writeRest(bytes.subarray(done));
      torn = false;
    } catch (error) {
      tryTakeBack();
      throw error;
    }
  }

  function writeRest(bytes: Uint8Array): number {
    const count = file.writeSync(bytes);
    if (count === 0) throw new SessionWriteError("the session log", path, new Error("nothing more is taken"));
    return count;
  }

  function takeBack(): void {
    file.truncateSync(size);
    torn = false;
  }

  function tryTakeBack(): void {
    try {
      takeBack();
    } catch {
      // The next append tries again before it writes; a resume sets the piece aside.
    }
  }

  return {
    id,
    path,
    started_at: start.started_at,
    append,
    sync: () => writing("the session log", path, () => file.syncSync()),
    get head() {
      return head;
    },
    close() {
      if (closed) return;
      closed = true;
      file.close();
    },
  };
}

const LINE_FEED = 0x0a;
