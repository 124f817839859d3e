/** JSON with comments and trailing commas, with the place of the first fault. */
import { parse, type ParseError, printParseErrorCode } from "jsonc-parser";
import { isTooDeep, MAX_NESTING } from "../protocol/mod.ts";

/** The value of a file, or what is wrong with it and where (line and column from 1). */
export type JsonFile =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly line: number; readonly column: number; readonly problem: string };

/** Parses a whole file. */
export function parseJsonFile(text: string): JsonFile {
  const tooDeep = { ok: false, line: 1, column: 1, problem: `this nests deeper than ${MAX_NESTING} levels` } as const;
  if (isTooDeep(text)) return tooDeep;
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first === undefined) return { ok: true, value };
  const before = text.slice(0, first.offset).split(/\r\n|\r|\n/);
  const words = printParseErrorCode(first.error).replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
  return {
    ok: false,
    line: before.length,
    column: before.at(-1)!.length + 1,
    problem: `this is no valid JSON: ${words}`,
  };
}
