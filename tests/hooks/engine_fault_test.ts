/** Faults of the engine itself, and of one executor. */
import assert from "node:assert/strict";
import { createHookEngine, createRegistry, DIALECTS, type Registration } from "../../src/hooks/mod.ts";
import { POINTS } from "../../src/protocol/mod.ts";
import {
  answers,
  DENY,
  engineOf,
  executorsOf,
  MOMENT,
  NEVER,
  NOW,
  OCCASIONS,
  registration,
  runOf,
  SCOPE,
} from "./engine_support.ts";

const BLOCKED = ["input", "pre_tool_call", "output"];
const breaks = () => {
  throw new Error("broken part");
};
const breakingMatcher = { text: "x", matches: breaks };

const FAULTS = {
  "a matcher that throws": (hook: Registration) => engineOf([{ ...hook, matcher: breakingMatcher }], answers({})),
  "a payload that throws": (hook: Registration) =>
    engineOf([hook], answers({}), {}, { "soong/1": { ...DIALECTS["soong/1"]!, payload: breaks } }),
  "a classifier that throws": (hook: Registration) =>
    engineOf([hook], answers({}), {}, { "soong/1": { ...DIALECTS["soong/1"]!, classify: breaks } }),
  "a speech without a dialect": (hook: Registration) => engineOf([hook], answers({}), {}, {}),
  "a clock that throws": (hook: Registration) => engineOf([hook], answers({}), { now: breaks }),
  "a registry that throws": () =>
    createHookEngine({ snapshot: breaks }, DIALECTS, {
      scope: SCOPE,
      executors: executorsOf(answers({})),
      on_failure: "allow",
      mode: "enforce",
      fail_closed_when_empty: false,
      now: () => NOW,
    }),
} as const;

for (const [what, engineWith] of Object.entries(FAULTS)) {
  Deno.test(`${what} is a fault: it blocks at input, pre_tool_call and output and changes nothing elsewhere`, async () => {
    for (const point of POINTS) {
      const result = await engineWith(registration("h", { point })).emit(OCCASIONS[point], MOMENT, NEVER);
      const blocks = BLOCKED.includes(point);
      assert.equal(result.effect, blocks ? "block" : "proceed", point);
      assert.equal(result.verdict.decision, blocks ? "deny" : "allow", point);
      if (result.verdict.decision === "deny") {
        assert.equal(result.verdict.cause, "engine_fault");
        assert.deepEqual(result.verdict.reasons, [result.fault]);
        assert.deepEqual(result.verdict.hook_ids, []);
      }
      assert.match(result.fault!, new RegExp(`${point}.*(broken part|soong/1)`));
      assert.equal(result.point, point);
    }
  });
}

Deno.test("what hooks said before a fault of the engine is kept in the reports", async () => {
  let classified = 0;
  const dialect = DIALECTS["soong/1"]!;
  const engine = engineOf([registration("a"), registration("b")], answers({ a: DENY }), {}, {
    "soong/1": { ...dialect, classify: (...run) => classified++ === 0 ? dialect.classify(...run) : breaks() },
  });
  const result = await engine.emit(OCCASIONS.pre_tool_call, MOMENT, NEVER);
  assert.equal(result.effect, "block");
  assert.deepEqual(result.reports.map(({ hook_id, outcome }) => [hook_id, outcome]), [["a", "deny"]]);
});

Deno.test("an executor that throws or rejects is an undecided of its hook alone", async () => {
  const registry = createRegistry();
  registry.replaceConfig(["throws", "rejects", "guards"].map((id, order) => registration(id, { order })));
  const engine = createHookEngine(registry, DIALECTS, {
    scope: SCOPE,
    executors: executorsOf(({ registration: { id } }) => {
      if (id === "throws") throw new TypeError("sync");
      return id === "rejects" ? Promise.reject("async") : Promise.resolve(runOf(DENY));
    }),
    on_failure: "allow",
    mode: "enforce",
    fail_closed_when_empty: false,
    now: () => NOW,
  });
  const result = await engine.emit(OCCASIONS.pre_tool_call, MOMENT, NEVER);
  assert.equal(result.fault, undefined);
  assert.equal(result.effect, "block");
  assert.deepEqual(result.reports.map(({ hook_id, outcome, cause }) => [hook_id, outcome, cause]), [
    ["throws", "undecided", "transport"],
    ["rejects", "undecided", "transport"],
    ["guards", "deny", "policy"],
  ]);
});

Deno.test("a fault blocks nothing in evaluate_only, and is still told", async () => {
  const engine = engineOf([registration("h", { matcher: breakingMatcher })], answers({}), { mode: "evaluate_only" });
  const result = await engine.emit(OCCASIONS.pre_tool_call, MOMENT, NEVER);
  assert.equal(result.effect, "proceed");
  assert.match(result.fault!, /broken part/);
});
