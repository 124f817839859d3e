import type { JsonObject } from "../../protocol/mod.ts";
import type { ToolOutcome } from "../port.ts";
import { locate, type Place } from "./boundary.ts";
import type { FileToolHost } from "./host.ts";
import { type Line, linesOf } from "./lines.ts";
import { headOf, type OpenFile, openForReading, piecesOf, readWhole } from "./open_file.ts";
import { Refusal } from "./refusal.ts";
import { MAX_DIGEST_BYTES } from "./seen_files.ts";
import { beginsWithText, binaryKind, BYTE_ORDER_MARK, hasByteOrderMark, isCleanText } from "./text_file.ts";

/** Shows lines of a text file with their numbers; notes that the file was seen. */
export async function read(input: JsonObject, host: FileToolHost, signal: AbortSignal): Promise<ToolOutcome> {
  const { file_path, offset = 1, limit = DEFAULT_LIMIT } = input as {
    file_path: string;
    offset?: number;
    limit?: number;
  };
  const place = await locate(host.boundary, file_path);
  const file = await openForReading(place);
  try {
    const head = await headOf(file);
    const kind = binaryKind(head);
    if (kind !== undefined && !beginsWithText(head)) {
      throw new Refusal(`${place.shown} is a binary file (${kind}, ${file.size} bytes); Read shows text only`);
    }
    const small = file.size <= MAX_DIGEST_BYTES;
    const content = small ? await readWhole(place, file, MAX_DIGEST_BYTES * 2, signal) : undefined;
    await host.seen.note(place.real, file.version, content);
    const page = new Page(Math.max(1, offset), limit, kind !== undefined, hasByteOrderMark(head));
    await fill(page, content ? [content] : piecesOf(file, signal));
    return outcome(page, place, file);
  } finally {
    await file.handle.close();
  }
}

const DEFAULT_LIMIT = 2000;
/** Bytes shown of one line. */
const MAX_LINE_BYTES = 2000;
/** Bytes shown in one answer. */
const MAX_PAGE_BYTES = 256 * 1024;
/** How far behind the page lines are still counted. */
const MAX_COUNTED_BYTES = 16 * 1024 * 1024;

/** The shown part of a file, while it is being filled. */
class Page {
  readonly rows: string[] = [];
  lineCount = 0;
  /** Whether `lineCount` covers the whole file. */
  complete = false;
  crlf = 0;
  replaced = false;
  #bytes = 0;
  #behind = 0;

  constructor(
    readonly offset: number,
    readonly limit: number,
    readonly mixed: boolean,
    readonly hasMark: boolean,
  ) {}

  /** Takes a line; false when no further one is wanted. A line without end in sight is the last of its page. */
  take(line: Line): boolean {
    this.lineCount = line.number;
    if (line.number < this.offset) return true;
    if (!line.complete) {
      if (!this.#isFull) this.#show(line);
      return false;
    }
    if (this.#isFull) {
      this.#behind += line.length + 1;
      return this.#behind < MAX_COUNTED_BYTES;
    }
    this.#show(line);
    return true;
  }

  get #isFull(): boolean {
    return this.#bytes > MAX_PAGE_BYTES || this.rows.length >= this.limit;
  }

  #show(line: Line): void {
    const marked = line.number === 1 && this.hasMark;
    const bytes = marked ? line.bytes.subarray(BYTE_ORDER_MARK.length) : line.bytes;
    let text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    const size = line.complete ? `${line.length} bytes` : `more than ${line.length} bytes`;
    if (this.mixed && !isCleanText(bytes)) text = `[${size} that are no text]`;
    else if (line.length > line.bytes.length) text = `${text.replace(/\ufffd$/, "")} [line cut: ${size} in all]`;
    if (line.crlf) this.crlf++;
    if (text.includes("\ufffd")) this.replaced = true;
    const row = `${String(line.number).padStart(6)}\t${text}`;
    this.rows.push(row);
    this.#bytes += row.length + 1;
  }
}

async function fill(page: Page, pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
  for await (const lines of linesOf(pieces, MAX_LINE_BYTES)) {
    for (const line of lines) {
      if (!page.take(line)) return;
    }
  }
  page.complete = true;
}

function outcome(page: Page, place: Place, file: OpenFile): ToolOutcome {
  const last = page.offset + page.rows.length - 1;
  const metadata = {
    path: place.real,
    total_bytes: file.size,
    ...(page.rows.length > 0 && { first_line: page.offset, last_line: last }),
    ...(page.complete && { total_lines: page.lineCount }),
  };
  if (page.rows.length === 0) {
    if (page.lineCount === 0) return { is_error: false, content: `(${place.shown} is empty: 0 bytes)`, metadata };
    return {
      is_error: true,
      content: `${place.shown} has ${page.lineCount} lines only; there is no line ${page.offset}`,
      metadata,
    };
  }
  const notes = notesOn(page, last, file);
  const content = page.rows.join("\n") + (notes.length === 0 ? "" : `\n\n(${notes.join("; ")})`);
  return { is_error: false, content, metadata };
}

function notesOn(page: Page, last: number, file: OpenFile): readonly string[] {
  const rest = page.complete ? `of ${page.lineCount}` : `of a file of ${file.size} bytes`;
  const more = !page.complete || page.lineCount > last;
  return [
    ...(more ? [`lines ${page.offset}-${last} ${rest}; continue with offset ${last + 1}`] : []),
    ...(page.crlf > 0
      ? [`${page.crlf === page.rows.length ? "the" : page.crlf} lines end in CRLF; Edit keeps that`]
      : []),
    ...(page.hasMark ? ["the file begins with a byte-order mark, which is kept"] : []),
    ...(page.replaced ? ["the file is not valid UTF-8: \ufffd stands for what could not be read"] : []),
  ];
}
