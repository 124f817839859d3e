import { quoteName } from "../../text/mod.ts";

/** A sentence that says where in the content something like the wanted text stands, to help finding what is there. */
export function nearestText(content: string, wanted: string): string {
  const lines = content.split(/\r?\n/).slice(0, MAX_LINES);
  const wantedLines = wanted.split(/\r?\n/);
  const spaced = whitespaceMatch(lines, wantedLines);
  if (spaced !== undefined) {
    const found = lines.slice(spaced, spaced + wantedLines.length).join("\n");
    return `It differs in white space only from what begins at line ${spaced + 1}: ${quoteName(shortened(found))}`;
  }
  const probe = wantedLines.map((line) => line.trim()).reduce(
    (best, line) => line.length > best.length ? line : best,
    "",
  );
  const nearest = mostSimilar(lines, probe);
  if (nearest === undefined) return "The file has no text like it";
  return `The nearest text is line ${nearest + 1}: ${quoteName(shortened(lines[nearest]!))}`;
}

const MAX_LINES = 50_000;
const MAX_SHOWN = 300;
const MAX_COMPARED = 200;

function whitespaceMatch(lines: readonly string[], wantedLines: readonly string[]): number | undefined {
  const squeezed = (line: string) => line.replace(/\s+/g, "");
  const wanted = wantedLines.map(squeezed);
  if (wanted.every((line) => line === "")) return undefined;
  const present = lines.map(squeezed);
  const index = present.findIndex((_, start) => wanted.every((line, offset) => present[start + offset] === line));
  return index === -1 ? undefined : index;
}

/** The line that shares most with the probe: pairs of letters, and single ones to break ties (Dice's coefficient). */
function mostSimilar(lines: readonly string[], probe: string): number | undefined {
  const wanted = { pairs: piecesOf(probe, 2), letters: piecesOf(probe, 1) };
  let best: number | undefined;
  let bestScore = 0;
  lines.forEach((line, index) => {
    const text = line.trim();
    const score = overlap(wanted.pairs, piecesOf(text, 2)) + overlap(wanted.letters, piecesOf(text, 1)) / 10;
    if (score > bestScore) [best, bestScore] = [index, score];
  });
  return best;
}

function piecesOf(text: string, length: number): ReadonlySet<string> {
  const lower = text.slice(0, MAX_COMPARED).toLowerCase();
  const pieces = new Set<string>();
  for (let index = 0; index + length <= lower.length; index++) pieces.add(lower.slice(index, index + length));
  return pieces;
}

function overlap(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  if (left.size === 0 || right.size === 0) return 0;
  let shared = 0;
  for (const piece of left) if (right.has(piece)) shared++;
  return (2 * shared) / (left.size + right.size);
}

function shortened(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
