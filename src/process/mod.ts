/**
 * process/ — runs every child of the program.
 *
 * In: a command (a shell string, or a program with arguments), a working directory inside a root, the whole
 * environment, bytes for stdin, one deadline, an abort signal. Out: how the child ended, head and tail of its two
 * outputs, how long it took, and how many processes it left behind that had to be ended. Failure is a value: every
 * ending has a name, and nothing rejects.
 *
 * What holds for every run: the child leads a session and a group of its own; deadline and abort end the whole tree
 * (TERM, then KILL), processes that left the group too; a result never waits longer than a short drain for what a
 * grandchild holds open; memory stays bounded whatever is printed; when `runCommand` resolves, no process within reach
 * is left.
 *
 * `endAllGroups` is for whoever ends the agent; `startWatchdog` is for the case that nobody gets to. All spawns of the
 * program are in this room.
 */
export * from "./port.ts";
export { type DirectoryCheck, isInside, resolveInside } from "./directory.ts";
export { childEnvironment, DEFAULT_ENV_ALLOWLIST } from "./environment.ts";
export { endAllGroups, liveGroups } from "./groups.ts";
export { runCommand } from "./run_command.ts";
export { startWatchdog, type Watchdog } from "./watchdog.ts";
