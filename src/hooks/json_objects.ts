/**
 * Finds complete JSON objects in output that is not one JSON document. Linear in the length of the text, whatever it holds:
 * a text of a million braces is read once.
 */

/** A watched member; `text` only for a string. */
export interface WatchedValue {
  readonly key: string;
  readonly type: "string" | "object" | "array" | "number" | "boolean" | "null";
  readonly text?: string;
}

/** A complete object in a text. */
export interface FoundObject {
  /** Where it begins. */
  readonly start: number;
  readonly text: string;
  /** What the object's own watched members hold, in order; a repeated key makes more than one. */
  readonly watched: readonly WatchedValue[];
  /** True for one that lies inside another found object. */
  readonly nested: boolean;
}

/**
 * The complete JSON objects that begin at the start of a line (or right behind another one), and the one that ends the
 * text, in order of their ends. An object may span lines, and lie inside another one. `isWatched` names the keys whose
 * values are told.
 */
export function completeObjects(text: string, isWatched: (key: string) => boolean): readonly FoundObject[] {
  const spans: Span[] = [];
  let at = skipToStart(text, 0);
  while (at < text.length) {
    if (text[at] !== "{") {
      at = skipToStart(text, nextLine(text, at));
      continue;
    }
    const scan = scanObject(text, at, isWatched);
    for (const span of scan.inside) spans.push({ ...span, nested: scan.complete });
    if (scan.complete) {
      spans.push({ start: at, end: scan.end, watched: scan.watched, nested: false });
      at = skipWhitespace(text, scan.end);
    } else {
      // Whatever began before the failing character and is not complete fails at it too: each character is read once.
      at = startsLine(text, scan.end) ? skipToStart(text, scan.end) : skipToStart(text, nextLine(text, scan.end));
    }
  }
  const last = objectAtEnd(text, isWatched);
  if (last && !spans.some((span) => span.start <= last.start && span.end >= last.end)) spans.push(last);
  return spans.map(({ end, ...found }) => ({ text: text.slice(found.start, end), ...found }));
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly watched: readonly WatchedValue[];
  readonly nested: boolean;
}

/** `inside` are complete objects within that begin a line. */
type Scan =
  & { readonly inside: readonly Span[] }
  & (
    | { readonly complete: true; readonly end: number; readonly watched: readonly WatchedValue[] }
    /** `end` is the character that cannot stand there. */
    | { readonly complete: false; readonly end: number }
  );

interface Open {
  readonly start: number;
  readonly array: boolean;
  readonly watched: WatchedValue[];
}

type Expected = "first_key" | "key" | "colon" | "value" | "first_value" | "comma";

/** Reads one object by the grammar of RFC 8259, strictly, with a stack instead of recursion. */
function scanObject(text: string, start: number, isWatched: (key: string) => boolean): Scan {
  const open: Open[] = [];
  const inside: Span[] = [];
  let expected: Expected = "value";
  let key = "";
  let at = start;
  const failAt = (end: number): Scan => ({ complete: false, end, inside });

  for (;;) {
    at = skipWhitespace(text, at);
    const unit = text[at];
    if (unit === undefined) return failAt(at);
    const top = open.at(-1);

    if (unit === "}" || unit === "]") {
      const closes = top !== undefined && top.array === (unit === "]") &&
        (expected === "comma" || expected === (top.array ? "first_value" : "first_key"));
      if (!closes) return failAt(at);
      open.pop();
      at += 1;
      if (open.length === 0) return { complete: true, end: at, watched: top.watched, inside };
      if (!top.array && startsLine(text, top.start)) {
        inside.push({ start: top.start, end: at, watched: top.watched, nested: true });
      }
      expected = "comma";
    } else if (expected === "comma") {
      if (unit !== ",") return failAt(at);
      at += 1;
      expected = top!.array ? "value" : "key";
    } else if (expected === "colon") {
      if (unit !== ":") return failAt(at);
      at += 1;
      expected = "value";
    } else if (expected === "key" || expected === "first_key") {
      if (unit !== '"') return failAt(at);
      const end = endOfString(text, at);
      if (!end.complete) return failAt(end.at);
      key = JSON.parse(text.slice(at, end.at));
      at = end.at;
      expected = "colon";
    } else {
      const owner = top !== undefined && !top.array && isWatched(key) ? top : undefined;
      if (unit === "{" || unit === "[") {
        owner?.watched.push({ key, type: unit === "[" ? "array" : "object" });
        open.push({ start: at, array: unit === "[", watched: [] });
        at += 1;
        expected = unit === "[" ? "first_value" : "first_key";
        continue;
      }
      const end = unit === '"' ? endOfString(text, at) : endOfScalar(text, at);
      if (!end.complete) return failAt(end.at);
      owner?.watched.push(scalarValue(key, text.slice(at, end.at)));
      at = end.at;
      expected = "comma";
    }
  }
}

function scalarValue(key: string, token: string): WatchedValue {
  switch (token[0]) {
    case '"':
      return { key, type: "string", text: JSON.parse(token) };
    case "t":
    case "f":
      return { key, type: "boolean" };
    default:
      return { key, type: token === "null" ? "null" : "number" };
  }
}

interface TokenEnd {
  readonly complete: boolean;
  /** Behind the token, or the character that breaks it. */
  readonly at: number;
}

function endOfString(text: string, start: number): TokenEnd {
  for (let at = start + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) return { complete: true, at: at + 1 };
    if (unit < 0x20) return { complete: false, at };
    if (unit !== BACKSLASH) continue;
    ESCAPE.lastIndex = at;
    if (!ESCAPE.test(text)) return { complete: false, at };
    at = ESCAPE.lastIndex - 1;
  }
  return { complete: false, at: text.length };
}

function endOfScalar(text: string, start: number): TokenEnd {
  SCALAR.lastIndex = start;
  return SCALAR.test(text) ? { complete: true, at: SCALAR.lastIndex } : { complete: false, at: start };
}

/**
 * The object whose closing brace ends the text, found backwards: in JSON, a quote behind an even number of backslashes
 * begins or ends a string, so the way back to the opening brace is unambiguous.
 */
function objectAtEnd(text: string, isWatched: (key: string) => boolean): Span | undefined {
  const end = text.trimEnd().length;
  if (text[end - 1] !== "}") return undefined;
  let depth = 0;
  let inString = false;
  for (let at = end - 1; at >= 0; at--) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      let backslashes = 0;
      while (at - 1 - backslashes >= 0 && text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
      if (backslashes % 2 === 0) inString = !inString;
      at -= backslashes;
    } else if (!inString && (unit === CLOSE_BRACE || unit === CLOSE_BRACKET)) {
      depth += 1;
    } else if (!inString && (unit === OPEN_BRACE || unit === OPEN_BRACKET)) {
      depth -= 1;
      if (depth > 0) continue;
      if (unit !== OPEN_BRACE) return undefined;
      const scan = scanObject(text, at, isWatched);
      if (!scan.complete || scan.end !== end) return undefined;
      return { start: at, end, watched: scan.watched, nested: false };
    }
  }
  return undefined;
}

function startsLine(text: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && (text[before] === " " || text[before] === "\t")) before--;
  return before < 0 || text[before] === "\n" || text[before] === "\r";
}

function nextLine(text: string, at: number): number {
  LINE_END.lastIndex = at;
  const found = LINE_END.exec(text);
  return found ? found.index + 1 : text.length;
}

/** Past what can stand unseen before the first sign of a line: blanks of any kind, marks, NULs, colours of a terminal. */
function skipToStart(text: string, at: number): number {
  UNSEEN.lastIndex = at;
  UNSEEN.exec(text);
  return UNSEEN.lastIndex;
}

// deno-lint-ignore no-control-regex
const UNSEEN = /(?:[\s\0\ufeff\ufffd]|\x1b\[[0-?]*[ -/]*[@-~])*/y;

function skipWhitespace(text: string, at: number): number {
  let next = at;
  while (next < text.length && WHITESPACE.has(text.charCodeAt(next))) next++;
  return next;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const WHITESPACE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const LINE_END = /[\n\r]/g;
