/** Verdicts of agent-hooks/0.1: what is valid, and which reserved reason stands for what is not. */
import assert from "node:assert/strict";
import type { HookRun, Point } from "../../src/protocol/mod.ts";
import { classifyAgentHooks } from "../../src/hooks/agent_hooks/classify.ts";
import { readVerdict } from "../../src/hooks/agent_hooks/verdict.ts";
import { ended, runOf } from "./engine_support.ts";

const cyclic: Record<string, unknown> = { decision: "allow" };
cyclic["message"] = cyclic;

const VALID: readonly (readonly [string, unknown, unknown])[] = [
  ["an allow", { decision: "allow" }, { decision: "allow", warnings: [] }],
  [
    "an allow with a warning",
    { decision: "allow", warnings: [{ reason: "acme:odd", message: "odd" }] },
    { decision: "allow", warnings: [{ reason: "acme:odd", message: "odd" }] },
  ],
  [
    "a deny",
    { decision: "deny", reason: "acme:rule", message: "no" },
    { decision: "deny", reason: "acme:rule", message: "no", cause: "policy", warnings: [] },
  ],
  [
    "a deny that an approval can lift",
    { decision: "deny", approval: {} },
    { decision: "deny", reason: "", cause: "policy", approval: {}, warnings: [] },
  ],
  [
    "a transform",
    { decision: "transform", transform: { path: '$target.a[0]["b-c"]', value: 1 } },
    { decision: "transform", path: '$target.a[0]["b-c"]', value: 1, warnings: [] },
  ],
  [
    "a transform by the old name of the root, without a value",
    { decision: "transform", transform: { path: "$policy_target.a" } },
    { decision: "transform", path: "$target.a", value: null, warnings: [] },
  ],
  [
    "nulls for optional members, labels and evidence",
    {
      decision: "allow",
      reason: null,
      message: null,
      warnings: null,
      result_labels: ["a"],
      evidence: { artefact: "x" },
    },
    { decision: "allow", warnings: [], evidence: { artefact: "x" }, result_labels: ["a"] },
  ],
];

for (const [title, value, verdict] of VALID) {
  Deno.test(`agent-hooks: ${title} is valid, returned or printed`, () => {
    assert.deepEqual(readVerdict(value, "pre_tool_call"), { ok: true, verdict });
    const wanted = { slot: { kind: "verdict", verdict }, extras: { warnings: [] } };
    const returned: HookRun = { ...ended({ kind: "returned" }), value };
    assert.deepEqual(classifyAgentHooks(returned, "pre_tool_call"), wanted);
    assert.deepEqual(classifyAgentHooks(runOf(JSON.stringify(value)), "pre_tool_call"), wanted);
  });
}

const INVALID: readonly (readonly [string, unknown, string, Point?])[] = [
  ["nothing", undefined, "interceptor_failed"],
  ["a function", () => ({ decision: "allow" }), "interceptor_failed"],
  ["a symbol", Symbol("allow"), "interceptor_failed"],
  ["a cycle", cyclic, "interceptor_failed"],
  ["a number that is none", { decision: "allow", message: NaN }, "interceptor_failed"],
  ["null", null, "verdict_invalid"],
  ["a string", "allow", "verdict_invalid"],
  ["a list", [{ decision: "allow" }], "verdict_invalid"],
  ["no decision", {}, "verdict_invalid"],
  ["an unknown decision", { decision: "Allow" }, "verdict_invalid"],
  ["an unknown member", { decision: "allow", profile: "parallel" }, "verdict_invalid"],
  ["a reserved reason", { decision: "deny", reason: "host_error:x" }, "verdict_invalid"],
  ["a reason that is no string", { decision: "deny", reason: 1 }, "verdict_invalid"],
  ["a message that is no string", { decision: "deny", message: {} }, "verdict_invalid"],
  ["warnings that are no list", { decision: "allow", warnings: {} }, "verdict_invalid"],
  ["a warning that is no object", { decision: "allow", warnings: ["x"] }, "verdict_invalid"],
  ["a reserved reason in a warning", { decision: "allow", warnings: [{ reason: "host_error:x" }] }, "verdict_invalid"],
  ["approval on an allow", { decision: "allow", approval: {} }, "verdict_invalid"],
  ["approval that is no object", { decision: "deny", approval: true }, "verdict_invalid"],
  ["a transform without a body", { decision: "transform" }, "verdict_invalid"],
  ["a body without the decision", { decision: "allow", transform: { path: "$target" } }, "verdict_invalid"],
  ["evidence that is no object", { decision: "allow", evidence: "x" }, "verdict_invalid"],
  ["large evidence", { decision: "allow", evidence: { artefact: "x".repeat(10_240) } }, "verdict_invalid"],
  ["labels that are no strings", { decision: "allow", result_labels: [1] }, "verdict_invalid"],
  ["another root", { decision: "transform", transform: { path: "$.agent" } }, "transform_target_forbidden"],
  [
    "a root that only begins right",
    { decision: "transform", transform: { path: "$targets" } },
    "transform_target_forbidden",
  ],
  ["a wildcard", { decision: "transform", transform: { path: "$target[*]" } }, "transform_invalid"],
  ["startup", { decision: "transform", transform: { path: "$target" } }, "transform_target_forbidden", "agent_startup"],
  [
    "shutdown",
    { decision: "transform", transform: { path: "$target" } },
    "transform_target_forbidden",
    "agent_shutdown",
  ],
];

for (const [title, value, reason, point = "pre_tool_call"] of INVALID) {
  Deno.test(`agent-hooks: ${title} is refused as ${reason}`, () => {
    const run: HookRun = { ...ended({ kind: "returned" }), value };
    const { slot } = classifyAgentHooks(run, point);
    assert.ok(slot.kind === "undecided");
    assert.equal(slot.cause, "output");
    assert.equal(slot.reserved_reason, `host_error:${reason}`);
  });
}

Deno.test("agent-hooks: a process that fails, or prints no one document, is undecided", () => {
  const rows: readonly (readonly [HookRun, string])[] = [
    [runOf('{"decision":"allow"}', { code: 1 }), "exit"],
    [ended({ kind: "timed_out", limit_ms: 5 }, '{"decision":"allow"}'), "timeout"],
    [ended({ kind: "not_started", reason: "gone" }), "not_started"],
    [ended({ kind: "transport_failed", reason: "threw Error" }), "transport"],
    [runOf(""), "output"],
    [runOf('hi\n{"decision":"allow"}'), "output"],
    [runOf('{"decision":"allow"}', { stdout_truncated: true }), "output"],
  ];
  for (const [run, cause] of rows) {
    const { slot } = classifyAgentHooks(run, "pre_tool_call");
    assert.equal(slot.kind === "undecided" && slot.cause, cause);
  }
});

Deno.test("agent-hooks: a verdict shares nothing with what the interceptor returned, and its keys cannot reach a prototype", () => {
  const value = { decision: "deny", approval: JSON.parse('{"__proto__":{"polluted":1},"a":{"b":1}}') };
  const reading = readVerdict(value, "pre_tool_call");
  assert.ok(reading.ok && reading.verdict.decision === "deny");
  value.approval.a.b = 2;
  assert.deepEqual(reading.verdict.approval?.["a"], { b: 1 });
  assert.equal((reading.verdict.approval as { polluted?: number }).polluted, undefined);
});
