/**
 * The door for programs that embed soong-agent.
 *
 * `createHooks` gives a registry with an engine: register hooks from code (`register`), fire them at a point (`fire`), ask
 * whether anything would run (`hasActive`), load hook files beside them (`load`). `openAgent` gives an agent whose every
 * step passes through such hooks. What an embedder needs to write own models, tools or executors is exported as it is.
 *
 * Nothing here reads arguments, the environment or the working directory: what is needed is passed. Failures of hooks,
 * models and tools are values and events; a registration that cannot work throws `TypeError`.
 */
import {
  type Agent,
  type AgentLimits,
  type AgentParts,
  createAgent,
  type PermissionRules,
  systemPrompt,
} from "./agent/mod.ts";
import { DEFAULT_SENSITIVE, protectionOf, sensitivePatternOf } from "./config/mod.ts";
import { createExecutors, createProviders, createSecretSource, type NotificationChannel } from "./executors/mod.ts";
import {
  checkProviderName,
  type CodeHook,
  createHookEngine,
  createRegistry,
  DIALECTS,
  type EmissionResult,
  type HookEngine,
  type HookFile,
  hookFromCode,
  type KnownTool,
  type LoadedHooks,
  loadHookFiles,
  type Registry,
  scriptOfHook,
  type StandardOptions,
} from "./hooks/mod.ts";
import type { Model } from "./model/mod.ts";
import { childEnvironment, DEFAULT_ENV_ALLOWLIST, runCommand } from "./process/mod.ts";
import type { Moment, Occasion, Point } from "./protocol/mod.ts";
import { createArtifactPort } from "./session/mod.ts";
import { createBuiltinTools, createToolRegistry, type Tool, type ToolRegistry } from "./tools/mod.ts";

export type {
  Agent,
  AgentLimits,
  AgentParts,
  PermissionAnswer,
  PermissionQuestion,
  PermissionRules,
  TurnOutcome,
} from "./agent/mod.ts";
export { createAgent } from "./agent/mod.ts";
export { endAllGroups } from "./process/mod.ts";
export type * from "./protocol/mod.ts";
export type * from "./hooks/mod.ts";
export { createModel, type Model, type ModelEvent, type ModelOptions, type ModelRequest } from "./model/mod.ts";
export { contextIdentity, DEFAULT_STANDARD, JCS_SHA256 } from "./hooks/mod.ts";
export { type CodeHook, createRegistry, type HookFile, hookFromCode, loadHookFiles } from "./hooks/mod.ts";
export type { NotificationChannel } from "./executors/mod.ts";
export { createToolRegistry, type Tool, type ToolOutcome, type ToolRegistry } from "./tools/mod.ts";

/** Where hooks run and what they see. */
export interface HooksOptions {
  /** Absolute: the working directory of hooks, and what theirs must lie inside. */
  readonly project_dir: string;
  /** The agent's own folder: artifacts go there, and no tool may write into it. */
  readonly home: string;
  /** The environment; the allow-list decides what of it children see. */
  readonly env: Readonly<Record<string, string>>;
  /** Default: the names of `DEFAULT_ENV_ALLOWLIST`. */
  readonly env_allowlist?: readonly string[];
  /** Default: a new one. */
  readonly session_id?: string;
  /** What an undecided hook that can block comes to; default `allow`. */
  readonly on_failure?: "allow" | "deny";
  readonly mode?: "enforce" | "evaluate_only";
  /** Whether everything is denied while no hook at all is registered; default false. */
  readonly fail_closed_when_empty?: boolean;
  /** Whether the project is trusted; hooks registered with `requires_trust` are asked only then. Default false. */
  readonly trusted?: boolean;
  /** How hooks that speak agent-hooks/0.1 are asked: profile, identity provider, approval. Default `DEFAULT_STANDARD`. */
  readonly standard?: StandardOptions;
  /** Notification channels written in code, beside those of this program. */
  readonly channels?: readonly NotificationChannel[];
}

/** A hook from code; with `requires_trust` it is registered only where the project is trusted. */
export type EmbeddedHook = CodeHook & { readonly requires_trust?: boolean };

/** Hooks of an embedding program. */
export interface Hooks {
  readonly registry: Registry;
  readonly engine: HookEngine;
  /** Adds a hook; the returned function takes it away. It survives every `load`. */
  register(hook: EmbeddedHook): () => void;
  /**
   * Reads hook files and swaps everything that came out of files. Hooks of a file with source `project` are registered only
   * where the project is trusted; the result names them all.
   */
  load(files: readonly HookFile[], tools?: readonly KnownTool[]): Promise<LoadedHooks>;
  /** Asks the hooks at the point of the occasion. Never throws. */
  fire(occasion: Occasion, fire?: { readonly signal?: AbortSignal; readonly moment?: Moment }): Promise<EmissionResult>;
  /** Whether anything would be asked at this point for this tool name or model id. */
  hasActive(point: Point, subject?: string): boolean;
}

/** Makes an empty registry with its engine. */
export function createHooks(options: HooksOptions): Hooks {
  const registry = createRegistry();
  const sessionId = options.session_id ?? crypto.randomUUID();
  const providers = createProviders({ channels: options.channels ?? [] });
  const engine = createHookEngine(registry, DIALECTS, {
    scope: {
      session_id: sessionId,
      run_id: crypto.randomUUID(),
      session_started_at: new Date().toISOString(),
      project_dir: options.project_dir,
      transcript_path: "",
      permission_mode: "embedded",
      mode: "headless",
    },
    executors: createExecutors({
      runCommand,
      project_dir: options.project_dir,
      home: options.home,
      child_env: childVariables(options, sessionId),
      kill_grace_ms: KILL_GRACE_MS,
      max_output_bytes: MAX_OUTPUT_BYTES,
      secrets: createSecretSource({
        variable: (name) => options.env[name],
        user_home: options.env["HOME"] ?? options.home,
        platform: Deno.build.os,
        runCommand,
        child_env: childVariables(options, sessionId),
      }),
      providers: () => providers,
      now: () => new Date(),
    }),
    on_failure: options.on_failure ?? "allow",
    mode: options.mode ?? "enforce",
    fail_closed_when_empty: options.fail_closed_when_empty ?? false,
    ...(options.standard && { standard: checkedStandard(options.standard) }),
    now: () => new Date(),
  });
  return {
    registry,
    engine,
    register({ requires_trust: requiresTrust, ...hook }) {
      const registration = hookFromCode(hook);
      return requiresTrust && options.trusted !== true ? () => {} : registry.register(registration);
    },
    async load(files, tools) {
      const loaded = await loadHookFiles({
        files,
        project_dir: options.project_dir,
        default_timeout_ms: DEFAULT_TIMEOUT_MS,
        ...(tools && { tools }),
      });
      const { registrations } = loaded;
      registry.replaceConfig(
        options.trusted ? registrations : registrations.filter(({ source }) => source !== "project"),
      );
      return loaded;
    },
    fire: (occasion, { signal = NEVER, moment = START } = {}) => engine.emit(occasion, moment, signal),
    hasActive: (point, subject = "") => engine.hasActive(point, subject),
  };
}

/** What an agent is made of beside its hooks. */
export interface AgentOptions {
  readonly model: Model;
  readonly hooks: Hooks;
  readonly project_dir: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** Default: the built-in tools. */
  readonly tools?: readonly Tool[];
  /** Default `ask`; with nobody to ask that means deny. */
  readonly permission_mode?: PermissionRules["mode"];
  readonly ask?: PermissionRules["ask"];
  readonly limits?: Partial<AgentLimits>;
  /** Default: the system prompt of the program. */
  readonly system?: string;
}

/** Makes an agent. Its generators yield events; the caller takes them to their end, then awaits `endAllGroups`. */
export function openAgent(options: AgentOptions): Agent {
  const { project_dir: projectDir, home, hooks } = options;
  const parts: AgentParts = {
    model: options.model,
    tools: toolsOf(options),
    hooks: hooks.engine,
    permission: permissionOf(options),
    artifacts: createArtifactPort({ home, session_id: crypto.randomUUID() }),
    limits: { max_turns: 50, max_stop_denials: 8, max_repeated_failures: 5, ...options.limits },
    system: options.system ?? systemPrompt({
      project_dir: projectDir,
      platform: Deno.build.os,
      date: new Date().toISOString().slice(0, 10),
    }),
    history: [],
    turn: 0,
    clock: () => performance.now(),
  };
  return createAgent(parts);
}

const KILL_GRACE_MS = 2000;
const MAX_OUTPUT_BYTES = 1024 * 1024;
const DEFAULT_TIMEOUT_MS = 60_000;
const NEVER = new AbortController().signal;
const START: Moment = { turn: 0, usage: { input_tokens: 0, output_tokens: 0 }, tool_call_count: 0, elapsed_ms: 0 };

function childVariables(
  { env, env_allowlist: listed, home, project_dir: projectDir }: HooksOptions,
  sessionId: string,
): Record<string, string> {
  return childEnvironment(env, listed ?? DEFAULT_ENV_ALLOWLIST, {
    SOONG_AGENT_HOME: home,
    SOONG_PROJECT_DIR: projectDir,
    SOONG_SESSION_ID: sessionId,
  });
}

/** Throws `TypeError` for a name that belongs to the standard. */
function checkedStandard(standard: StandardOptions): StandardOptions {
  if (standard.identity_provider !== null) checkProviderName(standard.identity_provider.name);
  return standard;
}

function toolsOf(options: AgentOptions): ToolRegistry {
  if (options.tools) return createToolRegistry(options.tools);
  return createBuiltinTools({
    project_dir: options.project_dir,
    added_dirs: [],
    run_command: runCommand,
    child_env: childEnvironment(options.env, DEFAULT_ENV_ALLOWLIST, {}),
    kill_grace_ms: KILL_GRACE_MS,
    max_output_bytes: MAX_OUTPUT_BYTES,
    sensitive: DEFAULT_SENSITIVE,
    plans_dir: ".soong-agent/plans",
  });
}

/** No rules: the mode, and what is protected or sensitive whatever an embedder says. */
function permissionOf(options: AgentOptions): PermissionRules {
  const { home, project_dir: projectDir, env } = options;
  const places = { home, user_home: env["HOME"], project_dir: projectDir };
  return {
    mode: options.permission_mode ?? "ask",
    protectedBy(call) {
      if (call.tier === "readonly" || call.path === undefined) return undefined;
      const scripts = options.hooks.engine.registrations.flatMap((hook) =>
        scriptOfHook(hook, { project_dir: projectDir, variables: env }) ?? []
      );
      return protectionOf({ path: call.path, home, scripts });
    },
    deniedBy: () => undefined,
    sensitiveBy: ({ path }) => path === undefined ? undefined : sensitivePatternOf(path, DEFAULT_SENSITIVE, places),
    allowedBy: () => undefined,
    ...(options.ask && { ask: options.ask }),
  };
}
