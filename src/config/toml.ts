/** TOML with findings in the form of this program. The only module that knows the TOML library. */
import { parse, TomlError } from "smol-toml";
import type { Diagnostic } from "../protocol/mod.ts";
import { pathKey, type TomlPath, type TomlPositions, tomlPositions } from "./toml_positions.ts";

/**
 * Values of a document: integers are `bigint`, numbers with a fraction or exponent `number`, tables have no
 * prototype.
 */
export type TomlValue = boolean | string | number | bigint | Date | readonly TomlValue[] | TomlTable;

/** A table. */
export interface TomlTable {
  readonly [key: string]: TomlValue;
}

/** A document with the places of its keys, or its first fault. */
export type ParsedToml =
  | { readonly ok: true; readonly root: TomlTable; readonly positions: TomlPositions }
  | { readonly ok: false; readonly fault: Diagnostic };

/** Parses a document; `file` is named in the finding. */
export function parseToml(text: string, file: string): ParsedToml {
  const positions = tomlPositions(text);
  try {
    return { ok: true, root: parse(text, { integersAsBigInt: true }) as TomlTable, positions };
  } catch (error) {
    if (error instanceof TomlError) return { ok: false, fault: describeFault(error, text, file, positions) };
    throw error;
  }
}

/** Line and column, from 1, of an offset. */
export function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}

/** A path as people write it: `hooks.enabled`, `permissions.allow[2]`. */
export function showPath(path: TomlPath): string {
  return path.reduce<string>((shown, part) => {
    if (typeof part === "number") return `${shown}[${part}]`;
    const name = /^[A-Za-z0-9_-]+$/.test(part) ? part : JSON.stringify(part);
    return shown === "" ? name : `${shown}.${name}`;
  }, "");
}

function describeFault(error: TomlError, text: string, file: string, positions: TomlPositions): Diagnostic {
  const { line, column } = error;
  const said = error.message.split("\n")[0]!.replace("Invalid TOML document: ", "");
  const base = { file, line, column, severity: "error" as const };
  if (said.includes("redefine")) return { ...base, ...describeRepetition(text, line, column, positions) };
  const row = FAULTS.find(({ when }) => said.includes(when));
  return row === undefined
    ? { ...base, code: "syntax", message: said }
    : { ...base, code: "syntax", message: row.message, ...(row.hint !== undefined && { hint: row.hint }) };
}

const BACKSLASH = {
  message: "a backslash in a double-quoted string begins an escape, and this one is none",
  hint: "put a Windows path in single quotes ('C:\\Users\\me'), or double each backslash",
};
const QUOTES = "text stands in quotes, true and false do not, numbers are plain";

/** What the parser says, and what to say instead. */
const FAULTS: readonly { readonly when: string; readonly message: string; readonly hint?: string }[] = [
  { when: "escape", ...BACKSLASH },
  {
    when: "must be followed by an end-of-line",
    message: "something follows the value on the same line",
    hint: "write each key = value on a line of its own",
  },
  { when: "invalid value", message: "a value is missing here, or it is none that TOML knows", hint: QUOTES },
  {
    when: "illegal character in key",
    message: "a key holds a character that it may not",
    hint: "put the key in quotes",
  },
  { when: "cannot find end of key", message: "this is neither key = value nor a [table]" },
  { when: "control characters", message: "a line break or control character stands inside a string or comment" },
  { when: "unfinished string", message: "a string has no closing quote" },
  { when: "unfinished array", message: "an array has no closing bracket" },
  { when: "unfinished table", message: "an inline table has no closing brace" },
  { when: "losslessly", message: "the number is too large" },
];

function describeRepetition(text: string, line: number, column: number, positions: TomlPositions) {
  const seen = new Map<string, number>();
  for (const { path, key } of positions.places) {
    const before = seen.get(pathKey(path));
    const at = placeOf(text, key);
    if (before !== undefined && at.line === line && at.column >= column - 1) {
      return {
        code: "duplicate-key",
        message: `${showPath(path)} is set twice`,
        hint: `it is set on line ${before} already; keep one of the two`,
        path: showPath(path),
      };
    }
    if (before === undefined) seen.set(pathKey(path), at.line);
    if (at.line > line) break;
  }
  return { code: "duplicate-key", message: "this was set before as something else", hint: "keep one of the two" };
}
