/**
 * The process groups that are alive, and how they are ended: the tree is stopped and looked at, gets TERM, and KILL
 * after a grace.
 *
 * The registry is state of this module, the only one of the program: whoever ends the agent (a deadline, a signal, the
 * exit path) must reach every child, and an object that had to be passed along could be left out once.
 */
import { descendants, type ProcessRow, readProcessTable } from "./process_table.ts";
import { spawn } from "./spawn.ts";

/** A child with all that it started. */
export interface LiveGroup {
  /** Process id of the child, and number of its group. */
  readonly id: number;
  readonly child: Deno.ChildProcess;
  /** Groups still to be ended: the child's own, and those that descendants made for themselves. */
  readonly numbers: Set<number>;
  /** True once the child has been reaped: from then on its number alone means nothing. */
  exited: boolean;
}

/** Is told of every group number that comes and goes. */
export interface GroupObserver {
  added(number: number): void;
  removed(number: number): void;
}

/** Enters a child that leads a group of its own. */
export function registerGroup(child: Deno.ChildProcess): LiveGroup {
  const group: LiveGroup = { id: child.pid, child, numbers: new Set(), exited: false };
  registry.set(group.id, group);
  add(group, group.id);
  return group;
}

/** Takes a group off the registry; its numbers are never signalled again, since the system may give them to others. */
export function forgetGroup(group: LiveGroup): void {
  for (const number of group.numbers) remove(group, number);
  if (registry.get(group.id) === group) registry.delete(group.id);
}

/** Process ids of the children whose groups are alive. */
export function liveGroups(): readonly number[] {
  return [...registry.keys()];
}

/** Ends every live group: TERM, KILL after `grace_ms` (0 = KILL at once). Resolves when they are gone. */
export async function endAllGroups(options: { readonly grace_ms: number }): Promise<void> {
  await endGroups([...registry.values()], options.grace_ms);
}

/** Watches the registry; what is alive already is told at once. Gives the function that ends the watch. */
export function observeGroups(observer: GroupObserver): () => void {
  observers.add(observer);
  for (const group of registry.values()) group.numbers.forEach((number) => observer.added(number));
  return () => observers.delete(observer);
}

/** True when no process of the group is left. One system call; a number that is found gone is forgotten. */
export function isGone(group: LiveGroup): boolean {
  if (!group.exited) return false;
  for (const number of group.numbers) {
    if (!signalGroup(group, number, PROBE)) remove(group, number);
  }
  return group.numbers.size === 0;
}

/**
 * Ends these groups and forgets them. Descendants that left their group are looked up first, while their parents are
 * still alive to link them. Gives how many living processes there were, the children themselves aside.
 */
export async function endGroups(groups: readonly LiveGroup[], graceMs: number): Promise<number> {
  if (groups.length === 0) return 0;
  const count = await freeze(groups);
  if (graceMs > 0) {
    for (const group of groups) signalOnce(group);
    for (const group of groups) signalAll(group, "SIGCONT");
    if (await allGone(groups, graceMs)) return finish(groups, count);
    await freeze(groups);
  }
  for (const group of groups) signalAll(group, "SIGKILL");
  await allGone(groups, KILLED_WITHIN_MS);
  return finish(groups, count);
}

const WINDOWS = Deno.build.os === "windows";
/** Signal 0: nothing is sent, only the existence of the group is checked. */
const PROBE = 0 as unknown as Deno.Signal;
/** Longest wait after KILL. Only a process stuck inside the kernel takes longer, and nothing can be done about it. */
const KILLED_WITHIN_MS = 1000;
/** A tree that goes on leaving its groups after so many looks is killed as far as it is known. */
const FREEZE_ROUNDS = 4;
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 80;

const registry = new Map<number, LiveGroup>();
const observers = new Set<GroupObserver>();
/** Group numbers that got TERM already: two enders at once must not send it twice. */
const terminated = new Set<number>();

function finish(groups: readonly LiveGroup[], count: number): number {
  groups.forEach(forgetGroup);
  return count;
}

function add(group: LiveGroup, number: number): void {
  group.numbers.add(number);
  for (const observer of observers) observer.added(number);
}

function remove(group: LiveGroup, number: number): void {
  if (!group.numbers.delete(number)) return;
  terminated.delete(number);
  for (const observer of observers) observer.removed(number);
}

/** Stops the whole tree, so that nothing can leave it between the look and the signal that follows. */
async function freeze(groups: readonly LiveGroup[]): Promise<number> {
  for (let round = 1;; round++) {
    for (const group of WINDOWS ? [] : groups) signalAll(group, "SIGSTOP");
    const { count, adopted } = await adoptDescendants(groups);
    if (!adopted || round === FREEZE_ROUNDS) return count;
  }
}

async function adoptDescendants(groups: readonly LiveGroup[]): Promise<{ count: number; adopted: boolean }> {
  const table = await readProcessTable();
  if (table === undefined) {
    return { count: groups.filter((group) => group.exited && !isGone(group)).length, adopted: false };
  }
  const self = table.find((row) => row.pid === Deno.pid);
  let [count, adopted] = [0, false];
  for (const group of groups) {
    for (const row of livingOf(group, table)) {
      if (row.pid !== group.id || group.exited) count++;
      if (row.group <= 1 || row.group === self?.group || group.numbers.has(row.group)) continue;
      add(group, row.group);
      adopted = true;
    }
  }
  return { count, adopted };
}

function livingOf(group: LiveGroup, table: readonly ProcessRow[]): readonly ProcessRow[] {
  const roots = group.exited ? group.numbers : [...group.numbers, group.id];
  return descendants(table, roots, Deno.pid);
}

async function allGone(groups: readonly LiveGroup[], withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs;
  for (let pause = FIRST_PAUSE_MS;; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    if (groups.every(isGone)) return true;
    if (pause >= LONGEST_PAUSE_MS / 2 && await onlyZombies(groups)) return true;
    const left = until - performance.now();
    if (left <= 0) return false;
    await new Promise((resolve) => setTimeout(resolve, Math.min(pause, left)));
  }
}

/** Orphans wait as zombies until the first process of the machine reaps them, which in a container may be never. */
async function onlyZombies(groups: readonly LiveGroup[]): Promise<boolean> {
  const table = await readProcessTable();
  return table !== undefined && groups.every((group) => group.exited && livingOf(group, table).length === 0);
}

/** TERM to what has not got it yet. */
function signalOnce(group: LiveGroup): void {
  for (const number of [...group.numbers].filter((number) => !terminated.has(number))) {
    terminated.add(number);
    if (!signalGroup(group, number, "SIGTERM")) remove(group, number);
  }
}

function signalAll(group: LiveGroup, signal: "SIGSTOP" | "SIGCONT" | "SIGKILL"): void {
  for (const number of group.numbers) {
    if (!signalGroup(group, number, signal)) remove(group, number);
  }
}

/**
 * False when the group does not exist any more. A child that was started through `setsid` makes its group a moment
 * after its start: until it has been reaped, "not found" means "not yet", and the child itself is signalled.
 */
function signalGroup(group: LiveGroup, number: number, signal: Deno.Signal): boolean {
  if (WINDOWS) return signalOnWindows(group, signal);
  try {
    Deno.kill(-number, signal);
    return true;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) return true;
  }
  if (group.exited || number !== group.id) return false;
  try {
    group.child.kill(signal);
  } catch {
    // It ended meanwhile; its status is on the way.
  }
  return true;
}

/** Windows has no groups to signal: `taskkill /t` follows the parent links, and only a living child has them. */
function signalOnWindows(group: LiveGroup, signal: Deno.Signal): boolean {
  if (group.exited) return false;
  if (signal !== "SIGTERM" && signal !== "SIGKILL") return true;
  try {
    const args = ["/pid", String(group.id), "/t", "/f"];
    const killer = spawn("taskkill", { args, stdin: "null", stdout: "null", stderr: "null" });
    killer.status.catch(() => {});
  } catch {
    group.child.kill();
  }
  return true;
}
