/** Lists for the model: as many rows as a limit and the size of an answer allow, and notes behind them. */

/** Bytes of rows in one answer; a longer one would be moved out of the conversation. */
const MAX_BYTES = 28 * 1024;

/** Takes rows one by one and keeps the first ones. */
export class Rows {
  readonly #rows: string[] = [];
  #bytes = 0;
  #full = false;

  constructor(readonly limit: number) {}

  add(row: string): void {
    const size = new TextEncoder().encode(row).length + 1;
    if (this.#full || this.#rows.length >= this.limit || this.#bytes + size > MAX_BYTES) {
      this.#full = true;
      return;
    }
    this.#rows.push(row);
    this.#bytes += size;
  }

  /** Whether rows were left out. */
  get cut(): boolean {
    return this.#full;
  }

  get count(): number {
    return this.#rows.length;
  }

  /** The rows and, in parentheses behind an empty line, the notes. */
  text(whenEmpty: string, notes: readonly string[]): string {
    const body = this.#rows.length === 0 ? whenEmpty : this.#rows.join("\n");
    return notes.length === 0 ? body : `${body}\n\n${notes.map((note) => `(${note})`).join("\n")}`;
  }
}

/** What a search says when it ran out of time. */
export const TIME_IS_UP = "the search took too long and was ended: the result is incomplete; narrow it";

/** Runs a search with a limit on its time. The action is told by its signal and returns what it has. */
export async function withinTime<Result>(
  limitMs: number,
  signal: AbortSignal,
  action: (signal: AbortSignal) => Promise<Result>,
): Promise<{ readonly result: Result; readonly timedOut: boolean }> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), limitMs);
  try {
    const result = await action(AbortSignal.any([signal, limit.signal]));
    return { result, timedOut: limit.signal.aborted && !signal.aborted };
  } finally {
    clearTimeout(timer);
  }
}
