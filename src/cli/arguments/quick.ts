/**
 * What can be said without the command-line library, which costs about as much as the start of an empty program: the version,
 * help above single commands, commands without options, and words that are no command.
 */
import { nearest } from "../../protocol/mod.ts";
import { type BareCommand, type Command, COMMAND_ROWS, type CommandRow, type ParsedArguments } from "./command.ts";

/** A command whose arguments are still to be read. */
export interface PendingCommand {
  readonly kind: "pending";
  readonly name: Command["name"];
  readonly row: CommandRow;
  /** What follows the command's words. */
  readonly rest: readonly string[];
}

/** Answers what needs no command-line library; undefined when `parseArguments` has to be asked. */
export function quickAnswer(args: readonly string[], version: string): ParsedArguments | undefined {
  const read = readCommand(args, version);
  return read.kind === "pending" ? undefined : read;
}

/** The name that the program has in its own texts. */
export const PROGRAM = "soong-agent";

const HELP_WORDS: readonly string[] = ["help", "--help", "-h"];
const VERSION_WORDS: readonly string[] = ["--version", "-V"];

/** Reads the words that name the command; answers at once when nothing more is to be read. */
export function readCommand(args: readonly string[], version: string): ParsedArguments | PendingCommand {
  const [first, second, ...more] = args;
  if (first === undefined) return text(groupHelp());
  if (VERSION_WORDS.includes(first)) {
    return second === undefined ? text(`${PROGRAM} ${version}`) : wrongUsage(`${first} takes nothing after it`, []);
  }
  if (HELP_WORDS.includes(first)) return helpFor(first, args.slice(1));

  const group = COMMAND_ROWS.filter(([, { words }]) => words[0] === first);
  if (group.length === 0) return unknownWord(first, []);
  const own = group.find(([, { words }]) => words.length === 1);
  if (group.length === 1 && own !== undefined) return pendingOrBare(own, args.slice(1));

  if (second === undefined) {
    return own === undefined ? wrongUsage(`${first} needs a word after it`, [first]) : pendingOrBare(own, []);
  }
  if (HELP_WORDS.includes(second)) return text(groupHelp(first));
  const row = group.find(([, { words, alias }]) => words[1] === second || (words.length > 1 && alias === second));
  return row === undefined ? unknownWord(second, [first]) : pendingOrBare(row, more);
}

/** `help WORDS` is `WORDS --help`. */
function helpFor(word: string, path: readonly string[]): ParsedArguments | PendingCommand {
  if (path.length === 0) return text(groupHelp());
  if (word !== "help") return wrongUsage(`${word} comes after the command: ${[...path, word].join(" ")}`, []);
  const [first, second] = path;
  const rows = COMMAND_ROWS.filter(([, { words }]) => words[0] === first);
  if (rows.length === 0) return unknownWord(first!, []);
  if (second === undefined && rows.length > 1) return text(groupHelp(first));
  const row = rows.find(([, { words, alias }]) => words[1] === second || (second !== undefined && alias === second));
  if (row === undefined) return unknownWord(second!, [first!]);
  return { kind: "pending", name: row[0], row: row[1], rest: ["--help"] };
}

function pendingOrBare(
  [name, row]: readonly [Command["name"], CommandRow],
  rest: readonly string[],
): ParsedArguments | PendingCommand {
  if (row.takes === "" && rest.length === 0) return { kind: "command", command: { name } as BareCommand };
  const isPlain = rest.every((word) => word !== "" && !word.startsWith("-"));
  const command = isPlain ? row.plain?.(rest) : undefined;
  return command === undefined ? { kind: "pending", name, row, rest } : { kind: "command", command };
}

/** Help for the program, or for a first word that has commands below it. */
function groupHelp(first?: string): string {
  const rows = COMMAND_ROWS.filter(([, { words }]) => first === undefined || words[0] === first);
  const lines = rows.map(([, { words, takes, brief }]) => [[...words, takes].join(" ").trim(), brief] as const);
  const width = Math.max(...lines.map(([left]) => left.length));
  const own = first === undefined ? [["--version", "Print the version"] as const] : [];
  return [
    ...(first === undefined ? [`${PROGRAM}: a coding agent whose every step passes through hooks`, ""] : []),
    `Usage: ${PROGRAM} ${first === undefined ? "COMMAND" : first + " [COMMAND]"}`,
    "",
    ...[...lines, ...own].map(([left, brief]) => `  ${left.padEnd(width)}  ${brief}`),
    "",
    `${PROGRAM} ${first === undefined ? "" : `${first} `}COMMAND --help says more about one command.`,
    ...(first === undefined ? ["Try it without a key and without a network: soong-agent run --demo"] : []),
  ].join("\n");
}

function unknownWord(word: string, path: readonly string[]): ParsedArguments {
  const words = wordsAfter(path);
  const near = nearest(word, words);
  const what = word.startsWith("-") ? `there is no option ${quoted(word)} here` : `there is no command ${quoted(word)}`;
  return wrongUsage(near === undefined ? what : `${what}; did you mean ${quoted(near)}?`, path);
}

/** The error form of the command line: what is wrong, the words that are right, where help is. */
export function wrongUsage(what: string, path: readonly string[], hint?: string): ParsedArguments {
  const words = wordsAfter(path);
  return {
    kind: "wrong_usage",
    exit: 2,
    text: [
      `error: ${what}`,
      ...(hint === undefined ? [] : [`  hint: ${hint}`]),
      ...(words.length === 0 ? [] : [`  commands: ${words.map((word) => [...path, word].join(" ")).join(", ")}`]),
      `  help: ${[PROGRAM, ...path, "--help"].join(" ")}`,
    ].join("\n"),
  };
}

/** The words that may follow these. */
function wordsAfter(path: readonly string[]): readonly string[] {
  const rows = COMMAND_ROWS.filter(([, { words }]) => path.every((word, index) => words[index] === word));
  return [...new Set(rows.map(([, { words }]) => words[path.length]).filter((word) => word !== undefined))];
}

/** A word of the user in a message. */
export function quoted(word: string): string {
  return JSON.stringify(word);
}

function text(content: string): ParsedArguments {
  return { kind: "text", text: content, exit: 0 };
}
