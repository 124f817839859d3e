/**
 * JSON with comments, trailing commas and a byte-order mark, as a tree in which every node knows its place.
 *
 * In: the bytes of a file. Out: a tree, or one diagnostic that says what is wrong with the file as JSON.
 */
import type { Diagnostic, Json } from "../protocol/mod.ts";
import { parseText } from "./document_parser.ts";

/** A value of the document. `offset` and `end` count UTF-16 units in the text; the node's text ends before `end`. */
export type DocumentNode = ObjectNode | ArrayNode | ScalarNode;

interface Place {
  readonly offset: number;
  end: number;
  readonly parent: ObjectNode | ArrayNode | undefined;
  /** The key or index in the parent. */
  readonly step: string | number;
}

export interface ObjectNode extends Place {
  readonly type: "object";
  /** In file order; a key may stand twice. */
  readonly members: Member[];
}

export interface ArrayNode extends Place {
  readonly type: "array";
  readonly items: DocumentNode[];
}

export interface ScalarNode extends Place {
  readonly type: "string" | "number" | "boolean" | "null";
  readonly value: string | number | boolean | null;
}

/** One key with its value. */
export interface Member {
  readonly key: string;
  readonly keyOffset: number;
  readonly value: DocumentNode;
}

/** A key that stands twice in one object. */
export interface DuplicateKey {
  readonly node: ObjectNode;
  readonly first: Member;
  readonly second: Member;
}

/** A line and a column, both from 1; columns in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A file that is JSON. */
export interface HookDocument {
  readonly file: string;
  readonly text: string;
  readonly root: DocumentNode;
  /** Kept, not merged: what such an object means is for its reader to decide. */
  readonly duplicates: readonly DuplicateKey[];
  positionAt(offset: number): Position;
}

/** A document, or why there is none. */
export type ParsedDocument =
  | { readonly ok: true; readonly document: HookDocument }
  | { readonly ok: false; readonly diagnostic: Diagnostic };

/** Reads the bytes of a file as JSON with comments. Never throws. */
export function parseDocument(file: string, bytes: Uint8Array): ParsedDocument {
  const { text, fault } = decodeText(bytes);
  const positionAt = createPositions(text);
  const parsed = fault === undefined ? parseText(text, positionAt) : { fault };
  if (!("fault" in parsed)) return { ok: true, document: { file, text, ...parsed, positionAt } };
  const { offset, ...finding } = parsed.fault;
  return { ok: false, diagnostic: { file, ...positionAt(offset), severity: "error", ...finding } };
}

/** The JSON path of a node, for example `hooks.PreToolUse[1].hooks[0].timeout`; `$` for the root. */
export function pathOf(node: DocumentNode): string {
  const steps: (string | number)[] = [];
  for (let at: DocumentNode = node; at.parent !== undefined; at = at.parent) steps.unshift(at.step);
  return formatPath(steps);
}

/** A JSON path from its steps; keys that are no plain words are quoted in brackets. */
export function formatPath(steps: readonly (string | number)[]): string {
  if (steps.length === 0) return "$";
  const text = steps.map((step) => {
    if (typeof step === "number") return `[${step}]`;
    return PLAIN_KEY.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
  }).join("");
  return text.startsWith(".") ? text.slice(1) : text;
}

/** The first value under a key of an object; undefined when there is none. */
export function valueOf(node: ObjectNode, key: string): DocumentNode | undefined {
  return node.members.find((member) => member.key === key)?.value;
}

/** The node as a plain value. Keys like `__proto__` are data: they become own properties. */
export function toJson(node: DocumentNode): Json {
  switch (node.type) {
    case "object":
      return Object.fromEntries(node.members.map(({ key, value }) => [key, toJson(value)]));
    case "array":
      return node.items.map(toJson);
    default:
      return node.value;
  }
}

const PLAIN_KEY = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u;

/** Something that makes a file no JSON. `hint` says what to do. */
export interface Fault {
  readonly code: "invalid-json" | "empty-file" | "not-utf8" | "utf-16" | "nested-too-deeply";
  readonly offset: number;
  readonly message: string;
  readonly hint?: string;
}

/** The text without its byte-order mark. Text that is not UTF-8 is refused, not guessed at. */
function decodeText(bytes: Uint8Array): { readonly text: string; readonly fault?: Fault } {
  const wide = wideEncoding(bytes);
  if (wide !== undefined) {
    const message = `this file is ${wide}, which is not read`;
    return { text: "", fault: { code: "utf-16", offset: 0, message, hint: "save it as UTF-8" } };
  }
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    const text = new TextDecoder().decode(bytes);
    const offset = Math.max(0, text.indexOf("\uFFFD"));
    return { text, fault: { code: "not-utf8", offset, message: "this file is not UTF-8", hint: "save it as UTF-8" } };
  }
}

/** UTF-16 or UTF-32 by its mark, or by the zero byte that ASCII text has there in its first two bytes. */
function wideEncoding([first, second, third, fourth]: Uint8Array): "UTF-16" | "UTF-32" | undefined {
  if (first === undefined || second === undefined) return undefined;
  if (first === 0xff && second === 0xfe) return third === 0 && fourth === 0 ? "UTF-32" : "UTF-16";
  if (first === 0 && second === 0) return "UTF-32";
  return (first === 0xfe && second === 0xff) || first === 0 || second === 0 ? "UTF-16" : undefined;
}

/** Line starts once, then a binary search for each question. `\n`, `\r\n` and a lone `\r` end a line. */
function createPositions(text: string): (offset: number) => Position {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= lineStarts(text);
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - starts[low]! + 1 };
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === LINE_FEED || (unit === CARRIAGE_RETURN && text.charCodeAt(at + 1) !== LINE_FEED)) starts.push(at + 1);
  }
  return starts;
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
