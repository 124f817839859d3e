/** Splits a file into lines of bytes, a piece at a time: memory holds one piece and the line that crosses its end. */

/** A line without its line end. Blank lines are lines. */
export interface RawLine {
  readonly bytes: Uint8Array;
  /** Place of its first byte in the file. */
  readonly offset: number;
  /** False for a last line that has no line end. */
  readonly terminated: boolean;
}

/** The lines from the file's position on, which is taken as the start. The bytes of a line are its own copy. */
export function* readLines(file: Pick<Deno.FsFile, "readSync">): Generator<RawLine, void> {
  const piece = new Uint8Array(PIECE);
  let pending: Uint8Array[] = [];
  let offset = 0;
  for (let count = file.readSync(piece); count !== null; count = file.readSync(piece)) {
    let start = 0;
    for (let end = lineEnd(piece, start, count); end !== -1; end = lineEnd(piece, start, count)) {
      const bytes = joined(pending, piece.slice(start, end));
      yield { bytes, offset, terminated: true };
      offset += bytes.length + 1;
      pending = [];
      start = end + 1;
    }
    if (start < count) pending.push(piece.slice(start, count));
  }
  if (pending.length > 0) yield { bytes: joined(pending), offset, terminated: false };
}

const PIECE = 256 * 1024;
const LINE_FEED = 0x0a;

function lineEnd(piece: Uint8Array, start: number, count: number): number {
  const found = piece.indexOf(LINE_FEED, start);
  return found < count ? found : -1;
}

function joined(parts: readonly Uint8Array[], last: Uint8Array = new Uint8Array(0)): Uint8Array {
  if (parts.length === 0) return last;
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, last.length));
  let at = 0;
  for (const part of [...parts, last]) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
