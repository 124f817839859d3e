/** The literal words of a hook command: what can be known of it without running a shell. */
import { basename, isAbsolute } from "node:path";

/** A command as hooks hold it: a line for the shell, or a program with its arguments. */
export type HookCommand = string | readonly string[];

/** Names whose values are known, for `$NAME`, `${NAME}` and a leading `~/` (HOME). */
export type KnownVariables = Readonly<Record<string, string>>;

/** One word; `text` is undefined when only a shell could say what it is. `starts` marks the word a program would be. */
export interface CommandWord {
  readonly text: string | undefined;
  readonly starts: boolean;
}

/** The words of a command in order. Assignments before a program are no words. */
export function commandWords(command: HookCommand, variables: KnownVariables = {}): readonly CommandWord[] {
  if (typeof command === "string") return shellWords(command, variables);
  return command.flatMap((text, index) => [
    { text, starts: index === 0 },
    ...(index > 0 && /^-\w*c$/.test(command[index - 1]!) ? shellWords(text, variables) : []),
  ]);
}

/**
 * The script that a command runs: the first existing file among its literal words, resolved. An interpreter named by
 * its path counts only where nothing else does (`/usr/bin/python3 check.py` runs `check.py`). `fileAt` gives the real
 * path of a regular file, and undefined for anything else; words are relative to `cwd`.
 */
export function scriptOfCommand(
  command: HookCommand,
  cwd: string,
  fileAt: (path: string) => string | undefined,
  variables: KnownVariables = {},
): string | undefined {
  let interpreter: string | undefined;
  for (const { text, starts } of commandWords(command, variables)) {
    // Not cleaned: `a/../b` is what the system makes of it, and `a` may be a link.
    if (text === undefined || text === "" || text.includes("\0")) continue;
    const file = fileAt(isAbsolute(text) ? text : `${cwd}/${text}`);
    if (file === undefined) continue;
    if (!starts || !INTERPRETER.test(basename(text))) return file;
    interpreter ??= file;
  }
  return interpreter;
}

/** Names of programs that run a script which is named after them. */
export const INTERPRETER =
  /^(?:(?:ba|da|z|k|fi|a)?sh|python[\d.]*|node|nodejs|deno|bun|ruby|perl|php|env|npx|uv|pwsh|powershell|timeout|nice|nohup|setsid|ionice|stdbuf|sudo|doas|time|exec|command)(?:\.exe)?$/i;
const ASSIGNMENT = /^[A-Za-z_]\w*=/;
const VARIABLE = /^\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/;

/** Splits a line as a POSIX shell would, as far as that needs no expansion beyond known variables. */
function shellWords(line: string, variables: KnownVariables): readonly CommandWord[] {
  const words: CommandWord[] = [];
  let text = "";
  let known = true;
  let inWord = false;
  let starts = true;
  let quote: "'" | '"' | undefined;
  let at = 0;

  const add = (piece: string) => {
    text += piece;
    inWord = true;
  };
  const endWord = () => {
    if (inWord && !(starts && ASSIGNMENT.test(text))) {
      words.push({ text: known ? text : undefined, starts });
      starts = false;
    }
    [text, known, inWord] = ["", true, false];
  };

  while (at < line.length) {
    const unit = line[at]!;
    const variable = quote !== "'" && unit === "$" ? VARIABLE.exec(line.slice(at, at + 200)) : null;
    if (variable !== null) {
      const name = variable[1] ?? variable[2]!;
      const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
      if (value === undefined) known = false;
      add(value ?? "");
      at += variable[0].length;
      continue;
    }
    at++;
    if (quote === "'") {
      if (unit === "'") quote = undefined;
      else add(unit);
    } else if (unit === "\\" && at < line.length) {
      const next = line[at++]!;
      add(quote === '"' && !'$`"\\'.includes(next) ? unit + next : next);
    } else if (quote === '"') {
      if (unit === '"') quote = undefined;
      else if (unit === "$" || unit === "`") [known, inWord] = [false, true];
      else add(unit);
    } else if (unit === "'" || unit === '"') {
      quote = unit;
      inWord = true;
    } else if (/\s/.test(unit)) {
      endWord();
      if (unit === "\n") starts = true;
    } else if (";&|()<>".includes(unit)) {
      endWord();
      starts = ";&|(".includes(unit);
    } else if (unit === "#" && !inWord) {
      while (at < line.length && line[at] !== "\n") at++;
    } else if ("$`*?[{}".includes(unit)) {
      [known, inWord] = [false, true];
    } else if (unit === "~" && !inWord && line[at] === "/" && Object.hasOwn(variables, "HOME")) {
      add(variables["HOME"]!);
    } else {
      add(unit);
    }
  }
  endWord();
  return words;
}
