import { type CharacterSet, compileAutomaton, type Pattern } from "./automaton.ts";

/** A compiled glob. */
export interface GlobMatcher {
  /** Whether the glob matches the whole path (`/` between segments, none at the end). */
  matches(path: string): boolean;
  /** Whether it could match something below this folder; `""` is the folder that paths are relative to. */
  mayMatchBelow(folder: string): boolean;
}

/** How a glob is read. */
export interface GlobOptions {
  /** Whether `{a,b}` means either; default true. In `.gitignore` braces are letters. */
  readonly braces?: boolean;
}

/**
 * Compiles a glob. Never throws: what is not well formed (an open `[` or `{`) stands for itself.
 *
 * `?` is one character and `*` any number of them, never a `/`; `**` as a whole segment is any number of segments, none
 * included (`a/**` is everything below `a`, not `a`); `[abc]`, `[a-z]`, `[!a]` one character of, or not of, a set;
 * `{a,b}` either; `\x` is x itself. A leading dot is a character like any other. Matching is linear in the path.
 */
export function globMatcher(glob: string, options: GlobOptions = {}): GlobMatcher {
  const pattern = new GlobParser(glob, options.braces ?? true).parse();
  const automaton = compileAutomaton(pattern, true, Infinity)!;
  return {
    matches: (path) => automaton.matches(path),
    mayMatchBelow: (folder) => automaton.mayContinue(folder === "" ? "" : folder + "/"),
  };
}

const SLASH = 0x2f;
const ANY: Pattern = { kind: "set", set: { key: "any", has: () => true } };
const NO_SLASH: Pattern = { kind: "set", set: { key: "no slash", has: (codePoint) => codePoint !== SLASH } };
const ANY_SEGMENTS: Pattern = optional({ kind: "sequence", items: [repeat(ANY, 0), literal(SLASH)] });
const MAX_BRACE_DEPTH = 50;

class GlobParser {
  #index = 0;
  readonly #closing: ReadonlyMap<number, number>;

  constructor(readonly glob: string, braces: boolean) {
    this.#closing = braces ? matchingBraces(glob) : new Map();
  }

  parse(): Pattern {
    return this.#sequence(this.glob.length, true);
  }

  /** Everything up to `end`; `atSegmentStart` says whether a `**` here is a whole segment. */
  #sequence(end: number, atSegmentStart: boolean): Pattern {
    const items: Pattern[] = [];
    while (this.#index < end) {
      const start = this.#index;
      const character = this.glob[start]!;
      const closing = this.#closing.get(start);
      if (character === "*") items.push(this.#stars(end, atSegmentStart));
      else if (character === "{" && closing !== undefined) items.push(this.#choice(closing, atSegmentStart));
      else items.push(this.#character(end));
      atSegmentStart = this.glob[this.#index - 1] === "/" && this.#index > start;
    }
    return { kind: "sequence", items };
  }

  #stars(end: number, atSegmentStart: boolean): Pattern {
    const start = this.#index;
    while (this.#index < end && this.glob[this.#index] === "*") this.#index++;
    const isSegment = atSegmentStart && this.#index - start === 2;
    if (isSegment && this.#index === end) return repeat(ANY, end === this.glob.length && start > 0 ? 1 : 0);
    if (isSegment && this.glob[this.#index] === "/") {
      this.#index++;
      return ANY_SEGMENTS;
    }
    return repeat(NO_SLASH, 0);
  }

  #choice(closing: number, atSegmentStart: boolean): Pattern {
    const items: Pattern[] = [];
    while (this.#index < closing) {
      this.#index++;
      items.push(this.#sequence(this.#endOfAlternative(closing), atSegmentStart));
    }
    this.#index = closing + 1;
    return { kind: "choice", items };
  }

  #endOfAlternative(closing: number): number {
    for (let index = this.#index; index < closing; index++) {
      const inner = this.#closing.get(index);
      if (inner !== undefined) index = inner;
      else if (this.glob[index] === "\\") index++;
      else if (this.glob[index] === "[") index = endOfClass(this.glob, index) ?? index;
      else if (this.glob[index] === ",") return index;
    }
    return closing;
  }

  #character(end: number): Pattern {
    const character = this.glob[this.#index]!;
    if (character === "?") {
      this.#index++;
      return NO_SLASH;
    }
    const classEnd = character === "[" ? endOfClass(this.glob, this.#index) : undefined;
    if (classEnd !== undefined && classEnd < end) {
      const body = this.glob.slice(this.#index + 1, classEnd);
      this.#index = classEnd + 1;
      return { kind: "set", set: classOf(body) };
    }
    if (character === "\\" && this.#index + 1 < end) this.#index++;
    const codePoint = this.glob.codePointAt(this.#index)!;
    this.#index += codePoint > 0xffff ? 2 : 1;
    return literal(codePoint);
  }
}

/** Where each `{` with a comma of its own is closed; the others are letters. */
function matchingBraces(glob: string): Map<number, number> {
  const closing = new Map<number, number>();
  const open: { readonly index: number; hasComma: boolean }[] = [];
  for (let index = 0; index < glob.length; index++) {
    const character = glob[index];
    if (character === "\\") index++;
    else if (character === "[") index = endOfClass(glob, index) ?? index;
    else if (character === "{") open.push({ index, hasComma: false });
    else if (character === "," && open.length > 0) open.at(-1)!.hasComma = true;
    else if (character === "}" && open.length > 0) {
      const brace = open.pop()!;
      if (brace.hasComma && open.length < MAX_BRACE_DEPTH) closing.set(brace.index, index);
    }
  }
  return closing;
}

/** Index of the `]` that closes the class opened here; a `]` that comes first is a member. */
function endOfClass(glob: string, start: number): number | undefined {
  const first = start + (glob[start + 1] === "!" || glob[start + 1] === "^" ? 2 : 1);
  for (let index = first; index < glob.length; index++) {
    if (glob[index] === "\\") index++;
    else if (glob[index] === "]" && index > first) return index;
    else if (glob[index] === "/") return undefined;
  }
  return undefined;
}

/** The set of a class such as `a-z_` or `!abc`. A class never holds the slash. */
function classOf(body: string): CharacterSet {
  const negated = body[0] === "!" || body[0] === "^";
  const members: { readonly codePoint: number; readonly escaped: boolean }[] = [];
  const characters = [...body.slice(negated ? 1 : 0)];
  for (let index = 0; index < characters.length; index++) {
    const escaped = characters[index] === "\\" && index + 1 < characters.length;
    if (escaped) index++;
    members.push({ codePoint: characters[index]!.codePointAt(0)!, escaped });
  }
  const ranges: [number, number][] = [];
  for (let index = 0; index < members.length; index++) {
    const dash = members[index + 1];
    const last = members[index + 2];
    if (last && dash?.codePoint === 0x2d && !dash.escaped) {
      ranges.push([members[index]!.codePoint, last.codePoint]);
      index += 2;
    } else ranges.push([members[index]!.codePoint, members[index]!.codePoint]);
  }
  return {
    key: `[${body}]`,
    has: (codePoint) =>
      codePoint !== SLASH && ranges.some(([low, high]) => codePoint >= low && codePoint <= high) !== negated,
  };
}

function literal(codePoint: number): Pattern {
  return { kind: "set", set: { key: `literal ${codePoint}`, has: (other) => other === codePoint } };
}

function repeat(item: Pattern, min: number): Pattern {
  return { kind: "repeat", item, min, max: undefined };
}

function optional(item: Pattern): Pattern {
  return { kind: "repeat", item, min: 0, max: 1 };
}
