/** The matcher of onecode: a glob over the tool name or the model id, with `|` between alternatives. */
import { type Occasion, POINT_TABLE, subjectOf } from "../../protocol/mod.ts";
import type { Matcher } from "../port.ts";
import { starGlob } from "../star_glob.ts";

/**
 * Compiles a matcher. `""` and `*` match everything, an empty subject too; any other text never matches an empty subject.
 * Spaces around alternatives do not count, and an empty alternative matches nothing.
 */
export function compileMatcher(written: string): Matcher {
  const text = written.trim();
  if (text === "" || text === "*") return { text: "*", matches: () => ({ matched: true }) };
  const globs = alternativesOf(text).filter((alternative) => alternative !== "").map(starGlob);
  const admits = (subject: string) =>
    subject !== "" && namesOf(subject).some((name) => globs.some((matches) => matches(name)));
  return {
    text,
    admits,
    matches(occasion) {
      const actual = subjectOf(occasion);
      if (admits(actual)) return { matched: true };
      return { matched: false, field: fieldOf(occasion), expected: text, actual };
    },
  };
}

/** The alternatives of a matcher, trimmed, empty ones too. */
export function alternativesOf(text: string): readonly string[] {
  return text.split("|").map((alternative) => alternative.trim());
}

/** Second names of tools, for matchers only: what OneCode calls them. */
export const SECOND_NAMES = { TodoWrite: "todos_write" } as const satisfies Record<string, string>;

/** All names that a matcher can mean a tool by. */
export function namesOf(tool: string): readonly string[] {
  return Object.hasOwn(SECOND_NAMES, tool) ? [tool, SECOND_NAMES[tool as keyof typeof SECOND_NAMES]] : [tool];
}

function fieldOf({ point }: Occasion): string {
  const { subject } = POINT_TABLE[point];
  return subject === "none" ? "matcher" : subject;
}
