/** `hooks`, `hooks list`, `hooks events`, `hooks status`: what is configured, and how it stands. */
import { EXIT } from "../exit_codes.ts";
import { type HookSource, lintHooks, type Registration } from "../../hooks/mod.ts";
import { type DenyEffect, formatDiagnostic, POINT_TABLE, POINTS } from "../../protocol/mod.ts";
import { terminalSafe } from "../../text/mod.ts";
import { childVariables } from "../child_environment.ts";
import { loadSettings, type Settings } from "../config_setup.ts";
import { describeExecutor } from "../describe_hook.ts";
import { type HookSetup, replacedLines, setUpHooks, unreadProjectFile, unreadProjectWarning } from "../hook_setup.ts";
import type { Output } from "../output.ts";
import { readSurroundings, type Surroundings } from "../surroundings.ts";
import { describeTools } from "../tool_setup.ts";
import { skippedSentences } from "../trust_setup.ts";

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
  const setup = await setUpHooks(surroundings, settings, { tools: describeTools(), always: true });
  await print(output, await VIEWS[command]({ surroundings, settings, setup }));
  for (const error of settings.errors) await output.err(`error: ${terminalSafe(error)}\n`);
  return settings.errors.length > 0 ? EXIT.invalid_configuration : EXIT.done;
}

/** What the views are made of. */
interface View {
  readonly surroundings: Surroundings;
  readonly settings: Settings;
  readonly setup: HookSetup;
}

const VIEWS = {
  "hooks list": listView,
  "hooks status": statusLines,
  "hooks overview": overviewLines,
} as const satisfies Record<Exclude<ShowCommand, "hooks events">, (view: View) => Promise<readonly string[]>>;

async function listView(view: View): Promise<readonly string[]> {
  const { registrations } = view.setup.registry.snapshot();
  const skipped = skippedLines(view);
  return [
    ...stateLines(view.settings),
    ...listLines(registrations, await marksOf(view)),
    ...(skipped.length === 0 ? [] : ["", ...skipped]),
  ];
}

async function overviewLines(view: View): Promise<readonly string[]> {
  const { setup } = view;
  const marks = await marksOf(view);
  const { registrations, generation } = setup.registry.snapshot();
  return [
    "Hooks: what is asked at the interception points",
    "",
    ...stateLines(view.settings),
    `  Hooks: ${registrations.length}`,
    `  Generation: ${generation}`,
    `  Workspace trusted: ${workspaceText(setup)}`,
    "",
    ...fileLines(setup),
    ...diagnosticLines(setup),
    ...[...marks.values()].flat().map((line) => `  ${terminalSafe(line)}`),
    ...skippedLines(view),
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

function workspaceText({ workspace }: HookSetup): string {
  switch (workspace.kind) {
    case "folder":
      return `yes, with all below ${workspace.by.written} (${workspace.by.file})`;
    case "content":
      return `yes, ${workspace.project} as it was when it was trusted`;
    case "untrusted":
      return "NO";
  }
}

function skippedLines({ setup, surroundings }: View): readonly string[] {
  return skippedSentences(setup.skipped, surroundings.project_dir).map((text) => `SKIPPED: ${terminalSafe(text)}`);
}

/** Commands that cannot run are marked where hooks are shown: a guard that cannot start decides nothing. By place of the hook. */
async function marksOf(
  { surroundings, settings, setup: { loaded } }: View,
): Promise<ReadonlyMap<string, readonly string[]>> {
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
    `             ${terminalSafe(`${describeExecutor(hook)} (at most ${hook.timeout_ms} ms)`)}${terminalSafe(place)}`,
    ...(mark ?? []).map((line) => `             CANNOT RUN: ${terminalSafe(line)}`),
  ];
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
    "Events of soong files, version 1:",
    "",
    ...POINTS.flatMap((point) => {
      const row = POINT_TABLE[point];
      if (row.events.soong.since > 1) return [];
      return [
        `  ${row.events.soong.name.padEnd(18)} ${EFFECT_TEXT[row.deny["soong/1"]].padEnd(32)} ${row.when}`,
        `  ${"".padEnd(18)} matcher: ${SUBJECT_TEXT[row.subject]}`,
      ];
    }),
    "",
    "Points of onecode files:",
    "",
    ...POINTS.flatMap((point) => {
      const row = POINT_TABLE[point];
      if (row.deny.onecode === "closed") return [];
      return [
        `  ${point.padEnd(18)} ${EFFECT_TEXT[row.deny.onecode].padEnd(32)} ${row.when}`,
        `  ${"".padEnd(18)} matcher: ${GLOB_SUBJECT[row.subject]}`,
      ];
    }),
    "",
    "Events of soong files, version 2 (hooks that speak agent-hooks/0.1):",
    "",
    ...POINTS.flatMap((point) => {
      const row = POINT_TABLE[point];
      if (!row.standard) return [];
      return [
        `  ${row.events.soong.name.padEnd(18)} ${EFFECT_TEXT[row.deny["agent-hooks/0.1"]].padEnd(32)} ${row.when}`,
        `  ${"".padEnd(18)} matcher: ${GLOB_SUBJECT[row.subject]}`,
      ];
    }),
  ];
}

const GLOB_SUBJECT = {
  tool_name: "tool name, for example Bash, Write|Edit, mcp__* (one or more, * for any)",
  model_id: "model id, for example gpt-*",
  none: "none",
} as const;

async function statusLines(view: View): Promise<readonly string[]> {
  const { surroundings, settings, setup } = view;
  const { hooks, trust } = settings.config;
  return [
    `Hooks enabled: ${hooks.enabled ? "yes" : "NO (hooks.enabled = false): nothing is checked by hooks"}`,
    `Mode: ${
      hooks.mode === "enforce" ? "enforce" : "evaluate_only: every hook runs and is recorded, NOTHING is enforced"
    }`,
    `A hook that fails: ${failureText(setup, hooks.on_failure)}`,
    `Strict: ${hooks.strict ? "yes, any error in a hook file stops a run" : "no"}`,
    `Generation: ${setup.registry.snapshot().generation}`,
    `Project: ${terminalSafe(surroundings.project_dir)}`,
    `Workspace trusted: ${terminalSafe(workspaceText(setup))}`,
    `Your own onecode hooks: ${trust.user_hooks === "always" ? "fire everywhere" : "fire in trusted workspaces only"}`,
    ...(trust.pin ? ["Content of project files: has to be trusted, also in a trusted folder"] : []),
    `Notification providers: ${terminalSafe(setup.providers().names.join(", "))}`,
    ...replacedLines(setup).map((line) => `  ${terminalSafe(line)}`),
    "",
    ...fileLines(setup),
    ...diagnosticLines(setup),
    ...skippedLines(view),
    ...await unreadLines(surroundings),
  ];
}

/** What becomes of a hook that gives no decision. */
function failureText({ registry }: HookSetup, onFailure: "allow" | "deny"): string {
  const text = onFailure === "deny" ? "counts as a deny where it can block" : "is recorded, the loop goes on";
  const standard = registry.snapshot().registrations.some(({ speech }) => speech === "agent-hooks/0.1");
  return standard ? `counts as a deny if it speaks agent-hooks/0.1; any other ${text}` : text;
}

const STATUS_WORDS = { not_found: "not found", loaded: "loaded", failed: "FAILED" } as const;

function fileLines({ loaded, provider_files: providerFiles }: HookSetup): readonly string[] {
  return [
    "Hook files:",
    ...loaded.files.map(({ path, source, status, hook_count: count, same_as: same }) =>
      `  ${terminalSafe(path)} (${source}): ${STATUS_WORDS[status]}, ` +
      (same === undefined ? `${count} hook(s)` : `the same file as ${terminalSafe(same)}`)
    ),
    "Notification provider files:",
    ...providerFiles.map(({ path, layer, status, definitions }) =>
      `  ${terminalSafe(path)} (${layer}): ${STATUS_WORDS[status]}, ${definitions.length} provider(s)`
    ),
  ];
}

function diagnosticLines({ trust, loaded, provider_files: providerFiles }: HookSetup): readonly string[] {
  const all = [
    ...trust.diagnostics,
    ...loaded.diagnostics,
    ...providerFiles.flatMap(({ diagnostics }) => diagnostics),
  ];
  return all.length === 0 ? [] : ["", ...all.map((one) => terminalSafe(formatDiagnostic(one)))];
}

async function unreadLines(surroundings: Surroundings): Promise<readonly string[]> {
  const path = await unreadProjectFile(surroundings);
  return path === undefined ? [] : ["", `warning: ${terminalSafe(unreadProjectWarning(path))}`];
}

async function print(output: Output, lines: readonly string[]): Promise<number> {
  await output.out(`${lines.join("\n")}\n`);
  return EXIT.done;
}
