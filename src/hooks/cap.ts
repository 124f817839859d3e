/** Bounds for what hooks say, before it enters events, notices and the conversation. */
import { type Json, writeJson } from "../protocol/mod.ts";

/** Characters (UTF-16 units) of a reason, a message, stderr or a context that are kept. */
export const WORDS_LIMIT = 10_000;

/** The text itself, or its head and tail with a mark that says how much is left out; never longer than `limit`. */
export function capText(text: string, limit: number = WORDS_LIMIT): string {
  if (text.length <= limit) return text;
  const room = Math.max(2, limit - MARK_ROOM);
  const head = wellFormedHead(text, Math.ceil(room / 2));
  const tail = wellFormedTail(text, Math.floor(room / 2));
  const leftOut = text.length - head.length - tail.length;
  return `${head}\n[… ${leftOut} of ${text.length} characters left out …]\n${tail}`;
}

/** The value itself, or its JSON cut like a text when that is longer than `limit`. */
export function capJson(value: Json, limit: number = WORDS_LIMIT): Json {
  let text: string;
  try {
    text = writeJson(value);
  } catch {
    return "[a value nested too deeply to be kept]";
  }
  return text.length <= limit ? value : capText(text, limit);
}

/** The text in at most `limit` bytes of UTF-8, with a trailing `…` when something is left out. */
export function capBytes(text: string, limit: number): string {
  if (text.length * 3 <= limit || byteLength(text) <= limit) return text;
  let kept = "";
  let size = ELLIPSIS_BYTES;
  for (const character of text) {
    size += byteLength(character);
    if (size > limit) break;
    kept += character;
  }
  return kept + "…";
}

/** Room for the mark with two numbers. */
const MARK_ROOM = 80;
const ELLIPSIS_BYTES = 3;

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

function wellFormedHead(text: string, length: number): string {
  return isLead(text.charCodeAt(length - 1)) ? text.slice(0, length - 1) : text.slice(0, length);
}

function wellFormedTail(text: string, length: number): string {
  const start = text.length - length;
  return isTrail(text.charCodeAt(start)) ? text.slice(start + 1) : text.slice(start);
}

function isLead(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isTrail(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
