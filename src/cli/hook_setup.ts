/** The hooks of this user and project: which files, what they hold, what of it counts, and how it stays up to date. */
import { join } from "node:path";
import { type TrustState, type WorkspaceTrust, workspaceTrust } from "../config/mod.ts";
import { createProviders, type NotificationProviders } from "../executors/mod.ts";
import {
  createRegistry,
  type HookFile,
  type KnownTool,
  type LoadedHooks,
  type LoadOptions,
  projectHookFile,
  type ProviderPath,
  type Registry,
  type ReloadedProviderFile,
  type Reloader,
} from "../hooks/mod.ts";
import { type Diagnostic, type EventBody, formatDiagnostic } from "../protocol/mod.ts";
import { childVariables } from "./child_environment.ts";
import { loadSettings, type Settings } from "./config_setup.ts";
import { createHotReload } from "./reload_setup.ts";
import type { Surroundings } from "./surroundings.ts";
import { projectOnecodeFile } from "./trust_inspect.ts";
import {
  loadTrust,
  projectFileDistrust,
  projectScript,
  selectTrusted,
  type Skipped,
  skippedSentences,
  type TrustPlace,
} from "./trust_setup.ts";

/** The hooks of a command, loaded once; `reloader` keeps them up to date when it is started. */
export interface HookSetup {
  readonly registry: Registry;
  /** All that is in the files, whether it counts or not. */
  readonly loaded: LoadedHooks;
  readonly provider_files: readonly ReloadedProviderFile[];
  /** What of it does not count, because the workspace is not trusted for it. */
  readonly skipped: readonly Skipped[];
  readonly trust: TrustState;
  readonly workspace: WorkspaceTrust;
  /** For deciding about a script once more before it runs. */
  readonly place: () => TrustPlace;
  /** The notification channels of the moment. */
  readonly providers: () => NotificationProviders;
  readonly reloader: Reloader;
  /** What reloads came to since it was asked last. */
  readonly pending: () => readonly EventBody[];
}

/** Loads the hooks. With `hooks.enabled = false` nothing is read unless `always` is set (for the views). */
export async function setUpHooks(
  surroundings: Surroundings,
  settings: Settings,
  { tools, always = false }: { readonly tools: readonly KnownTool[]; readonly always?: boolean },
): Promise<HookSetup> {
  const { project_dir: projectDir } = surroundings;
  const isOn = settings.config.hooks.enabled || always;
  const env = childVariables(surroundings, settings.config);
  const registry = createRegistry();
  const notes: EventBody[] = [];
  let trust = loadTrust(surroundings, settings);
  let skipped: readonly Skipped[] = [];
  const place = (): TrustPlace => ({ state: trust, project_dir: projectDir, env });
  const providerFiles = () => hot.providers.loaded;
  const providers = () =>
    createProviders({
      layers: providerFiles()
        .filter((file) => providerDistrust(file, place()) === undefined)
        .map(({ path, layer, definitions }) => ({ layer, file: path, definitions })),
    });

  const hot = createHotReload({
    registry,
    options: () => loadOptions(isOn ? hookFiles(surroundings, settings) : [], surroundings, settings, tools),
    async select(loaded) {
      const next = await trustNow(surroundings, settings, trust);
      const selected = await selectTrusted(loaded, { ...place(), state: next });
      const before = new Set(skippedSentences(skipped, projectDir));
      trust = next;
      skipped = [...selected.skipped, ...skippedProviders(providerFiles(), place())];
      for (const message of skippedSentences(skipped, projectDir)) {
        if (!before.has(message)) notes.push({ type: "warning", code: "hooks_skipped", message });
      }
      return selected.registrations;
    },
    providers: { files: () => isOn ? providerPaths(surroundings, settings) : [], use: () => {} },
    extra_paths: () => [
      ...trust.files,
      ...hot.hooks.loaded.registrations.flatMap((hook) =>
        hook.source === "project" ? projectScript(hook, projectDir, env) ?? [] : []
      ),
    ],
  });
  await hot.providers.load();
  await hot.hooks.load();
  // What the first load skips is said by `hookNotes`, with everything else about it.
  notes.length = 0;
  return {
    registry,
    get loaded() {
      return hot.hooks.loaded;
    },
    get provider_files() {
      return providerFiles();
    },
    get skipped() {
      return skipped;
    },
    get trust() {
      return trust;
    },
    get workspace() {
      return workspaceTrust(trust, projectDir);
    },
    place,
    providers,
    reloader: hot.reloader,
    pending: () => [...notes.splice(0), ...hot.reloader.drain()],
  };
}

/** The hook files of this user and project, in the order of their hooks. */
export function hookFiles({ home, user_home: userHome, project_dir: projectDir }: Surroundings, settings: Settings) {
  const { sources } = settings.config.hooks;
  const files: HookFile[] = [{
    path: join(home, "hooks.json"),
    source: "user",
    dialect: "by_content",
    base_priority: 100,
  }];
  if (!sources.includes("onecode")) return files;
  if (userHome !== undefined) {
    const path = join(userHome, ".onecode", "hooks.json");
    files.push({ path, source: "user", dialect: "onecode", base_priority: 100 });
  }
  return [...files, projectOnecodeFile(projectDir)];
}

/** The provider files of this user and project, the lower layer first. */
function providerPaths({ home, user_home: userHome, project_dir: projectDir }: Surroundings, settings: Settings) {
  const name = "notification-providers.json";
  const withOnecode = settings.config.hooks.sources.includes("onecode");
  const paths: ProviderPath[] = [];
  if (withOnecode && userHome !== undefined) paths.push({ path: join(userHome, ".onecode", name), layer: "user" });
  paths.push({ path: join(home, name), layer: "user" });
  if (withOnecode) paths.push({ path: join(projectDir, ".onecode", name), layer: "project" });
  return paths;
}

function loadOptions(
  files: readonly HookFile[],
  { project_dir: projectDir }: Surroundings,
  { config }: Settings,
  tools: readonly KnownTool[],
): LoadOptions {
  return { files, project_dir: projectDir, default_timeout_ms: config.hooks.default_timeout_ms, tools };
}

/** Trust as it is now; where `config.toml` cannot be used, as it was. */
async function trustNow(surroundings: Surroundings, settings: Settings, before: TrustState): Promise<TrustState> {
  const fresh = await loadSettings(surroundings);
  if (fresh.errors.length > 0) return before;
  return loadTrust(surroundings, { ...settings, config: { ...settings.config, trust: fresh.config.trust } });
}

function providerDistrust(
  { path, layer, sha256, in_force_sha256: inForce = sha256 }: ReloadedProviderFile,
  place: TrustPlace,
) {
  if (layer !== "project" || inForce === undefined) return undefined;
  return projectFileDistrust(path, inForce, place);
}

function skippedProviders(files: readonly ReloadedProviderFile[], place: TrustPlace): readonly Skipped[] {
  return files.flatMap((file): readonly Skipped[] => {
    const why = providerDistrust(file, place);
    const count = file.definitions.length;
    return why === undefined || count === 0 ? [] : [{ file: file.path, what: "notification provider", count, why }];
  });
}

/** Findings about files that count, or that would if they could be read: what an untrusted project says is not repeated. */
export function countingDiagnostics(setup: HookSetup): readonly Diagnostic[] {
  const place = setup.place();
  const counts = (source: string, path: string, sha256: string | undefined) =>
    source !== "project" || (sha256 !== undefined && projectFileDistrust(path, sha256, place) === undefined);
  return [
    ...setup.trust.diagnostics,
    ...setup.loaded.files.flatMap(({ source, path, sha256, diagnostics }) =>
      counts(source, path, sha256) ? diagnostics : []
    ),
    ...setup.provider_files.flatMap(({ layer, path, sha256, diagnostics }) =>
      counts(layer, path, sha256) ? diagnostics : []
    ),
  ];
}

/** What the user has to be told about the hooks when a run begins. */
export async function hookNotes(setup: HookSetup, surroundings: Surroundings): Promise<readonly EventBody[]> {
  const warn = (code: string, message: string): EventBody => ({ type: "warning", code, message });
  const diagnostics = countingDiagnostics(setup);
  const withErrors = new Set(diagnostics.filter(({ severity }) => severity === "error").map(({ file }) => file));
  const unread = await unreadProjectFile(surroundings);
  return [
    ...setup.loaded.files
      .filter(({ status, path }) => status === "failed" && withErrors.has(path))
      .map(({ path }) => warn("hook_file_failed", `${path} cannot be used: NO hook of this file is active`)),
    ...findingTexts(diagnostics).map((text) => warn("hook_file", text)),
    ...skippedSentences(setup.skipped, surroundings.project_dir).map((text) => warn("hooks_skipped", text)),
    ...replacedLines(setup).map((text) => warn("provider_replaced", text)),
    ...(unread === undefined ? [] : [warn("project_hooks_not_read", unreadProjectWarning(unread))]),
  ];
}

/** Findings of one file that a run says one by one; `hooks validate` says all. */
const MAX_FINDINGS = 20;

function findingTexts(diagnostics: readonly Diagnostic[]): readonly string[] {
  const byFile = Map.groupBy(diagnostics.filter(({ severity }) => severity !== "hint"), ({ file }) => file);
  return [...byFile].flatMap(([file, own]) => {
    const rest = own.length - MAX_FINDINGS;
    const said = own.slice(0, MAX_FINDINGS).map(formatDiagnostic);
    return rest <= 0 ? said : [...said, `${file} has ${rest} more findings: soong-agent hooks validate shows them all`];
  });
}

/** Which file's notification provider replaces which other one. */
export function replacedLines(setup: HookSetup): readonly string[] {
  return setup.providers().replaced.map(({ message }) => message);
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
