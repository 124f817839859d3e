/** Engines, registrations, occasions and runs for the tests of the engine's side of this room. */
import {
  createHookEngine,
  createRegistry,
  DIALECTS,
  type DialectTable,
  type Executor,
  type ExecutorSettings,
  type HookEngine,
  type HookEngineOptions,
  type Matcher,
  type Registration,
} from "../../src/hooks/mod.ts";
import type { Ending, HookRun, Moment, Occasion, Point, RunScope, ToolCall } from "../../src/protocol/mod.ts";

export const SCOPE: RunScope = {
  session_id: "session-1",
  run_id: "run-1",
  session_started_at: "2026-01-01T00:00:00.000Z",
  project_dir: "/project",
  transcript_path: "/home/session-1.jsonl",
  permission_mode: "ask",
  mode: "headless",
};

export const MOMENT: Moment = {
  turn: 1,
  usage: { input_tokens: 10, output_tokens: 5 },
  tool_call_count: 2,
  elapsed_ms: 1500,
};

export const NEVER = new AbortController().signal;

export const NOW = new Date("2026-01-01T00:00:00.000Z");

export const CALL: ToolCall = {
  id: "call-1",
  name: "Bash",
  input: { command: "touch MARK" },
  tier: "dangerous",
  tags: ["code", "shell", "write", "dangerous"],
};

const RESULT = { call_id: "call-1", name: "Bash", is_error: false, content: "ok", duration_ms: 3 };
const USAGE = { input_tokens: 1, output_tokens: 1 };

/** One occasion for each point. */
export const OCCASIONS: { readonly [P in Point]: Extract<Occasion, { point: P }> } = {
  agent_startup: { point: "agent_startup", source: "startup", tools: ["Bash", "Read"] },
  input: { point: "input", prompt: "hello" },
  pre_model_call: { point: "pre_model_call", model_id: "m", messages: [{ role: "user", text: "hello" }] },
  post_model_call: {
    point: "post_model_call",
    model_id: "m",
    answer: { text: "hi", tool_calls: [], finish_reason: "stop", usage: USAGE },
  },
  pre_tool_call: { point: "pre_tool_call", call: CALL },
  post_tool_call: { point: "post_tool_call", call: CALL, result: RESULT },
  stop: { point: "stop", stop_hook_active: false, stop_denials: 0, last_assistant_message: "done" },
  output: { point: "output", text: "done" },
  agent_shutdown: { point: "agent_shutdown", reason: "completed" },
};

export const EVERYTHING: Matcher = { text: "*", matches: () => ({ matched: true }) };

/** A user hook of soong version 1 at pre_tool_call that enforces. */
export function registration(id: string, changes: Partial<Registration> = {}): Registration {
  return {
    id,
    point: "pre_tool_call",
    speech: "soong/1",
    source: "user",
    priority: 100,
    order: 0,
    matcher: EVERYTHING,
    executor: { type: "command", command: id },
    timeout_ms: 5000,
    mode: "enforce",
    ...changes,
  };
}

/** A run that ended by itself. */
export function runOf(stdout: string | Uint8Array, changes: Partial<HookRun> & { code?: number } = {}): HookRun {
  const { code = 0, ...rest } = changes;
  return {
    ending: { kind: "exited", code },
    stdout: typeof stdout === "string" ? new TextEncoder().encode(stdout) : stdout,
    stdout_truncated: false,
    stderr: "",
    duration_ms: 1,
    ...rest,
  };
}

export function ended(ending: Ending, stdout = ""): HookRun {
  return runOf(stdout, { ending });
}

/** Executors of which each type does what `run` says. */
export function executorsOf(run: Executor): HookEngineOptions["executors"] {
  return { command: run, static: run, interceptor: run, http: run, notification: run };
}

/** What an executor that answers by the id of its hook says. */
export function answers(table: Readonly<Record<string, HookRun | string>>): Executor {
  return ({ registration: { id } }) => {
    const answer = table[id] ?? "";
    return Promise.resolve(typeof answer === "string" ? runOf(answer) : answer);
  };
}

export const DENY = '{"decision":"deny","reason":"no"}';

export function engineOf(
  registrations: readonly Registration[],
  executor: Executor | HookEngineOptions["executors"],
  options: Partial<HookEngineOptions> = {},
  dialects: DialectTable = DIALECTS,
): HookEngine {
  const registry = createRegistry();
  registry.replaceConfig(registrations.map((hook, order) => ({ ...hook, order })));
  return createHookEngine(registry, dialects, {
    scope: SCOPE,
    executors: typeof executor === "function" ? executorsOf(executor) : executor,
    on_failure: "allow",
    mode: "enforce",
    fail_closed_when_empty: false,
    now: () => NOW,
    ...options,
  });
}

export function interceptor(
  id: string,
  intercept: (context: unknown) => unknown,
  changes: Partial<Registration> = {},
): Registration {
  const executor: ExecutorSettings = { type: "interceptor", intercept };
  return registration(id, { speech: "agent-hooks/0.1", source: "plugin", priority: 300, executor, ...changes });
}
