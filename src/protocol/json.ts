/**
 * JSON as it travels through the program.
 *
 * Integers beyond 2^53 stay exact: they are `bigint` in memory and written back digit for digit. No other room may write
 * such a value with `JSON.stringify` (a `bigint` makes it throw).
 */

/** Any JSON value in memory. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;

/** A JSON object in memory. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** True for a value that JSON writes with braces: no array, no null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Parses JSON; integers that a double cannot hold become `bigint`. Throws `SyntaxError` like `JSON.parse`. */
export function parseJson(text: string): Json {
  return LONG_NUMBER.test(text) ? JSON.parse(text, keepIntegers) : JSON.parse(text);
}

/** Levels of nesting that no document needs; what is deeper would end the program in one of its parsers. */
export const MAX_NESTING = 500;

/** Whether a text nests brackets deeper than `MAX_NESTING`, those in strings aside. Linear; the text need not be JSON. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (inString) {
      if (unit === BACKSLASH) at++;
      else if (unit === QUOTE) inString = false;
    } else if (unit === QUOTE) inString = true;
    else if (unit === OPEN_BRACKET || unit === OPEN_BRACE) {
      if (++depth > MAX_NESTING) return true;
    } else if (unit === CLOSE_BRACKET || unit === CLOSE_BRACE) depth--;
  }
  return false;
}

const [QUOTE, BACKSLASH, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [34, 92, 91, 93, 123, 125];

/** Writes JSON on one line; `bigint` values are written as their digits. */
export function writeJson(value: unknown): string {
  return JSON.stringify(value, rawIntegers);
}

/** Writes JSON on one line in ASCII only (`\uXXXX` elsewhere), so that it survives any code page on its way. */
export function writeAsciiJson(value: unknown): string {
  return writeJson(value).replace(NON_ASCII, (unit) => "\\u" + unit.charCodeAt(0).toString(16).padStart(4, "0"));
}

const LONG_NUMBER = /\d{16}/;
// deno-lint-ignore no-control-regex
const NON_ASCII = /[^\x00-\x7e]/g;
const INTEGER = /^-?\d+$/;

function keepIntegers(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  const source = context?.source;
  return source !== undefined && INTEGER.test(source) ? BigInt(source) : value;
}

function rawIntegers(_key: string, value: unknown): unknown {
  if (typeof value !== "bigint") return value;
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(value.toString());
}
