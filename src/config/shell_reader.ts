/**
 * Splits a shell line into its commands, after the POSIX shell's grammar as far as that says where a command can
 * begin.
 */

/** One command as it stands. */
export interface ShellCommand {
  /** Words without their quotes; redirections and their targets are none. An expansion stands between two `\0`. */
  readonly words: readonly string[];
  /** Here-documents that it reads. */
  readonly texts: readonly string[];
}

/**
 * All commands of a line, those of substitutions and groups too. Anything can be given; an open quote ends with the
 * line.
 */
export function splitCommands(line: string): readonly ShellCommand[] {
  return new Reader(line, 0).read();
}

/** Words of the grammar that can stand before a command. */
export const KEYWORDS: ReadonlySet<string> = new Set(
  [
    "if",
    "then",
    "elif",
    "else",
    "fi",
    "while",
    "until",
    "do",
    "done",
    "for",
    "case",
    "esac",
    "!",
    "{",
    "}",
    "time",
    "coproc",
  ],
);

/** Here-documents and backquotes in one another: what is deeper is not read. */
const MAX_DEPTH = 12;

/** What is being read at one depth of substitutions and groups. */
interface Level {
  readonly kind: "line" | "group" | "substitution";
  /** In `$(( … ))` the signs `<`, `>` and `#` are arithmetic. */
  readonly arithmetic: boolean;
  inDoubleQuotes: boolean;
  words: string[];
  texts: string[];
  /** Only words of the grammar stand before. */
  keywordsOnly: boolean;
  word: string | undefined;
  /** The next word is the target of a redirection. */
  target: boolean;
  /** Open `case … esac`, in which a `)` closes a pattern. */
  cases: number;
  /** Open `${…}` with more than a name: what is behind its operator is read like the rest. */
  braces: number;
}

interface HereDocument {
  readonly end: string;
  /** A quoted delimiter keeps the text from being expanded. */
  readonly literal: boolean;
  readonly tabs: boolean;
  readonly texts: string[];
}

const SUBSTITUTED = "\0\0";

class Reader {
  readonly #commands: ShellCommand[] = [];
  readonly #line: string;
  readonly #depth: number;
  readonly #outer: Level[] = [];
  #level: Level = newLevel("line", false);
  #awaited: HereDocument[] = [];
  #at = 0;

  constructor(line: string, depth: number) {
    this.#line = line;
    this.#depth = depth;
  }

  read(): readonly ShellCommand[] {
    for (; this.#at < this.#line.length; this.#at++) {
      if (this.#readAnywhere()) continue;
      if (this.#level.inDoubleQuotes) this.#readQuoted();
      else this.#readPlain();
    }
    while (this.#outer.length > 0) this.#leave();
    this.#endCommand();
    return this.#commands;
  }

  /** What means the same inside double quotes and outside. */
  #readAnywhere(): boolean {
    const unit = this.#line[this.#at]!;
    if (unit === "`") {
      this.#readBackquoted();
    } else if (unit === "$" && this.#next() === "(") {
      this.#at += 1;
      this.#enter("substitution", this.#next() === "(");
    } else if (unit === "\\") {
      this.#at += 1;
      this.#readEscaped(this.#line[this.#at]);
    } else if (unit === "}" && this.#level.braces > 0) {
      this.#level.braces -= 1;
    } else {
      return unit === "$" && this.#readExpansion();
    }
    return true;
  }

  /** The shell takes the text up to the closing backquote first, whatever stands in it, and reads that as a line. */
  #readBackquoted(): void {
    const start = this.#at + 1;
    let end = start;
    while (end < this.#line.length && this.#line[end] !== "`") end += this.#line[end] === "\\" ? 2 : 1;
    const escapes = this.#level.inDoubleQuotes ? /\\([$`\\"])/g : /\\([$`\\])/g;
    this.#readInside(this.#line.slice(start, end).replace(escapes, "$1"));
    this.#at = Math.min(end, this.#line.length);
    this.#extend(SUBSTITUTED);
  }

  #readInside(text: string): void {
    if (this.#depth < MAX_DEPTH) this.#commands.push(...new Reader(text, this.#depth + 1).read());
  }

  #readExpansion(): boolean {
    EXPANSION.lastIndex = this.#at;
    const [all, brace, closed] = EXPANSION.exec(this.#line) ?? [];
    if (all === undefined) return false;
    this.#at += all.length - 1;
    if (brace !== undefined && closed === undefined) this.#level.braces += 1;
    this.#extend(`\0${all}\0`);
    return true;
  }

  #readEscaped(unit: string | undefined): void {
    if (unit === undefined || unit === "\n") return;
    const kept = this.#level.inDoubleQuotes && !'$`"\\'.includes(unit) ? "\\" : "";
    this.#extend(kept + unit);
  }

  #readQuoted(): void {
    const unit = this.#line[this.#at]!;
    if (unit === '"') this.#level.inDoubleQuotes = false;
    else this.#extend(unit);
  }

  #readPlain(): void {
    const unit = this.#line[this.#at]!;
    const { word, arithmetic } = this.#level;
    if (unit === '"') {
      this.#level.inDoubleQuotes = true;
      this.#extend("");
    } else if (unit === "'") {
      this.#extend(this.#through("'"));
    } else if (unit === "$" && /['"]/.test(this.#next() ?? "")) {
      // `$'…'` and `$"…"` of bash.
    } else if (unit === "#" && word === undefined && !arithmetic && this.#level.braces === 0) {
      this.#at = this.#endOfLine() - 1;
    } else if ((unit === "<" || unit === ">") && !arithmetic) {
      this.#readRedirection();
    } else if (unit === "(") {
      this.#endCommand();
      this.#enter("group", arithmetic || this.#next() === "(");
    } else if (unit === ")") {
      // `esac)` is the end of the case and of what holds it.
      this.#endWord();
      if (this.#level.cases > 0) this.#endCommand();
      else this.#leave();
    } else if (unit === "\n") {
      this.#endCommand();
      this.#readHereDocuments();
    } else if (";&|".includes(unit)) {
      this.#endCommand();
    } else if (unit === " " || unit === "\t") {
      this.#endWord();
    } else {
      this.#extend(unit);
    }
  }

  #readRedirection(): void {
    // In `2>file` and in bash's `{name}>file` what stands before the sign is no word.
    if (/^(?:\d+|\{\w+\})$/.test(this.#level.word ?? "")) this.#level.word = undefined;
    this.#endWord();
    REDIRECTION.lastIndex = this.#at;
    const [all, hereSign, delimiter, otherSign] = REDIRECTION.exec(this.#line)!;
    this.#at += all.length - 1;
    if (delimiter !== undefined) {
      const end = delimiter.replace(
        /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/g,
        (_all, single, double, escaped) => single ?? double?.replace(/\\([$`"\\])/g, "$1") ?? escaped,
      );
      this.#awaited.push({ end, literal: end !== delimiter, tabs: hereSign === "<<-", texts: this.#level.texts });
    } else if (otherSign !== "<<<") {
      this.#level.target = this.#next() !== "(";
    }
  }

  /** Reads the here-documents that were announced on the line before. */
  #readHereDocuments(): void {
    for (const { end, literal, tabs, texts } of this.#awaited) {
      const lines: string[] = [];
      while (this.#at + 1 < this.#line.length) {
        this.#at += 1;
        const stop = this.#endOfLine();
        const line = this.#line.slice(this.#at, stop);
        this.#at = stop;
        if ((tabs ? line.replace(/^\t+/, "") : line) === end) break;
        lines.push(line);
      }
      const text = lines.join("\n");
      texts.push(text);
      if (literal || this.#depth === MAX_DEPTH) continue;
      // The text itself, the last word that is read, is no command; what is substituted in it is.
      this.#readInside(`"${text.replaceAll('"', '\\"')}"`);
      if (this.#commands.at(-1)?.words.length === 1) this.#commands.pop();
    }
    this.#awaited = [];
  }

  #enter(kind: Level["kind"], arithmetic: boolean): void {
    this.#outer.push(this.#level);
    this.#level = newLevel(kind, arithmetic);
  }

  #leave(): void {
    this.#endCommand();
    const { kind } = this.#level;
    const outer = this.#outer.pop();
    if (outer === undefined) return;
    this.#level = outer;
    if (kind !== "group") this.#extend(SUBSTITUTED);
  }

  #extend(text: string): void {
    this.#level.word = (this.#level.word ?? "") + text;
  }

  #endWord(): void {
    const level = this.#level;
    const { word } = level;
    level.word = undefined;
    if (word === undefined) return;
    if (level.target) {
      level.target = false;
      return;
    }
    if (level.keywordsOnly) {
      if (word === "case") level.cases += 1;
      if (word === "esac") level.cases = Math.max(0, level.cases - 1);
      level.keywordsOnly = KEYWORDS.has(word);
    }
    level.words.push(word);
  }

  #endCommand(): void {
    this.#endWord();
    const level = this.#level;
    if (level.words.length > 0) this.#commands.push({ words: level.words, texts: level.texts });
    level.words = [];
    level.texts = [];
    level.keywordsOnly = true;
    level.target = false;
  }

  /** The text up to the next such sign, which is passed; to the end without one. */
  #through(sign: string): string {
    const start = this.#at + 1;
    const end = this.#line.indexOf(sign, start);
    this.#at = end === -1 ? this.#line.length : end;
    return this.#line.slice(start, this.#at);
  }

  #endOfLine(): number {
    const end = this.#line.indexOf("\n", this.#at);
    return end === -1 ? this.#line.length : end;
  }

  #next(): string | undefined {
    return this.#line[this.#at + 1];
  }
}

/** `$NAME`, `$1`, `${NAME}`, or the beginning of a `${…}` up to its operator. */
const EXPANSION = /\$(?:(\{)[#!]?(?:\w+|[@*?$!-])(?:\[[^\]\s]*\])?(?:(\})|[:#%/,^@?=+-]*)|[A-Za-z_]\w*|[0-9@*#?!$-])/y;

/** An operator with the delimiter of a here-document, or with the blanks before its target. */
const REDIRECTION =
  /(<<-?(?!<))[ \t]*((?:'[^'\n]*'|"(?:\\.|[^"\\\n])*"|\\.|[^\s;&|<>()'"\\])+)|(<<<|[<>]+[&|]?)[ \t]*/y;

function newLevel(kind: Level["kind"], arithmetic: boolean): Level {
  return {
    kind,
    arithmetic,
    inDoubleQuotes: false,
    words: [],
    texts: [],
    keywordsOnly: true,
    word: undefined,
    target: false,
    cases: 0,
    braces: 0,
  };
}
