/**
 * One look at all processes of the machine, for the rare moments when a tree has to be ended.
 *
 * Deno may read `/proc/<pid>/stat` only with every permission, a child may always: on Linux that child is `cat`,
 * elsewhere `ps`. Formats: proc_pid_stat(5); POSIX `ps -o`.
 */

import { spawn } from "./spawn.ts";

/** One process. `session` is 0 where the system does not tell. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Ended, and only waiting to be taken note of: it cannot be ended again. */
  readonly zombie: boolean;
}

/**
 * All processes; undefined where the source does not work or takes longer than half a second. The agent itself is
 * always among them: without it nobody could tell which group must not be touched.
 */
export async function readProcessTable(): Promise<readonly ProcessRow[] | undefined> {
  const source = SOURCES[Deno.build.os === "linux" ? "linux" : "other"];
  const text = await outputOf(source.words);
  const rows = source.parse(text);
  return rows.some((row) => row.pid === Deno.pid) ? rows : undefined;
}

/**
 * Living processes that stem from `roots` (numbers of processes, groups or sessions): by parent link, by group and by
 * session. What belongs to the group or session of `self` is reached by parent link only.
 */
export function descendants(
  table: readonly ProcessRow[],
  roots: Iterable<number>,
  self: number,
): readonly ProcessRow[] {
  const own = table.find((row) => row.pid === self);
  // Group and session numbers are the process number of their first leader, so one set holds all three.
  const known = new Set(roots);
  const learn = (number: number) => {
    if (number > 1 && number !== own?.group && number !== own?.session) known.add(number);
  };
  const found = new Set<ProcessRow>();
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const row of table) {
      if (found.has(row) || row.zombie || row.pid === self) continue;
      if (![row.pid, row.parent, row.group, row.session].some((number) => known.has(number))) continue;
      found.add(row);
      known.add(row.pid);
      learn(row.group);
      learn(row.session);
    }
  }
  return [...found];
}

const LOOK_MS = 500;

const SOURCES = {
  linux: { words: ["/bin/sh", "-c", "exec cat /proc/[0-9]*/stat"], parse: parseStat },
  other: { words: ["ps", "-A", "-o", "pid=", "-o", "ppid=", "-o", "pgid=", "-o", "stat="], parse: parsePs },
} as const;

async function outputOf(words: readonly [string, ...string[]]): Promise<string> {
  const [program, ...args] = words;
  const signal = AbortSignal.timeout(LOOK_MS);
  try {
    const child = spawn(program, {
      args,
      cwd: "/",
      clearEnv: true,
      env: { PATH: "/usr/bin:/bin:/usr/sbin:/sbin", LC_ALL: "C" },
      stdin: "null",
      stdout: "piped",
      stderr: "null",
      signal,
    });
    const { stdout, signal: killedBy } = await child.output();
    return killedBy === null ? new TextDecoder().decode(stdout) : "";
  } catch {
    return "";
  }
}

/** The name in brackets may hold spaces, brackets and line ends, so the fields behind it are found from its end. */
function parseStat(text: string): ProcessRow[] {
  return [...text.matchAll(/^(\d+) \([\s\S]*?\) ([A-Za-z]) (\d+) (\d+) (\d+) -?\d+ -?\d+ \d+ /gm)].map((fields) => ({
    pid: Number(fields[1]),
    zombie: fields[2] === "Z" || fields[2] === "X",
    parent: Number(fields[3]),
    group: Number(fields[4]),
    session: Number(fields[5]),
  }));
}

function parsePs(text: string): ProcessRow[] {
  return [...text.matchAll(/^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S)/gm)].map((fields) => ({
    pid: Number(fields[1]),
    parent: Number(fields[2]),
    group: Number(fields[3]),
    session: 0,
    zombie: fields[4] === "Z",
  }));
}
