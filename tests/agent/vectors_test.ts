import assert from "node:assert/strict";
import { createAgent } from "../../src/agent/mod.ts";
import { createExecutors, createProviders } from "../../src/executors/mod.ts";
import { createHookEngine, createRegistry, DIALECTS } from "../../src/hooks/mod.ts";
import { runCommand } from "../../src/process/mod.ts";
import { type JsonObject, POINT_TABLE, POINTS } from "../../src/protocol/mod.ts";
import type { Tool } from "../../src/tools/mod.ts";
import { collect, of, partsOf, playModel } from "./support.ts";

const FOLDER = new URL("../../../shared/agent-hooks/conformance/vectors/", import.meta.url);
const VECTORS = [
  "001-basic-loop",
  "002-no-tools",
  "003-sequence-monotonic",
  "010-deny-pre-tool",
  "011-deny-input",
  "012-deny-output",
];
const never = new AbortController().signal;

// deno-lint-ignore no-explicit-any
type Any = any;

for (const name of VECTORS) {
  Deno.test(`agent-hooks vector ${name} holds over the loop`, async () => {
    const vector = await readVector(`AH-CTK-${name}.json`);
    if (vector === undefined) {
      console.log(`  the agent-hooks vectors are not beside the project: nothing was compared for ${name}`);
      return;
    }
    const run = await play(vector);
    const { expect } = vector;
    const points = run.contexts.map((context) => context.interception_point);
    const expected = expect.interceptions.map((one: Any) => one.interception_point);
    if (expect.sequence_strict) assert.deepEqual(points, expected);
    let at = 0;
    for (const one of expect.interceptions) {
      at = points.indexOf(one.interception_point, at);
      assert.ok(at >= 0, `${one.interception_point} is missing`);
      for (const [path, value] of Object.entries(one.context ?? {})) {
        assert.deepEqual(valueAt(run.contexts[at]!, path), value, `${one.interception_point}: ${path}`);
      }
      at += 1;
    }
    for (const absent of expect.interceptions_absent ?? []) assert.ok(!points.includes(absent), absent);
    for (const tool of expect.tool_not_invoked ?? []) assert.ok(!run.invoked.some((one) => one.name === tool));
    if (expect.tool_invocations) assert.deepEqual(run.invoked, expect.tool_invocations);
    if ("final_output" in expect) assert.equal(run.finalOutput, expect.final_output);
    assert.equal(run.outcome, expect.run_outcome);
    assert.deepEqual(run.contexts.map((context) => context.sequence), run.contexts.map((_, index) => index));
    assert.equal(run.records.length, run.contexts.length);
    if (expect.identities_equal) {
      for (const record of run.records) {
        assert.match(record.input_identity ?? "", /./);
        assert.equal(record.input_identity, record.enforced_identity);
      }
    }
  });
}

async function play(vector: Any) {
  const contexts: Any[] = [];
  const invoked: { name: string; args: unknown }[] = [];
  const registry = createRegistry();
  for (const point of POINTS.filter((one) => POINT_TABLE[one].standard)) {
    registry.register({
      id: `vector:${point}`,
      point,
      speech: "agent-hooks/0.1",
      source: "plugin",
      priority: 300,
      order: 0,
      matcher: { text: "*", matches: () => ({ matched: true }) },
      executor: {
        type: "interceptor",
        intercept(context) {
          contexts.push(structuredClone(context));
          return answer(vector.interceptor_script ?? [], context);
        },
      },
      timeout_ms: 5000,
      mode: "enforce",
    });
  }
  const hooks = createHookEngine(registry, DIALECTS, {
    scope: {
      session_id: "vector",
      run_id: "run",
      session_started_at: new Date(0).toISOString(),
      project_dir: "/",
      transcript_path: "/t",
      permission_mode: "full",
      mode: "headless",
    },
    executors: createExecutors({
      runCommand,
      project_dir: "/",
      home: "/",
      child_env: {},
      kill_grace_ms: 100,
      max_output_bytes: 1024,
      secrets: { variable: () => undefined },
      providers: () => createProviders(),
      now: () => new Date(),
    }),
    on_failure: "allow",
    mode: vector.mode ?? "enforce",
    fail_closed_when_empty: false,
    now: () => new Date(),
  });
  const { model } = playModel(vector.scenario.model_script.map(({ respond }: Any) => ({
    text: respond.content ?? "",
    calls: respond.tool_calls.length === 0 ? undefined : respond.tool_calls.map((call: Any) => ({
      id: call.id,
      name: call.name,
      arguments_text: JSON.stringify(call.args),
    })),
    finish_reason: respond.finish_reason,
  })));
  const tools = (vector.scenario.tools ?? []).map((tool: Any) => scriptedTool(tool, invoked));
  const agent = createAgent(partsOf({ model, hooks }, tools));
  const start = { version: "1", source: "startup", project_dir: "/", hooks_enabled: true } as const;
  const first = await collect(agent.start(start, never));
  const turn = await collect(agent.prompt(vector.scenario.input.content, never));
  const last = await collect(agent.finish(turn.result.reason, never));
  const events = [...first.events, ...turn.events, ...last.events];
  return {
    contexts,
    invoked,
    records: of(events, "interception").map((event) => event.record),
    outcome: turn.result.reason,
    finalOutput: turn.result.reason === "completed" ? turn.result.text : null,
  };
}

function scriptedTool(tool: Any, invoked: { name: string; args: unknown }[]): Tool {
  return {
    name: tool.name,
    description: tool.name,
    tier: "dangerous",
    tags: ["dangerous"],
    parameters: { type: "object" },
    validate: (input) => ({ ok: true, input }),
    target: () => Promise.resolve(undefined),
    run(input: JsonObject) {
      invoked.push({ name: tool.name, args: input });
      const behavior = tool.behavior.find((one: Any) => !one.when_args || same(one.when_args, input));
      return Promise.resolve({ is_error: false, content: behavior.return });
    },
  };
}

function answer(script: Any[], context: Any): unknown {
  const step = script.find((one) =>
    one.at === context.interception_point &&
    Object.entries(one.match ?? {}).every(([path, value]) => same(valueAt(context, path), value))
  );
  return step?.return ?? { decision: "allow" };
}

function valueAt(context: Any, path: string): unknown {
  return path.replaceAll(/\[(\d+)\]/g, ".$1").split(".").reduce((value: Any, key) => value?.[key], context);
}

function same(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

async function readVector(file: string): Promise<Any> {
  try {
    return JSON.parse(await Deno.readTextFile(new URL(file, FOLDER)));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
