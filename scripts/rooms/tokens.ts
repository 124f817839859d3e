/**
 * Reads TypeScript source as tokens, without a compiler: comments are dropped, strings and templates are one token each, so
 * that a rule about code is never misled by text.
 *
 * The one guess is whether a slash begins a regular expression; it does unless a value stands before it. A wrong guess ends
 * in an unclosed string or expression, which throws, so that nothing is passed over in silence.
 */

/** One token. `value` is the text of a word, the sign itself, or the content of a string. */
export interface Token {
  readonly kind: "word" | "sign" | "string" | "template" | "number" | "regex";
  readonly value: string;
  /** Counts from 1. */
  readonly line: number;
}

/** All tokens of a source text. A template with substitutions is a `template` token, followed by the tokens inside it. */
export function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = [];
  /** For each open template substitution, how many braces are open in it. */
  const substitutions: number[] = [];
  let line = 1;
  let at = 0;

  const add = (kind: Token["kind"], value: string, length: number) => {
    tokens.push({ kind, value, line });
    line += countLines(source.slice(at, at + length));
    at += length;
  };

  while (at < source.length) {
    const rest = at === 0 && source.startsWith("#!") ? SHEBANG : SKIPPED;
    rest.lastIndex = at;
    const skipped = rest.exec(source);
    if (skipped !== null) {
      line += countLines(skipped[0]);
      at = rest.lastIndex;
      continue;
    }
    const char = source[at]!;
    if (char === "}" && substitutions.at(-1) === 0) {
      substitutions.pop();
      readTemplate("sign");
      continue;
    }
    if (char === "`") {
      readTemplate("template");
      continue;
    }
    if (char === '"' || char === "'") {
      const text = match(char === '"' ? DOUBLE_QUOTED : SINGLE_QUOTED);
      if (text === undefined) throw new SyntaxError(`line ${line}: a string is not closed`);
      add("string", unescaped(text.slice(1, -1)), text.length);
      continue;
    }
    if (char === "/" && !endsValue(tokens)) {
      const text = match(REGEX);
      if (text === undefined) throw new SyntaxError(`line ${line}: a regular expression is not closed`);
      add("regex", text, text.length);
      continue;
    }
    const word = match(WORD);
    if (word !== undefined) {
      add("word", word, word.length);
      continue;
    }
    const number = match(NUMBER);
    if (number !== undefined) {
      add("number", number, number.length);
      continue;
    }
    if (substitutions.length > 0) {
      if (char === "{") substitutions[substitutions.length - 1]! += 1;
      if (char === "}") substitutions[substitutions.length - 1]! -= 1;
    }
    add("sign", char, 1);
  }
  return tokens;

  function match(pattern: RegExp): string | undefined {
    pattern.lastIndex = at;
    return pattern.exec(source)?.[0];
  }

  /** From a backquote, or from the brace that ends a substitution, to the next substitution or the closing backquote. */
  function readTemplate(kind: "template" | "sign") {
    const text = match(TEMPLATE_PART);
    if (text === undefined) throw new SyntaxError(`line ${line}: a template is not closed`);
    const closed = text.endsWith("`");
    if (kind === "sign") add("sign", "}", text.length);
    else if (closed) add("string", unescaped(text.slice(1, -1)), text.length);
    else add("template", text.slice(1, -2), text.length);
    if (!closed) substitutions.push(0);
  }
}

const SHEBANG = /#![^\n]*/y;
const SKIPPED = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/y;
const DOUBLE_QUOTED = /"(?:[^"\\\n]|\\[\s\S])*"/y;
const SINGLE_QUOTED = /'(?:[^'\\\n]|\\[\s\S])*'/y;
const TEMPLATE_PART = /[`}](?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{)/y;
const REGEX = /\/(?:[^/\\[\n]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n])*\])+\/[a-z]*/y;
const WORD = /[#@]?[\p{L}_$][\p{L}\p{N}_$]*/uy;
const NUMBER = /\.?\d[\w.]*/y;

/** Words after which a slash begins a regular expression all the same. */
const BEFORE_EXPRESSION: ReadonlySet<string> = new Set(
  "return typeof case in of delete void throw new await yield else do instanceof extends default".split(" "),
);

/** Whether the last token ends a value, so that a slash after it divides. */
function endsValue(tokens: readonly Token[], last = tokens.length - 1): boolean {
  const token = tokens[last];
  if (token === undefined) return false;
  if (token.kind === "word") return !BEFORE_EXPRESSION.has(token.value);
  if (token.kind !== "sign") return token.kind !== "template";
  if (token.value === "!") return endsValue(tokens, last - 1);
  return token.value === ")" || token.value === "]" || token.value === "}";
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, "$1");
}

function countLines(text: string): number {
  return text.split("\n").length - 1;
}
