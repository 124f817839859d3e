/** Plays vectors: the loop, the engine and the session are those of the program; the model and the tools follow the script. */
import { isDeepStrictEqual } from "node:util";
import { type AgentParts, createAgent } from "../../src/agent/mod.ts";
import { createExecutors, createProviders } from "../../src/executors/mod.ts";
import {
  contextIdentity,
  createHookEngine,
  createRegistry,
  DIALECTS,
  type HookEngine,
  type IdentityProvider,
  JCS_SHA256,
  type Registration,
  type StandardOptions,
  transformContext,
} from "../../src/hooks/mod.ts";
import type { Model, ModelEvent } from "../../src/model/mod.ts";
import { runCommand } from "../../src/process/mod.ts";
import {
  type AgentEvent,
  isJsonObject,
  type Json,
  type JsonObject,
  parseJson,
  POINT_TABLE,
  POINTS,
  writeJson,
} from "../../src/protocol/mod.ts";
import { createArtifactPort, createSession } from "../../src/session/mod.ts";
import { createToolRegistry, type Tool } from "../../src/tools/mod.ts";
import {
  type ApprovalRule,
  type InterceptorRule,
  type Respond,
  type RunRecord,
  type ScriptedTool,
  valueAt,
  type Vector,
} from "./vector.ts";

/** A vector with what its run left. */
export interface VectorRun {
  readonly vector: Vector;
  readonly record: RunRecord;
}

/** What the host does after a `host_error:*` deny at a tool: the model is told, and the loop goes on. */
const POSTURES = { tool_seam_host_error: "continue" } as const;

/** Plays every vector of a folder in the order of their names. */
export async function* runVectors(folder: string): AsyncGenerator<VectorRun> {
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) => name.endsWith(".json")).sort();
  for (const name of names) {
    const vector = parseJson(await Deno.readTextFile(`${folder}/${name}`)) as unknown as Vector;
    yield { vector, record: await play(vector) };
  }
}

async function play(vector: Vector): Promise<RunRecord> {
  const home = await Deno.makeTempDir({ prefix: "soong-ctk-" });
  try {
    return await playIn(home, vector);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

async function playIn(home: string, vector: Vector): Promise<RunRecord> {
  const contexts: JsonObject[] = [];
  const invoked: { name: string; args: JsonObject }[] = [];
  const log = createSession({ home, now: () => new Date(), new_id: () => crypto.randomUUID() });
  const hooks = engineOf(vector, log.id, home, contexts);
  const parts: AgentParts = {
    model: scriptedModel(vector.scenario.model_script ?? []),
    tools: createToolRegistry((vector.scenario.tools ?? []).map((tool) => scriptedTool(tool, invoked))),
    hooks,
    permission: {
      mode: "full",
      protectedBy: () => undefined,
      deniedBy: () => undefined,
      sensitiveBy: () => undefined,
      allowedBy: () => undefined,
    },
    artifacts: createArtifactPort({ home, session_id: log.id }),
    limits: { max_turns: 20, max_stop_denials: 8, max_repeated_failures: 5 },
    system: "",
    history: [],
    turn: 0,
    clock: () => performance.now(),
    incremental: vector.capabilities.includes("incremental_output"),
  };
  const events: AgentEvent[] = [];
  const take = async <Result>(generator: AsyncGenerator<AgentEvent, Result>): Promise<Result> => {
    for (;;) {
      const next = await generator.next();
      if (next.done) return next.value;
      events.push(next.value);
      log.append(next.value);
    }
  };
  const agent = createAgent(parts);
  const never = new AbortController().signal;
  const start = { version: "ctk", source: "startup", project_dir: home, hooks_enabled: true } as const;
  const accepted = await take(agent.start(start, never));
  const turn = accepted
    ? await take(agent.prompt(vector.scenario.input.content, never))
    : { reason: "blocked", text: "" } as const;
  await take(agent.finish(turn.reason, never));
  log.sync();
  log.close();

  const records = events.flatMap((event) =>
    event.type === "interception" ? [event.record as unknown as JsonObject] : []
  );
  const error = events.findLast((event) => event.type === "error");
  return {
    id: vector.id,
    outcome: turn.reason === "completed" || turn.reason === "blocked" ? turn.reason : "error",
    final_output: turn.reason === "completed" ? turn.text : null,
    tool_invocations: invoked,
    error: error?.type === "error" ? error.message : null,
    identities: records.map((record) => ({
      interception_point: String(record["interception_point"]),
      input_identity: record["input_identity"] as string | null,
      enforced_identity: record["enforced_identity"] as string | null,
    })),
    records,
    recorded_contexts: contexts,
    postures: POSTURES,
    ...(parts.incremental === true && {
      released_output: events.map((event) => event.type === "assistant_delta" ? event.text : "").join(""),
      persisted: await persistedBy(log.path),
    }),
  };
}

/** What the session keeps: the file as it is. */
async function persistedBy(path: string): Promise<Json> {
  return (await Deno.readTextFile(path)).split("\n").filter((line) => line !== "").map(parseJson);
}

function engineOf(vector: Vector, sessionId: string, home: string, contexts: JsonObject[]): HookEngine {
  const registry = createRegistry();
  const scripts = vector.interceptor_scripts ?? [vector.interceptor_script ?? []];
  scripts.forEach((rules, index) => {
    for (const point of POINTS.filter((one) => POINT_TABLE[one].standard)) {
      registry.register(interceptor(`interceptor-${index}:${point}`, point, index, (context) => {
        if (index === 0) contexts.push(structuredClone(context));
        return answerOf(rules, context);
      }));
    }
  });
  return createHookEngine(registry, DIALECTS, {
    scope: {
      session_id: sessionId,
      run_id: crypto.randomUUID(),
      session_started_at: new Date().toISOString(),
      project_dir: home,
      transcript_path: "",
      permission_mode: "full",
      mode: "headless",
    },
    executors: createExecutors({
      runCommand,
      project_dir: home,
      home,
      child_env: {},
      kill_grace_ms: 100,
      max_output_bytes: 1024,
      secrets: { variable: () => undefined },
      providers: () => createProviders(),
      now: () => new Date(),
    }),
    on_failure: "allow",
    mode: vector.mode ?? "enforce",
    fail_closed_when_empty: true,
    standard: standardOf(vector),
    now: () => new Date(),
  });
}

function interceptor(
  id: string,
  point: Registration["point"],
  order: number,
  intercept: (context: JsonObject) => unknown,
): Registration {
  return {
    id,
    point,
    speech: "agent-hooks/0.1",
    source: "plugin",
    priority: 300,
    order,
    matcher: { text: "*", matches: () => ({ matched: true }) },
    executor: { type: "interceptor", intercept: (context) => intercept(context as JsonObject) },
    timeout_ms: 5000,
    mode: "enforce",
  };
}

function standardOf(vector: Vector): StandardOptions {
  const { approval_script: script, redact_for_approval: paths, identity_provider: named = "jcs-sha256" } = vector;
  const provider = providerOf(named);
  return {
    composition: vector.composition ?? { profile: "sequential/first_deny", on_approval: "stop" },
    identity_provider: provider,
    ...(script !== undefined && script.length > 0 && {
      approval: (request) => resolve(script, request as unknown as JsonObject & { context: JsonObject }),
    }),
    ...(paths !== undefined && {
      redactor: (context: JsonObject) =>
        paths.reduce((shown, path) => transformContext(shown, path, "[redacted]") ?? shown, context),
    }),
  };
}

function providerOf(name: string | null): IdentityProvider | null {
  if (name === null) return null;
  if (name === JCS_SHA256.name) return JCS_SHA256;
  return {
    name,
    identify() {
      throw new Error("this provider fails on purpose");
    },
  };
}

function answerOf(rules: readonly InterceptorRule[], context: JsonObject): unknown {
  const rule = rules.find(({ at, match }) => at === context["interception_point"] && matches(match, context));
  switch (rule?.fault) {
    case "raise":
      throw new Error("this interceptor fails on purpose");
    case "malformed_verdict":
      return { decision: "transform" };
    case "mutate":
      vandalize(context);
      return { decision: "allow", reason: "ctk:mutated" };
    default:
      return rule?.return ?? { decision: "allow" };
  }
}

/** Changes whatever an interceptor was given, in place. */
function vandalize(value: Json): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    vandalize(item);
    if (typeof item !== "object") (value as Record<string, Json>)[key] = "mutated";
  }
}

async function resolve(
  script: readonly ApprovalRule[],
  request: JsonObject & { readonly context: JsonObject },
): Promise<unknown> {
  const rule = script.find(({ match }) => matches(match, request.context));
  if (rule === undefined) return { outcome: "unresolved", context_identity: request["context_identity"] };
  const { fault, outcome, verdict, identity_override: override, echo_recomputed: recompute } = rule.resolve;
  if (fault === "raise") throw new Error("this resolver fails on purpose");
  const own = recompute === true ? await contextIdentity(request.context) : undefined;
  const identity = own === undefined ? override ?? request["context_identity"] : own.ok ? own.identity : null;
  return { outcome, context_identity: identity, ...(verdict !== undefined && { verdict }) };
}

function matches(match: JsonObject | undefined, context: JsonObject): boolean {
  return Object.entries(match ?? {}).every(([path, value]) => isDeepStrictEqual(valueAt(context, path), value));
}

function scriptedModel(script: readonly { readonly respond: Respond }[]): Model {
  let asked = 0;
  return {
    id: "scripted",
    provider: "ctk",
    async *stream(): AsyncGenerator<ModelEvent> {
      const respond = script[asked++]?.respond;
      await Promise.resolve();
      if (respond === undefined) {
        yield { type: "failure", failure: { kind: "script", message: "the script has no more answers" } };
        return;
      }
      const text = respond.content ?? "";
      for (const chunk of respond.stream ?? (text === "" ? [] : [text])) yield { type: "text_delta", text: chunk };
      if (respond.stream_truncated === true) return;
      yield {
        type: "finish",
        answer: {
          text,
          tool_calls: respond.tool_calls.map(({ id, name, args }) => ({ id, name, arguments_text: writeJson(args) })),
          finish_reason: respond.finish_reason as "stop" | "tool_calls",
          usage: { input_tokens: 1, output_tokens: 1 },
        },
      };
    },
  };
}

function scriptedTool({ name, behavior }: ScriptedTool, invoked: { name: string; args: JsonObject }[]): Tool {
  return {
    name,
    description: name,
    tier: "dangerous",
    tags: ["dangerous"],
    parameters: { type: "object" },
    validate: (input) => ({ ok: true, input }),
    target: () => Promise.resolve(undefined),
    run(input) {
      invoked.push({ name, args: input });
      const clause = behavior.find(({ when_args: wanted }) => wanted === undefined || isDeepStrictEqual(wanted, input));
      const value = clause?.return ?? null;
      const content = typeof value === "string" ? value : writeJson(value);
      return Promise.resolve({
        is_error: clause?.is_error === true,
        content,
        ...(isJsonObject(value) || typeof value !== "string" ? { value } : {}),
      });
    },
  };
}
