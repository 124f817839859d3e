/**
 * Every setting of `config.toml`: its kind, its bounds, its default. A new setting is one row here and one field in
 * `port.ts`.
 */
import { DEFAULT_SENSITIVE } from "./guarded_paths.ts";
import type { Config, PermissionMode } from "./port.ts";
import { parsePermissionRule } from "./permission_rule.ts";
import type { SettingKind, SettingTable } from "./setting_kinds.ts";

/** Longest time limit in milliseconds: a day. Timers count to 2^31 - 1 and fire at once beyond it. */
const DAY_MS = 86_400_000;

const MODES = ["ask", "accept-edits", "read-only", "full"] as const satisfies readonly PermissionMode[];

const bool: SettingKind = { kind: "boolean" };
const text: SettingKind = { kind: "text" };
const texts: SettingKind = { kind: "list", of: text };
const milliseconds = (from: number, to: number): SettingKind => ({ kind: "integer", from, to, unit: "milliseconds" });
const count = (from: number, to: number): SettingKind => ({ kind: "integer", from, to });
const rules: SettingKind = { kind: "list", of: { kind: "text", check: ruleProblem } };
const envNames: SettingKind = { kind: "list", of: { kind: "text", check: envPatternProblem } };
const reserved = (what: string): SettingKind => ({ kind: "reserved", what });

/** The permission modes. */
export const PERMISSION_MODE: Extract<SettingKind, { kind: "choice" }> = { kind: "choice", of: MODES };
/** Bounds of `max_turns`, also for flags and environment. */
export const MAX_TURNS = { kind: "integer", from: 1, to: 10_000 } as const satisfies SettingKind;
/** Bounds of `max_tokens`, also for flags and environment. */
export const MAX_TOKENS = { kind: "integer", from: 1, to: 1_000_000_000 } as const satisfies SettingKind;

/** The file, from its root. Tables that later versions fill are named, so that nobody relies on what does nothing. */
export const CONFIG_FILE: Extract<SettingKind, { kind: "table" }> = {
  kind: "table",
  keys: {
    model: text,
    max_turns: MAX_TURNS,
    max_tokens: MAX_TOKENS,
    hooks: {
      kind: "table",
      keys: {
        enabled: bool,
        strict: bool,
        sources: { kind: "list", of: { kind: "choice", of: ["soong", "onecode", "claude"] } },
        mode: { kind: "choice", of: ["enforce", "evaluate_only"] },
        on_failure: { kind: "choice", of: ["allow", "deny"] },
        default_timeout_ms: milliseconds(1, DAY_MS),
        max_stop_denials: count(0, 1000),
        fail_closed_when_empty: bool,
        profile: {
          kind: "choice",
          of: ["sequential/first_deny", "sequential/run_all", "parallel/strictest", "parallel/unanimous"],
        },
        on_approval: { kind: "choice", of: ["stop", "resume"] },
        on_disagreement: { kind: "choice", of: ["deny", "approval"] },
        on_transform_conflict: { kind: "choice", of: ["deny", "approval"] },
        incremental: bool,
      },
    },
    permissions: {
      kind: "table",
      keys: { mode: PERMISSION_MODE, allow: rules, deny: rules, sensitive: texts, added_dirs: texts },
    },
    runner: {
      kind: "table",
      keys: {
        env_allowlist: envNames,
        kill_grace_ms: milliseconds(0, 60_000),
        max_output_bytes: { kind: "integer", from: 1024, to: 256 * 1024 * 1024, unit: "bytes" },
      },
    },
    tools: {
      kind: "table",
      keys: { bash_timeout_ms: milliseconds(1, DAY_MS), env_allowlist: envNames },
      reserved_as_list: "declarative tools",
    },
    models: {
      kind: "table",
      keys: { idle_timeout_ms: milliseconds(1, DAY_MS), max_retries: count(0, 20) },
    },
    plan: { kind: "table", keys: { default_dir: text } },
    providers: { kind: "named", of: providerKind(), checkName: providerNameProblem },
    trust: {
      kind: "table",
      keys: { directories: texts, user_hooks: { kind: "choice", of: ["trusted", "always"] }, pin: bool },
    },
    mcp_servers: reserved("MCP servers"),
  } satisfies Record<keyof Config, SettingKind> & SettingTable,
};

/** The configuration of an empty file. `env_allowlist` is the platform's list of names that reach a child. */
export function defaultConfig(envAllowlist: readonly string[]): Config {
  return {
    max_turns: 50,
    hooks: {
      enabled: true,
      strict: false,
      sources: ["soong", "onecode"],
      mode: "enforce",
      on_failure: "allow",
      default_timeout_ms: 60_000,
      max_stop_denials: 8,
      fail_closed_when_empty: false,
      profile: "sequential/run_all",
      on_approval: "stop",
      on_disagreement: "deny",
      on_transform_conflict: "deny",
      incremental: false,
    },
    permissions: { mode: "ask", allow: [], deny: [], sensitive: DEFAULT_SENSITIVE, added_dirs: [] },
    runner: { env_allowlist: envAllowlist, kill_grace_ms: 2000, max_output_bytes: 1024 * 1024 },
    tools: { bash_timeout_ms: 120_000 },
    models: { idle_timeout_ms: 120_000, max_retries: 4 },
    plan: { default_dir: ".soong-agent/plans" },
    providers: {},
    trust: { directories: [], user_hooks: "trusted", pin: false },
  };
}

function providerKind(): SettingKind {
  return {
    kind: "table",
    required: ["base_url"],
    keys: {
      type: { kind: "choice", of: ["openai-compatible", "anthropic", "google"] },
      base_url: { kind: "text", check: baseUrlProblem },
      api_key_env: { kind: "text", check: envNameProblem },
      headers: { kind: "named", of: { kind: "text", check: headerValueProblem }, checkName: headerNameProblem },
    },
  };
}

function providerNameProblem(name: string): string | undefined {
  if (name === "script" || name === "demo") return `${name} means the scripted model: choose another name`;
  return /^[A-Za-z0-9][\w.-]*$/.test(name) ? undefined : "a provider's name has letters, digits, _, - and dots only";
}

function baseUrlProblem(value: string): string | undefined {
  const url = URL.parse(value);
  if (url === null || !/^https?:$/.test(url.protocol)) return "this is no http or https URL";
  return url.username !== "" || url.password !== "" ? "a URL must not hold a password: use api_key_env" : undefined;
}

function envNameProblem(value: string): string | undefined {
  return /^[A-Za-z_]\w*$/.test(value)
    ? undefined
    : "this is no name of an environment variable (the name, not its value)";
}

function envPatternProblem(value: string): string | undefined {
  if (value === "*") return "* would hand every variable, keys included, to every child: list the names";
  return /^[A-Za-z_][\w()]*\*?$/.test(value)
    ? undefined
    : `${JSON.stringify(value)} is no name of an environment variable (a * may stand at its end)`;
}

function headerNameProblem(name: string): string | undefined {
  return /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name) ? undefined : "this is no name of an HTTP header";
}

function headerValueProblem(value: string): string | undefined {
  return /^[\x20-\x7e\xa0-\xff]*$/.test(value) ? undefined : "an HTTP header holds Latin-1 characters only";
}

function ruleProblem(value: string): string | undefined {
  const parsed = parsePermissionRule(value);
  if (parsed.ok) return undefined;
  const hint = parsed.hint === undefined ? "" : ` (${parsed.hint})`;
  return `${JSON.stringify(value)}: at its character ${parsed.offset + 1}, ${parsed.problem}${hint}`;
}
