/** What of a project there is to trust: the files that declare something, and the scripts that they run. */
import { join } from "node:path";
import {
  filesNamedByHook,
  type HookFile,
  loadHookFiles,
  loadProviderFile,
  missingScriptOfHook,
  type ProviderDefinition,
  type Registration,
} from "../hooks/mod.ts";
import { isWithin } from "../config/mod.ts";
import type { Diagnostic } from "../protocol/mod.ts";
import { bareName } from "../text/mod.ts";
import { readRegularFile } from "./regular_file.ts";
import { projectScript, sha256Hex } from "./trust_setup.ts";

/** A file of a project that has to be trusted, with the very content that was looked at. */
export interface TrustableFile {
  /** Absolute. */
  readonly path: string;
  readonly what: string;
  readonly sha256: string;
  readonly bytes: Uint8Array;
  /** What it declares; empty for anything but a hook file. */
  readonly hooks: readonly Registration[];
  /** The channels it declares; empty for anything but a provider file. */
  readonly providers: readonly ProviderDefinition[];
}

/** What was found. */
export interface Inspection {
  readonly files: readonly TrustableFile[];
  /** Scripts in the project that hooks name and that are not there; absolute. */
  readonly missing: readonly string[];
  /** What is wrong with hook files. */
  readonly diagnostics: readonly Diagnostic[];
  /** Files that cannot be trusted as they are, with the reason. */
  readonly problems: readonly string[];
}

const PROVIDER_PATH = [".onecode", "notification-providers.json"] as const;

/** The files that are looked for in each project. */
export const PROJECT_FILES = [
  { path: [".onecode", "hooks.json"], what: "hooks" },
  { path: PROVIDER_PATH, what: "notification providers" },
  { path: [".mcp.json"], what: "MCP servers (this version starts none)" },
] as const satisfies readonly { readonly path: readonly string[]; readonly what: string }[];

/** The hook file of a project. */
export function projectOnecodeFile(projectDir: string): HookFile {
  return {
    path: join(projectDir, ".onecode", "hooks.json"),
    source: "project",
    dialect: "onecode",
    base_priority: 200,
  };
}

/** Looks at a project; nothing of it is run. */
export async function inspectProject(
  projectDir: string,
  env: Readonly<Record<string, string>>,
): Promise<Inspection> {
  const problems: string[] = [];
  const files: TrustableFile[] = [];
  const providerDiagnostics: Diagnostic[] = [];
  const add = async (path: string, what: string, hooks: readonly Registration[] = []) => {
    const bytes = contentOf(path, problems);
    if (bytes === undefined) return undefined;
    const declared = path === join(projectDir, ...PROVIDER_PATH) ? loadProviderFile(path, bytes, "project") : undefined;
    if (declared?.status === "failed") problems.push(`${path} cannot be used, so it cannot be trusted`);
    providerDiagnostics.push(...declared?.diagnostics ?? []);
    const providers = declared?.definitions ?? [];
    const file: TrustableFile = { path, what, sha256: await sha256Hex(bytes), bytes, hooks, providers };
    files.push(file);
    return file;
  };
  const loaded = await loadHookFiles({
    files: [projectOnecodeFile(projectDir)],
    project_dir: projectDir,
    default_timeout_ms: 60_000,
  });
  for (const { path, what } of PROJECT_FILES) {
    const report = loaded.files.find((file) => file.path === join(projectDir, ...path));
    const file = await add(join(projectDir, ...path), what, report && loaded.registrations);
    if (file === undefined || report === undefined) continue;
    if (report.status === "failed") problems.push(`${file.path} cannot be used, so it cannot be trusted`);
    if (report.sha256 !== file.sha256) problems.push(`${file.path} was changed while it was looked at: try again`);
  }
  for (const path of new Set(loaded.registrations.flatMap((hook) => oddFilesOf(hook, projectDir, env)))) {
    problems.push(`${path} is named by a hook, and it is no regular file`);
  }
  const scripts = new Set(loaded.registrations.flatMap((hook) => projectScript(hook, projectDir, env) ?? []));
  for (const script of scripts) {
    if (!files.some(({ path }) => path === script)) await add(script, `script of a hook${linkNote(script)}`);
  }
  const place = { project_dir: projectDir, variables: env };
  const missing = loaded.registrations.flatMap((hook) =>
    projectScript(hook, projectDir, env) === undefined ? missingScriptOfHook(hook, place) ?? [] : []
  ).filter((path) => isWithin(projectDir, path));
  return {
    files,
    missing: [...new Set(missing)],
    diagnostics: [...loaded.diagnostics, ...providerDiagnostics],
    problems,
  };
}

/** What a hook names in the project that is a pipe, a device or the like: its content is never the same twice. */
function oddFilesOf(
  hook: Registration,
  projectDir: string,
  env: Readonly<Record<string, string>>,
): readonly string[] {
  return filesNamedByHook(hook, { project_dir: projectDir, variables: env }).words.filter((path) => {
    if (!isWithin(projectDir, path)) return false;
    try {
      const { isFile, isDirectory } = Deno.statSync(path);
      return !isFile && !isDirectory;
    } catch {
      return false;
    }
  });
}

function linkNote(path: string): string {
  try {
    const real = Deno.realPathSync(path);
    return real === path ? "" : `, a link to ${bareName(real)}`;
  } catch {
    return "";
  }
}

function contentOf(path: string, problems: string[]): Uint8Array | undefined {
  try {
    return readRegularFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return undefined;
    problems.push(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}
