/** A world for one end-to-end test: a home, a user home and a project in a temporary folder, and the program as users run it. */
import { join } from "node:path";
import type { JsonObject, LoggedEvent } from "../../src/protocol/mod.ts";
import { standardValidators } from "./standard_schemas.ts";

/** One run of the program. */
export interface ProgramResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Lines of stdout that are JSON objects (with `--output stream-json`: the events). */
  readonly events: readonly LoggedEvent[];
  readonly duration_ms: number;
}

export interface RunSettings {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly cwd?: string;
  /** The test fails when the program is not done by then. */
  readonly limit_ms?: number;
}

export interface World {
  readonly root: string;
  readonly home: string;
  readonly userHome: string;
  readonly project: string;
  /** Writes a file below the project (or at an absolute path). */
  write(path: string, content: string, mode?: number): Promise<string>;
  read(path: string): Promise<string>;
  exists(path: string): Promise<boolean>;
  /** Writes `hooks.json` of the home: an object is written as version 1 with these events, a string as it is. */
  hooks(content: string | Record<string, unknown>): Promise<void>;
  config(text: string): Promise<void>;
  /** Writes a script for the scripted model and gives its `--model` value. */
  script(turns: readonly unknown[], more?: Record<string, unknown>): Promise<string>;
  run(args: readonly string[], settings?: RunSettings): Promise<ProgramResult>;
  /** `run PROMPT --model SCRIPT --output stream-json --permission-mode full`. */
  play(turns: readonly unknown[], args?: readonly string[], settings?: RunSettings): Promise<ProgramResult>;
  start(args: readonly string[], settings?: RunSettings): Deno.ChildProcess;
  /** Processes that work in this world, other than the test itself. */
  leftovers(): Promise<readonly string[]>;
  /** Fails when a process of this world is alive, then removes it. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** The command that starts the program: the binary in `SOONG_TEST_BINARY`, else `main.ts` on this Deno. */
export function programCommand(): readonly [string, ...string[]] {
  const binary = Deno.env.get("SOONG_TEST_BINARY");
  if (binary) return [binary];
  const main = new URL("../../main.ts", import.meta.url).pathname;
  return [
    Deno.execPath(),
    "run",
    "--quiet",
    "--no-check",
    "--no-prompt",
    "--allow-read",
    "--allow-write",
    "--allow-run",
    "--allow-env",
    "--allow-net",
    main,
  ];
}

export async function createWorld(): Promise<World> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "soong-e2e-" }));
  const [home, userHome, project] = [join(root, "home"), join(root, "user"), join(root, "project")];
  for (const folder of [home, userHome, project]) await Deno.mkdir(folder);
  let scripts = 0;

  const world: World = {
    root,
    home,
    userHome,
    project,
    async write(path, content, mode) {
      const full = path.startsWith("/") ? path : join(project, path);
      await Deno.mkdir(join(full, ".."), { recursive: true });
      await Deno.writeTextFile(full, content);
      if (mode !== undefined) await Deno.chmod(full, mode);
      return full;
    },
    read: (path) => Deno.readTextFile(path.startsWith("/") ? path : join(project, path)),
    async exists(path) {
      try {
        await Deno.lstat(path.startsWith("/") ? path : join(project, path));
        return true;
      } catch {
        return false;
      }
    },
    async hooks(content) {
      const text = typeof content === "string" ? content : JSON.stringify({ version: 1, hooks: content }, null, 2);
      await Deno.writeTextFile(join(home, "hooks.json"), text);
    },
    config: (text) => Deno.writeTextFile(join(home, "config.toml"), text),
    async script(turns, more = {}) {
      const path = join(root, `script-${++scripts}.json`);
      await Deno.writeTextFile(path, JSON.stringify({ model_id: "script-1", turns, ...more }));
      return `script/${path}`;
    },
    async run(args, settings = {}) {
      const begun = performance.now();
      const child = world.start(args, settings);
      const limit = settings.limit_ms ?? 60_000;
      let late = false;
      const timer = setTimeout(() => {
        late = true;
        child.kill("SIGKILL");
      }, limit);
      const [output] = await Promise.all([child.output(), feed(child, settings.stdin ?? "")]);
      clearTimeout(timer);
      const [stdout, stderr] = [new TextDecoder().decode(output.stdout), new TextDecoder().decode(output.stderr)];
      checkRecords(eventsOf(stdout));
      if (late) throw new Error(`the program was not done after ${limit} ms\nstdout: ${stdout}\nstderr: ${stderr}`);
      return {
        code: output.code,
        stdout,
        stderr,
        events: eventsOf(stdout),
        duration_ms: performance.now() - begun,
      };
    },
    async play(turns, args = [], settings = {}) {
      const model = await world.script(turns);
      const base = ["run", "go", "--model", model, "--output", "stream-json"];
      const mode = args.includes("--permission-mode") ? [] : ["--permission-mode", "full"];
      return await world.run([...base, ...mode, ...args], settings);
    },
    start(args, settings = {}) {
      const [program, ...before] = programCommand();
      return new Deno.Command(program, {
        args: [...before, ...args],
        cwd: settings.cwd ?? project,
        clearEnv: true,
        env: {
          PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin",
          HOME: userHome,
          SOONG_AGENT_HOME: home,
          TMPDIR: Deno.env.get("TMPDIR") ?? "/tmp",
          ...keepDenoDir(),
          ...settings.env,
        },
        stdin: "piped",
        stdout: "piped",
        stderr: "piped",
      }).spawn();
    },
    leftovers: () => processesIn(root),
    async [Symbol.asyncDispose]() {
      let alive = await processesIn(root);
      for (let tries = 0; alive.length > 0 && tries < 20; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        alive = await processesIn(root);
      }
      await Deno.remove(root, { recursive: true });
      if (alive.length > 0) throw new Error(`processes were left behind:\n${alive.join("\n")}`);
    },
  };
  return world;
}

/** Command lines of the processes whose working directory lies in this folder (Linux). */
export async function processesIn(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const entry of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(entry.name) || entry.name === String(Deno.pid)) continue;
    try {
      const cwd = await Deno.readLink(`/proc/${entry.name}/cwd`);
      if (cwd !== folder && !cwd.startsWith(`${folder}/`)) continue;
      const stat = await Deno.readTextFile(`/proc/${entry.name}/stat`);
      if (stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z")) continue;
      const line = await Deno.readTextFile(`/proc/${entry.name}/cmdline`);
      found.push(`${entry.name}: ${line.replaceAll("\0", " ").trim()}`);
    } catch {
      // It has just ended, or it is not ours.
    }
  }
  return found;
}

/** The events of one type. */
export function of<Type extends LoggedEvent["type"]>(
  events: readonly LoggedEvent[],
  type: Type,
): Extract<LoggedEvent, { type: Type }>[] {
  return events.filter((event): event is Extract<LoggedEvent, { type: Type }> => event.type === type);
}

/** The event lines of a log file. */
export async function readLog(path: string): Promise<readonly LoggedEvent[]> {
  return eventsOf(await Deno.readTextFile(path));
}

/** Waits until the condition holds; fails after the limit. */
export async function until(
  condition: () => Promise<boolean> | boolean,
  what: string,
  limitMs = 15_000,
): Promise<void> {
  const end = performance.now() + limitMs;
  while (!await condition()) {
    if (performance.now() > end) throw new Error(`not within ${limitMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Every record that a program writes in any of these tests is valid by the standard's schema, where that is at hand. */
function checkRecords(events: readonly LoggedEvent[]): void {
  const records = of(events, "interception").map(({ record }) => record);
  if (records.length === 0) return;
  validators ??= { of: standardValidators() };
  for (const record of records) {
    const problems = validators.of?.record(record as unknown as JsonObject) ?? [];
    if (problems.length > 0) {
      throw new Error(`a record is not valid: ${problems.join("; ")}\n${JSON.stringify(record)}`);
    }
  }
}

let validators: { readonly of: ReturnType<typeof standardValidators> } | undefined;

async function feed(child: Deno.ChildProcess, text: string): Promise<void> {
  const writer = child.stdin.getWriter();
  try {
    if (text !== "") await writer.write(new TextEncoder().encode(text));
    await writer.close();
  } catch {
    // The program did not want it.
  }
}

function eventsOf(stdout: string): readonly LoggedEvent[] {
  return stdout.split("\n").flatMap((line) => {
    if (!line.startsWith("{")) return [];
    try {
      return [JSON.parse(line) as LoggedEvent];
    } catch {
      return [];
    }
  });
}

/** Deno's own cache, for runs of `main.ts`; the binary needs none. */
function keepDenoDir(): Record<string, string> {
  if (Deno.env.get("SOONG_TEST_BINARY")) return {};
  const home = Deno.env.get("HOME") ?? "/";
  return { DENO_DIR: Deno.env.get("DENO_DIR") ?? join(Deno.env.get("XDG_CACHE_HOME") ?? join(home, ".cache"), "deno") };
}
