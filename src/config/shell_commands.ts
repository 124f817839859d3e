/**
 * The commands in a shell line, read without running it: for rules that deny, so in doubt there is one more and not
 * one less.
 *
 * Known to be missed: what only a running shell can know (a variable, a substitution or a pattern that comes to a
 * command, an alias, text that is piped into a shell), and bash's brace expansion.
 */
import { KEYWORDS, splitCommands } from "./shell_reader.ts";

/**
 * Every simple command that can be found, as words with their quotes removed: behind operators, in substitutions,
 * groups and here-documents, and in the text that `sh -c` and its like are given. Assignments, keywords and words
 * that may come to nothing are left out before a command.
 */
export function simpleCommands(line: string): readonly (readonly string[])[] {
  const found: (readonly string[])[] = [];
  collectCommands(line, found, 0);
  return found;
}

/** The word as it is when every expansion in it comes to nothing. */
export function withoutExpansions(word: string): string {
  return word.replace(/\0[^\0]*\0/g, "");
}

/** The word as it was written, quotes aside. */
export function asWritten(word: string): string {
  return word.replaceAll("\0", "");
}

/** A shell in a shell in a shell: deeper than this nothing is read. */
const MAX_DEPTH = 4;

function collectCommands(line: string, found: (readonly string[])[], depth: number): void {
  for (const { words, texts } of splitCommands(line)) {
    const start = words.findIndex((word) =>
      !ASSIGNMENT.test(word) && !KEYWORDS.has(word) && withoutExpansions(word) !== ""
    );
    if (start === -1) continue;
    const command = words.slice(start);
    found.push(command);
    if (depth === MAX_DEPTH || !command.some((word) => RUNS_TEXT.test(word))) continue;
    for (const word of [...command, ...texts]) {
      if (/[\s;&|]/.test(word)) collectCommands(word, found, depth + 1);
    }
  }
}

const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;
/** Programs that run what they are given as text. */
const RUNS_TEXT = /(?:^|\/)(?:(?:ba|da|z|k|a|fi)?sh|eval|trap|env|su|ssh|watch|busybox)$/;
