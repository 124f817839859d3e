/** What came of a replacement. Lines count from 1 and say where each match begins. */
export type Replacement =
  | { readonly kind: "replaced"; readonly text: string; readonly lines: readonly number[] }
  | { readonly kind: "absent" }
  | { readonly kind: "ambiguous"; readonly count: number; readonly lines: readonly number[] }
  | { readonly kind: "line_ends_only" };

/**
 * Replaces the one match of `oldText`, or with `all` every match. LF and CRLF count as the same when matching; what is
 * replaced keeps the line ends it had, and lines that are new get those of the text around them. Everything else stays
 * byte for byte, and nothing in the new text is a pattern.
 */
export function replaceText(text: string, oldText: string, newText: string, all: boolean): Replacement {
  const file = new LineEnds(text);
  const wanted = oldText.replaceAll("\r\n", "\n");
  const substitute = newText.replaceAll("\r\n", "\n");
  if (wanted === substitute) return { kind: "line_ends_only" };

  const starts = matchesOf(file.text, wanted);
  const first = starts[0];
  if (first === undefined) return { kind: "absent" };
  const overlapping = starts.length === 1 && file.text.includes(wanted, first + 1);
  if (!all && (starts.length > 1 || overlapping)) {
    const places = overlapping ? [first, file.text.indexOf(wanted, first + 1)] : starts;
    return { kind: "ambiguous", count: places.length, lines: file.linesAt(places) };
  }

  const parts: string[] = [];
  let position = 0;
  for (const start of starts) {
    const end = start + wanted.length;
    parts.push(text.slice(position, file.original(start)), file.dressed(substitute, start, end));
    position = file.original(end);
  }
  parts.push(text.slice(position));
  return { kind: "replaced", text: parts.join(""), lines: file.linesAt(starts) };
}

function matchesOf(text: string, wanted: string): number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) starts.push(at);
  return starts;
}

/** A text with LF only, and the way back to the one it was made of. */
class LineEnds {
  /** The text with LF for every CRLF. */
  readonly text: string;
  /** Where in `text` the line ends are that were CRLF, ascending. */
  readonly #crlf: number[] = [];
  readonly #mostlyCrlf: boolean;

  constructor(original: string) {
    for (let at = original.indexOf("\r\n"); at !== -1; at = original.indexOf("\r\n", at + 2)) {
      this.#crlf.push(at - this.#crlf.length);
    }
    this.text = this.#crlf.length === 0 ? original : original.replaceAll("\r\n", "\n");
    this.#mostlyCrlf = this.#crlf.length > 0 &&
      this.#crlf.length * 2 > newlinesIn(this.text, 0, this.text.length).length;
  }

  /** The index in the original of an index in `text`. */
  original(index: number): number {
    return index + this.#crlfBefore(index);
  }

  /** The new text with the line ends that belong at `start` to `end`. */
  dressed(newText: string, start: number, end: number): string {
    const isCrlf = newlinesIn(this.text, start, end).map((at) => this.#crlfBefore(at + 1) > this.#crlfBefore(at));
    const crlfCount = isCrlf.filter(Boolean).length;
    const usual = isCrlf.length === 0 ? this.#mostlyCrlf : crlfCount * 2 >= isCrlf.length && crlfCount > 0;
    const lines = newText.split("\n");
    const oldLines = this.text.slice(start, end).split("\n");
    const same = commonEnds(oldLines, lines);
    const count = lines.length - 1;
    return lines.map((line, index) => {
      if (index === count) return line;
      const fromEnd = count - index;
      const kept = index < same.leading ? isCrlf[index] : fromEnd <= same.trailing ? isCrlf.at(-fromEnd) : undefined;
      return line + (kept ?? usual ? "\r\n" : "\n");
    }).join("");
  }

  /** The line numbers of ascending indexes in `text`. */
  linesAt(indexes: readonly number[]): number[] {
    let [line, position] = [1, 0];
    return indexes.map((index) => {
      line += newlinesIn(this.text, position, index).length;
      position = index;
      return line;
    });
  }

  #crlfBefore(index: number): number {
    let [low, high] = [0, this.#crlf.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#crlf[middle]! < index) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** How many line ends at the beginning and at the end stand behind (before) lines that both texts share. */
function commonEnds(left: readonly string[], right: readonly string[]): { leading: number; trailing: number } {
  const most = Math.min(left.length, right.length) - 1;
  let leading = 0;
  while (leading < most && left[leading] === right[leading]) leading++;
  let trailing = 0;
  while (trailing < most - leading && left.at(-1 - trailing) === right.at(-1 - trailing)) trailing++;
  return { leading, trailing };
}

function newlinesIn(text: string, start: number, end: number): number[] {
  const places: number[] = [];
  for (let at = text.indexOf("\n", start); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) places.push(at);
  return places;
}
