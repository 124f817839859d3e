import { type GlobMatcher, globMatcher } from "../../text/mod.ts";

/**
 * Which hidden and ignored entries a glob names: a segment without wildcards names exactly that entry, and one that
 * begins with a dot (`.*`, `.env*`) asks for hidden entries of that form.
 */
export class NamedPlaces {
  readonly #literal: readonly GlobMatcher[];
  readonly #dotted: readonly GlobMatcher[];

  constructor(globs: readonly string[]) {
    const segments = globs.flatMap(segmentsOf);
    this.#literal = segments.filter((segment) => !WILDCARD.test(segment)).map((segment) => globMatcher(segment));
    this.#dotted = segments.filter((segment) => /^\{?\./.test(segment)).map((segment) => globMatcher(segment));
  }

  /** Whether an entry of this name is wanted although it is hidden. */
  hidden(name: string): boolean {
    return this.ignored(name) || this.#dotted.some((segment) => segment.matches(name));
  }

  /** Whether an entry of this name is wanted although it is ignored. */
  ignored(name: string): boolean {
    return this.#literal.some((segment) => segment.matches(name));
  }
}

const WILDCARD = /[*?[\\]/;

/** The parts between slashes; braces that hold a slash themselves are taken apart roughly. */
function segmentsOf(glob: string): readonly string[] {
  const segments: string[] = [];
  let [depth, start] = [0, 0];
  for (let index = 0; index <= glob.length; index++) {
    if (glob[index] === "{") depth++;
    else if (glob[index] === "}") depth--;
    else if (index === glob.length || (glob[index] === "/" && depth <= 0)) {
      segments.push(glob.slice(start, index));
      start = index + 1;
    }
  }
  return segments
    .flatMap((segment) => (segment.includes("/") ? segment.split(/[/{},]/) : [segment]))
    .filter((segment) => segment !== "");
}
