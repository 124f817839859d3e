import * as z from "zod/mini";
import type { CommandEnding, CommandResult } from "../process/mod.ts";
import { bareName, cutBytes, terminalSafe } from "../text/mod.ts";
import { defineTool } from "./define_tool.ts";
import type { Tool, ToolEnvironment, ToolOutcome } from "./port.ts";

/** The tool that runs a shell command in the project, with empty stdin and a time limit. */
export function bashTool(environment: ToolEnvironment): Tool {
  return defineTool({
    name: "Bash",
    description:
      "Runs a shell command in the project folder and returns its output and exit code. Each call is a new " +
      "shell. Standard input is empty. What the command leaves running in the background is ended when it returns.",
    tier: "dangerous",
    tags: ["code", "shell"],
    arguments: BASH_ARGUMENTS,
    run: async (input, { signal }) => {
      const { command, timeout = environment.bash_timeout_ms ?? DEFAULT_TIMEOUT_MS } = input as {
        command: string;
        timeout?: number;
      };
      const result = await environment.run_command({
        command,
        cwd: environment.project_dir,
        root: environment.project_dir,
        env: environment.child_env,
        timeout_ms: timeout,
        kill_grace_ms: environment.kill_grace_ms,
        max_output_bytes: environment.max_output_bytes,
        signal,
      });
      return bashOutcome(result, environment.max_output_bytes);
    },
  });
}

/** What a run of a command is to the model. Output is text without terminal escapes, bounded in size. */
export function bashOutcome(result: CommandResult, maxOutputBytes: number): ToolOutcome {
  const stdout = shownOutput(result.stdout.bytes, maxOutputBytes);
  const stderr = shownOutput(result.stderr.bytes, maxOutputBytes);
  const truncated = result.stdout.truncated || result.stderr.truncated || stdout.cut || stderr.cut;
  const { ending, background_ended } = result;
  const parts = [
    ...(stdout.text === "" ? [] : [stdout.text]),
    ...(stderr.text === "" ? [] : [`stderr:\n${stderr.text}`]),
    ...(stdout.text === "" && stderr.text === "" && ending.kind !== "not_started" ? ["(no output)"] : []),
    ...(truncated ? [totals(result)] : []),
    endingSentence(ending),
    ...(background_ended > 0 ? [backgroundSentence(background_ended)] : []),
  ];
  return {
    is_error: !(ending.kind === "exited" && ending.code === 0),
    content: parts.join("\n"),
    metadata: {
      exit_code: ending.kind === "exited" ? ending.code : null,
      signal: ending.kind === "signalled" ? ending.signal : null,
      timed_out: ending.kind === "timed_out",
      background_ended,
      truncated,
    },
  };
}

const DEFAULT_TIMEOUT_MS = 120_000;
const MAX_TIMEOUT_MS = 600_000;

const BASH_ARGUMENTS = z.strictObject({
  command: z.string().check(z.minLength(1), z.describe("The command, for /bin/sh")),
  timeout: z.optional(
    z.int().check(
      z.minimum(1),
      z.maximum(MAX_TIMEOUT_MS),
      z.describe(`Time limit in milliseconds, at most ${MAX_TIMEOUT_MS}`),
    ),
  ),
  description: z.optional(z.string().check(z.describe("What the command does, in a few words"))),
});

function shownOutput(bytes: Uint8Array, limit: number): { readonly text: string; readonly cut: boolean } {
  const text = terminalSafe(new TextDecoder().decode(bytes)).replace(/\n$/, "");
  // Invalid bytes grow when decoded; what the runner kept within the limit may have to be cut again. Its own mark
  // comes on top of the limit.
  const cut = cutBytes(text, limit + MARK_ALLOWANCE, "head_tail");
  return { text: cut.text, cut: cut.omitted_bytes > 0 };
}

const MARK_ALLOWANCE = 256;

function totals({ stdout, stderr }: CommandResult): string {
  return `(output was cut: stdout had ${stdout.total_bytes} bytes, stderr ${stderr.total_bytes})`;
}

function endingSentence(ending: CommandEnding): string {
  switch (ending.kind) {
    case "exited":
      return `Exit code: ${ending.code}`;
    case "signalled":
      return `The command was ended by signal ${bareName(ending.signal)}`;
    case "timed_out":
      return `The command timed out after ${ending.limit_ms} ms and was ended with all its processes`;
    case "cancelled":
      return "The command was cancelled and ended with all its processes";
    case "not_started":
      return `The command did not start: ${ending.reason}`;
  }
}

function backgroundSentence(count: number): string {
  return count === 1
    ? "1 background process that the command had left running was ended"
    : `${count} background processes that the command had left running were ended`;
}
