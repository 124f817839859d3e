/** `trust`: shows what a project would run, and writes down that the user trusts it. */
import { join, relative } from "node:path";
import { holdsHome, type TrustedProject, trustFile, type TrustState, workspaceTrust } from "../../config/mod.ts";
import { loadHookFiles } from "../../hooks/mod.ts";
import { formatDiagnostic } from "../../protocol/mod.ts";
import { bareName, maskUrl, terminalSafe } from "../../text/mod.ts";
import type { TrustCommand } from "../arguments/command.ts";
import { childVariables } from "../child_environment.ts";
import { loadSettings, type Settings } from "../config_setup.ts";
import { describeExecutor } from "../describe_hook.ts";
import { EXIT } from "../exit_codes.ts";
import { hookFiles } from "../hook_setup.ts";
import type { Output } from "../output.ts";
import { createLineReader } from "../permission_prompt.ts";
import { readRegularFile } from "../regular_file.ts";
import { readSurroundings, type Surroundings } from "../surroundings.ts";
import { shownTrustChange } from "../trust_diff.ts";
import { changeTrust, keptContent } from "../trust_file.ts";
import { type Inspection, inspectProject, PROJECT_FILES, type TrustableFile } from "../trust_inspect.ts";
import { loadTrust, sha256Hex } from "../trust_setup.ts";

/** Does what the command line says. */
export async function trustCommand(command: TrustCommand, output: Output): Promise<number> {
  const surroundings = await readSurroundings(command.folder);
  if ("problem" in surroundings) {
    return await fail(
      output,
      surroundings.problem,
      surroundings.configuration ? EXIT.invalid_configuration : EXIT.wrong_usage,
    );
  }
  const settings = await loadSettings(surroundings);
  const state = loadTrust(surroundings, settings);
  for (const one of state.diagnostics) await output.err(`${terminalSafe(formatDiagnostic(one))}\n`);
  const env = childVariables(surroundings, settings.config);
  return await ACTIONS[command.action]({ command, output, surroundings, settings, state, env });
}

interface Work {
  readonly command: TrustCommand;
  readonly output: Output;
  readonly surroundings: Surroundings;
  readonly settings: Settings;
  readonly state: TrustState;
  /** Variables that hook commands see. */
  readonly env: Readonly<Record<string, string>>;
}

const ACTIONS = {
  content: trustContent,
  folder: trustFolder,
  list: listTrust,
  remove: removeTrust,
  diff: diffTrust,
} as const satisfies Record<TrustCommand["action"], (work: Work) => Promise<number>>;

async function trustContent(work: Work): Promise<number> {
  const { output, env, surroundings: { project_dir: projectDir } } = work;
  const inspection = await inspectProject(projectDir, env);
  const own = await ownHookLines(work);
  const shown = [...inspectionLines(projectDir, inspection), ...(own.length > 0 ? ["", ...own] : [])];
  await output.out(`${shown.map(oneLine).join("\n")}\n`);
  if (inspection.problems.length > 0) {
    return await fail(output, `${inspection.problems.join("\n")}\nnothing was trusted`, EXIT.invalid_configuration);
  }
  const count = inspection.files.length;
  const question = count === 0
    ? `Trust ${projectDir}?${own.length > 0 ? " Your own onecode hooks will fire there." : ""}`
    : `Trust ${projectDir} with ${count === 1 ? "this file as it is" : `these ${count} files as they are`} now?`;
  const wide = isWide(work) ? [`${projectDir} ${WIDE}: your own onecode hooks will fire in all of it. Really?`] : [];
  if (wide.length > 0 && work.command.yes) return await refuseWide(work);
  if (!await confirm(work, [question, ...wide])) return await fail(output, "nothing was trusted", EXIT.failure);
  const project: TrustedProject = {
    trusted_at: new Date().toISOString(),
    files: Object.fromEntries(inspection.files.map(({ path, sha256 }) => [path, sha256])),
  };
  return await write(
    work,
    `trusted: ${projectDir}${trustedFiles(count)}`,
    (store) => ({
      ...store,
      projects: { ...store.projects, [projectDir]: project },
    }),
    inspection.files,
  );
}

function trustedFiles(count: number): string {
  if (count === 0) return " (it declares nothing that would run)";
  if (count === 1) return ", 1 file; a change of it has to be trusted again";
  return `, ${count} files; a change of any of them has to be trusted again`;
}

/** One sentence for each file of the user whose hooks fire in trusted folders only. */
async function ownHookLines({ surroundings, settings, state }: Work): Promise<readonly string[]> {
  if (state.user_hooks === "always") return [];
  const { registrations } = await loadHookFiles({
    files: hookFiles(surroundings, settings).filter(({ source }) => source === "user"),
    project_dir: surroundings.project_dir,
    default_timeout_ms: settings.config.hooks.default_timeout_ms,
  });
  const own = registrations.filter(({ speech }) => speech === "onecode");
  return [...Map.groupBy(own, ({ declared, id }) => declared?.file ?? id)].map(([file, { length }]) =>
    `Trusting this folder lets your own onecode hooks fire in it and below: ${length} ` +
    `${length === 1 ? "hook" : "hooks"} of ${file}`
  );
}

async function trustFolder(work: Work): Promise<number> {
  const { output, surroundings: { project_dir: projectDir } } = work;
  for (const line of await ownHookLines(work)) await output.out(`${oneLine(line)}\n`);
  const wide = isWide(work) ? [`${projectDir} ${WIDE}: every download and every clone in it. Really?`] : [];
  if (wide.length > 0 && work.command.yes) return await refuseWide(work);
  const questions = [`Trust ${projectDir} with all below it? Whatever comes into it may run commands.`, ...wide];
  if (!await confirm(work, questions)) return await fail(output, "nothing was trusted", EXIT.failure);
  const folder = { trusted_at: new Date().toISOString() };
  return await write(work, `trusted: ${projectDir} and all below it`, (store) => ({
    ...store,
    folders: { ...store.folders, [projectDir]: folder },
  }));
}

const WIDE = "holds your whole home folder or disk";

function isWide({ surroundings: { project_dir: projectDir, user_home: userHome } }: Work): boolean {
  return holdsHome(projectDir, userHome);
}

async function refuseWide({ output, surroundings: { project_dir: projectDir } }: Work): Promise<number> {
  return await fail(output, `${projectDir} ${WIDE}: --yes is not enough for it`, EXIT.wrong_usage);
}

async function listTrust({ output, surroundings: { home }, state }: Work): Promise<number> {
  const lines = [
    ...state.folders.map(({ written, real, file }) =>
      `folder   ${written}${real === undefined ? "  (not there)" : real === written ? "" : `  = ${real}`}  by ${file}`
    ),
    ...Object.entries(state.store.projects).flatMap(([path, { trusted_at: at, files }]) => [
      `content  ${path}  since ${at}`,
      ...Object.entries(files).map(([file, sha256]) => `           ${relative(path, file)}  ${sha256.slice(0, 12)}`),
    ]),
  ];
  if (lines.length === 0) await output.err(`nothing is trusted (${trustFile(home)})\n`);
  for (const line of lines) await output.out(`${oneLine(line)}\n`);
  return EXIT.done;
}

async function removeTrust(work: Work): Promise<number> {
  const { output, surroundings, state } = work;
  const { project_dir: projectDir } = surroundings;
  const { folders, projects } = state.store;
  if (!Object.hasOwn(folders, projectDir) && !Object.hasOwn(projects, projectDir)) {
    const trust = workspaceTrust(state, projectDir);
    const why = trust.kind === "folder"
      ? `it is trusted by ${trust.by.written} in ${trust.by.file}`
      : trust.kind === "content"
      ? `it is trusted with ${trust.project}`
      : "it is not trusted";
    return await fail(output, `nothing to remove for ${projectDir}: ${why}`, EXIT.failure);
  }
  const without = <Entry>(table: Readonly<Record<string, Entry>>) =>
    Object.fromEntries(Object.entries(table).filter(([path]) => path !== projectDir));
  const code = await write(work, `no longer trusted: ${projectDir}`, (store) => ({
    folders: without(store.folders),
    projects: without(store.projects),
  }));
  const rest = workspaceTrust(loadTrust(surroundings, await loadSettings(surroundings)), projectDir);
  if (rest.kind === "folder") {
    await output.err(`note: it is still trusted by ${terminalSafe(`${rest.by.written} in ${rest.by.file}`)}\n`);
  }
  return code;
}

async function diffTrust({ output, surroundings, state, env }: Work): Promise<number> {
  const { home, project_dir: projectDir } = surroundings;
  const project = state.store.projects[projectDir];
  if (project === undefined) {
    return await fail(
      output,
      `${projectDir} was not trusted by content: soong-agent trust shows what it would run`,
      EXIT.failure,
    );
  }
  const { files } = await inspectProject(projectDir, env);
  const paths = new Set([...Object.keys(project.files), ...files.map(({ path }) => path)]);
  let differs = false;
  for (const path of paths) {
    const now = files.find((file) => file.path === path) ?? await contentNow(path);
    const before = project.files[path];
    const name = relative(projectDir, path);
    if (typeof now === "string") {
      differs = true;
      await output.out(`${terminalSafe(`${bareName(name)}: changed; it cannot be compared: ${now}`)}\n`);
      continue;
    }
    if (now?.sha256 === before) continue;
    differs = true;
    const old = before === undefined ? undefined : await keptContent(home, before);
    const isUnknown = before !== undefined && old === undefined;
    const shown = isUnknown
      ? `${bareName(name)}: changed; its trusted content was not kept`
      : await shownTrustChange({ name, before: old, now: now?.bytes, is_json: isProjectFile(projectDir, path) });
    await output.out(`${terminalSafe(shown)}\n`);
  }
  if (!differs) await output.err("nothing has changed since it was trusted\n");
  return differs ? EXIT.failure : EXIT.done;
}

/** The content; undefined when there is nothing at the path, a text that says why what is there cannot be read. */
async function contentNow(path: string): Promise<Pick<TrustableFile, "bytes" | "sha256"> | string | undefined> {
  try {
    const bytes = readRegularFile(path);
    return { bytes, sha256: await sha256Hex(bytes) };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return undefined;
    return error instanceof Error ? error.message : String(error);
  }
}

function isProjectFile(projectDir: string, path: string): boolean {
  return PROJECT_FILES.some((file) => join(projectDir, ...file.path) === path);
}

function inspectionLines(projectDir: string, { files, missing, diagnostics }: Inspection): readonly string[] {
  if (files.length === 0) return [`${projectDir} declares nothing that would run.`];
  return [
    projectDir,
    ...files.flatMap(({ path, what, sha256, hooks, providers }) => [
      "",
      `${bareName(relative(projectDir, path))}  ${what}  sha256 ${sha256}`,
      ...providers.map(({ name, method, url }) => `  ${bareName(name)}  ${method} ${maskUrl(url)}`),
      ...hooks.flatMap((hook) => [
        `  ${hook.point}  ${hook.matcher.text}  ${hook.id}`,
        `    ${describeExecutor(hook, { whole: true })}`,
      ]),
    ]),
    ...missing.flatMap((path) => [
      "",
      `${bareName(relative(projectDir, path))}  script of a hook (missing: once it is there, it has to be trusted too)`,
    ]),
    ...(diagnostics.length === 0 ? [] : ["", ...diagnostics.flatMap((one) => formatDiagnostic(one).split("\n"))]),
  ];
}

/** Every question must be answered with yes, by a person or by `--yes`. */
async function confirm({ command, output }: Work, questions: readonly string[]): Promise<boolean> {
  if (command.yes) return true;
  if (!Deno.stdin.isTerminal() || !Deno.stderr.isTerminal()) {
    await output.err("error: there is no terminal to ask on: look at the list, then say --yes\n");
    return false;
  }
  const readLine = createLineReader(Deno.stdin.readable);
  for (const question of questions) {
    await output.err(`${terminalSafe(question)} [y/N] `);
    const answer = await readLine(new AbortController().signal);
    if (!/^y(es)?$/i.test(answer?.trim() ?? "")) return false;
  }
  return true;
}

async function write(
  work: Work,
  done: string,
  change: Parameters<typeof changeTrust>[1],
  contents: readonly TrustableFile[] = [],
): Promise<number> {
  const outcome = await changeTrust(work.surroundings.home, change, contents);
  if (!outcome.ok) return await fail(work.output, outcome.problem, EXIT.failure);
  await work.output.err(`${terminalSafe(done)}\n`);
  return EXIT.done;
}

/** A hostile name or command must not look like a line of this program. */
function oneLine(text: string): string {
  return terminalSafe(text).replaceAll("\n", "\\n");
}

async function fail(output: Output, message: string, code: number): Promise<number> {
  await output.err(`error: ${terminalSafe(message)}\n`);
  return code;
}
