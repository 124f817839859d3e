/** The settings of a command: flags over environment over `config.toml`. */
import {
  type Config,
  loadConfig,
  parsePermissionRule,
  type PermissionMode,
  type PermissionRule,
  resolveSettings,
} from "../config/mod.ts";
import { DEFAULT_ENV_ALLOWLIST } from "../process/mod.ts";
import { type Diagnostic, formatDiagnostic } from "../protocol/mod.ts";
import { readRegularFile } from "./regular_file.ts";
import type { Surroundings } from "./surroundings.ts";

/** What the command line of a run can say about settings. */
export interface RunFlags {
  readonly model: string | undefined;
  readonly permissionMode: PermissionMode | undefined;
  readonly maxTurns: number | undefined;
  readonly maxTokens: number | undefined;
  readonly noHooks: boolean;
}

/** The settings that hold. */
export interface Settings {
  readonly config: Config;
  /** Absolute path of `config.toml`, whether it exists or not. */
  readonly config_path: string;
  readonly rules: { readonly allow: readonly PermissionRule[]; readonly deny: readonly PermissionRule[] };
  /** Findings about `config.toml`. */
  readonly diagnostics: readonly Diagnostic[];
  /** What makes the configuration unusable for a run, ready to be shown. */
  readonly errors: readonly string[];
}

/** Reads the settings. Never throws for what is in the file or the environment. */
export async function loadSettings(surroundings: Surroundings, flags?: RunFlags): Promise<Settings> {
  const { home, project_dir, user_home, env } = surroundings;
  const loaded = loadConfig({
    home,
    project_dir,
    user_home,
    default_env_allowlist: DEFAULT_ENV_ALLOWLIST,
    read: readRegularFile,
  });
  const resolved = resolveSettings(
    {
      model: flags?.model,
      permission_mode: flags?.permissionMode,
      max_turns: flags?.maxTurns,
      max_tokens: flags?.maxTokens,
      no_hooks: flags?.noHooks,
    },
    env,
    loaded.config,
  );
  const config = resolved.ok ? resolved.config : loaded.config;
  const [added, missing] = await realFolders(config.permissions.added_dirs);
  return {
    config_path: loaded.path,
    config: { ...config, permissions: { ...config.permissions, added_dirs: added } },
    rules: { allow: parsedRules(config.permissions.allow), deny: parsedRules(config.permissions.deny) },
    diagnostics: loaded.diagnostics,
    errors: [
      ...loaded.diagnostics.filter(({ severity }) => severity === "error").map(formatDiagnostic),
      ...(resolved.ok ? [] : resolved.problems),
      ...missing.map((path) => `${loaded.path}: permissions.added_dirs names ${path}, which is no folder`),
    ],
  };
}

function parsedRules(texts: readonly string[]): readonly PermissionRule[] {
  return texts.flatMap((text) => {
    const parsed = parsePermissionRule(text);
    return parsed.ok ? [parsed.rule] : [];
  });
}

/** Real paths of the folders, and those that are none. */
async function realFolders(paths: readonly string[]): Promise<readonly [readonly string[], readonly string[]]> {
  const found: string[] = [];
  const missing: string[] = [];
  for (const path of paths) {
    try {
      const real = await Deno.realPath(path);
      if ((await Deno.stat(real)).isDirectory) found.push(real);
      else missing.push(path);
    } catch {
      missing.push(path);
    }
  }
  return [found, missing];
}
