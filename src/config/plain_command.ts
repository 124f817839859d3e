/**
 * A shell line that is surely one simple command, read without running it, after the POSIX shell's rules of quoting.
 */

/**
 * The words of a line that is one simple command and nothing else; undefined when it has an operator, a redirection,
 * a substitution, an unquoted line break, an open quote, or an expansion other than a plain `$NAME`.
 */
export function plainCommand(line: string): readonly string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < line.length; at++) {
    const unit = line[at]!;
    if (unit === "\0" || OPERATORS.includes(unit)) return undefined;
    if (unit === " " || unit === "\t") {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (unit === "'") {
      const end = line.indexOf("'", at + 1);
      if (end === -1) return undefined;
      word = (word ?? "") + line.slice(at + 1, end);
      at = end;
    } else if (unit === '"') {
      const quoted = readDoubleQuoted(line, at + 1);
      if (quoted === undefined) return undefined;
      word = (word ?? "") + quoted.text;
      at = quoted.end;
    } else if (unit === "\\") {
      const next = line[++at];
      if (next === undefined || next === "\n") return undefined;
      word = (word ?? "") + next;
    } else {
      if (unit === "$" && !PLAIN_VARIABLE.test(line.slice(at, at + 3))) return undefined;
      word = (word ?? "") + unit;
    }
  }
  if (word !== undefined) words.push(word);
  return words;
}

const OPERATORS = ";&|<>()`\n\r";
/** `$NAME`, a `$` before a blank, a digit or the end: nothing that can run a command. */
const PLAIN_VARIABLE = /^\$(?:[A-Za-z_0-9 \t]|$)/;

/**
 * Text up to the closing quote, which `end` is the place of; undefined when something in it would be run or it never
 * closes.
 */
function readDoubleQuoted(line: string, start: number): { readonly text: string; readonly end: number } | undefined {
  let text = "";
  for (let at = start; at < line.length; at++) {
    const unit = line[at]!;
    if (unit === '"') return { text, end: at };
    if (unit === "`" || unit === "\0") return undefined;
    if (unit === "$" && !/^\$(?:[A-Za-z_0-9 \t.,"\\]|$)/.test(line.slice(at, at + 2))) return undefined;
    if (unit === "\\" && '$`"\\'.includes(line[at + 1] ?? " ")) text += line[++at];
    else text += unit;
  }
  return undefined;
}
