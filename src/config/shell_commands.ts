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
  for (const reading of readingsOf(line)) collectCommands(reading, found, 0);
  // A here-document that is announced inside another one's line: whose text comes first differs.
  if (/<<[^\n]*\$\([^\n]*<</.test(line)) found.push(wordsOf(line));
  return found;
}

/** The line, and what else a shell may make of it where its grammar leaves more than one way to read it. */
function readingsOf(line: string): readonly string[] {
  const readings = new Set([line]);
  // A shell takes these two signs out before it reads anything else.
  readings.add(line.replaceAll("\\\n", ""));
  // `((` can begin arithmetic, and two groups.
  for (const one of [...readings]) readings.add(one.replaceAll("((", "( ("));
  // In `"${x#'…'}"` single quotes quote, in `"${x:-'…'}"` they do not.
  for (const one of [...readings]) readings.add(one.replace(/'"'/g, "_"));
  return [...readings];
}

/** The word as it is when every expansion in it comes to nothing. */
export function withoutExpansions(word: string): string {
  return word.replace(/\0[^\0]*\0/g, "");
}

/** The word as it was written, quotes aside. */
export function asWritten(word: string): string {
  return word.replaceAll("\0", "");
}

/** A shell in a shell in a shell: what is deeper is taken as words, each of which may be a command. */
const MAX_DEPTH = 8;

function collectCommands(line: string, found: (readonly string[])[], depth: number): void {
  if (depth > MAX_DEPTH) {
    found.push(wordsOf(line));
    return;
  }
  for (const { words, texts } of splitCommands(line)) {
    const command = words.slice(startOf(words));
    if (command.length === 0) continue;
    found.push(command);
    for (const text of textsRunBy(command, texts)) collectCommands(text, found, depth + 1);
  }
}

/** All words as what a program is given that may run any of them. */
function wordsOf(line: string): readonly string[] {
  return ["env", ...line.split(/[^\w./:@%+=,~-]+/).filter((word) => word !== "")];
}

/** Where the command begins: behind assignments, keywords with their options, and words that may come to nothing. */
function startOf(words: readonly string[]): number {
  let isTimed = false;
  let isName = false;
  const start = words.findIndex((word) => {
    if (isName || (isTimed && word.startsWith("-"))) {
      isName = false;
      return false;
    }
    isTimed ||= word === "time";
    // bash: `function name { … }`
    isName = word === "function";
    if (isName) return false;
    return !ASSIGNMENT.test(word) && !KEYWORDS.has(word) && withoutExpansions(word) !== "";
  });
  return start === -1 ? words.length : start;
}

/** What a command is given to be read as shell text. */
function textsRunBy(command: readonly string[], texts: readonly string[]): readonly string[] {
  if (!command.some((word) => RUNS_TEXT.test(word))) return [];
  const evaluated = command.findIndex((word) => /(?:^|\/)eval$/.test(word));
  return [
    ...[...command, ...texts].filter((word) => /[\s;&|]/.test(word)),
    // `env -S'…'`, with the text in the same word.
    ...command.flatMap((word) => /^(?:-\w*S|--split-string=)([^]+)$/.exec(word)?.[1] ?? []),
    // eval puts its words together and reads the whole again.
    ...(evaluated === -1 ? [] : [command.slice(evaluated + 1).map(asWritten).join(" ")]),
  ];
}

const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;
/** Programs that run what they are given as text. */
const RUNS_TEXT =
  /(?:^|\/)(?:(?:ba|da|z|k|a|fi)?sh|\.|source|eval|trap|env|su|runuser|sg|ssh|watch|busybox|toybox|flock|script|parallel|xargs)$/;
