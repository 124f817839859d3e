/** The parser of `[…]` in regular expressions. */
import type { CharacterSet } from "./automaton.ts";
import { complementIf, ExpressionError, readEscape, setOf, type SourceReader, withoutCase } from "./escapes.ts";

/** Reads a class whose `[` (at `offset`) has been read. A `]` that comes first is a member, as is a `-` at an edge. */
export class CharacterClassParser {
  constructor(readonly reader: SourceReader, readonly ignoreCase: boolean, readonly offset: number) {}

  parse(): CharacterSet {
    const negated = this.reader.take("^");
    const items: CharacterSet[] = [];
    do {
      if (this.reader.atEnd) {
        throw new ExpressionError("this [ is never closed; write \\[ for the character", this.offset);
      }
      items.push(this.#item());
    } while (!this.reader.take("]"));
    const union: CharacterSet = {
      key: `[${items.map((item) => item.key).join(",")}]`,
      has: (codePoint) => items.some((item) => item.has(codePoint)),
    };
    return complementIf(negated, this.ignoreCase ? withoutCase(union) : union);
  }

  #item(): CharacterSet {
    const offset = this.reader.offset;
    const posix = /^\[:(\^?)([a-z]{1,8}):\]/.exec(this.reader.rest(14));
    const named = posix && POSIX_CLASSES.get(posix[2]!);
    if (named) {
      this.reader.skip(posix[0].length);
      const set = { key: posix[2]!, has: (codePoint: number) => named.test(String.fromCodePoint(codePoint)) };
      return complementIf(posix[1] === "^", set);
    }
    const low = this.#member(offset);
    if (!/^-[^\]]/u.test(this.reader.rest(2))) return low;
    this.reader.next();
    const high = this.#member(this.reader.offset);
    const [first, last] = [singleMember(low), singleMember(high)];
    if (first === undefined || last === undefined) {
      throw new ExpressionError("a range goes from a character to a character", offset);
    }
    if (last < first) throw new ExpressionError("the range ends before it begins", offset);
    return { key: `${first}-${last}`, has: (codePoint) => codePoint >= first && codePoint <= last };
  }

  #member(offset: number): CharacterSet {
    const character = this.reader.next();
    if (character !== "\\") return setOf(character, false);
    if (this.reader.take("b")) return setOf("\b", false);
    return readEscape(this.reader, offset, false);
  }
}

function singleMember(set: CharacterSet): number | undefined {
  const match = /^literal (\d+)$/.exec(set.key);
  return match ? Number(match[1]) : undefined;
}

const POSIX_CLASSES: ReadonlyMap<string, RegExp> = new Map([
  ["alnum", /[A-Za-z0-9]/],
  ["alpha", /[A-Za-z]/],
  ["blank", /[ \t]/],
  ["digit", /[0-9]/],
  ["lower", /[a-z]/],
  ["punct", /[!-/:-@[-`{-~]/],
  ["space", /\s/],
  ["upper", /[A-Z]/],
  ["word", /\w/],
  ["xdigit", /[0-9A-Fa-f]/],
]);
