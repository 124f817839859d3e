/** What the parsers of regular expressions share: reading the source, escapes, and sets with or without case. */
import { type Assertion, type CharacterSet, isWordCharacter } from "./automaton.ts";

/** A malformed expression; never leaves the parser. `offset` counts characters from 0. */
export class ExpressionError extends Error {
  constructor(message: string, readonly offset: number) {
    super(message);
  }
}

/** The source of an expression, read character by character. */
export class SourceReader {
  readonly #characters: readonly string[];
  offset = 0;

  constructor(source: string) {
    this.#characters = [...source];
  }

  get atEnd(): boolean {
    return this.offset >= this.#characters.length;
  }

  peek(): string | undefined {
    return this.#characters[this.offset];
  }

  /** The next character; the caller has made sure that there is one. */
  next(): string {
    return this.#characters[this.offset++]!;
  }

  take(character: string): boolean {
    if (this.peek() !== character) return false;
    this.offset++;
    return true;
  }

  /** What follows, up to `length` characters. */
  rest(length: number): string {
    return this.#characters.slice(this.offset, this.offset + length).join("");
  }

  /** Skips text that `rest` has shown. */
  skip(count: number): void {
    this.offset += count;
  }
}

/** Escapes that stand for a place and not for a character. */
export const ASSERTION_ESCAPES: ReadonlyMap<string, Assertion> = new Map([
  ["b", "word_boundary"],
  ["B", "no_word_boundary"],
  ["A", "start"],
  ["z", "end"],
  ["Z", "end"],
]);

const CONTROL_ESCAPES: ReadonlyMap<string, number> = new Map([
  ["t", 9],
  ["v", 11],
  ["f", 12],
  ["r", 13],
  ["a", 7],
  ["e", 27],
  ["0", 0],
]);

const CLASS_ESCAPES: ReadonlyMap<string, (codePoint: number) => boolean> = new Map([
  ["d", (codePoint) => DIGIT.test(String.fromCodePoint(codePoint))],
  ["w", isWordCharacter],
  ["s", (codePoint) => SPACE.test(String.fromCodePoint(codePoint))],
]);

const DIGIT = /\p{Nd}/u;
const SPACE = /\s/;

/** Reads what follows a backslash; `offset` is the backslash. The result is a set of one or many characters. */
export function readEscape(reader: SourceReader, offset: number, ignoreCase: boolean): CharacterSet {
  if (reader.atEnd) {
    throw new ExpressionError("the expression ends with a backslash; write \\\\ for the character", offset);
  }
  const letter = reader.next();
  const control = CONTROL_ESCAPES.get(letter);
  if (control !== undefined) return setOf(String.fromCodePoint(control), false);
  const members = CLASS_ESCAPES.get(letter.toLowerCase());
  if (members) return complementIf(letter !== letter.toLowerCase(), { key: `\\${letter.toLowerCase()}`, has: members });
  if (letter === "p" || letter === "P") return readProperty(reader, letter, offset);
  if (letter === "x" || letter === "u") return setOf(readCodePoint(reader, letter, offset), ignoreCase);
  if (letter === "n") {
    throw new ExpressionError("\\n never matches: the search goes line by line", offset);
  }
  if (/[A-Za-z0-9]/.test(letter)) throw new ExpressionError(`unknown escape \\${letter}`, offset);
  return setOf(letter, ignoreCase);
}

/** The set of one character, with its other case when case does not count. */
export function setOf(character: string, ignoreCase: boolean): CharacterSet {
  const codePoint = character.codePointAt(0)!;
  const one: CharacterSet = { key: `literal ${codePoint}`, has: (other) => other === codePoint };
  return ignoreCase ? withoutCase(one) : one;
}

/** The set with the other cases of its members. */
export function withoutCase(set: CharacterSet): CharacterSet {
  return {
    key: `any case of ${set.key}`,
    has: (codePoint) => set.has(codePoint) || otherCases(codePoint).some((other) => set.has(other)),
  };
}

/** The complement of the set, if wanted. */
export function complementIf(wanted: boolean, set: CharacterSet): CharacterSet {
  return wanted ? { key: `not ${set.key}`, has: (codePoint) => !set.has(codePoint) } : set;
}

function otherCases(codePoint: number): readonly number[] {
  const character = String.fromCodePoint(codePoint);
  return [character.toLowerCase(), character.toUpperCase()]
    .filter((other) => other !== character && [...other].length === 1)
    .map((other) => other.codePointAt(0)!);
}

/** `\xHH`, `\x{H…}`, `\uHHHH`, `\u{H…}`. */
function readCodePoint(reader: SourceReader, letter: string, offset: number): string {
  const digits = letter === "x" ? 2 : 4;
  const match = /^\{([0-9a-fA-F]{1,6})\}|^([0-9a-fA-F]{1,4})/.exec(reader.rest(8));
  const text = match?.[1] ?? match?.[2]?.slice(0, digits);
  const complete = match?.[1] !== undefined || text?.length === digits;
  const codePoint = complete ? parseInt(text!, 16) : NaN;
  if (!(codePoint <= 0x10ffff)) throw new ExpressionError(`\\${letter} needs the number of a character in hex`, offset);
  reader.skip(match?.[1] !== undefined ? text!.length + 2 : digits);
  return String.fromCodePoint(codePoint);
}

/** `\p{Name}`, `\pL` and their complements, as JavaScript knows the names. */
function readProperty(reader: SourceReader, letter: string, offset: number): CharacterSet {
  const match = /^(?:\{\^?([\w=]{1,60})\}|([A-Z]))/.exec(reader.rest(64));
  const name = match?.[1] ?? match?.[2];
  const property = name === undefined ? undefined : propertyPattern(name);
  if (!match || !property) throw new ExpressionError(`unknown character property after \\${letter}`, offset);
  reader.skip(match[0].length);
  const negated = (letter === "P") !== match[0].startsWith("{^");
  const set = { key: `\\p{${name}}`, has: (codePoint: number) => property.test(String.fromCodePoint(codePoint)) };
  return complementIf(negated, set);
}

function propertyPattern(name: string): RegExp | undefined {
  for (const candidate of [name, `Script=${name}`]) {
    try {
      return new RegExp(`\\p{${candidate}}`, "u");
    } catch {
      continue;
    }
  }
  return undefined;
}
