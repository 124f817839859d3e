/**
 * Path patterns of permission rules and sensitive files: `*` and `?` inside a segment, `**` for any number of
 * segments. Matching takes time in proportion to the product of the lengths at worst; there is no pattern that hangs.
 */
import { isAbsolute } from "node:path";
import { expandPath, type PathPlaces } from "./placeholders.ts";

/** A pattern made absolute. The folder that it begins at is compared letter by letter, whatever stands in its name. */
export interface PathPattern {
  readonly base: readonly string[];
  readonly globs: readonly string[];
}

/**
 * The pattern of a text: absolute, or beginning with a placeholder of the configuration, else relative to the
 * project. `src/` means what is in it. Undefined when a placeholder stands for nothing.
 */
export function pathPattern(text: string, places: PathPlaces): PathPattern | undefined {
  const [, start = "", rest] = /^(~(?=$|[/\\])|<project>|\$\{[^}]*\})?(.*)$/s.exec(text)!;
  const folder = start === "" ? (isAbsolute(text) ? "" : places.project_dir) : expanded(start, places);
  if (folder === undefined) return undefined;
  const base = [...segmentsOf(folder)];
  const globs: string[] = [];
  for (const segment of segmentsOf(rest!)) {
    if (segment === "..") (globs.length > 0 ? globs : base).pop();
    else if (segment !== ".") globs.push(segment);
  }
  if (/[/\\]$/.test(text)) globs.push("**");
  return { base, globs };
}

/** True when the absolute path is one that the pattern means. `fold`: large and small letters are the same. */
export function matchesPath({ base, globs }: PathPattern, path: string, { fold = false } = {}): boolean {
  const same = fold ? foldCase : (text: string) => text;
  const segments = segmentsOf(path).map(same);
  if (!base.every((segment, index) => same(segment) === segments[index])) return false;
  return matchSequence(globs.map(same), segments.slice(base.length), "**", matchesName);
}

/** True when the name matches; `*` is any text, `?` any one UTF-16 unit. */
export function matchesName(pattern: string, name: string): boolean {
  return matchSequence(pattern, name, "*", (wanted, unit) => wanted === "?" || wanted === unit);
}

/** The segments of a path; empty ones are dropped. */
export function segmentsOf(path: string): readonly string[] {
  return path.split(SEPARATOR).filter((segment) => segment !== "");
}

/** The same for every spelling that a disk may take for one name. */
export function foldCase(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

const SEPARATOR = Deno.build.os === "windows" ? /[/\\]/ : "/";

function expanded(start: string, places: PathPlaces): string | undefined {
  const folder = expandPath(start, places);
  return folder.ok ? folder.path : undefined;
}

/**
 * Matches a sequence with a wildcard that stands for any number of items: on a mismatch only the latest wildcard
 * takes one item more, so nothing is tried twice for the same pair.
 */
function matchSequence(
  pattern: ArrayLike<string>,
  items: ArrayLike<string>,
  wildcard: string,
  matches: (wanted: string, item: string) => boolean,
): boolean {
  let [at, wanted] = [0, 0];
  let [resumeAt, resumeWanted] = [-1, -1];
  while (at < items.length) {
    if (wanted < pattern.length && pattern[wanted] === wildcard) {
      resumeAt = at;
      resumeWanted = ++wanted;
    } else if (wanted < pattern.length && matches(pattern[wanted]!, items[at]!)) {
      at += 1;
      wanted += 1;
    } else if (resumeAt !== -1) {
      at = ++resumeAt;
      wanted = resumeWanted;
    } else {
      return false;
    }
  }
  while (wanted < pattern.length && pattern[wanted] === wildcard) wanted += 1;
  return wanted === pattern.length;
}
