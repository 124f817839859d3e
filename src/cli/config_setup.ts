/** provisional */
import type { Config, PermissionMode } from "../config/mod.ts";
import type { Diagnostic } from "../protocol/mod.ts";
import { DEFAULT_ENV_ALLOWLIST } from "../process/mod.ts";
import type { Surroundings } from "./surroundings.ts";

export interface RunFlags {
  readonly model: string | undefined;
  readonly permissionMode: PermissionMode | undefined;
  readonly maxTurns: number | undefined;
  readonly maxTokens: number | undefined;
  readonly noHooks: boolean;
}

export interface Settings {
  readonly config: Config;
  readonly diagnostics: readonly Diagnostic[];
  readonly errors: readonly Diagnostic[];
  readonly model: string | undefined;
  readonly permission_mode: PermissionMode;
  readonly max_turns: number;
  readonly max_tokens: number | undefined;
  readonly hooks_enabled: boolean;
}

export function loadSettings(_found: Surroundings, flags?: RunFlags): Promise<Settings> {
  const config: Config = {
    max_turns: 50,
    hooks: {
      enabled: true,
      strict: false,
      sources: ["soong"],
      mode: "enforce",
      on_failure: "allow",
      default_timeout_ms: 60000,
      max_stop_denials: 8,
      fail_closed_when_empty: false,
    },
    permissions: { mode: "ask", allow: [], deny: [], sensitive: [".env"], added_dirs: [] },
    runner: { env_allowlist: DEFAULT_ENV_ALLOWLIST, kill_grace_ms: 2000, max_output_bytes: 1 << 20 },
    tools: { bash_timeout_ms: 120000 },
    models: { idle_timeout_ms: 120000, max_retries: 3 },
    plan: { default_dir: ".soong-agent/plans" },
    providers: {},
  };
  return Promise.resolve({
    config,
    diagnostics: [],
    errors: [],
    model: flags?.model,
    permission_mode: flags?.permissionMode ?? "ask",
    max_turns: flags?.maxTurns ?? 50,
    max_tokens: flags?.maxTokens,
    hooks_enabled: !flags?.noHooks,
  });
}
