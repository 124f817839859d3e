/** A folder with hook files that are reloaded for real, and the ways in which programs save a file. */
import assert from "node:assert/strict";
import { basename, dirname, join } from "node:path";
import {
  createRegistry,
  createReloadableHooks,
  createReloader,
  type HookFile,
  type HookReloadOptions,
  type LoadedHooks,
  type Registration,
  type Registry,
  type ReloadableHooks,
  type Reloader,
  type ReloaderOptions,
} from "../../src/hooks/mod.ts";
import type { EventBody } from "../../src/protocol/mod.ts";
import { inFolder } from "./hook_files.ts";

export const HOUR_MS = 3_600_000;

export interface ReloadWorld {
  readonly folder: string;
  readonly registry: Registry;
  readonly hooks: ReloadableHooks;
  readonly reloader: Reloader;
  /** All events so far. */
  events(): readonly EventBody[];
  /** What the hooks in force run, in order. */
  commands(): readonly string[];
  /** Waits until the hooks in force are these. */
  untilCommands(...commands: string[]): Promise<void>;
  /** Waits until the condition holds; fails, saying what it waited for, after a time that is long. */
  until(what: string, condition: () => boolean | Promise<boolean>): Promise<void>;
}

export interface ReloadWorldOptions extends Partial<Omit<ReloaderOptions, "sources">> {
  /** Files under the folder; default the user's `hooks.json`. */
  readonly files?: readonly (Partial<HookFile> & { readonly path: string })[];
  readonly select?: (loaded: LoadedHooks) => readonly Registration[];
  readonly options?: HookReloadOptions["options"];
  /** Before the first load. */
  readonly prepare?: (folder: string) => Promise<void>;
  readonly confirm_ms?: number;
}

/** Runs with hooks that are loaded and watched; no watch and no timer is left after it. */
export function inReloadWorld(
  { files = [{ path: "hooks.json" }], select, options, prepare, confirm_ms = 100, ...watching }: ReloadWorldOptions,
  work: (world: ReloadWorld) => Promise<void>,
): Promise<void> {
  return inFolder(async (folder) => {
    await prepare?.(folder);
    const registry = createRegistry();
    const loadOptions = () => ({
      files: files.map(({ path, ...more }): HookFile => ({
        source: "user",
        dialect: "by_content",
        base_priority: 100,
        ...more,
        path: join(folder, path),
      })),
      project_dir: folder,
      default_timeout_ms: 60_000,
    });
    const hooks = createReloadableHooks({
      registry,
      options: options ?? loadOptions,
      ...(select && { select }),
      now: () => new Date(),
      confirm_ms,
    });
    const reloader = createReloader({ debounce_ms: 50, poll_ms: 20, ...watching, sources: [hooks] });
    const events: EventBody[] = [];
    const commands = () => registry.snapshot().registrations.map(commandOf);
    const until = async (what: string, condition: () => boolean | Promise<boolean>) => {
      const deadline = performance.now() + 15_000;
      while (!(await condition())) {
        if (performance.now() > deadline) {
          assert.fail(`waited in vain until ${what}; in force: ${JSON.stringify(commands())}`);
        }
        await pause(5);
      }
    };
    await hooks.load();
    try {
      await reloader.start();
      await work({
        folder,
        registry,
        hooks,
        reloader,
        events() {
          events.push(...reloader.drain());
          return events;
        },
        commands,
        until,
        untilCommands: (...wanted) =>
          until(`the hooks are ${JSON.stringify(wanted)}`, () => String(commands()) === String(wanted)),
      });
    } finally {
      await reloader.close();
    }
  });
}

export function commandOf({ executor }: Registration): string {
  return executor.type === "command" ? String(executor.command) : executor.type;
}

/** A file of version 1 with these commands at PreToolUse. */
export function hookText(...commands: string[]): string {
  const hooks = commands.map((command) => ({ type: "command", command }));
  return JSON.stringify({ version: 1, hooks: { PreToolUse: [{ hooks }] } }, null, 2) + "\n";
}

/** A onecode file with these commands at `pre_tool_call`. */
export function onecodeText(...commands: string[]): string {
  const hooks = commands.map((command) => ({ type: "command", command }));
  return JSON.stringify({ pre_tool_call: [{ matcher: "*", hooks }] }) + "\n";
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

export async function shell(script: string, ...words: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command("/bin/sh", { args: ["-ec", script, "sh", ...words] }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
}

/** One save: the path, the new text, and the old one. */
export type Save = (path: string, text: string, old: string) => Promise<void>;

/** Saves in which the file is never missing for long; the names say who does it. */
export const QUICK_SAVES = {
  "in place": (path, text) => Deno.writeTextFile(path, text),
  "by rename of a new file (VS Code with atomic saves, git)": async (path, text) => {
    await Deno.writeTextFile(`${path}.tmp`, text);
    await Deno.rename(`${path}.tmp`, path);
  },
  "by a backup, as vim does": async (path, text) => {
    const swap = join(dirname(path), `.${basename(path)}.swp`);
    await Deno.writeTextFile(swap, "b0VIM 9.1");
    Deno.renameSync(path, `${path}~`);
    Deno.writeTextFileSync(path, text);
    await Deno.remove(`${path}~`);
    await Deno.remove(swap);
  },
  "by sed -i": async (path, text, old) => {
    const [from, to] = [versionOf(old), versionOf(text)];
    await shell('sed -i "s/$2/$3/g" "$1"', path, from, to);
  },
  "by mv over it": async (path, text) => {
    await Deno.writeTextFile(`${path}.new`, text);
    await shell('mv "$1.new" "$1"', path);
  },
  "by unlink and create, as git checkout does": (path, text) => {
    Deno.removeSync(path);
    Deno.writeTextFileSync(path, text);
    return Promise.resolve();
  },
} as const satisfies Record<string, Save>;

/** Saves in which the file is half-written or missing for a while. */
export const SLOW_SAVES = {
  "by truncating, a pause and a write": async (path, text) => {
    await Deno.writeTextFile(path, "");
    await pause(120);
    await Deno.writeTextFile(path, text);
  },
  "in pieces": async (path, text) => {
    await Deno.writeTextFile(path, "");
    for (let at = 0; at < text.length; at += 40) {
      await Deno.writeTextFile(path, text.slice(at, at + 40), { append: true });
      await pause(15);
    }
  },
  "by deletion, a pause and a new file": async (path, text) => {
    await Deno.remove(path);
    await pause(30);
    await Deno.writeTextFile(path, text);
  },
} as const satisfies Record<string, Save>;

function versionOf(text: string): string {
  return /version-\d+/.exec(text)![0];
}
