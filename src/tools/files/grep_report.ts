import type { ToolOutcome } from "../port.ts";
import type { LeftOut } from "./left_out.ts";
import { Rows, TIME_IS_UP } from "./result_text.ts";

/** What a search shows: the matching lines, the files that have one, or how many each file has. */
export type GrepMode = "content" | "files_with_matches" | "count";

/** Characters shown of a matching line. */
const MAX_SHOWN = 500;

/** Collects matches in the order of the search; counts them all, keeps the first ones. */
export class GrepReport {
  readonly #rows: Rows;
  #matches = 0;
  #files = 0;
  #longLines = 0;
  #current: { readonly path: string; count: number } | undefined;

  constructor(readonly mode: GrepMode, limit: number) {
    this.#rows = new Rows(limit);
  }

  /** Takes a matching line; false when further lines of the file do not matter. */
  add(path: string, line: number, text: string): boolean {
    this.#matches++;
    if (this.#current?.path !== path) {
      this.#finishFile();
      this.#current = { path, count: 0 };
      this.#files++;
      if (this.mode === "files_with_matches") this.#rows.add(path);
    }
    this.#current.count++;
    if (this.mode === "content") this.#rows.add(`${path}:${line}:${shortened(text)}`);
    return this.mode !== "files_with_matches";
  }

  /** Notes lines that were too long to be searched to their end. */
  addLongLines(count: number): void {
    this.#longLines += count;
  }

  outcome(nothing: string, leftOut: LeftOut, timedOut: boolean): ToolOutcome {
    this.#finishFile();
    const unit = this.mode === "content" ? "lines" : "files";
    const total = this.mode === "content" ? this.#matches : this.#files;
    const notes = [
      ...(this.mode === "count" && this.#files > 0 ? [`${this.#matches} matching lines in ${this.#files} files`] : []),
      ...(this.#rows.cut
        ? [`showing the first ${this.#rows.count} of ${total} ${unit}; narrow the search or raise head_limit`]
        : []),
      ...(this.#longLines > 0 ? [`of ${this.#longLines} very long lines only the beginning was searched`] : []),
      ...(timedOut ? [TIME_IS_UP] : []),
      ...leftOut.notes(),
    ];
    return {
      is_error: false,
      content: this.#rows.text(nothing, notes),
      metadata: {
        matches: this.mode === "files_with_matches" ? this.#files : this.#matches,
        files: this.#files,
        truncated: this.#rows.cut || timedOut,
        left_out: leftOut.counts(),
      },
    };
  }

  #finishFile(): void {
    if (this.mode === "count" && this.#current) this.#rows.add(`${this.#current.path}:${this.#current.count}`);
    this.#current = undefined;
  }
}

function shortened(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)} [line cut: ${text.length} characters]` : text;
}
