/** Settings from more than one place: flags over environment over file. */
import type { Config, PermissionMode } from "./port.ts";
import type { SettingKind } from "./setting_kinds.ts";
import { MAX_TOKENS, MAX_TURNS, PERMISSION_MODE } from "./settings.ts";

/** What the command line said; undefined for what it did not say. Checked where it was read. */
export interface SettingFlags {
  readonly model?: string | undefined;
  readonly permission_mode?: PermissionMode | undefined;
  readonly max_turns?: number | undefined;
  readonly max_tokens?: number | undefined;
  /** `--no-hooks`. */
  readonly no_hooks?: boolean | undefined;
}

/** The settings that hold, or what is wrong with the environment, one line each. */
export type ResolvedSettings =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly problems: readonly string[] };

/** The environment variables that are settings. An empty one counts as unset. */
export const SETTING_VARIABLES = {
  SOONG_MODEL: { setting: "model", kind: { kind: "text" } },
  SOONG_PERMISSION_MODE: { setting: "permission_mode", kind: PERMISSION_MODE },
  SOONG_MAX_TURNS: { setting: "max_turns", kind: MAX_TURNS },
  SOONG_MAX_TOKENS: { setting: "max_tokens", kind: MAX_TOKENS },
} as const satisfies Record<string, { readonly setting: keyof SettingFlags; readonly kind: SettingKind }>;

/** Puts the three together. */
export function resolveSettings(
  flags: SettingFlags,
  env: Readonly<Record<string, string | undefined>>,
  config: Config,
): ResolvedSettings {
  const problems: string[] = [];
  const said: Record<string, unknown> = {};
  for (const [name, { setting, kind }] of Object.entries(SETTING_VARIABLES)) {
    const text = env[name]?.trim();
    if (text === undefined || text === "") continue;
    const problem = variableProblem(text, kind);
    if (problem === undefined) said[setting] = kind.kind === "integer" ? Number(text) : text;
    else if (flags[setting] === undefined) {
      problems.push(`${name} is ${JSON.stringify(text)}, and it has to be ${problem}`);
    }
  }
  if (problems.length > 0) return { ok: false, problems };

  const fromEnv = said as SettingFlags;
  const model = flags.model ?? fromEnv.model ?? config.model;
  const maxTokens = flags.max_tokens ?? fromEnv.max_tokens ?? config.max_tokens;
  return {
    ok: true,
    config: {
      ...config,
      ...(model !== undefined && { model }),
      max_turns: flags.max_turns ?? fromEnv.max_turns ?? config.max_turns,
      ...(maxTokens !== undefined && { max_tokens: maxTokens }),
      hooks: flags.no_hooks ? { ...config.hooks, enabled: false } : config.hooks,
      permissions: {
        ...config.permissions,
        mode: flags.permission_mode ?? fromEnv.permission_mode ?? config.permissions.mode,
      },
    },
  };
}

/** What a variable has to be, when it is not. */
function variableProblem(
  text: string,
  kind: typeof SETTING_VARIABLES[keyof typeof SETTING_VARIABLES]["kind"],
): string | undefined {
  switch (kind.kind) {
    case "text":
      return undefined;
    case "choice":
      return kind.of.includes(text) ? undefined : `one of ${kind.of.join(", ")}`;
    case "integer": {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : undefined;
      const inside = value !== undefined && value >= kind.from && value <= kind.to;
      return inside ? undefined : `a whole number from ${kind.from} to ${kind.to}`;
    }
  }
}
