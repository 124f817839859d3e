/** Lines of a file as text, for searching: decoded by the piece, so that millions of short lines cost little. */

/** Some lines in a row, without their line breaks. */
export interface TextLines {
  /** Number of the first one, from 1. */
  readonly first: number;
  readonly lines: readonly string[];
  /** How many of them were cut to the limit. */
  readonly cut: number;
}

/** Splits pieces of a file into lines, keeping about `keep` characters of each: memory stays bounded. */
export async function* textLinesOf(pieces: AsyncIterable<Uint8Array>, keep: number): AsyncGenerator<TextLines> {
  const decoder = new TextDecoder();
  let first = 1;
  let begun = new BegunLine(keep);
  for await (const piece of pieces) {
    const lastEnd = piece.lastIndexOf(LF);
    if (lastEnd === -1) {
      begun.add(piece);
      continue;
    }
    const firstEnd = piece.indexOf(LF);
    begun.add(piece.subarray(0, firstEnd));
    const rest = firstEnd === lastEnd ? [] : decoder.decode(piece.subarray(firstEnd + 1, lastEnd)).split("\n");
    const batch = bounded([decoder.decode(begun.bytes()), ...rest], keep, first, begun.overflowed);
    yield batch;
    first += batch.lines.length;
    begun = new BegunLine(keep);
    begun.add(piece.subarray(lastEnd + 1));
  }
  if (!begun.isEmpty) yield bounded([decoder.decode(begun.bytes())], keep, first, begun.overflowed);
}

const LF = 0x0a;

/** A line whose end has not been seen yet. */
class BegunLine {
  #parts: Uint8Array[] = [];
  #size = 0;
  overflowed = false;

  constructor(readonly keep: number) {}

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  add(part: Uint8Array): void {
    const wanted = part.slice(0, Math.max(0, this.keep - this.#size));
    if (wanted.length < part.length) this.overflowed = true;
    if (wanted.length > 0) this.#parts.push(wanted);
    this.#size += wanted.length;
  }

  bytes(): Uint8Array {
    if (this.#parts.length === 1) return this.#parts[0]!;
    const bytes = new Uint8Array(this.#size);
    let position = 0;
    for (const part of this.#parts) {
      bytes.set(part, position);
      position += part.length;
    }
    return bytes;
  }
}

function bounded(lines: readonly string[], keep: number, first: number, firstIsCut: boolean): TextLines {
  let cut = firstIsCut ? 1 : 0;
  const kept = lines.map((line, index) => {
    if (line.length > keep) {
      if (index > 0 || !firstIsCut) cut++;
      return line.slice(0, keep);
    }
    return line.endsWith("\r") ? line.slice(0, -1) : line;
  });
  return { first, lines: kept, cut };
}
