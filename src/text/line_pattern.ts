import { compileAutomaton } from "./automaton.ts";
import { parseRegularExpression } from "./regular_expression.ts";

/** A compiled regular expression for single lines. */
export interface LinePattern {
  /** Whether any part of the line (given without its line break) matches. Linear in the line. */
  matches(line: string): boolean;
}

/** How a regular expression is read. */
export interface LinePatternOptions {
  readonly ignore_case?: boolean;
}

/** The compiled expression, or what is wrong with it and where (`offset` counts characters from 0). */
export type LinePatternResult =
  | { readonly ok: true; readonly pattern: LinePattern }
  | { readonly ok: false; readonly message: string; readonly offset: number };

/**
 * Compiles a regular expression in the syntax of ripgrep and JavaScript without what needs backtracking (look-around
 * and back references): those, and anything malformed, are an error that says where.
 */
export function linePattern(source: string, options: LinePatternOptions = {}): LinePatternResult {
  const parsed = parseRegularExpression(source, options.ignore_case ?? false);
  if (!parsed.ok) return parsed;
  const automaton = compileAutomaton(parsed.pattern, false, MAX_SIZE);
  if (!automaton) {
    return { ok: false, message: "the expression is too large once its repetitions are written out", offset: 0 };
  }
  return { ok: true, pattern: automaton };
}

/** Steps of the automaton: a bound on the time for one character. */
const MAX_SIZE = 5000;
