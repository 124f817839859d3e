/**
 * The command line: in go the arguments, out comes what they mean. Nothing is printed and nothing exits here.
 *
 * Words such as `-A`, `--allow-read` or `eval` are the program's own arguments; what follows `--` is never an option.
 */
import { runParserSync } from "@optique/core/facade";
import { formatMessage, type Message } from "@optique/core/message";
import type { Command, ParsedArguments, RunCommand } from "./arguments/command.ts";
import { type CommandParser, PARSERS } from "./arguments/parsers.ts";
import { type PendingCommand, PROGRAM, readCommand, wrongUsage } from "./arguments/quick.ts";

export type * from "./arguments/command.ts";

/** Reads a whole command line. `version` is what `--version` prints. */
export function parseArguments(args: readonly string[], version: string): ParsedArguments {
  const read = readCommand(args, version);
  return read.kind === "pending" ? parsePending(read) : read;
}

/** Reads a command's arguments with the library. */
export function parsePending({ name, row, rest }: PendingCommand): ParsedArguments {
  const parser: CommandParser = PARSERS[name]();
  let shown = "";
  const parsed = runParserSync<CommandParser, ParsedArguments, ParsedArguments>(
    parser,
    [PROGRAM, ...row.words].join(" "),
    rest,
    {
      help: {
        option: { names: ["--help", "-h"] },
        onShow: () => ({ kind: "text", text: `${row.brief}.\n${shown}`.trimEnd(), exit: 0 }),
      },
      maxWidth: 100,
      termWidth: "auto",
      aboveError: "none",
      stdout: (text) => shown += `${text}\n`,
      stderr: () => {},
      onError: (_code, error) => wrongUsage(oneLine(error), row.words, isUnexpected(error) ? row.hint : undefined),
    },
  );
  if (isParsed(parsed)) return parsed;
  const conflict = parsed.name === "run" ? demoConflict(parsed) : undefined;
  return conflict === undefined ? { kind: "command", command: parsed } : wrongUsage(conflict, row.words);
}

function isParsed(value: Command | ParsedArguments): value is ParsedArguments {
  return "kind" in value;
}

function oneLine(error: Message): string {
  return formatMessage(error).replace(/\s*\n\s*/g, " ");
}

/** An argument too many, or an option that does not exist (by the words of the library; the tests hold them). */
function isUnexpected([term]: Message): boolean {
  return term?.type === "text" && term.text.startsWith("Unexpected option or argument");
}

/** The demo brings its own project, model, prompt and hooks: what would be passed over in silence is refused. */
function demoConflict(run: RunCommand): string | undefined {
  if (!run.demo) return undefined;
  const given = [
    run.prompt.from !== "nothing" && "PROMPT",
    run.model !== undefined && "--model",
    run.project !== undefined && "--project",
    run.permissionMode !== undefined && "--permission-mode",
    run.resume !== undefined && "--resume",
    run.noHooks && "--no-hooks",
  ].filter((name) => name !== false);
  return given.length === 0
    ? undefined
    : `--demo brings its own prompt, project, model and hooks; leave out ${given.join(", ")}`;
}
