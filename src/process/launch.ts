/**
 * Starts a process at the head of a session and group of its own.
 *
 * `detached: true` does that too, but makes Deno fork itself, which costs 2 to 10 ms in a grown process; a plain spawn
 * of `setsid`, which keeps the process id, costs 0.7 ms whatever the agent's size. So `setsid` where there is one,
 * `detached` elsewhere. (With `setsid` the group exists only a moment after the spawn: see `signalGroup` in groups.ts.)
 */
import { isAbsolute, resolve } from "node:path";
import type { CommandRequest } from "./port.ts";
import { resolveInside } from "./directory.ts";
import { MARK } from "./mark.ts";
import { spawn } from "./spawn.ts";

/** A started child, or why there is none. */
export type Launch =
  | { readonly kind: "started"; readonly child: Deno.ChildProcess }
  | { readonly kind: "not_started"; readonly reason: string };

/** Checks the working directory and the program, and starts the child with pipes. Never throws. */
export function launch(request: CommandRequest): Launch {
  const directory = resolveInside(request.root, request.cwd);
  if (directory.kind !== "inside") return { kind: "not_started", reason: directory.reason };
  const words = commandLine(request, directory.path);
  if (!Array.isArray(words)) return { kind: "not_started", reason: words.reason };
  const stdin = request.stdin !== undefined && request.stdin.length > 0 ? "piped" : "null";
  try {
    const child = startLeader(words, {
      cwd: directory.path,
      env: { ...request.env, [MARK.name]: MARK.value },
      stdin,
      stdout: "piped",
      stderr: "piped",
      windowsRawArguments: WINDOWS && typeof request.command === "string",
    });
    return { kind: "started", child };
  } catch (error) {
    return { kind: "not_started", reason: `cannot start ${nameOf(request)}: ${describe(error)}` };
  }
}

/**
 * Spawns `words` as the leader of a group of its own, with nothing of the agent's environment. Throws what Deno throws.
 */
export function startLeader(words: readonly [string, ...string[]], options: Deno.CommandOptions): Deno.ChildProcess {
  const launcher = LAUNCHERS.find(isExecutable);
  const [program, ...args] = launcher === undefined ? words : [launcher, ...words];
  return spawn(program, { ...options, args, clearEnv: true, detached: launcher === undefined });
}

/** What `setsid` says when the program itself cannot be executed (a script whose interpreter is missing). */
export function launcherFailure(code: number, stderr: Uint8Array): string | undefined {
  if (code !== 126 && code !== 127) return undefined;
  const text = new TextDecoder().decode(stderr);
  return text.startsWith("setsid: ") ? text.slice("setsid: ".length).trim() : undefined;
}

const WINDOWS = Deno.build.os === "windows";
const LAUNCHERS: readonly string[] = Deno.build.os === "linux" ? ["/usr/bin/setsid", "/bin/setsid"] : [];
const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

function commandLine(request: CommandRequest, cwd: string): [string, ...string[]] | { reason: string } {
  const { command } = request;
  if (typeof command === "string") {
    // `/s` makes cmd.exe drop exactly the outer pair of quotes, so that every quote inside stays as the user wrote it.
    return WINDOWS ? ["cmd.exe", "/d", "/s", "/c", `"${command}"`] : ["/bin/sh", "-c", command];
  }
  const [name, ...args] = command;
  const found = WINDOWS ? name : findProgram(name, cwd, request.env["PATH"] ?? DEFAULT_PATH);
  return typeof found === "string" ? [found, ...args] : found;
}

/** The file that `name` means, as a shell would find it. */
function findProgram(name: string, cwd: string, path: string): string | { reason: string } {
  const candidates = name.includes("/")
    ? [resolve(cwd, name)]
    : path.split(":").map((folder) => resolve(isAbsolute(folder) ? folder : resolve(cwd, folder), name));
  const executable = name === "" ? undefined : candidates.find(isExecutable);
  if (executable !== undefined) return executable;
  if (name.includes("/")) {
    const exists = isFile(candidates[0]!);
    return { reason: `cannot start ${name}: ${exists ? "the file is not executable" : "there is no such file"}` };
  }
  return { reason: `cannot start ${name}: there is no such program on PATH (${path})` };
}

function isExecutable(path: string): boolean {
  const mode = fileMode(path);
  return mode !== undefined && (mode & 0o111) !== 0;
}

function isFile(path: string): boolean {
  return fileMode(path) !== undefined;
}

function fileMode(path: string): number | undefined {
  try {
    const info = Deno.statSync(path);
    return info.isFile ? info.mode ?? 0 : undefined;
  } catch {
    return undefined;
  }
}

function nameOf(request: CommandRequest): string {
  return typeof request.command === "string" ? "the shell" : request.command[0];
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message.replace(/^Failed to spawn '.*?': /s, "").replace(/ \(os error \d+\)$/, "");
}
