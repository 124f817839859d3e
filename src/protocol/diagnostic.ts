/** Findings about a file of the user, with the place to look at. */

/** Weight of a finding. An error costs the entry it is about; a warning and a hint cost nothing. */
export type Severity = "error" | "warning" | "hint";

/** One finding. `line` and `column` count from 1, columns in UTF-16 units as editors do. */
export interface Diagnostic {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly severity: Severity;
  /** Stable word in kebab-case, for example `unknown-key`. */
  readonly code: string;
  readonly message: string;
  /** What to do. */
  readonly hint?: string;
  /** JSON path of the entry, for example `hooks.PreToolUse[1].hooks[0].timeout`. */
  readonly path?: string;
}

/** `file:line:col: severity[code]: message`, and the hint on a line of its own. */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const { file, line, column, severity, code, message, hint } = diagnostic;
  const first = `${file}:${line}:${column}: ${severity}[${code}]: ${message}`;
  return hint === undefined ? first : `${first}\n  hint: ${hint}`;
}

/** The candidate nearest to a misspelt word (case aside, up to a third of its letters wrong); undefined when none is near. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(word.length / 3));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Letters to insert, delete, replace or swap with their neighbour (optimal string alignment). */
function editDistance(left: string, right: string): number {
  if (left.length > 200 || right.length > 200) return Infinity;
  let before: number[] = [];
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const replaced = row[j - 1]! + (left[i - 1] === right[j - 1] ? 0 : 1);
      const swapped = left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1] ? before[j - 2]! + 1 : Infinity;
      next.push(Math.min(replaced, swapped, row[j]! + 1, next[j - 1]! + 1));
    }
    [before, row] = [row, next];
  }
  return row[right.length]!;
}
