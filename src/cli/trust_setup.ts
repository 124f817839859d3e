/** Which hooks count in this workspace, and what is said of those that do not. */
import { type Distrust, distrustOf, isWithin, readTrust, type TrustState, workspaceTrust } from "../config/mod.ts";
import { type Executor, filesNamedByHook, type LoadedHooks, type Registration } from "../hooks/mod.ts";
import type { Settings } from "./config_setup.ts";
import { readRegularFile } from "./regular_file.ts";
import type { Surroundings } from "./surroundings.ts";

/** Reads the trust that the user has given. */
export function loadTrust({ home, user_home }: Surroundings, { config, config_path }: Settings): TrustState {
  return readTrust({
    home,
    user_home,
    config,
    config_path,
    read: readRegularFile,
    realPath: (path) => Deno.realPathSync(path),
  });
}

/** What of one file does not count. */
export interface Skipped {
  readonly file: string;
  readonly what: "hook" | "notification provider";
  readonly count: number;
  readonly why: keyof typeof REASONS;
  /** The script that is meant, for the reasons about scripts. */
  readonly script?: string;
}

/** The hooks that count, and the others. */
export interface TrustedHooks {
  readonly registrations: readonly Registration[];
  readonly skipped: readonly Skipped[];
}

/** What deciding about hooks needs. */
export interface TrustPlace {
  readonly state: TrustState;
  readonly project_dir: string;
  /** Variables that stand in hook commands. */
  readonly env: Readonly<Record<string, string>>;
}

/** Takes out what the workspace is not trusted for. Reads the scripts of hooks whose content is what is trusted. */
export async function selectTrusted(loaded: LoadedHooks, place: TrustPlace): Promise<TrustedHooks> {
  const distrusts = new Map(
    loaded.files.map(({ path, sha256, in_force_sha256: inForce = sha256 }) => [
      path,
      inForce === undefined ? "untrusted" : projectFileDistrust(path, inForce, place),
    ]),
  );
  const skipped = new Map<string, Skipped>();
  const registrations: Registration[] = [];
  for (const hook of loaded.registrations) {
    const distrust = await hookDistrust(hook, distrusts, place);
    if (distrust === undefined) {
      registrations.push(hook);
      continue;
    }
    const file = hook.declared?.file ?? hook.id;
    const key = JSON.stringify([file, distrust.why, distrust.script]);
    skipped.set(key, { file, what: "hook", count: (skipped.get(key)?.count ?? 0) + 1, ...distrust });
  }
  return { registrations, skipped: [...skipped.values()] };
}

/** Why a file in the project does not count, by the content that is meant to; undefined when it does. */
export function projectFileDistrust(path: string, sha256: string, place: TrustPlace): Distrust | undefined {
  return distrustOf(place.state, place.project_dir, { path, real_path: realPathOrItself(path), sha256 });
}

/** One sentence a file: how many, which file, why, and how to trust. */
export function skippedSentences(skipped: readonly Skipped[], projectDir: string): readonly string[] {
  return skipped.map(({ file, what, count, why, script }) => {
    const subject = count === 1 ? `1 ${what} is` : `${count} ${what}s are`;
    return `${file}: ${subject} skipped, ${REASONS[why](script ?? "")}; look at what would run and trust it with ` +
      `"soong-agent trust ${projectDir}"${why === "user_untrusted" ? USER_HINT : ""}`;
  });
}

const USER_HINT = ', or set user_hooks = "always" under [trust] in config.toml';

const REASONS = {
  untrusted: () => "because this project is not trusted",
  new: () => "because this file came after the project was trusted",
  changed: () => "because this file has changed since it was trusted",
  linked_out: () => "because this file is a link to a place outside the trusted folder",
  user_untrusted: () => "because your own onecode hooks fire in trusted projects only, and this one is not",
  script_changed: (script) => `because the script ${script} has changed since it was trusted`,
  script_new: (script) => `because the script ${script} was not there, or not named, when the project was trusted`,
} as const satisfies Record<Distrust | "user_untrusted" | "script_changed" | "script_new", (script: string) => string>;

/**
 * A command executor that looks at the script again before each run: one that was swapped after the hooks were loaded does
 * not run. `place` is asked at each run, because trust may be given and taken while the agent works.
 */
export function guardScripts(execute: Executor, place: () => TrustPlace): Executor {
  return async (request) => {
    const { registration } = request;
    const distrust = registration.source === "project" ? await scriptDistrust(registration, place()) : undefined;
    if (distrust === undefined) return await execute(request);
    return {
      ending: { kind: "not_started", reason: `${REASONS[distrust.why](distrust.script)}`.replace(/^because /, "") },
      stdout: new Uint8Array(0),
      stdout_truncated: false,
      stderr: "",
      duration_ms: 0,
    };
  };
}

type HookDistrust = Pick<Skipped, "why" | "script">;

async function hookDistrust(
  hook: Registration,
  distrusts: ReadonlyMap<string, Distrust | undefined>,
  place: TrustPlace,
): Promise<HookDistrust | undefined> {
  const { state, project_dir: projectDir } = place;
  if (hook.source === "user") {
    const free = hook.speech !== "onecode" || state.user_hooks === "always";
    return free || workspaceTrust(state, projectDir).kind !== "untrusted" ? undefined : { why: "user_untrusted" };
  }
  if (hook.source !== "project") return undefined;
  const file = hook.declared?.file;
  const why = file === undefined || !distrusts.has(file) ? "untrusted" : distrusts.get(file);
  return why === undefined ? await scriptDistrust(hook, place) : { why };
}

/**
 * What is wrong with the scripts of a hook, where their content is what is trusted. Scripts outside the project are the
 * user's. A trusted script that is now a link, a folder, a pipe or gone has changed like any other: an interpreter may
 * run each of them.
 */
async function scriptDistrust(
  hook: Registration,
  { state, project_dir: projectDir, env }: TrustPlace,
): Promise<{ readonly why: "script_changed" | "script_new"; readonly script: string } | undefined> {
  if (workspaceTrust(state, projectDir).kind === "folder" && !state.pin) return undefined;
  const hashesOf = (path: string) =>
    Object.values(state.store.projects).flatMap(({ files }) => Object.hasOwn(files, path) ? files[path]! : []);
  const script = projectScript(hook, projectDir, env);
  const { words } = filesNamedByHook(hook, { project_dir: projectDir, variables: env });
  for (const path of new Set([...words, ...script === undefined ? [] : [script]])) {
    const hashes = hashesOf(path);
    if (hashes.length > 0 && !hashes.includes(await sha256OfFile(path))) return { why: "script_changed", script: path };
  }
  return script === undefined || hashesOf(script).length > 0 ? undefined : { why: "script_new", script };
}

/**
 * The script in the project that a hook runs: as it is written where that lies in the project, so that a link which is
 * put there counts as a change, else as a real path.
 */
export function projectScript(
  hook: Registration,
  projectDir: string,
  env: Readonly<Record<string, string>>,
): string | undefined {
  const { script } = filesNamedByHook(hook, { project_dir: projectDir, variables: env });
  if (script === undefined || isWithin(projectDir, script)) return script;
  const real = realPathOrItself(script);
  return isWithin(projectDir, real) ? real : undefined;
}

/** SHA-256 in hex; empty for what cannot be read, which equals no hash. */
async function sha256OfFile(path: string): Promise<string> {
  try {
    return await sha256Hex(readRegularFile(path));
  } catch {
    return "";
  }
}

/** SHA-256 of bytes in hex. */
export async function sha256Hex(bytes: Uint8Array): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>)).toHex();
}

function realPathOrItself(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    return path;
  }
}
