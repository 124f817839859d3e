/**
 * One finite automaton for globs and regular expressions.
 *
 * A `Pattern` becomes a nondeterministic automaton; matching walks a deterministic one that is built from it on the way
 * and kept up to a bound. Each character costs at most the size of the pattern, whatever the two look like (Thompson's
 * construction and lazy subset construction; "Regular Expression Matching Can Be Simple And Fast", R. Cox).
 */

/** A set of code points. Two sets with the same key are the same set. */
export interface CharacterSet {
  readonly key: string;
  has(codePoint: number): boolean;
}

/** What can stand between two characters. */
export type Assertion = "start" | "end" | "word_boundary" | "no_word_boundary";

/** A parsed pattern. */
export type Pattern =
  | { readonly kind: "set"; readonly set: CharacterSet }
  | { readonly kind: "sequence"; readonly items: readonly Pattern[] }
  | { readonly kind: "choice"; readonly items: readonly Pattern[] }
  /** `max` undefined: without end. */
  | { readonly kind: "repeat"; readonly item: Pattern; readonly min: number; readonly max: number | undefined }
  | { readonly kind: "assertion"; readonly assertion: Assertion };

/** A compiled pattern. */
export interface Automaton {
  /** Whether the text matches: all of it (`whole`), or any part of it. */
  matches(text: string): boolean;
  /** Whether some continuation of the text, or the text itself, could match as a whole. */
  mayContinue(text: string): boolean;
}

/** Compiles a pattern; undefined when it takes more than `maxSize` steps written out. */
export function compileAutomaton(pattern: Pattern, whole: boolean, maxSize: number): Automaton | undefined {
  const program = new Program(maxSize);
  const entry = program.build(pattern, program.push(MATCH, 0, 0));
  return program.overflow ? undefined : new LazyAutomaton(program, entry, whole);
}

/** Letters, digits, marks and connectors of every script, as ripgrep counts word characters. */
export function isWordCharacter(codePoint: number): boolean {
  if (codePoint < 128) return ASCII_WORD.test(String.fromCharCode(codePoint));
  return UNICODE_WORD.test(String.fromCodePoint(codePoint));
}

const ASCII_WORD = /\w/;
const UNICODE_WORD = /[\p{L}\p{M}\p{Nd}\p{Pc}]/u;

const MATCH = 0;
const SET = 1;
const SPLIT = 2;
const ASSERT = 3;
const ASSERTIONS: readonly Assertion[] = ["start", "end", "word_boundary", "no_word_boundary"];

/** Steps in parallel arrays: operation, operand, and where to go on. SPLIT goes on at both. */
class Program {
  readonly operation: number[] = [];
  readonly operand: number[] = [];
  readonly next: number[] = [];
  readonly sets: CharacterSet[] = [];
  overflow = false;
  /** Whether what stands beside a place matters at all. */
  asserts = false;
  readonly #setIndex = new Map<string, number>();
  #work = 0;

  constructor(readonly maxSize: number) {}

  push(operation: number, operand: number, next: number): number {
    this.operation.push(operation);
    this.operand.push(operand);
    this.next.push(next);
    return this.operation.length - 1;
  }

  /** Adds the steps of a pattern that go on at `next`; returns where they begin. */
  build(pattern: Pattern, next: number): number {
    if (++this.#work > this.maxSize) this.overflow = true;
    if (this.overflow) return next;
    switch (pattern.kind) {
      case "set":
        return this.push(SET, this.#indexOf(pattern.set), next);
      case "assertion":
        this.asserts = true;
        return this.push(ASSERT, ASSERTIONS.indexOf(pattern.assertion), next);
      case "sequence":
        return pattern.items.reduceRight((after, item) => this.build(item, after), next);
      case "choice":
        return pattern.items.map((item) => this.build(item, next)).reduceRight((right, left) =>
          this.push(SPLIT, left, right)
        );
      case "repeat":
        return this.#repeat(pattern.item, pattern.min, pattern.max, next);
    }
  }

  #repeat(item: Pattern, min: number, max: number | undefined, next: number): number {
    let entry = next;
    if (max === undefined) {
      entry = this.push(SPLIT, next, next);
      this.operand[entry] = this.build(item, entry);
    } else {
      for (let count = min; count < max && !this.overflow; count++) {
        entry = this.push(SPLIT, this.build(item, entry), next);
      }
    }
    for (let count = 0; count < min && !this.overflow; count++) entry = this.build(item, entry);
    return entry;
  }

  #indexOf(set: CharacterSet): number {
    let index = this.#setIndex.get(set.key);
    if (index === undefined) {
      index = this.sets.push(set) - 1;
      this.#setIndex.set(set.key, index);
    }
    return index;
  }
}

/** What stands before (or after) a place: the edge of the text, or a character that is or is not part of a word. */
type Side = "edge" | "word" | "other";

/** A set of steps the automaton may be at, before the next character is known. */
interface State {
  readonly steps: readonly number[];
  readonly before: Side;
  /** By class of the next character. */
  readonly transitions: (State | undefined)[];
  matchesAtEnd: boolean | undefined;
}

/** A set of characters that no set of the pattern tells apart. */
interface CharacterClass {
  readonly index: number;
  readonly members: readonly boolean[];
  readonly side: Side;
}

/** Steps kept in all states together; beyond it the states are forgotten and built again. */
const MAX_KEPT_STEPS = 500_000;
const MAX_KEPT_CHARACTERS = 70_000;

class LazyAutomaton implements Automaton {
  readonly #program: Program;
  readonly #entry: number;
  readonly #whole: boolean;
  readonly #start: State;
  readonly #accepted: State = { steps: [], before: "other", transitions: [], matchesAtEnd: true };
  #states = new Map<string, State>();
  #keptSteps = 0;
  readonly #classes = new Map<string, CharacterClass>();
  readonly #classOf = new Map<number, CharacterClass>();
  readonly #asciiClasses: (CharacterClass | undefined)[] = new Array(128).fill(undefined);
  readonly #visited: Int32Array;
  #visit = 0;

  constructor(program: Program, entry: number, whole: boolean) {
    this.#program = program;
    this.#entry = entry;
    this.#whole = whole;
    this.#visited = new Int32Array(program.operation.length);
    this.#start = { steps: [entry], before: "edge", transitions: [], matchesAtEnd: undefined };
  }

  matches(text: string): boolean {
    const last = this.#walk(text);
    if (last === this.#accepted) return true;
    last.matchesAtEnd ??= this.#close(last, "edge").matched;
    return last.matchesAtEnd;
  }

  mayContinue(text: string): boolean {
    const last = this.#walk(text);
    return last === this.#accepted || last.steps.length > 0;
  }

  #walk(text: string): State {
    let state = this.#start;
    for (let index = 0; index < text.length;) {
      const codePoint = text.codePointAt(index)!;
      index += codePoint > 0xffff ? 2 : 1;
      const known = codePoint < 128 ? this.#asciiClasses[codePoint] : this.#classOf.get(codePoint);
      const characterClass = known ?? this.#classify(codePoint);
      state = state.transitions[characterClass.index] ?? this.#step(state, characterClass);
      if (state === this.#accepted || state.steps.length === 0) return state;
    }
    return state;
  }

  #step(state: State, characterClass: CharacterClass): State {
    const { operation, operand, next } = this.#program;
    const closed = this.#close(state, characterClass.side);
    let target = this.#accepted;
    if (this.#whole || !closed.matched) {
      const steps = new Set<number>(this.#whole ? [] : [this.#entry]);
      for (const step of closed.steps) {
        if (operation[step] === SET && characterClass.members[operand[step]!]) steps.add(next[step]!);
      }
      target = this.#intern([...steps].sort((left, right) => left - right), characterClass.side);
    }
    state.transitions[characterClass.index] = target;
    return target;
  }

  /** The steps reachable without a character, knowing what stands on both sides, and whether the end is among them. */
  #close(state: State, after: Side): { readonly steps: readonly number[]; readonly matched: boolean } {
    const { operation, operand, next } = this.#program;
    const reached: number[] = [];
    const open = [...state.steps];
    const visit = ++this.#visit;
    let matched = false;
    while (open.length > 0) {
      const step = open.pop()!;
      if (this.#visited[step] === visit) continue;
      this.#visited[step] = visit;
      switch (operation[step]) {
        case MATCH:
          matched = true;
          break;
        case SET:
          reached.push(step);
          break;
        case SPLIT:
          open.push(operand[step]!, next[step]!);
          break;
        default:
          if (holds(ASSERTIONS[operand[step]!]!, state.before, after)) open.push(next[step]!);
      }
    }
    return { steps: reached, matched };
  }

  #intern(steps: readonly number[], before: Side): State {
    const key = `${before} ${steps.join(" ")}`;
    const known = this.#states.get(key);
    if (known) return known;
    this.#keptSteps += steps.length + 1;
    if (this.#keptSteps > MAX_KEPT_STEPS) {
      this.#states = new Map();
      this.#start.transitions.length = 0;
      this.#keptSteps = steps.length + 1;
    }
    const state: State = { steps, before, transitions: [], matchesAtEnd: undefined };
    this.#states.set(key, state);
    return state;
  }

  #classify(codePoint: number): CharacterClass {
    const members = this.#program.sets.map((set) => set.has(codePoint));
    const side: Side = this.#program.asserts && isWordCharacter(codePoint) ? "word" : "other";
    const key = side + members.map((member) => (member ? "1" : "0")).join("");
    let characterClass = this.#classes.get(key);
    if (!characterClass) {
      characterClass = { index: this.#classes.size, members, side };
      this.#classes.set(key, characterClass);
    }
    if (codePoint < 128) this.#asciiClasses[codePoint] = characterClass;
    else {
      if (this.#classOf.size > MAX_KEPT_CHARACTERS) this.#classOf.clear();
      this.#classOf.set(codePoint, characterClass);
    }
    return characterClass;
  }
}

function holds(assertion: Assertion, before: Side, after: Side): boolean {
  const atBoundary = (before === "word") !== (after === "word");
  switch (assertion) {
    case "start":
      return before === "edge";
    case "end":
      return after === "edge";
    case "word_boundary":
      return atBoundary;
    case "no_word_boundary":
      return !atBoundary;
  }
}
