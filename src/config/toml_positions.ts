/**
 * Where the keys and values of a TOML document stand (the grammar is TOML 1.0's).
 *
 * It reads documents that the parser has accepted, and the part of a refused one before its fault; it never throws,
 * and where it understands nothing it goes on with the next line.
 */

/** Keys and array indexes from the root. */
export type TomlPath = readonly (string | number)[];

/** A key or an array element in the text; offsets count UTF-16 units from 0. */
export interface TomlPlace {
  readonly path: TomlPath;
  /** Offset of the key; of the value for an array element. */
  readonly key: number;
  readonly value: number;
}

/** The places of a document. */
export interface TomlPositions {
  /** Every assignment and table header, in the order of the text; the same path twice when it stands there twice. */
  readonly places: readonly TomlPlace[];
  /** The first place of a path. */
  find(path: TomlPath): TomlPlace | undefined;
}

/** Finds all keys and array elements of a document. */
export function tomlPositions(text: string): TomlPositions {
  const scanner = new Scanner(text);
  scanner.scanDocument();
  return { places: scanner.places, find: (path) => scanner.first.get(pathKey(path)) };
}

/** A path as one string, for comparison. */
export function pathKey(path: TomlPath): string {
  return JSON.stringify(path);
}

interface KeyPart {
  readonly name: string;
  readonly at: number;
}

/** Deeper than this nothing is looked at; the parser refuses such documents. */
const MAX_DEPTH = 500;

class Scanner {
  readonly places: TomlPlace[] = [];
  readonly first = new Map<string, TomlPlace>();
  readonly #arrayTables = new Map<string, number>();
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  scanDocument(): void {
    let table: TomlPath = [];
    while (this.#skipBlank(true), this.#at < this.#text.length) {
      if (this.#peek() === "[") table = this.#scanHeader() ?? table;
      else this.#scanAssignment(table, 0);
      this.#skipLine();
    }
  }

  #scanHeader(): TomlPath | undefined {
    this.#at += 1;
    const isArray = this.#peek() === "[";
    if (isArray) this.#at += 1;
    const parts = this.#scanKey();
    const last = parts.at(-1);
    if (last === undefined) return undefined;
    let path: TomlPath = [];
    for (const part of parts) {
      path = [...path, part.name];
      if (part === last) break;
      this.#addImplied(path, part.at);
      path = this.#inLastElement(path);
    }
    if (isArray) {
      const key = pathKey(path);
      const index = this.#arrayTables.get(key) ?? 0;
      this.#arrayTables.set(key, index + 1);
      this.#addImplied(path, last.at);
      path = [...path, index];
    }
    this.#add({ path, key: last.at, value: last.at });
    return path;
  }

  /** Where a header leads through an array of tables, its last element is meant. */
  #inLastElement(path: TomlPath): TomlPath {
    const count = this.#arrayTables.get(pathKey(path));
    return count === undefined ? path : [...path, count - 1];
  }

  #scanAssignment(table: TomlPath, depth: number): void {
    const parts = this.#scanKey();
    this.#skipBlank(false);
    if (parts.length === 0 || this.#peek() !== "=") return;
    this.#at += 1;
    this.#skipBlank(false);
    let path = table;
    for (const part of parts) {
      path = [...path, part.name];
      if (part === parts.at(-1)) this.#add({ path, key: part.at, value: this.#at });
      else this.#addImplied(path, part.at);
    }
    this.#scanValue(path, depth);
  }

  #scanValue(path: TomlPath, depth: number): void {
    const start = this.#peek();
    if (start === '"' || start === "'") this.#scanString();
    else if (start === "[") this.#scanArray(path, depth + 1);
    else if (start === "{") this.#scanInlineTable(path, depth + 1);
    else this.#at = indexOfAny(this.#text, ",]}#\r\n", this.#at);
  }

  #scanArray(path: TomlPath, depth: number): void {
    this.#at += 1;
    for (let index = 0; depth < MAX_DEPTH; index++) {
      this.#skipBlank(true);
      const next = this.#peek();
      if (next === undefined || next === "]") break;
      const start = this.#at;
      this.#add({ path: [...path, index], key: start, value: start });
      this.#scanValue([...path, index], depth);
      this.#skipBlank(true);
      if (this.#peek() !== ",") break;
      this.#at += 1;
    }
    if (this.#peek() === "]") this.#at += 1;
  }

  #scanInlineTable(path: TomlPath, depth: number): void {
    this.#at += 1;
    while (depth < MAX_DEPTH) {
      this.#skipBlank(true);
      const next = this.#peek();
      if (next === undefined || next === "}") break;
      this.#scanAssignment(path, depth);
      this.#skipBlank(true);
      if (this.#peek() !== ",") break;
      this.#at += 1;
    }
    if (this.#peek() === "}") this.#at += 1;
  }

  /** The parts of a dotted key; empty when there is none. */
  #scanKey(): readonly KeyPart[] {
    const parts: KeyPart[] = [];
    for (;;) {
      this.#skipBlank(false);
      const at = this.#at;
      const quote = this.#peek();
      if (quote === '"' || quote === "'") {
        this.#scanString();
        parts.push({ name: keyText(this.#text.slice(at, this.#at)), at });
      } else {
        BARE_KEY.lastIndex = at;
        const bare = BARE_KEY.exec(this.#text)?.[0];
        if (bare === undefined) return parts;
        this.#at += bare.length;
        parts.push({ name: bare, at });
      }
      this.#skipBlank(false);
      if (this.#peek() !== ".") return parts;
      this.#at += 1;
    }
  }

  #scanString(): void {
    const quote = this.#peek()!;
    const long = this.#text.startsWith(quote.repeat(3), this.#at);
    const end = long ? quote.repeat(3) : quote;
    let at = this.#at + end.length;
    for (; at < this.#text.length; at++) {
      if (quote === '"' && this.#text[at] === "\\") at += 1;
      else if (this.#text.startsWith(end, at)) break;
      else if (!long && this.#text[at] === "\n") break;
    }
    at += this.#text[at] === quote ? end.length : 0;
    // A long string may end in one or two quotes of its own.
    for (let more = 0; long && more < 2 && this.#text[at] === quote; more++) at += 1;
    this.#at = Math.min(at, this.#text.length);
  }

  #skipBlank(lines: boolean): void {
    for (; this.#at < this.#text.length; this.#at++) {
      const unit = this.#text[this.#at]!;
      if (lines && unit === "#") this.#at = indexOfAny(this.#text, "\n", this.#at);
      const blank = unit === " " || unit === "\t" || (lines && (unit === "\n" || unit === "\r" || unit === "#"));
      if (!blank) return;
    }
  }

  #skipLine(): void {
    this.#at = indexOfAny(this.#text, "\n", this.#at);
  }

  #peek(): string | undefined {
    return this.#text[this.#at];
  }

  #add(place: TomlPlace): void {
    this.places.push(place);
    this.#addFirst(place);
  }

  #addImplied(path: TomlPath, at: number): void {
    this.#addFirst({ path, key: at, value: at });
  }

  #addFirst(place: TomlPlace): void {
    const key = pathKey(place.path);
    if (!this.first.has(key)) this.first.set(key, place);
  }
}

const BARE_KEY = /[A-Za-z0-9_-]+/y;

function indexOfAny(text: string, units: string, from: number): number {
  let at = from;
  while (at < text.length && !units.includes(text[at]!)) at += 1;
  return at;
}

/** The name that a quoted key stands for. */
function keyText(quoted: string): string {
  const inner = quoted.slice(1, -1);
  if (quoted.startsWith("'")) return inner;
  return inner.replace(ESCAPE, (_, digits: string | undefined, unit: string) => {
    if (digits === undefined) return ESCAPES[unit] ?? unit;
    const point = Number.parseInt(digits.slice(1), 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : "\ufffd";
  });
}

const ESCAPE = /\\(?:(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{2})|(.))/g;
const ESCAPES: Readonly<Record<string, string>> = { b: "\b", t: "\t", n: "\n", f: "\f", r: "\r", e: "\x1b" };
