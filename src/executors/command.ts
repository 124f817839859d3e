/** Runs a hook command through the one command runner: payload on stdin, facts back. */
import { isAbsolute, resolve } from "node:path";
import type { Executor, HookRequest } from "../hooks/mod.ts";
import type { CommandResult } from "../process/mod.ts";
import type { HookRun } from "../protocol/mod.ts";
import type { ExecutorParts } from "./create.ts";

/** The executor of type `command`. */
export function commandExecutor(parts: ExecutorParts): Executor {
  return async (request) => {
    const { executor } = request.registration;
    if (executor.type !== "command") throw new TypeError(`Cannot run a ${executor.type} hook as a command`);
    const workingDir = executor.working_dir ?? ".";
    const cwd = isAbsolute(workingDir) ? workingDir : resolve(parts.project_dir, workingDir);
    const place = { cwd, root: parts.project_dir };
    const result = await run(parts, request, executor.command, place);
    if (result.ending.kind !== "not_started" || isFolder(parts.project_dir)) return hookRun(result, "");

    // A guard that cannot start because someone removed the folder must still be able to say no.
    const fallback = await run(parts, request, executor.command, { cwd: parts.home, root: parts.home });
    return hookRun(fallback, `the project folder ${parts.project_dir} is gone; the hook ran in ${parts.home}\n`);
  };
}

interface Place {
  readonly cwd: string;
  readonly root: string;
}

function run(
  parts: ExecutorParts,
  request: HookRequest,
  command: string | readonly [string, ...string[]],
  place: Place,
): Promise<CommandResult> {
  return parts.runCommand({
    command,
    ...place,
    env: {
      ...parts.child_env,
      SOONG_AGENT_HOME: parts.home,
      SOONG_PROJECT_DIR: parts.project_dir,
      ...request.env,
    },
    stdin: request.payload,
    timeout_ms: request.registration.timeout_ms,
    kill_grace_ms: parts.kill_grace_ms,
    max_output_bytes: parts.max_output_bytes,
    signal: request.signal,
  });
}

function hookRun(result: CommandResult, note: string): HookRun {
  const { ending } = result;
  return {
    ending: ending.kind === "not_started" ? { ...ending, reason: note.replace("\n", ": ") + ending.reason } : ending,
    stdout: result.stdout.bytes,
    stdout_truncated: result.stdout.truncated,
    stderr: note + new TextDecoder().decode(result.stderr.bytes),
    duration_ms: roundToTenth(result.duration_ms),
  };
}

function roundToTenth(ms: number): number {
  return Math.round(ms * 10) / 10;
}

function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}
