/** `hooks`, `hooks list`, `hooks events`, `hooks status`: what is configured, and how it stands. */
import { EXIT } from "../exit_codes.ts";
import {
  createRegistry,
  type FileReport,
  type HookSource,
  lintHooks,
  type LoadedHooks,
  type Registration,
} from "../../hooks/mod.ts";
import { type DenyEffect, formatDiagnostic, POINT_TABLE, POINTS } from "../../protocol/mod.ts";
import { cutBytes, terminalSafe } from "../../text/mod.ts";
import { childVariables } from "../child_environment.ts";
import { loadSettings, type Settings } from "../config_setup.ts";
import { loadHooks, unreadProjectFile, unreadProjectWarning } from "../hook_setup.ts";
import type { Output } from "../output.ts";
import { readSurroundings, type Surroundings } from "../surroundings.ts";
import { describeTools } from "../tool_setup.ts";

type ShowCommand = "hooks overview" | "hooks list" | "hooks events" | "hooks status";

/** Shows one of the views. */
export async function showHooks(command: ShowCommand, output: Output): Promise<number> {
  if (command === "hooks events") return await print(output, eventLines());
  const surroundings = await readSurroundings(undefined);
  if ("problem" in surroundings) {
    await output.err(`error: ${surroundings.problem}\n`);
    return EXIT.invalid_configuration;
  }
  const settings = await loadSettings(surroundings);
  const loaded = await loadHooks(surroundings, settings.config, describeTools());
  const registry = createRegistry();
  const { registrations, generation } = registry.replaceConfig(loaded.registrations);
  const view = { surroundings, settings, loaded, registrations, generation };
  await print(output, await VIEWS[command](view));
  for (const error of settings.errors) await output.err(`error: ${terminalSafe(error)}\n`);
  return settings.errors.length > 0 ? EXIT.invalid_configuration : EXIT.done;
}

/** What the views are made of. */
interface View {
  readonly surroundings: Surroundings;
  readonly settings: Settings;
  readonly loaded: LoadedHooks;
  readonly registrations: readonly Registration[];
  readonly generation: number;
}

const VIEWS = {
  "hooks list": async (view) => [...stateLines(view.settings), ...listLines(view.registrations, await marksOf(view))],
  "hooks status": statusLines,
  "hooks overview": overviewLines,
} as const satisfies Record<Exclude<ShowCommand, "hooks events">, (view: View) => Promise<readonly string[]>>;

async function overviewLines(view: View): Promise<readonly string[]> {
  const marks = await marksOf(view);
  return [
    "Hooks: what is asked at the interception points",
    "",
    ...stateLines(view.settings),
    `  Hooks: ${view.registrations.length}`,
    `  Generation: ${view.generation}`,
    "",
    ...fileLines(view.loaded.files),
    ...diagnosticLines(view.loaded),
    ...[...marks.values()].flat().map((line) => `  ${terminalSafe(line)}`),
    ...await unreadLines(view.surroundings),
    "",
    "Subcommands: hooks list | hooks events | hooks status | hooks validate",
  ];
}

/** What makes hooks count for less than they say. */
function stateLines({ config: { hooks } }: Settings): readonly string[] {
  return [
    ...(hooks.enabled ? [] : ["HOOKS ARE OFF (hooks.enabled = false): none of them fires", ""]),
    ...(hooks.mode === "enforce"
      ? []
      : ["MODE evaluate_only: every hook runs and is recorded, NOTHING is enforced", ""]),
  ];
}

/** Commands that cannot run are marked where hooks are shown: a guard that cannot start decides nothing. By place of the hook. */
async function marksOf({ surroundings, settings, loaded }: View): Promise<ReadonlyMap<string, readonly string[]>> {
  const env = childVariables(surroundings, settings.config);
  const linted = await lintHooks({
    loaded,
    project_dir: surroundings.project_dir,
    path: env["PATH"],
    variables: env,
    windows: Deno.build.os === "windows",
  });
  const marks = new Map<string, string[]>();
  for (const diagnostic of linted.filter(({ code }) => code.startsWith("command-"))) {
    const place = `${diagnostic.file}:${diagnostic.line}`;
    marks.set(place, [...marks.get(place) ?? [], formatDiagnostic(diagnostic)]);
  }
  return marks;
}

const GROUPS = {
  managed: "Managed hooks",
  user: "User hooks",
  project: "Project hooks",
  plugin: "Plugin hooks",
} as const satisfies Record<HookSource, string>;

function listLines(
  registrations: readonly Registration[],
  marks: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  if (registrations.length === 0) return ["no hooks are registered"];
  return Object.entries(GROUPS).flatMap(([source, title]) => {
    const group = registrations.filter((hook) => hook.source === source);
    if (group.length === 0) return [];
    const byPoint = POINTS.flatMap((point) => {
      const hooks = group.filter((hook) => hook.point === point);
      return hooks.length === 0
        ? []
        : [`  ${point} (${POINT_TABLE[point].events.soong.name}):`, ...hooks.flatMap((hook) => hookLines(hook, marks))];
    });
    return [`${title}:`, ...byPoint];
  });
}

function hookLines(hook: Registration, marks: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const place = hook.declared ? `  ${hook.declared.file}:${hook.declared.line}` : "";
  const mark = hook.declared && marks.get(`${hook.declared.file}:${hook.declared.line}`);
  return [
    `   [${hook.priority}] ${hook.executor.type.padEnd(12)} ${terminalSafe(hook.id)}`,
    `             matcher: ${terminalSafe(hook.matcher.text)}`,
    `             ${terminalSafe(executorText(hook))}${terminalSafe(place)}`,
    ...(mark ?? []).map((line) => `             CANNOT RUN: ${terminalSafe(line)}`),
  ];
}

function executorText({ executor, timeout_ms: timeout }: Registration): string {
  switch (executor.type) {
    case "command": {
      const text = typeof executor.command === "string" ? executor.command : JSON.stringify(executor.command);
      return `command: ${cutBytes(text, 200, "head").text} (at most ${timeout} ms)`;
    }
    case "static":
      return `denies: ${executor.reason}`;
    case "interceptor":
      return "a function in this process";
  }
}

const EFFECT_TEXT = {
  block: "can block",
  discard: "can withhold the result",
  send_back: "can send the model back to work",
  tell: "its reason goes to the model",
  observe: "observes",
  closed: "not in this version",
} as const satisfies Record<DenyEffect, string>;

const SUBJECT_TEXT = { tool_name: "tool name, tag, path", model_id: "model", none: "none" } as const;

function eventLines(): readonly string[] {
  return [
    "Events of hooks.json, version 1:",
    "",
    ...POINTS.flatMap((point) => {
      const row = POINT_TABLE[point];
      if (row.events.soong.since > 1) return [];
      return [
        `  ${row.events.soong.name.padEnd(18)} ${EFFECT_TEXT[row.deny["soong/1"]].padEnd(32)} ${row.when}`,
        `  ${"".padEnd(18)} matcher: ${SUBJECT_TEXT[row.subject]}`,
      ];
    }),
  ];
}

async function statusLines(
  { surroundings, settings, loaded, generation }: View,
): Promise<readonly string[]> {
  const { hooks } = settings.config;
  return [
    `Hooks enabled: ${hooks.enabled ? "yes" : "NO (hooks.enabled = false): nothing is checked by hooks"}`,
    `Mode: ${
      hooks.mode === "enforce" ? "enforce" : "evaluate_only: every hook runs and is recorded, NOTHING is enforced"
    }`,
    `A hook that fails: ${
      hooks.on_failure === "deny" ? "counts as a deny where it can block" : "is recorded, the loop goes on"
    }`,
    `Strict: ${hooks.strict ? "yes, any error in a hook file stops a run" : "no"}`,
    `Generation: ${generation}`,
    `Project: ${terminalSafe(surroundings.project_dir)}`,
    "",
    ...fileLines(loaded.files),
    ...diagnosticLines(loaded),
    ...await unreadLines(surroundings),
  ];
}

function fileLines(files: readonly FileReport[]): readonly string[] {
  const words = { not_found: "not found", loaded: "loaded", failed: "FAILED" } as const;
  return [
    "Hook files:",
    ...files.map(({ path, source, status, hook_count: count }) =>
      `  ${terminalSafe(path)} (${source}): ${words[status]}, ${count} hook(s)`
    ),
  ];
}

function diagnosticLines({ diagnostics }: LoadedHooks): readonly string[] {
  return diagnostics.length === 0 ? [] : ["", ...diagnostics.map((one) => terminalSafe(formatDiagnostic(one)))];
}

async function unreadLines(surroundings: Surroundings): Promise<readonly string[]> {
  const path = await unreadProjectFile(surroundings);
  return path === undefined ? [] : ["", `warning: ${terminalSafe(unreadProjectWarning(path))}`];
}

async function print(output: Output, lines: readonly string[]): Promise<number> {
  await output.out(`${lines.join("\n")}\n`);
  return EXIT.done;
}
