/** One line of a file, without its line break. */
export interface Line {
  /** From 1. */
  readonly number: number;
  /** The first bytes of the line, at most as many as were asked for; valid until the next batch is taken. */
  readonly bytes: Uint8Array;
  /** Size of the whole line in bytes. */
  readonly length: number;
  readonly crlf: boolean;
  /**
   * False for the first look at a very long line whose end has not been reached: `length` is what there is so far, and
   * the line comes again when it is complete.
   */
  readonly complete: boolean;
}

/** Splits pieces of a file into batches of lines, keeping at most `keepBytes` of each line: memory stays bounded. */
export async function* linesOf(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  keepBytes: number,
): AsyncGenerator<readonly Line[]> {
  const splitter = new LineSplitter(keepBytes);
  for await (const piece of pieces) yield splitter.take(piece);
  yield splitter.end();
}

/** A line that is longer than this is announced before its end is found. */
const LONG_LINE_BYTES = 512 * 1024;

const LF = 0x0a;
const CR = 0x0d;

class LineSplitter {
  #number = 0;
  /** The begun line: what is kept of it, its size so far, and its last byte. */
  #kept: Uint8Array[] = [];
  #keptBytes = 0;
  #length = 0;
  #lastByte = 0;

  constructor(readonly keepBytes: number) {}

  take(piece: Uint8Array): readonly Line[] {
    const lines: Line[] = [];
    let start = 0;
    for (let end = piece.indexOf(LF); end !== -1; end = piece.indexOf(LF, start)) {
      lines.push(this.#finish(piece.subarray(start, end)));
      start = end + 1;
    }
    const begun = this.#length;
    this.#keep(piece.subarray(start));
    if (begun <= LONG_LINE_BYTES && this.#length > LONG_LINE_BYTES) lines.push(this.#unfinished());
    return lines;
  }

  end(): readonly Line[] {
    return this.#length === 0 ? [] : [this.#finish(new Uint8Array())];
  }

  #keep(part: Uint8Array): void {
    if (part.length === 0) return;
    this.#length += part.length;
    this.#lastByte = part.at(-1)!;
    const wanted = part.slice(0, Math.max(0, this.keepBytes - this.#keptBytes));
    if (wanted.length === 0) return;
    this.#kept.push(wanted);
    this.#keptBytes += wanted.length;
  }

  #unfinished(): Line {
    const bytes = joined(this.#kept, new Uint8Array());
    return { number: this.#number + 1, bytes, length: this.#length, crlf: false, complete: false };
  }

  #finish(rest: Uint8Array): Line {
    const length = this.#length + rest.length;
    const crlf = (rest.at(-1) ?? (this.#length > 0 ? this.#lastByte : 0)) === CR;
    const textLength = crlf ? length - 1 : length;
    const whole = this.#keptBytes === 0 ? rest : joined(this.#kept, rest.subarray(0, this.keepBytes));
    const line = {
      number: ++this.#number,
      bytes: whole.subarray(0, Math.min(this.keepBytes, textLength)),
      length: textLength,
      crlf,
      complete: true,
    };
    this.#kept = [];
    this.#keptBytes = 0;
    this.#length = 0;
    return line;
  }
}

function joined(parts: readonly Uint8Array[], last: Uint8Array): Uint8Array {
  const all = [...parts, last];
  const bytes = new Uint8Array(all.reduce((total, part) => total + part.length, 0));
  let position = 0;
  for (const part of all) {
    bytes.set(part, position);
    position += part.length;
  }
  return bytes;
}
