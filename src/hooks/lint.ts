/**
 * What `hooks validate` checks beyond shape: programs that are not there, files that others can write, secrets,
 * duplicates, denies that cannot bite, a project file that is never read.
 *
 * Needs read permission only; what may not be looked at is not judged. Never throws.
 */
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { denyEffect, type Diagnostic, eventName } from "../protocol/mod.ts";
import { commandWords, type KnownVariables, scriptOfCommand } from "./command_words.ts";
import { realFile } from "./hook_script.ts";
import type { LoadedHooks } from "./load.ts";
import type { ExecutorSettings, Registration } from "./port.ts";
import { findSecret } from "./secret_patterns.ts";

/** What is checked, and what the commands would find around them. */
export interface LintOptions {
  readonly loaded: LoadedHooks;
  /** Real path of the project. */
  readonly project_dir: string;
  /** Value of PATH for hooks; programs are looked up on it. Undefined = not looked up. */
  readonly path: string | undefined;
  /** Variables that hooks get and whose values are known, for words like `"$HOME"/check.sh`. */
  readonly variables: KnownVariables;
  readonly windows: boolean;
}

/** Findings in the order of the checks; each is a warning. */
export async function lintHooks(options: LintOptions): Promise<readonly Diagnostic[]> {
  const { registrations, files } = options.loaded;
  const declared = registrations.filter(isDeclared);
  const disk = createDisk(options);
  const checks = await Promise.all([
    ...files.filter(({ status }) => status !== "not_found").map(async ({ path }) => {
      const finding = await disk.openToOthers(path);
      return finding === undefined ? [] : [warning({ file: path, line: 1, column: 1 }, finding)];
    }),
    ...declared.map((hook) => checkCommand(hook, disk, options)),
    checkProjectFile(options),
  ]);
  return [
    ...checks.flat(),
    ...declared.flatMap(checkSecrets),
    ...declared.flatMap(checkDeny),
    ...checkDuplicates(declared),
  ];
}

type DeclaredHook = Registration & { readonly declared: NonNullable<Registration["declared"]> };

function isDeclared(registration: Registration): registration is DeclaredHook {
  return registration.declared !== undefined;
}

function warning(
  place: Pick<Diagnostic, "file" | "line" | "column" | "path">,
  finding: Pick<Diagnostic, "code" | "message" | "hint">,
): Diagnostic {
  const { file, line, column, path } = place;
  return { file, line, column, severity: "warning", ...finding, ...(path === undefined ? {} : { path }) };
}

type Fault = Pick<Diagnostic, "code" | "message" | "hint">;

/** What is asked of the disk; each question once, however many hooks run the same program. */
interface Disk {
  programFault(program: string, cwd: string): Promise<Fault | undefined>;
  openToOthers(path: string): Promise<Fault | undefined>;
  realFile(path: string): string | undefined;
}

function createDisk(options: LintOptions): Disk {
  const faults = remember((key) => {
    const [program, cwd] = JSON.parse(key);
    return programFault(program, cwd, options);
  });
  return {
    programFault: (program, cwd) => faults(JSON.stringify([program, cwd])),
    openToOthers: remember((path) => openToOthers(path, options)),
    realFile: remember(realFile),
  };
}

function remember<Answer>(look: (key: string) => Answer): (key: string) => Answer {
  const answers = new Map<string, Answer>();
  return (key) => {
    if (!answers.has(key)) answers.set(key, look(key));
    return answers.get(key)!;
  };
}

async function checkCommand(hook: DeclaredHook, disk: Disk, options: LintOptions): Promise<readonly Diagnostic[]> {
  const { executor, declared } = hook;
  if (executor.type !== "command" || (options.windows && typeof executor.command === "string")) return [];
  const cwd = resolve(options.project_dir, executor.working_dir ?? ".");
  const program = commandWords(executor.command, options.variables).find(({ starts }) => starts)?.text;
  const script = scriptOfCommand(executor.command, cwd, disk.realFile, options.variables);
  const faults = await Promise.all([
    program === undefined ? undefined : disk.programFault(program, cwd),
    script === undefined ? undefined : disk.openToOthers(script),
  ]);
  return faults.flatMap((fault) => fault === undefined ? [] : [warning(declared, fault)]);
}

/** Why the shell would not find or start the program; undefined when it would, or when that cannot be known. */
async function programFault(program: string, cwd: string, options: LintOptions): Promise<Fault | undefined> {
  if (program === "" || program.startsWith("~") || SHELL_WORDS.has(program)) return undefined;
  const byPath = program.includes("/") || isAbsolute(program);
  if (!byPath && options.path === undefined) return undefined;
  const candidates = byPath
    ? [resolve(cwd, program)]
    : options.path!.split(delimiter).filter((folder) => folder !== "").map((folder) => join(folder, program));
  let first: Fault | undefined;
  for (const candidate of candidates.flatMap((path) => withExtensions(path, options.windows))) {
    const state = await programState(candidate, options.windows);
    if (state === "runs" || state === "unknown") return undefined;
    if (state === "missing") continue;
    first ??= {
      code: "command-not-executable",
      message: `${JSON.stringify(candidate)} cannot be executed`,
      hint: `chmod +x ${candidate}, or name its interpreter: "sh ${program}"`,
    };
  }
  return first ?? {
    code: "command-not-found",
    message: `command not found: ${JSON.stringify(program)}`,
    hint: byPath ? `there is no ${candidates[0]}` : "it is in no folder of PATH",
  };
}

/** What a shell knows by itself. */
const SHELL_WORDS: ReadonlySet<string> = new Set(
  [
    ". : [ [[ ! { alias bg break builtin case cd command continue declare do done echo elif else esac eval exec exit export",
    "false fg fi for function getopts hash if in jobs let local printf pwd read readonly return select set shift source",
    "test then times trap true type typeset ulimit umask unalias unset until wait while",
    "call copy del dir md mkdir move ren rem start",
  ].join(" ").split(" "),
);

function withExtensions(path: string, windows: boolean): readonly string[] {
  return windows ? [path, ...[".exe", ".cmd", ".bat", ".com"].map((extension) => path + extension)] : [path];
}

async function programState(
  path: string,
  windows: boolean,
): Promise<"runs" | "missing" | "not_executable" | "unknown"> {
  try {
    const { isFile, mode } = await Deno.stat(path);
    if (!isFile) return "not_executable";
    return windows || mode === null || (mode & 0o111) !== 0 ? "runs" : "not_executable";
  } catch (error) {
    const missing = error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory;
    return missing ? "missing" : "unknown";
  }
}

/** A file that another user can change decides for this user. So does one whose folder lets it be replaced. */
async function openToOthers(path: string, { windows }: LintOptions): Promise<Fault | undefined> {
  if (windows) return undefined;
  const code = "writable-by-others";
  const who = await writers(path);
  if (who !== undefined) {
    const message = `${path} can be written by ${who}, who then decide what is run`;
    return { code, message, hint: `chmod go-w ${path}` };
  }
  const folder = dirname(path);
  const ofFolder = await writers(folder);
  if (ofFolder === undefined) return undefined;
  const message = `the folder of ${path} can be written by ${ofFolder}, who can replace the file`;
  return { code, message, hint: `chmod go-w ${folder}` };
}

/**
 * A group with the number of its user is that user's own; a folder with the sticky bit lets nobody replace what is
 * not theirs.
 */
async function writers(path: string): Promise<string | undefined> {
  try {
    const { mode, uid, gid, isDirectory } = await Deno.stat(path);
    if (mode === null || (isDirectory && (mode & 0o1000) !== 0)) return undefined;
    if ((mode & 0o002) !== 0) return "all users";
    return (mode & 0o020) !== 0 && uid !== gid ? "a group" : undefined;
  } catch {
    return undefined;
  }
}

/** `<project>/.soong-agent/hooks.json` is never read, unless that folder is the home of the agent. */
async function checkProjectFile({ loaded, project_dir }: LintOptions): Promise<readonly Diagnostic[]> {
  const path = projectHookFile(project_dir);
  try {
    if (!(await Deno.stat(path)).isFile) return [];
    const real = await Deno.realPath(path);
    const read = await Promise.all(loaded.files.map(({ path }) => Deno.realPath(path).catch(() => undefined)));
    if (read.includes(real)) return [];
  } catch {
    return [];
  }
  return [warning({ file: path, line: 1, column: 1 }, {
    code: "project-file-not-read",
    message: "hooks of a project are never read from here",
    hint: "put them in the hooks.json of your own SOONG_AGENT_HOME",
  })];
}

/** Where people put project hooks that soong does not read. */
export function projectHookFile(projectDir: string): string {
  return join(projectDir, ".soong-agent", "hooks.json");
}

function checkSecrets({ executor, declared }: DeclaredHook): readonly Diagnostic[] {
  const { parts, hint } = secretPlaces(executor);
  const kind = parts.map(findSecret).find((found) => found !== undefined);
  if (kind === undefined) return [];
  const what = executor.type === "command" ? "command" : `${executor.type} hook`;
  const message = `this ${what} seems to hold ${kind} in plain text`;
  return [warning(declared, { code: "secret-in-plain-text", message, hint })];
}

/** The texts of a hook that could hold a secret, and what to do instead. */
function secretPlaces(executor: ExecutorSettings): { readonly parts: readonly string[]; readonly hint: string } {
  const hint = "write ${NAME} and set that variable, or file:PATH of a file that only you can read";
  switch (executor.type) {
    case "command": {
      const parts = typeof executor.command === "string" ? [executor.command] : executor.command;
      return { parts, hint: "read it in the script from a file that only you can read" };
    }
    case "http": {
      const headers = Object.entries(executor.headers).map(([name, value]) => `${name}: ${value}`);
      return { parts: [executor.url, ...headers, executor.body ?? ""], hint };
    }
    case "notification": {
      const { webhook_url: url = "", secret = "", message } = executor;
      return { parts: [url, secret === "" || SECRET_FORM.test(secret) ? "" : `secret=${secret}`, message], hint };
    }
    default:
      return { parts: [], hint };
  }
}

const SECRET_FORM = /\$\{|^(?:dpapi|file):/;

function checkDeny({ executor, declared, point, speech }: DeclaredHook): readonly Diagnostic[] {
  if (executor.type !== "static" || denyEffect(point, speech) !== "observe") return [];
  return [warning(declared, {
    code: "event-cannot-block",
    message: `${eventName(point, "soong")} cannot block: this deny is only recorded`,
    hint: "to stop a tool call, deny at PreToolUse",
  })];
}

function checkDuplicates(hooks: readonly DeclaredHook[]): readonly Diagnostic[] {
  const seen = new Map<string, DeclaredHook>();
  return hooks.flatMap((hook) => {
    const key = JSON.stringify([hook.point, hook.speech, hook.matcher.text, hook.executor]);
    const first = seen.get(key);
    if (first === undefined) {
      seen.set(key, hook);
      return [];
    }
    const { file, line, column } = first.declared;
    const where = file === hook.declared.file ? `${line}:${column}` : `${file}:${line}:${column}`;
    return [warning(hook.declared, {
      code: "duplicate-hook",
      message: `the same hook stands at ${where}; it runs twice`,
      hint: "keep one of them",
    })];
  });
}
