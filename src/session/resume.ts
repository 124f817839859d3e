/**
 * Opens a session again: what is whole is kept, what a crash left half is set aside, calls without a result get one.
 */
import { CHAIN_START, type ChainLink, followChain } from "./chain.ts";
import { lock } from "./create.ts";
import { findSession, type SessionWish } from "./find.ts";
import { historyBuilder } from "./history.ts";
import { decodeLine } from "./line.ts";
import { type RawLine, readLines } from "./line_reader.ts";
import { openLog } from "./log.ts";
import { openLogFile } from "./log_file.ts";
import type { ResumedSession } from "./port.ts";
import { writePrivateFile } from "./private_files.ts";
import { verifySession } from "./verify.ts";
import { reasonOf, SessionWriteError, writing } from "./write_error.ts";

/** Which session to open, and the clock for its further events. */
export interface SessionChoice extends SessionWish {
  readonly now: () => Date;
}

/** What opening came to. `message` says what to do; nothing was changed then. */
export type ResumeOutcome =
  | { readonly kind: "resumed"; readonly session: ResumedSession }
  | {
    readonly kind: "refused";
    readonly code: "unknown" | "busy" | "broken" | "unreadable";
    readonly message: string;
  };

/** Opens a session for more prompts. Throws `SessionWriteError` when a damaged end cannot be set aside. */
export function resumeSession({ home, id: wanted, project_dir: projectDir, now }: SessionChoice): ResumeOutcome {
  const found = findSession({ home, id: wanted, project_dir: projectDir });
  if (found.kind !== "found") return refused(found.kind, found.message);
  const { id, path } = found;
  let file: Deno.FsFile;
  try {
    file = openLogFile(path, { read: true, append: true });
  } catch (error) {
    return refused("unreadable", `cannot open the session ${path}: ${reasonOf(error)}`);
  }
  try {
    const outcome = lock(file) ? openAgain(file, { id, path, now }) : refused("busy", busyMessage(id));
    if (outcome.kind === "refused") file.close();
    return outcome;
  } catch (error) {
    file.close();
    if (error instanceof SessionWriteError) throw error;
    return refused("unreadable", `cannot read the session ${path}: ${reasonOf(error)}`);
  }
}

interface OpenSession {
  readonly id: string;
  readonly path: string;
  readonly now: () => Date;
}

function openAgain(file: Deno.FsFile, { id, path, now }: OpenSession): ResumeOutcome {
  const builder = historyBuilder();
  const warnings: string[] = [];
  let link: ChainLink = CHAIN_START;
  let size = 0;
  let startedAt: string | undefined;
  const lines = readLines(file);
  for (let next = lines.next(); !next.done; next = lines.next()) {
    const raw = next.value;
    const step = followChain(link, raw);
    if (step.kind === "breaks" || (step.kind === "unreadable" && hasEvent(lines))) {
      return refused("broken", brokenMessage(id, path));
    }
    if (step.kind === "unreadable") {
      warnings.push(setAside(file, path, size, link.line));
      break;
    }
    if (!raw.terminated) {
      endLine(file, path);
      warnings.push(`the last line of the session had no end; nothing of it was lost`);
    }
    link = step.link;
    size = raw.offset + raw.bytes.length + 1;
    startedAt ??= step.event.ts;
    builder.add(step.event);
  }
  if (link.line === 0) warnings.push(`the session ${id} held no event; it begins anew`);
  const { history, turn, repairs, warnings: mended } = builder.finish();
  const started_at = startedAt ?? now().toISOString();
  const log = openLog(
    file,
    { id: link.session_id ?? id, path, started_at, seq: link.line, head: link.head, size },
    now,
  );
  return { kind: "resumed", session: { log, history, turn, repairs, warnings: [...warnings, ...mended] } };
}

/** True when an event stands in the lines that are left: then what came before is no end that a crash left half. */
function hasEvent(rest: Generator<RawLine, void>): boolean {
  for (const raw of rest) {
    if (decodeLine(raw.bytes) !== undefined) return true;
  }
  return false;
}

/** Copies everything behind `size` into a file of its own, then cuts it off. */
function setAside(file: Deno.FsFile, path: string, size: number, lines: number): string {
  const bytes = readFrom(file, size);
  const kept = writing("the damaged end of the session to", path, () => keepAside(path, bytes));
  writing("the session log", path, () => file.truncateSync(size));
  return `the last record of the session was damaged and dropped (${bytes.length} bytes after line ${lines}, ` +
    `kept in ${kept}); everything before it is kept`;
}

function keepAside(path: string, bytes: Uint8Array): string {
  for (let count = 1;; count++) {
    const kept = `${path}.torn-${count}`;
    if (writePrivateFile(kept, bytes)) return kept;
  }
}

function readFrom(file: Deno.FsFile, offset: number): Uint8Array {
  file.seekSync(offset, Deno.SeekMode.Start);
  const bytes = new Uint8Array(Math.max(0, file.statSync().size - offset));
  let done = 0;
  while (done < bytes.length) {
    const count = file.readSync(bytes.subarray(done));
    if (count === null) break;
    done += count;
  }
  return bytes.subarray(0, done);
}

function endLine(file: Deno.FsFile, path: string): void {
  writing("the session log", path, () => file.writeSync(new Uint8Array([0x0a])));
}

function busyMessage(id: string): string {
  return `the session ${id} is in use by another soong-agent; wait until that ends, ` +
    "or begin a new session without --resume";
}

function brokenMessage(id: string, path: string): string {
  const found = verifySession(path);
  const where = found.kind === "broken" ? `at line ${found.line} (${found.fault}: ${found.detail})` : "";
  return `the session ${id} cannot be resumed: its record is broken ${where} and was left as it is. ` +
    `"soong-agent sessions show ${id}" shows what can be read; begin a new session without --resume. The file: ${path}`;
}

function refused(code: Extract<ResumeOutcome, { kind: "refused" }>["code"], message: string): ResumeOutcome {
  return { kind: "refused", code, message };
}
