/** Interception records, and the agent-hooks lane that they belong to. */
import assert from "node:assert/strict";
import type { JsonObject } from "../../src/protocol/mod.ts";
import { POINT_TABLE, POINTS } from "../../src/protocol/mod.ts";
import { createExecutors, createProviders } from "../../src/executors/mod.ts";
import type { HookEngineOptions, Registration } from "../../src/hooks/mod.ts";
import { CALL, engineOf, interceptor, MOMENT, NEVER, OCCASIONS, registration, runOf } from "./engine_support.ts";

const EXECUTORS = createExecutors({
  runCommand: () => Promise.reject(new Error("no process belongs here")),
  project_dir: "/project",
  home: "/home",
  child_env: {},
  kill_grace_ms: 1,
  max_output_bytes: 1,
  secrets: { variable: () => undefined },
  providers: () => createProviders(),
  now: () => new Date(),
});

const STANDARD = POINTS.filter((point) => POINT_TABLE[point].standard);

function standardEngine(hooks: readonly Registration[], options: Partial<HookEngineOptions> = {}) {
  return engineOf(hooks, EXECUTORS, options);
}

Deno.test("a context has the core, its conditional members and its target at each of the eight points", async () => {
  const contexts: JsonObject[] = [];
  const hooks = STANDARD.map((point) =>
    interceptor(point, (context) => (contexts.push(context as JsonObject), { decision: "allow" }), { point })
  );
  const engine = standardEngine(hooks);
  for (const point of STANDARD) await engine.emit(OCCASIONS[point], MOMENT, NEVER);
  assert.deepEqual(contexts.map((context) => context["interception_point"]), STANDARD);
  for (const [index, context] of contexts.entries()) {
    assert.equal(context["spec"], "agent-hooks/0.1");
    assert.equal(context["sequence"], index);
    assert.equal(context["timestamp"], "2026-01-01T00:00:00.000Z");
    assert.deepEqual(context["agent"], { id: "soong-agent", framework: "soong-agent" });
    assert.deepEqual(context["session"], { id: "session-1", started_at: "2026-01-01T00:00:00.000Z", turn: 1 });
  }
  const targets = Object.fromEntries(contexts.map((context) => [context["interception_point"], context["target"]]));
  assert.deepEqual(targets, {
    agent_startup: { tools_registered: ["Bash", "Read"] },
    input: { content: "hello", role: "user" },
    pre_model_call: [{ role: "user", content: "hello" }],
    post_model_call: { content: "hi", tool_calls: [], finish_reason: "stop" },
    pre_tool_call: { command: "touch MARK" },
    post_tool_call: "ok",
    output: { content: "done" },
    agent_shutdown: { reason: "completed" },
  });
  const byPoint = Object.fromEntries(contexts.map((context) => [context["interception_point"], context]));
  assert.deepEqual(byPoint["pre_tool_call"]!["tool_call"], { id: "call-1", name: "Bash", args: CALL.input });
  assert.deepEqual(byPoint["post_tool_call"]!["tool_result"], { value: "ok", is_error: false, duration_ms: 3 });
});

Deno.test("the sequence counts every emission at a standard point from 0, matched or not, and no stop", async () => {
  const sequences: unknown[] = [];
  const note = (context: unknown) => (sequences.push((context as JsonObject)["sequence"]), { decision: "allow" });
  const engine = standardEngine([interceptor("i", note), interceptor("o", note, { point: "output" })]);
  for (const point of ["agent_startup", "input", "pre_tool_call", "stop", "output", "pre_tool_call"] as const) {
    await engine.emit(OCCASIONS[point], MOMENT, NEVER);
  }
  assert.deepEqual(sequences, [2, 3, 4]);
});

Deno.test("an emission that an interceptor allowed leaves a record with equal identities and no payload", async () => {
  const engine = standardEngine([interceptor("one", () => ({ decision: "allow" }))]);
  const { effect, record } = await engine.emit(OCCASIONS.pre_tool_call, MOMENT, NEVER);
  assert.equal(effect, "proceed");
  assert.ok(record?.input_identity);
  assert.match(record.input_identity, /^sha256:[0-9a-f]{64}$/);
  assert.deepEqual(record, {
    interception_point: "pre_tool_call",
    mode: "enforce",
    verdict: { decision: "allow" },
    input_identity: record.input_identity,
    enforced_identity: record.input_identity,
    identity_provider: "jcs-sha256",
    session_id: "session-1",
    sequence: 0,
    timestamp: "2026-01-01T00:00:00.000Z",
    decided_by: null,
    composition: { profile: "sequential/run_all" },
    verdicts: [{ index: 0, decision: "allow", name: "one" }],
    fold_truncated: false,
    interceptors_registered: 1,
  });
  assert.ok(!JSON.stringify(record).includes("touch MARK"));
});

Deno.test("a deny blocks with reason and message; the record keeps the reason and 256 bytes of the message", async () => {
  const verdict = {
    decision: "deny",
    reason: "acme:rule",
    message: "é".repeat(400),
    approval: { secret: "x" },
    warnings: [{ reason: "w" }, { reason: "w" }],
  };
  const engine = standardEngine([
    interceptor("quiet", () => ({ decision: "allow", warnings: [{ reason: "first" }, { reason: "w" }] })),
    interceptor("strict", () => verdict),
  ]);
  const { effect, verdict: combined, record } = await engine.emit(OCCASIONS.pre_tool_call, MOMENT, NEVER);
  assert.equal(effect, "block");
  assert.ok(combined.decision === "deny" && combined.reasons[0]!.startsWith("acme:rule: éé"));
  assert.equal(record?.decided_by, 1);
  const { message, ...rest } = record!.verdict;
  assert.deepEqual(rest, {
    decision: "deny",
    reason: "acme:rule",
    approval: {},
    warnings: [{ reason: "first" }, { reason: "w" }],
  });
  assert.ok(new TextEncoder().encode(String(message)).length <= 256);
  assert.match(String(message), /^é+…$/);
  assert.deepEqual(record?.verdicts, [
    { index: 0, decision: "allow", name: "quiet" },
    { index: 1, decision: "deny", reason: "acme:rule", name: "strict" },
  ]);
});

Deno.test("interceptors fail closed with the reserved reasons, each in its slot, and the others are still asked", async () => {
  let later = 0;
  const rows: readonly (readonly [string, (context: unknown) => unknown, number?])[] = [
    ["host_error:interceptor_failed", () => {
      throw new RangeError("rm -rf secret");
    }],
    ["host_error:interceptor_failed", () => undefined],
    ["host_error:interceptor_timeout", () => new Promise(() => {}), 30],
    ["host_error:verdict_invalid", () => ({ decision: "perhaps" })],
    ["host_error:transform_target_forbidden", () => ({ decision: "transform", transform: { path: "$.x" } })],
  ];
  for (const [reason, intercept, timeout_ms = 5000] of rows) {
    const engine = standardEngine([
      interceptor("broken", intercept, { timeout_ms }),
      interceptor("later", () => (later++, { decision: "allow" })),
    ]);
    const { effect, verdict, record } = await engine.emit(OCCASIONS.pre_tool_call, MOMENT, NEVER);
    assert.equal(effect, "block");
    assert.ok(verdict.decision === "deny");
    assert.equal(verdict.cause, "hook_failure");
    assert.equal(record?.verdict["reason"], reason);
    assert.equal(record?.decided_by, 0);
    assert.ok(!JSON.stringify(record).includes("secret"));
  }
  assert.equal(later, rows.length);
});

Deno.test("a transform that leads nowhere, or to what no call can take, denies by nobody's name and ends the asking", async () => {
  for (
    const transform of [{ path: "$target", value: 1 }, { path: "$target.no.such", value: 1 }, { path: "$target[0]" }]
  ) {
    const engine = standardEngine([
      interceptor("broken", () => ({ decision: "transform", transform })),
      interceptor("later", () => assert.fail("nobody is asked after it")),
    ]);
    const { effect, record, rewritten } = await engine.emit(OCCASIONS.pre_tool_call, MOMENT, NEVER);
    assert.equal(effect, "block");
    assert.equal(rewritten, undefined);
    assert.equal(record?.verdict["reason"], "host_error:transform_invalid");
    assert.deepEqual([record?.decided_by, record?.fold_truncated], [null, true]);
  }
});

Deno.test("a transform reaches the later interceptors and the hooks of other dialects, and both identities are on record", async () => {
  const seen: unknown[] = [];
  const engine = engineOf([
    interceptor("first", () => ({ decision: "transform", transform: { path: "$target", value: { command: "ls" } } })),
    interceptor("second", (context) => (seen.push((context as { target: unknown }).target), { decision: "allow" })),
    registration("soong"),
  ], {
    ...EXECUTORS,
    command: ({ payload }) => {
      seen.push(JSON.parse(new TextDecoder().decode(payload)).tool_input);
      return Promise.resolve(runOf(""));
    },
  });
  const { effect, record, rewritten } = await engine.emit(OCCASIONS.pre_tool_call, MOMENT, NEVER);
  assert.equal(effect, "proceed");
  assert.deepEqual(seen, [{ command: "ls" }, { command: "ls" }]);
  assert.ok(rewritten?.point === "pre_tool_call");
  assert.deepEqual(rewritten.call.input, { command: "ls" });
  assert.notEqual(record?.input_identity, record?.enforced_identity);
  assert.deepEqual(record?.verdict, { decision: "transform", transform: { path: "$target" } });
});

Deno.test("an approval is for what was shown: a rewrite after it takes it away, its own rewrite does not", async () => {
  const asks = interceptor("asks", () => ({ decision: "deny", approval: {} }));
  const rewrites = interceptor("rewrites", () => ({
    decision: "transform",
    transform: { path: "$target", value: { command: "other" } },
  }));
  const approving = (verdict: JsonObject) => ({
    standard: {
      composition: { profile: "sequential/first_deny", on_approval: "resume" },
      identity_provider: null,
      approval: () => Promise.resolve({ outcome: "approve", context_identity: null, verdict }),
    },
  } as const);
  const allow = approving({ decision: "allow" });
  const own = approving({ decision: "transform", transform: { path: "$target", value: { command: "mine" } } });
  const rows = [
    [[asks], allow, true],
    [[asks, rewrites], allow, undefined],
    [[rewrites, asks], allow, true],
    [[asks], own, true],
    [[asks, rewrites], own, undefined],
  ] as const;
  for (const [hooks, options, approved] of rows) {
    const result = await standardEngine(hooks, options).emit(OCCASIONS.pre_tool_call, MOMENT, NEVER);
    assert.deepEqual([result.effect, result.approved], ["proceed", approved], hooks.map(({ id }) => id).join());
  }
});

Deno.test("where a later lane denies, nothing was rewritten", async () => {
  const engine = engineOf([
    interceptor("first", () => ({ decision: "transform", transform: { path: "$target", value: { command: "ls" } } })),
    registration("soong"),
  ], { ...EXECUTORS, command: () => Promise.resolve(runOf('{"decision":"deny","reason":"no"}')) });
  const { effect, rewritten } = await engine.emit(OCCASIONS.pre_tool_call, MOMENT, NEVER);
  assert.deepEqual([effect, rewritten], ["block", undefined]);
});

Deno.test("a context that cannot be valid denies without asking any interceptor; other dialects are still asked", async () => {
  const asked: string[] = [];
  const engine = engineOf([
    interceptor("standard", () => (asked.push("standard"), { decision: "allow" })),
    registration("soong"),
  ], { ...EXECUTORS, command: ({ registration: { id } }) => (asked.push(id), Promise.resolve(runOf(""))) });
  const call = { ...CALL, input: { id: 9007199254740993n } };
  const { effect, verdict, record } = await engine.emit({ point: "pre_tool_call", call }, MOMENT, NEVER);
  assert.deepEqual(asked, ["soong"]);
  assert.equal(effect, "block");
  assert.ok(verdict.decision === "deny" && verdict.reasons[0]!.includes("2^53"));
  assert.equal(record?.verdict["reason"], "host_error:context_invalid");
  assert.equal(record?.input_identity, null);
  assert.equal(record?.identity_provider, "jcs-sha256");
  assert.equal(record?.decided_by, null);
  assert.equal(record?.fold_truncated, true);
});

Deno.test("a soong-only emission leaves no record and is not denied for a number beyond 2^53", async () => {
  const engine = engineOf([registration("soong")], () => Promise.resolve(runOf("")));
  const call = { ...CALL, input: { id: 9007199254740993n } };
  const { effect, record } = await engine.emit({ point: "pre_tool_call", call }, MOMENT, NEVER);
  assert.equal(effect, "proceed");
  assert.equal(record, undefined);
});

Deno.test("a record holds no words of a soong hook but 256 bytes of the winning reason", async () => {
  const deny = runOf(`{"decision":"deny","reason":"${"x".repeat(1000)}"}`);
  const engine = engineOf(
    [interceptor("standard", () => ({ decision: "allow" })), registration("soong")],
    { ...EXECUTORS, command: () => Promise.resolve(deny) },
  );
  const { record } = await engine.emit(OCCASIONS.pre_tool_call, MOMENT, NEVER);
  assert.equal(record?.decided_by, 1);
  assert.equal(record?.verdict["reason"], "soong:policy");
  assert.ok(JSON.stringify(record).length < 1200);
});

Deno.test("a deny ignored where a dialect observes is an allow with a warning in the record", async () => {
  const engine = engineOf(
    [
      interceptor("standard", () => ({ decision: "allow" }), { point: "input" }),
      registration("soong", { point: "input" }),
    ],
    { ...EXECUTORS, command: () => Promise.resolve(runOf('{"decision":"deny","reason":"no"}')) },
  );
  const { effect, record } = await engine.emit(OCCASIONS.input, MOMENT, NEVER);
  assert.equal(effect, "proceed");
  assert.deepEqual(record?.verdict, { decision: "allow", warnings: [{ reason: "deny_ignored", message: "no" }] });
  assert.deepEqual(record?.verdicts?.map(({ decision }) => decision), ["allow", "allow"]);
});

Deno.test("evaluate_only records the deny and the transform it would have enforced, and proceeds", async () => {
  const verdicts = [
    { decision: "deny", reason: "ctk:would_block" },
    { decision: "transform", transform: { path: "$target", value: { a: "secret" } } },
  ];
  for (const verdict of verdicts) {
    const engine = standardEngine([interceptor("i", () => verdict)], { mode: "evaluate_only" });
    const result = await engine.emit(OCCASIONS.pre_tool_call, MOMENT, NEVER);
    assert.equal(result.effect, "proceed");
    assert.deepEqual(result.verdict, { decision: "allow" });
    assert.equal(result.record?.mode, "evaluate_only");
    assert.equal(result.record?.verdict["decision"], verdict.decision);
    assert.ok(!JSON.stringify(result.record).includes("secret"));
    assert.equal(result.reports[0]?.outcome, "observed");
  }
});

Deno.test("a deny at agent_shutdown is recorded as a deny and has no effect", async () => {
  const engine = standardEngine([interceptor("i", () => ({ decision: "deny" }), { point: "agent_shutdown" })]);
  const { effect, record } = await engine.emit(OCCASIONS.agent_shutdown, MOMENT, NEVER);
  assert.equal(effect, "proceed");
  assert.equal(record?.verdict["decision"], "deny");
});

Deno.test("an interceptor that changes what it was given changes nothing for anybody else", async () => {
  const call = structuredClone(CALL);
  let seen: unknown;
  const engine = standardEngine([
    interceptor("vandal", (context) => {
      const { target } = context as { target: Record<string, unknown> };
      target["command"] = "rm -rf /";
      return { decision: "allow" };
    }),
    interceptor("later", (context) => (seen = (context as JsonObject)["target"], { decision: "allow" })),
  ]);
  const { record } = await engine.emit({ point: "pre_tool_call", call }, MOMENT, NEVER);
  assert.deepEqual(seen, CALL.input);
  assert.deepEqual(call, CALL);
  assert.equal(record?.input_identity, record?.enforced_identity);
});
