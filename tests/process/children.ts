/** Runs real children for the tests of this room, each marked in its environment so that nothing it leaves can hide. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { type CommandRequest, type CommandResult, liveGroups, runCommand } from "../../src/process/mod.ts";

/** A run and the mark that all of its processes carry. */
export interface MarkedRun {
  readonly result: CommandResult;
  readonly mark: string;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a test may change. */
export type Changes = Partial<Omit<CommandRequest, "command">>;

/** Path of a fixture program. */
export function program(name: string): string {
  return fileURLToPath(new URL(`../fixtures/programs/${name}`, import.meta.url));
}

/** Runs a command with limits far away, and asserts that no process, zombie or live group is left. */
export async function run(command: CommandRequest["command"], changes: Changes = {}): Promise<MarkedRun> {
  const marked = await runUnchecked(command, changes);
  await assertNothingLeft(marked.mark);
  assert.deepEqual(liveGroups(), []);
  return marked;
}

/** The same without the assertion, for programs that get away and for runs beside others. */
export async function runUnchecked(command: CommandRequest["command"], changes: Changes = {}): Promise<MarkedRun> {
  const mark = newMark();
  const result = await runCommand(request(command, { ...changes, env: { ...markedEnv(mark), ...changes.env } }));
  const decoder = new TextDecoder();
  return { result, mark, stdout: decoder.decode(result.stdout.bytes), stderr: decoder.decode(result.stderr.bytes) };
}

/** A request with limits far away. */
export function request(command: CommandRequest["command"], changes: Changes = {}): CommandRequest {
  return {
    command,
    cwd: "/",
    root: "/",
    env: markedEnv(newMark()),
    timeout_ms: 60_000,
    kill_grace_ms: 1000,
    max_output_bytes: 1024 * 1024,
    ...changes,
  };
}

/** An environment that carries the mark. */
export function markedEnv(mark: string): Record<string, string> {
  return { PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin", SOONG_TEST_MARK: mark };
}

/** A word that no other run has. */
export function newMark(): string {
  return `mark-${crypto.randomUUID()}`;
}

/** Asserts that no process carries the mark and that this process has no zombie. */
export async function assertNothingLeft(mark: string): Promise<void> {
  assert.deepEqual(marked(mark), [], "processes are left");
  // A child that looked at the process table may have ended this very moment.
  let zombies: string[] = [];
  await until(() => (zombies = ownZombies()).length === 0, 2000);
  assert.deepEqual(zombies, [], "zombies are left");
}

/** Living processes that carry the mark, as `pid command line`. */
export function marked(mark: string): string[] {
  return processFiles("environ").filter(({ text }) => text.includes(mark)).map(({ pid }) => `${pid} ${argv(pid)}`);
}

/** Waits until no process carries the mark; fails after `withinMs`. */
export async function waitUntilGone(mark: string, withinMs: number): Promise<void> {
  await until(() => marked(mark).length === 0, withinMs);
  assert.deepEqual(marked(mark), [], "processes are left");
}

/** Waits until the condition holds or the time is over. */
export async function until(holds: () => boolean, withinMs: number): Promise<void> {
  const end = performance.now() + withinMs;
  while (!holds() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Kills whatever carries the mark. */
export function killMarked(mark: string): void {
  for (const line of marked(mark)) Deno.kill(Number.parseInt(line), "SIGKILL");
}

function ownZombies(): string[] {
  const mine = new RegExp(`\\) Z ${Deno.pid} `);
  return processFiles("stat").filter(({ text }) => mine.test(text)).map(({ text }) => text);
}

function argv(pid: string): string {
  return readOrEmpty(`/proc/${pid}/cmdline`).replaceAll("\0", " ");
}

function processFiles(name: string): { pid: string; text: string }[] {
  const pids = [...Deno.readDirSync("/proc")].map((entry) => entry.name).filter((entry) => /^\d+$/.test(entry));
  return pids.filter((pid) => pid !== String(Deno.pid)).map((pid) => ({
    pid,
    text: readOrEmpty(`/proc/${pid}/${name}`),
  }));
}

function readOrEmpty(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}
