/**
 * cli/ — the program as users meet it: arguments, the composition root, renderers, exit codes.
 *
 * In: the command line, the environment, the terminal. Out: text on stdout and stderr, and an exit code (`exit_codes.ts`).
 * This is the only room that reads environment, clock and working directory and the only one that prints. Errors say what
 * failed, where and what to do; a stack trace is shown with `SOONG_DEBUG=1` only.
 */
import type { Command, ParsedArguments } from "./arguments/command.ts";
import { readCommand } from "./arguments/quick.ts";
import { EXIT } from "./exit_codes.ts";
import { createOutput, type Output } from "./output.ts";
import { describeCrash, VERSION } from "./program.ts";

/** Runs the program and gives its exit code. Never throws. */
export async function main(args: readonly string[]): Promise<number> {
  const output = createOutput(Deno.env, () => {});
  const code = await answer(args, output);
  return code === EXIT.done && output.failed ? EXIT.failure : code;
}

async function answer(args: readonly string[], output: Output): Promise<number> {
  try {
    const parsed = await parse(args);
    switch (parsed.kind) {
      case "text":
        await output.out(`${parsed.text}\n`);
        return EXIT.done;
      case "wrong_usage":
        await output.err(`${parsed.text}\n`);
        return EXIT.wrong_usage;
      case "command":
        return await runCommand(parsed.command, output);
    }
  } catch (error) {
    await output.err(`${describeCrash(error)}\n`);
    return EXIT.failure;
  }
}

async function parse(args: readonly string[]): Promise<ParsedArguments> {
  const quick = readCommand(args, VERSION);
  if (quick.kind !== "pending") return quick;
  const { parseArguments } = await import("./arguments.ts");
  return parseArguments(args, VERSION);
}

async function runCommand(command: Command, output: Output): Promise<number> {
  const { dropPermissions, PERMISSIONS_BY_COMMAND } = await import("../config/mod.ts");
  dropPermissions(PERMISSIONS_BY_COMMAND[command.name]);
  switch (command.name) {
    case "run":
      return await (await import("./commands/run.ts")).runAgent(command);
    case "hooks validate":
      return await (await import("./commands/hooks_validate.ts")).validateHooks(command, output);
    case "hooks overview":
    case "hooks list":
    case "hooks events":
    case "hooks status":
      return await (await import("./commands/hooks_show.ts")).showHooks(command.name, output);
    case "sessions list":
    case "sessions show":
    case "sessions verify":
      return await (await import("./commands/sessions.ts")).sessionsCommand(command, output);
    case "trust":
      return await (await import("./commands/trust.ts")).trustCommand(command, output);
    case "tools":
      return await (await import("./commands/tools.ts")).listTools(output);
  }
}
