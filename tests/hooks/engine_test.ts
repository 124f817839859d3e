/** One emission: who is asked, in what order, what it comes to, and what is not done when nobody is there. */
import assert from "node:assert/strict";
import type { HookRequest } from "../../src/hooks/mod.ts";
import { POINTS } from "../../src/protocol/mod.ts";
import {
  answers,
  DENY,
  ended,
  engineOf,
  EVERYTHING,
  executorsOf,
  interceptor,
  MOMENT,
  NEVER,
  NOW,
  OCCASIONS,
  registration,
  runOf,
} from "./engine_support.ts";

const NOTHING_MATCHES = {
  text: "Other",
  matches: () => ({ matched: false, field: "tool_name", expected: "Other", actual: "Bash" }) as const,
};

Deno.test("an emission without a matching hook builds nothing: no payload, no clock, no executor", async () => {
  const never = (what: string) => () => {
    throw new Error(`${what} was asked`);
  };
  const engine = engineOf(
    [registration("h", { matcher: NOTHING_MATCHES })],
    never("an executor"),
    { now: never("the clock") },
    { "soong/1": { speech: "soong/1", payload: never("a payload"), classify: never("a classifier") } },
  );
  for (const point of POINTS) {
    const result = await engine.emit(OCCASIONS[point], MOMENT, NEVER);
    assert.deepEqual(result, {
      point,
      generation: 1,
      effect: "proceed",
      verdict: { decision: "allow" },
      reports: [],
      batch_rule: "by_tier",
      contexts: [],
      notices: [],
      cancelled: false,
    });
  }
});

Deno.test("a deny blocks a tool call with its reason, and the report is complete", async () => {
  const answer = JSON.stringify({ decision: "deny", reason: "no", logs: ["l"], metadata: { m: 1 }, message: "hm" });
  const engine = engineOf(
    [registration("guard")],
    answers({ guard: runOf(answer, { stderr: "looking\n", duration_ms: 4.2 }) }),
  );
  const result = await engine.emit(OCCASIONS.pre_tool_call, MOMENT, NEVER);
  assert.deepEqual(result, {
    point: "pre_tool_call",
    generation: 1,
    effect: "block",
    verdict: {
      decision: "deny",
      reasons: ["no"],
      cause: "policy",
      hook_ids: ["guard"],
      liftable: false,
      lane: "soong",
    },
    reports: [{
      hook_id: "guard",
      point: "pre_tool_call",
      event: "PreToolUse",
      dialect: "soong/1",
      source: "user",
      outcome: "deny",
      cause: "policy",
      reason: "no",
      duration_ms: 4.2,
      exit_code: 0,
      message: "hm",
      logs: ["l"],
      metadata: { m: 1 },
      stderr: "looking\n",
    }],
    batch_rule: "by_tier",
    contexts: [],
    notices: [],
    cancelled: false,
  });
});

Deno.test("all hooks run one after another in file order, also after a deny, and both reasons are kept (case 04)", async () => {
  const started: string[] = [];
  let running = 0;
  const engine = engineOf(["first", "second", "third"].map((id) => registration(id)), async ({ registration }) => {
    assert.equal(++running, 1);
    started.push(registration.id);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running -= 1;
    return runOf(registration.id === "second" ? "" : `{"decision":"deny","reason":"${registration.id}"}`);
  });
  const { verdict, reports } = await engine.emit(OCCASIONS.pre_tool_call, MOMENT, NEVER);
  assert.deepEqual(started, ["first", "second", "third"]);
  assert.deepEqual(reports.map(({ outcome }) => outcome), ["deny", "allow", "deny"]);
  assert.deepEqual(verdict.decision === "deny" && verdict.reasons, ["first", "third"]);
});

Deno.test("the reports are in the order of registration, however long each hook takes, 1 000 times", async () => {
  const ids = Array.from({ length: 6 }, (_, index) => `h${index}`);
  let asked: string[] = [];
  const engine = engineOf(ids.map((id) => registration(id)), async ({ registration }) => {
    asked.push(registration.id);
    for (let turns = Math.floor(Math.random() * 6); turns > 0; turns--) await Promise.resolve();
    if (Math.random() < 0.02) await new Promise((resolve) => setTimeout(resolve, 0));
    return runOf(Math.random() < 0.5 ? DENY : "");
  });
  for (let round = 0; round < 1000; round++) {
    asked = [];
    const { reports } = await engine.emit(OCCASIONS.pre_tool_call, MOMENT, NEVER);
    assert.deepEqual(reports.map(({ hook_id }) => hook_id), ids);
    assert.deepEqual(asked, ids);
  }
});

Deno.test("lanes run in their order, and a deny in one does not skip the next", async () => {
  const asked: string[] = [];
  const engine = engineOf(
    [registration("soong"), interceptor("standard", () => (asked.push("standard"), { decision: "deny", reason: "a" }))],
    {
      ...executorsOf(() => Promise.reject(new Error("unused"))),
      command: ({ registration }) => (asked.push(registration.id), Promise.resolve(runOf(DENY))),
      interceptor: async ({ registration: { executor }, context }) => ({
        ...ended({ kind: "returned" }),
        value: executor.type === "interceptor" ? await executor.intercept(context) : undefined,
      }),
    },
  );
  const { verdict, record } = await engine.emit(OCCASIONS.pre_tool_call, MOMENT, NEVER);
  assert.deepEqual(asked, ["standard", "soong"]);
  assert.deepEqual(verdict.decision === "deny" && verdict.hook_ids, ["standard", "soong"]);
  assert.equal(record?.decided_by, 0);
  assert.equal(record?.interceptors_registered, 2);
});

Deno.test("a hook is given its payload as one ASCII line, its event and session, and the alias it matched by", async () => {
  const requests: HookRequest[] = [];
  const aliased = { text: "x", matches: () => ({ matched: true, alias: "code.run_command" }) as const };
  const engine = engineOf(
    [registration("plain"), registration("aliased", { matcher: aliased })],
    (request) => (requests.push(request), Promise.resolve(runOf(""))),
  );
  const call = { ...OCCASIONS.pre_tool_call.call, input: { command: "echo 拒绝 😀", id: 9007199254740993n } };
  await engine.emit({ point: "pre_tool_call", call }, MOMENT, NEVER);
  const [plain, other] = requests.map(({ payload }) => new TextDecoder().decode(payload));
  assert.match(plain!, /^[\x20-\x7e]+\n$/);
  assert.ok(plain!.includes('"id":9007199254740993'));
  const payload = JSON.parse(plain!);
  assert.equal(payload.tool_name, "Bash");
  assert.equal(payload.tool_input.command, "echo 拒绝 😀");
  assert.equal(payload.timestamp, NOW.toISOString());
  assert.equal(payload.generation, 1);
  assert.equal(JSON.parse(other!).tool_name, "code.run_command");
  assert.deepEqual(requests[0]!.env, { SOONG_SESSION_ID: "session-1", SOONG_HOOK_EVENT: "PreToolUse" });
});

Deno.test("a deny where version 1 only observes lets it pass, is told once, and is recorded as observed", async () => {
  for (const point of ["agent_startup", "input", "post_tool_call"] as const) {
    const engine = engineOf([registration("audit", { point })], answers({ audit: DENY }));
    const first = await engine.emit(OCCASIONS[point], MOMENT, NEVER);
    assert.equal(first.effect, "proceed");
    assert.deepEqual(first.verdict, { decision: "allow" });
    const [report] = first.reports;
    assert.equal(report?.outcome, "observed");
    assert.equal(report?.cause, "policy");
    assert.equal(report?.reason, "no");
    assert.deepEqual(report?.warnings, ["deny_ignored"]);
    assert.deepEqual(first.notices.map(({ code }) => code), ["deny_ignored"]);
    assert.match(first.notices[0]!.message, /audit/);
    assert.deepEqual((await engine.emit(OCCASIONS[point], MOMENT, NEVER)).notices, []);
  }
});

Deno.test("a Stop hook's deny sends back; a broken Stop hook never does, whatever on_failure says", async () => {
  const denying = engineOf([registration("s", { point: "stop" })], answers({ s: DENY }));
  assert.equal((await denying.emit(OCCASIONS.stop, MOMENT, NEVER)).effect, "send_back");
  const broken = engineOf(
    [registration("s", { point: "stop", on_failure: "deny" })],
    answers({ s: runOf("", { code: 1 }) }),
    {
      on_failure: "deny",
    },
  );
  const result = await broken.emit(OCCASIONS.stop, MOMENT, NEVER);
  assert.equal(result.effect, "proceed");
  assert.deepEqual(result.reports.map(({ outcome }) => outcome), ["undecided"]);
});

Deno.test("mode observe and evaluate_only run and record every hook and enforce none", async () => {
  const observing = engineOf([registration("h", { speech: "soong/1", mode: "observe" })], answers({ h: DENY }));
  const evaluating = engineOf([registration("h")], answers({ h: DENY }), { mode: "evaluate_only" });
  for (const engine of [observing, evaluating]) {
    const result = await engine.emit(OCCASIONS.pre_tool_call, MOMENT, NEVER);
    assert.equal(result.effect, "proceed");
    assert.deepEqual(result.verdict, { decision: "allow" });
    assert.deepEqual(result.reports.map(({ outcome, reason, warnings }) => ({ outcome, reason, warnings })), [
      { outcome: "observed", reason: "no", warnings: ["not_enforced"] },
    ]);
    assert.equal(engine.hasBlocking("pre_tool_call"), false);
  }
});

Deno.test("on_failure deny turns a broken guard into a deny of cause hook_failure that says why", async () => {
  const engine = engineOf([registration("g")], answers({ g: runOf("", { code: 1, stderr: "boom" }) }), {
    on_failure: "deny",
  });
  const { effect, verdict, reports } = await engine.emit(OCCASIONS.pre_tool_call, MOMENT, NEVER);
  assert.equal(effect, "block");
  assert.ok(verdict.decision === "deny");
  assert.equal(verdict.cause, "hook_failure");
  assert.match(verdict.reasons[0]!, /exited with code 1: boom/);
  assert.equal(reports[0]!.outcome, "deny");
  assert.deepEqual(reports[0]!.warnings, ["undecided:exit"]);
});

Deno.test("a cancel stops the emission: the running hook is cancelled, the rest is not asked", async () => {
  const controller = new AbortController();
  const asked: string[] = [];
  const engine = engineOf([registration("a"), registration("b")], ({ registration, signal }) => {
    asked.push(registration.id);
    return new Promise((resolve) => {
      signal.addEventListener("abort", () => resolve(ended({ kind: "cancelled" })), { once: true });
      controller.abort();
    });
  }, { on_failure: "deny" });
  const result = await engine.emit(OCCASIONS.pre_tool_call, MOMENT, controller.signal);
  assert.deepEqual(asked, ["a"]);
  assert.equal(result.cancelled, true);
  assert.equal(result.effect, "proceed");
  assert.deepEqual(result.notices, []);
  assert.deepEqual(result.reports.map(({ outcome, cause }) => [outcome, cause]), [["undecided", "cancelled"]]);
});

Deno.test("a signal that is already aborted asks nobody", async () => {
  const engine = engineOf([registration("a")], () => Promise.reject(new Error("asked")));
  const result = await engine.emit(OCCASIONS.pre_tool_call, MOMENT, AbortSignal.abort());
  assert.equal(result.cancelled, true);
  assert.deepEqual(result.reports, []);
});

Deno.test("hasActive and hasBlocking say what is registered", () => {
  const onlyBash = { ...EVERYTHING, admits: (subject: string) => subject === "Bash" };
  const engine = engineOf([
    registration("a", { matcher: onlyBash }),
    registration("b", { point: "input" }),
    registration("c", { point: "output", speech: "soong/2", mode: "observe" }),
  ], answers({}));
  assert.equal(engine.hasActive("pre_tool_call", "Bash"), true);
  assert.equal(engine.hasActive("pre_tool_call", "Read"), false);
  assert.equal(engine.hasActive("pre_model_call", "m"), false);
  assert.equal(engine.hasBlocking("pre_tool_call"), true);
  assert.equal(engine.hasBlocking("input"), false);
  assert.equal(engine.hasBlocking("output"), false);
  assert.equal(
    engineOf([registration("o", { point: "output", speech: "soong/2" })], answers({})).hasBlocking("output"),
    true,
  );
});

Deno.test("without any hook the engine lets everything pass, and with fail_closed_when_empty nothing standard", async () => {
  const lenient = engineOf([], answers({}));
  const strict = engineOf([], answers({}), { fail_closed_when_empty: true });
  for (const point of POINTS) {
    const passed = await lenient.emit(OCCASIONS[point], MOMENT, NEVER);
    assert.equal(passed.verdict.decision, "allow");
    assert.equal(passed.record, undefined);
    const refused = await strict.emit(OCCASIONS[point], MOMENT, NEVER);
    assert.equal(refused.verdict.decision, point === "stop" ? "allow" : "deny");
    assert.equal(strict.hasActive(point, ""), point !== "stop");
    assert.equal(refused.record?.verdict["reason"], point === "stop" ? undefined : "host_error:no_interceptor");
  }
  assert.equal((await strict.emit(OCCASIONS.input, MOMENT, NEVER)).effect, "block");
  assert.equal(strict.hasBlocking("output"), true);
  const evaluating = engineOf([], answers({}), { fail_closed_when_empty: true, mode: "evaluate_only" });
  const recorded = await evaluating.emit(OCCASIONS.input, MOMENT, NEVER);
  assert.equal(recorded.effect, "proceed");
  assert.equal(recorded.record?.verdict["decision"], "deny");
});
