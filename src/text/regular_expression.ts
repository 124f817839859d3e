/** The parser of regular expressions: text in, a `Pattern` of the automaton out. */
import type { CharacterSet, Pattern } from "./automaton.ts";
import { CharacterClassParser } from "./character_class.ts";
import { ASSERTION_ESCAPES, ExpressionError, readEscape, setOf, SourceReader } from "./escapes.ts";

/** The parsed expression, or what is wrong and at which character (from 0). */
export type ParsedExpression =
  | { readonly ok: true; readonly pattern: Pattern }
  | { readonly ok: false; readonly message: string; readonly offset: number };

/** Parses a regular expression for single lines. */
export function parseRegularExpression(source: string, ignoreCase: boolean): ParsedExpression {
  try {
    return { ok: true, pattern: new ExpressionParser(new SourceReader(source), ignoreCase).parse() };
  } catch (error) {
    if (error instanceof ExpressionError) return { ok: false, message: error.message, offset: error.offset };
    throw error;
  }
}

const EMPTY: Pattern = { kind: "sequence", items: [] };
const ANY_CHARACTER: CharacterSet = { key: "any", has: () => true };
const MAX_DEPTH = 100;
const MAX_COUNT = 1000;
const MAX_STACKED = 5;

class ExpressionParser {
  #ignoreCase: boolean;
  #depth = 0;

  constructor(readonly reader: SourceReader, ignoreCase: boolean) {
    this.#ignoreCase = ignoreCase;
  }

  parse(): Pattern {
    const pattern = this.#choice();
    if (!this.reader.atEnd) {
      throw new ExpressionError("this ) closes no group; write \\) for the character", this.reader.offset);
    }
    return pattern;
  }

  #choice(): Pattern {
    const items = [this.#sequence()];
    while (this.reader.take("|")) items.push(this.#sequence());
    return items.length === 1 ? items[0]! : { kind: "choice", items };
  }

  #sequence(): Pattern {
    const items: Pattern[] = [];
    while (!this.reader.atEnd && this.reader.peek() !== "|" && this.reader.peek() !== ")") {
      items.push(this.#quantified(this.#atom()));
    }
    return items.length === 1 ? items[0]! : { kind: "sequence", items };
  }

  #atom(): Pattern {
    const offset = this.reader.offset;
    const character = this.reader.next();
    switch (character) {
      case "(":
        return this.#group(offset);
      case "[":
        return this.#set(new CharacterClassParser(this.reader, this.#ignoreCase, offset).parse());
      case ".":
        return this.#set(ANY_CHARACTER);
      case "^":
        return { kind: "assertion", assertion: "start" };
      case "$":
        return { kind: "assertion", assertion: "end" };
      case "\\":
        return this.#escape(offset);
      case "*":
      case "+":
      case "?":
        throw new ExpressionError(
          `nothing to repeat before ${character}; write \\${character} for the character`,
          offset,
        );
      default:
        return this.#set(setOf(character, this.#ignoreCase));
    }
  }

  #escape(offset: number): Pattern {
    const letter = this.reader.peek();
    const assertion = letter === undefined ? undefined : ASSERTION_ESCAPES.get(letter);
    if (assertion) {
      this.reader.next();
      return { kind: "assertion", assertion };
    }
    if (letter !== undefined && /[1-9k]/.test(letter)) {
      throw new ExpressionError("back references are not supported: the search takes linear time", offset);
    }
    return this.#set(readEscape(this.reader, offset, this.#ignoreCase));
  }

  #group(offset: number): Pattern {
    if (++this.#depth > MAX_DEPTH) throw new ExpressionError(`groups are nested deeper than ${MAX_DEPTH}`, offset);
    const ignoreCase = this.#ignoreCase;
    const kind = this.reader.take("?") ? this.#groupKind(offset) : "group";
    if (kind === "flags") {
      this.#depth--;
      return EMPTY;
    }
    const pattern = this.#choice();
    if (!this.reader.take(")")) {
      throw new ExpressionError("this ( is never closed; write \\( for the character", offset);
    }
    this.#ignoreCase = ignoreCase;
    this.#depth--;
    return pattern;
  }

  /** Reads what follows `(?`; flags without a colon hold to the end of the enclosing group. */
  #groupKind(offset: number): "group" | "flags" {
    const rest = this.reader.rest(80);
    if (/^(?:<?[=!])/.test(rest)) {
      throw new ExpressionError("look-around is not supported: the search takes linear time", offset);
    }
    const name = /^(?:P?<[\p{L}_][\p{L}\p{N}_]*>|:)/u.exec(rest);
    if (name) {
      this.reader.skip(name[0].length);
      return "group";
    }
    const flags = /^([imsu]*)(?:-([imsu]+))?([:)])/.exec(rest);
    if (!flags) throw new ExpressionError("an unknown kind of group", offset);
    this.reader.skip(flags[0].length);
    if (flags[1]!.includes("i")) this.#ignoreCase = true;
    if (flags[2]?.includes("i")) this.#ignoreCase = false;
    return flags[3] === ":" ? "group" : "flags";
  }

  /** Lazy and possessive forms find the same lines, so they are read and forgotten. */
  #quantified(item: Pattern): Pattern {
    let pattern = item;
    for (let count = 0;; count++) {
      const offset = this.reader.offset;
      const range = this.#quantifier();
      if (!range) return pattern;
      if (count === MAX_STACKED) throw new ExpressionError("too many repetitions of one thing", offset);
      pattern = { kind: "repeat", item: pattern, ...range };
      if (!this.reader.take("?")) this.reader.take("+");
    }
  }

  #quantifier(): { readonly min: number; readonly max: number | undefined } | undefined {
    if (this.reader.take("*")) return { min: 0, max: undefined };
    if (this.reader.take("+")) return { min: 1, max: undefined };
    if (this.reader.take("?")) return { min: 0, max: 1 };
    const offset = this.reader.offset;
    const counted = /^\{(\d{1,9})(,?)(\d{0,9})\}/.exec(this.reader.rest(24));
    if (!counted || (counted[2] === "" && counted[3] !== "")) return undefined;
    const min = Number(counted[1]);
    const max = counted[2] === "" ? min : counted[3] === "" ? undefined : Number(counted[3]);
    if (min > MAX_COUNT || (max ?? 0) > MAX_COUNT) {
      throw new ExpressionError(`a repetition counts to ${MAX_COUNT} at most`, offset);
    }
    if (max !== undefined && max < min) throw new ExpressionError("the repetition ends below where it begins", offset);
    this.reader.skip(counted[0].length);
    return { min, max };
  }

  #set(set: CharacterSet): Pattern {
    return { kind: "set", set };
  }
}
