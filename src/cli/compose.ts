/** The composition root of a run: reads what is around, makes every part, and says why a run cannot begin. */
import { join } from "node:path";
import { type AgentParts, systemPrompt } from "../agent/mod.ts";
import { createExecutors, createSecretSource } from "../executors/mod.ts";
import { createHookEngine, DIALECTS, type Executors, JCS_SHA256 } from "../hooks/mod.ts";
import { createModel } from "../model/mod.ts";
import { runCommand } from "../process/mod.ts";
import { type AgentEvent, formatDiagnostic, type Message } from "../protocol/mod.ts";
import {
  createArtifactPort,
  createSession,
  resumeSession,
  type SessionLog,
  SessionWriteError,
} from "../session/mod.ts";
import { terminalSafe } from "../text/mod.ts";
import type { RunCommand } from "./arguments/command.ts";
import { childVariables } from "./child_environment.ts";
import { loadSettings, type Settings } from "./config_setup.ts";
import { enterDemo } from "./demo_setup.ts";
import { EXIT } from "./exit_codes.ts";
import { countingDiagnostics, hookNotes, type HookSetup, setUpHooks } from "./hook_setup.ts";
import type { Output } from "./output.ts";
import { approvalOnTerminal } from "./permission_prompt.ts";
import { createPermissionRules, rulesWithoutTool, terminalLines } from "./permission_rules.ts";
import { readPrompt } from "./prompt_source.ts";
import { readRegularFile } from "./regular_file.ts";
import { readSurroundings, type Surroundings } from "./surroundings.ts";
import { createTools } from "./tool_setup.ts";
import { guardScripts } from "./trust_setup.ts";

/** A run that can begin. */
export interface ComposedRun {
  readonly parts: AgentParts;
  readonly log: SessionLog;
  readonly prompt: string;
  /** For the user, before anything happens. */
  readonly introduction?: string;
  readonly resumed: boolean;
  readonly project_dir: string;
  readonly hooks_enabled: boolean;
  /** To be logged before the start: what a resume had to repair. */
  readonly before: readonly AgentEvent[];
  /** To be logged after the start: what the user has to be told. */
  readonly notes: readonly AgentEvent[];
  /** Begins what goes on beside the run: hook files are watched. */
  readonly start: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** What composing came to. */
export type Composition =
  | { readonly kind: "ready"; readonly run: ComposedRun }
  | { readonly kind: "refused"; readonly message: string; readonly exit_code: number };

/** Composes a run. */
export async function composeRun(command: RunCommand, output: Output, signal: AbortSignal): Promise<Composition> {
  const demo = command.demo ? await enterDemo() : undefined;
  const found = demo?.surroundings ?? await readSurroundings(command.project);
  if ("problem" in found) {
    return refuse(found.problem, found.configuration ? EXIT.invalid_configuration : EXIT.wrong_usage);
  }
  const settings = await loadSettings(found, demo?.flags ?? command);
  if (settings.errors.length > 0) {
    return refuse(`the configuration cannot be used:\n${settings.errors.join("\n")}`, EXIT.invalid_configuration);
  }
  const prompt = demo ? { text: demo.prompt } : await readPrompt(command.prompt, signal);
  if (prompt.text === undefined) return refuse(prompt.problem, EXIT.wrong_usage);
  const made = await makeModel(settings, found, demo?.script);
  if (made.kind === "problem") return refuse(made.problem.message, EXIT.wrong_usage);
  const opened = openSession(command, found);
  if (opened.kind === "refused") return opened;

  const { log } = opened;
  const tools = createTools(found, settings.config, log.id);
  const setup = await setUpHooks(found, settings, tools);
  const broken = countingDiagnostics(setup).filter(({ severity }) => severity === "error");
  if (settings.config.hooks.strict && broken.length > 0) {
    log.close();
    return refuse(
      `hooks.strict is on and a hook file has errors:\n${broken.map(formatDiagnostic).join("\n")}`,
      EXIT.invalid_configuration,
    );
  }
  if (found.env["SOONG_DEBUG"] === "1") {
    for (const line of loadedLines(setup)) await output.err(`debug: ${line}\n`);
  }
  const readLine = terminalLines(command.output === "text" && command.prompt.from === "argument" && !command.demo);
  const childEnv = { ...childVariables(found, settings.config), SOONG_SESSION_ID: log.id };
  const hooks = createHookEngine(setup.registry, DIALECTS, {
    scope: {
      session_id: log.id,
      run_id: crypto.randomUUID(),
      session_started_at: log.started_at,
      project_dir: found.project_dir,
      transcript_path: log.path,
      permission_mode: settings.config.permissions.mode,
      mode: "headless",
    },
    executors: executorsOf(found, settings, setup, childEnv),
    on_failure: settings.config.hooks.on_failure,
    mode: settings.config.hooks.mode,
    fail_closed_when_empty: settings.config.hooks.fail_closed_when_empty,
    standard: {
      composition: settings.config.hooks,
      identity_provider: JCS_SHA256,
      ...(readLine && { approval: approvalOnTerminal({ output, readLine }) }),
    },
    now: () => new Date(),
  });
  const parts: AgentParts = {
    model: made.model,
    tools,
    hooks,
    permission: createPermissionRules({
      settings,
      surroundings: found,
      registrations: () => hooks.registrations,
      output,
      ...(readLine && { readLine }),
    }),
    artifacts: createArtifactPort({ home: found.home, session_id: log.id }),
    limits: {
      max_turns: settings.config.max_turns,
      ...(settings.config.max_tokens !== undefined && { max_tokens: settings.config.max_tokens }),
      max_stop_denials: settings.config.hooks.max_stop_denials,
      max_repeated_failures: MAX_REPEATED_FAILURES,
    },
    system: systemPrompt({
      project_dir: found.project_dir,
      platform: Deno.build.os,
      date: new Date().toISOString().slice(0, 10),
    }),
    history: opened.history,
    turn: opened.turn,
    clock: () => performance.now(),
    pending: setup.pending,
    incremental: settings.config.hooks.incremental,
  };
  return {
    kind: "ready",
    run: {
      parts,
      log,
      prompt: prompt.text,
      ...(demo && { introduction: demo.introduction }),
      resumed: opened.resumed,
      project_dir: found.project_dir,
      hooks_enabled: settings.config.hooks.enabled,
      before: opened.events,
      notes: await notesOf(found, settings, setup, opened.turn, tools.tools.map(({ name }) => name)),
      start: () => settings.config.hooks.enabled ? setup.reloader.start() : Promise.resolve(),
      async close() {
        await setup.reloader.close();
        await demo?.close();
      },
    },
  };
}

/** Identical failing calls in a row that end a turn. */
const MAX_REPEATED_FAILURES = 5;

async function makeModel(settings: Settings, found: Surroundings, demoScript: unknown) {
  if (settings.config.model === undefined) {
    return {
      kind: "problem",
      problem: {
        code: "bad_spec",
        message: "no model is set: use --model provider/id, SOONG_MODEL, or model in " +
          `${join(found.home, "config.toml")}; soong-agent run --demo needs none`,
        diagnostics: [],
      },
    } as const;
  }
  return await createModel(settings.config.model, {
    readEnvironment: (name) => found.env[name],
    readTextFile: (path) => Promise.resolve().then(() => new TextDecoder().decode(readRegularFile(path))),
    providers: settings.config.providers,
    embedded_scripts: demoScript === undefined ? {} : { demo: demoScript },
    idle_timeout_ms: settings.config.models.idle_timeout_ms,
    max_retries: settings.config.models.max_retries,
  });
}

interface OpenedSession {
  readonly kind: "opened";
  readonly log: SessionLog;
  readonly history: readonly Message[];
  readonly turn: number;
  readonly resumed: boolean;
  readonly events: readonly AgentEvent[];
}

function openSession(
  command: RunCommand,
  { home, project_dir: projectDir }: Surroundings,
): OpenedSession | Extract<Composition, { kind: "refused" }> {
  const now = () => new Date();
  try {
    if (command.resume === undefined) {
      const log = createSession({ home, now, new_id: () => crypto.randomUUID() });
      return { kind: "opened", log, history: [], turn: 0, resumed: false, events: [] };
    }
    const resumed = resumeSession({ home, id: command.resume, project_dir: projectDir, now });
    if (resumed.kind === "refused") {
      return refuse(resumed.message, resumed.code === "unknown" ? EXIT.wrong_usage : EXIT.failure);
    }
    const { log, history, turn, warnings, repairs } = resumed.session;
    const events = [
      ...warnings.map((message): AgentEvent => ({ turn, type: "warning", code: "session_repaired", message })),
      ...repairs,
    ];
    return { kind: "opened", log, history, turn, resumed: true, events };
  } catch (error) {
    if (error instanceof SessionWriteError) return refuse(error.message, EXIT.failure);
    throw error;
  }
}

function executorsOf(
  found: Surroundings,
  settings: Settings,
  setup: HookSetup,
  childEnv: Readonly<Record<string, string>>,
): Executors {
  const executors = createExecutors({
    runCommand,
    project_dir: found.project_dir,
    home: found.home,
    child_env: childEnv,
    kill_grace_ms: settings.config.runner.kill_grace_ms,
    max_output_bytes: settings.config.runner.max_output_bytes,
    secrets: createSecretSource({
      variable: (name) => found.env[name],
      user_home: found.user_home ?? found.home,
      platform: Deno.build.os,
      runCommand,
      child_env: childEnv,
    }),
    providers: setup.providers,
    now: () => new Date(),
  });
  return { ...executors, command: guardScripts(executors.command, setup.place) };
}

async function notesOf(
  found: Surroundings,
  settings: Settings,
  setup: HookSetup,
  turn: number,
  toolNames: readonly string[],
): Promise<readonly AgentEvent[]> {
  const warn = (code: string, message: string): AgentEvent => ({ turn, type: "warning", code, message });
  const { hooks } = settings.config;
  return [
    ...settings.diagnostics.map((one) => warn("config", formatDiagnostic(one))),
    ...rulesWithoutTool(settings.config.permissions, toolNames).map((text) => warn("permission_rule", text)),
    ...(await hookNotes(setup, found)).map((body): AgentEvent => ({ turn, ...body })),
    ...(hooks.enabled ? [] : [warn("hooks_off", "hooks are off for this run: nothing is checked by hooks")]),
    ...(hooks.enabled && hooks.mode === "evaluate_only"
      ? [warn("evaluate_only", "hooks.mode is evaluate_only: every hook runs and is recorded, nothing is enforced")]
      : []),
  ];
}

/** What was loaded, one line a file and a hook. */
function loadedLines({ loaded, registry }: HookSetup): readonly string[] {
  return [
    ...loaded.files.map(({ path, status, hook_count: count }) => `hook file ${path}: ${status}, ${count} hook(s)`),
    ...registry.snapshot().registrations.map(({ id, point, matcher, declared }) =>
      `hook ${id} loaded at ${point}, matcher ${matcher.text}${declared ? ` (${declared.file}:${declared.line})` : ""}`
    ),
  ].map(terminalSafe);
}

function refuse(message: string, exitCode: number): Extract<Composition, { kind: "refused" }> {
  return { kind: "refused", message, exit_code: exitCode };
}
