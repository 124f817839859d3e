/** Reads `config.toml`: every problem with its place, defaults filled in, placeholders expanded. */
import { isAbsolute, join, resolve } from "node:path";
import type { Diagnostic } from "../protocol/mod.ts";
import { decodeText } from "./decode.ts";
import { expandPath, type PathPlaces } from "./placeholders.ts";
import type { Config, LoadedConfig, ProviderConfig } from "./port.ts";
import { type CheckedValue, checkSetting, type SettingProblem } from "./setting_kinds.ts";
import { CONFIG_FILE, defaultConfig } from "./settings.ts";
import { parseToml, placeOf, showPath } from "./toml.ts";
import type { TomlPath, TomlPositions } from "./toml_positions.ts";

/** What loading needs from outside. */
export interface ConfigSource extends PathPlaces {
  /** The platform's default of `runner.env_allowlist`. */
  readonly default_env_allowlist: readonly string[];
  /** Reads a file; throws `Deno.errors.NotFound` for a missing one. */
  readonly read: (path: string) => Uint8Array;
}

/** Loads the configuration. Never throws for what stands in the file or for a file that cannot be read. */
export function loadConfig(source: ConfigSource): LoadedConfig {
  const path = join(source.home, "config.toml");
  const defaults = defaultConfig(source.default_env_allowlist);
  const failed = (line: number, column: number, code: string, message: string, exists = true): LoadedConfig => ({
    config: defaults,
    diagnostics: [{ file: path, line, column, severity: "error", code, message }],
    path,
    exists,
  });

  let bytes: Uint8Array;
  try {
    bytes = source.read(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return { config: defaults, diagnostics: [], path, exists: false };
    return failed(1, 1, "unreadable", `cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  const decoded = decodeText(bytes);
  if (!decoded.ok) return failed(decoded.line, decoded.column, "encoding", decoded.problem);
  const parsed = parseToml(decoded.text, path);
  if (!parsed.ok) return { config: defaults, diagnostics: [parsed.fault], path, exists: true };

  const problems: SettingProblem[] = [];
  const settings = checkSetting(parsed.root, CONFIG_FILE, [], (problem) => problems.push(problem)) as FileSettings;
  const config = fillIn(settings, defaults, source, (problem) => problems.push(problem));
  const diagnostics = problems
    .map((problem) => diagnosticOf(problem, path, decoded.text, parsed.positions))
    .sort((left, right) => left.line - right.line || left.column - right.column);
  return { config, diagnostics, path, exists: true };
}

/** The settings of a file after the check: what stands there and is right. */
type FileSettings =
  & {
    readonly [Key in Exclude<keyof Config, "providers">]?: Config[Key] extends object ? Partial<Config[Key]>
      : Config[Key];
  }
  & { readonly providers?: Readonly<Record<string, Partial<ProviderConfig>>> }
  & { readonly tools?: { readonly env_allowlist?: readonly string[] } }
  & { readonly [key: string]: CheckedValue };

type Report = (problem: SettingProblem) => void;

function fillIn(settings: FileSettings, defaults: Config, places: PathPlaces, report: Report): Config {
  const { env_allowlist: alias, ...tools } = settings.tools ?? {};
  const permissions = { ...defaults.permissions, ...settings.permissions };
  const plan = { ...defaults.plan, ...settings.plan };
  return {
    ...(settings.model !== undefined && { model: settings.model }),
    max_turns: settings.max_turns ?? defaults.max_turns,
    ...(settings.max_tokens !== undefined && { max_tokens: settings.max_tokens }),
    hooks: { ...defaults.hooks, ...settings.hooks },
    permissions: {
      ...permissions,
      sensitive: permissions.sensitive.filter((text, index) =>
        expand(text, ["permissions", "sensitive", index], places, report) !== undefined
      ),
      added_dirs: permissions.added_dirs.flatMap((dir, index) => {
        const path = expand(dir, ["permissions", "added_dirs", index], places, report);
        return path === undefined ? [] : [isAbsolute(path) ? path : resolve(places.project_dir, path)];
      }),
    },
    runner: {
      ...defaults.runner,
      ...settings.runner,
      env_allowlist: chooseAllowlist(settings.runner?.env_allowlist, alias, defaults, report),
    },
    tools: { ...defaults.tools, ...tools },
    models: { ...defaults.models, ...settings.models },
    plan: {
      default_dir: expand(plan.default_dir, ["plan", "default_dir"], places, report) ?? defaults.plan.default_dir,
    },
    providers: fillProviders(settings.providers ?? {}),
    trust: { ...defaults.trust, ...settings.trust },
  };
}

/** `tools.env_allowlist` is another name of `runner.env_allowlist`. */
function chooseAllowlist(
  own: readonly string[] | undefined,
  alias: readonly string[] | undefined,
  defaults: Config,
  report: Report,
): readonly string[] {
  const path = own === undefined ? ["tools", "env_allowlist"] : ["runner", "env_allowlist"];
  const list = own ?? alias;
  if (own !== undefined && alias !== undefined) {
    report({
      path: ["tools", "env_allowlist"],
      at: "key",
      severity: "error",
      code: "duplicate-key",
      message: "tools.env_allowlist is another name of runner.env_allowlist, and both are set",
      hint: "keep one of the two",
    });
  }
  if (
    list !== undefined &&
    !list.some((name) => name === "PATH" || (name.endsWith("*") && "PATH".startsWith(name.slice(0, -1))))
  ) {
    report({
      path,
      at: "value",
      severity: "warning",
      code: "no-path",
      message: `${showPath(path)} replaces the default list and has no PATH: commands will not be found`,
      hint: `add "PATH"; the default is ${defaults.runner.env_allowlist.join(", ")}`,
    });
  }
  return list ?? defaults.runner.env_allowlist;
}

function expand(text: string, path: TomlPath, places: PathPlaces, report: Report): string | undefined {
  const expanded = expandPath(text, places);
  if (expanded.ok) return expanded.path;
  report({
    path,
    at: "value",
    severity: "error",
    code: "unknown-placeholder",
    message: `${showPath(path)}: ${expanded.problem}`,
  });
  return undefined;
}

function fillProviders(providers: Readonly<Record<string, Partial<ProviderConfig>>>): Config["providers"] {
  const filled = Object.entries(providers).flatMap(([name, provider]) => {
    const { base_url: baseUrl } = provider;
    if (baseUrl === undefined) return [];
    return [[name, { type: "openai-compatible" as const, headers: {}, ...provider, base_url: baseUrl }] as const];
  });
  return Object.fromEntries(filled);
}

function diagnosticOf(problem: SettingProblem, file: string, text: string, positions: TomlPositions): Diagnostic {
  const { path, at, severity, code, message, hint } = problem;
  return {
    file,
    ...placeOf(text, offsetOf(path, at, positions)),
    severity,
    code,
    message,
    ...(hint !== undefined && { hint }),
    ...(path.length > 0 && { path: showPath(path) }),
  };
}

/** The place of a path, or of the nearest one above it that stands in the text. */
function offsetOf(path: TomlPath, at: "key" | "value", positions: TomlPositions): number {
  const place = positions.find(path);
  if (place !== undefined) return place[at];
  return path.length === 0 ? 0 : offsetOf(path.slice(0, -1), "key", positions);
}
