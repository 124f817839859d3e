/** The hooks of a run: which files, what they hold, and what the user has to be told about them. */
import { join } from "node:path";
import type { Config } from "../config/mod.ts";
import { type HookFile, type KnownTool, type LoadedHooks, loadHookFiles, projectHookFile } from "../hooks/mod.ts";
import type { Surroundings } from "./surroundings.ts";

/** The hook files of this user and project, in the order of their hooks. */
export function hookFiles(home: string): readonly HookFile[] {
  return [{ path: join(home, "hooks.json"), source: "user", dialect: "by_content", base_priority: 100 }];
}

/** Reads the hook files. */
export async function loadHooks(
  surroundings: Surroundings,
  config: Config,
  tools: readonly KnownTool[],
): Promise<LoadedHooks> {
  return await loadHookFiles({
    files: hookFiles(surroundings.home),
    project_dir: surroundings.project_dir,
    default_timeout_ms: config.hooks.default_timeout_ms,
    tools,
  });
}

/** The project's hook file that is never read, when there is one. */
export async function unreadProjectFile(surroundings: Surroundings): Promise<string | undefined> {
  const path = projectHookFile(surroundings.project_dir);
  try {
    await Deno.lstat(path);
  } catch {
    return undefined;
  }
  return await sameFile(path, join(surroundings.home, "hooks.json")) ? undefined : path;
}

/** What is said of it. */
export function unreadProjectWarning(path: string): string {
  return `${path} is not read: hooks come from the user's hooks.json, never from a project's .soong-agent folder`;
}

async function sameFile(left: string, right: string): Promise<boolean> {
  try {
    return await Deno.realPath(left) === await Deno.realPath(right);
  } catch {
    return false;
  }
}
