/** `once` hooks, messages, order and executors that are missing, as the engine sees them. */
import assert from "node:assert/strict";
import {
  createHookEngine,
  createRegistry,
  DIALECTS,
  type Executor,
  type HookEngine,
  type HookEngineOptions,
  type Registration,
  type Registry,
} from "../../src/hooks/mod.ts";
import type { HookRun } from "../../src/protocol/mod.ts";
import {
  answers,
  ended,
  engineOf,
  EVERYTHING,
  executorsOf,
  MOMENT,
  NEVER,
  NOW,
  OCCASIONS,
  registration,
  runOf,
  SCOPE,
} from "./engine_support.ts";

function onecode(id: string, changes: Partial<Registration> = {}): Registration {
  return registration(id, { speech: "onecode", ...changes });
}

function onceHook(id: string, entry: string, changes: Partial<Registration> = {}): Registration {
  return onecode(id, { once: true, entry, ...changes });
}

function engineWith(executor: Executor, options: Partial<HookEngineOptions> = {}) {
  const registry: Registry = createRegistry();
  const engine: HookEngine = createHookEngine(registry, DIALECTS, {
    scope: SCOPE,
    executors: executorsOf(executor),
    on_failure: "allow",
    mode: "enforce",
    fail_closed_when_empty: false,
    now: () => NOW,
    ...options,
  });
  return { registry, engine };
}

const call = (engine: HookEngine, signal = NEVER) => engine.emit(OCCASIONS.pre_tool_call, MOMENT, signal);

interface Row {
  readonly what: string;
  readonly run: HookRun | (() => never);
  readonly asked: number;
}

const SPENT: readonly Row[] = [
  { what: "success with an empty answer", run: runOf(""), asked: 1 },
  { what: "success with a message", run: runOf('{"message":"m"}'), asked: 1 },
  { what: "a sent request", run: ended({ kind: "returned", status: 200 }), asked: 1 },
  { what: "a delivered deny by exit 2", run: runOf("", { code: 2, stderr: "no" }), asked: 1 },
  { what: "a delivered deny by JSON", run: runOf('{"blockingError":"no"}'), asked: 1 },
  { what: "exit 1", run: runOf("", { code: 1 }), asked: 3 },
  { what: "a timeout", run: ended({ kind: "timed_out", limit_ms: 5 }), asked: 3 },
  { what: "a program that cannot start", run: ended({ kind: "not_started", reason: "gone" }), asked: 3 },
  { what: "a failed request", run: ended({ kind: "transport_failed", reason: "503", status: 503 }), asked: 3 },
  { what: "an answer that is not understood", run: runOf('{"decision":"deny"}'), asked: 3 },
  {
    what: "an executor that throws (O-21)",
    run: () => {
      throw new Error("boom");
    },
    asked: 3,
  },
];

for (const { what, run, asked } of SPENT) {
  Deno.test(`a once hook is ${asked === 1 ? "spent by" : "kept after"} ${what}`, async () => {
    let count = 0;
    const { registry, engine } = engineWith(() => {
      count++;
      return typeof run === "function" ? run() : Promise.resolve(run);
    });
    registry.replaceConfig([onceHook("config:a", "A")]);
    for (let round = 0; round < 3; round++) await call(engine);
    assert.equal(count, asked);
    assert.equal(engine.hasActive("pre_tool_call", "Bash"), asked !== 1);
    assert.equal(engine.hasBlocking("pre_tool_call"), asked !== 1);
  });
}

Deno.test("a failure that on_failure turns into a deny does not spend a once hook", async () => {
  const { registry, engine } = engineWith(answers({ "config:a": runOf("", { code: 1 }) }), { on_failure: "deny" });
  registry.replaceConfig([onceHook("config:a", "A")]);
  for (let round = 0; round < 2; round++) assert.equal((await call(engine)).effect, "block");
});

Deno.test("spent stays spent across reloads while the entry is the same, and a changed entry fires again", async () => {
  const asked: string[] = [];
  const { registry, engine } = engineWith(({ registration }) => {
    asked.push(`${registration.id} ${registration.entry}`);
    return Promise.resolve(runOf(""));
  });
  const reload = (...hooks: Registration[]) => registry.replaceConfig(hooks);
  reload(onceHook("config:a", "A"));
  await call(engine);
  reload(onceHook("config:a", "A", { order: 1 }), onceHook("config:b", "B"));
  await call(engine);
  reload();
  await call(engine);
  reload(onceHook("config:a", "A"));
  await call(engine);
  assert.deepEqual(asked, ["config:a A", "config:b B"]);
  reload(onceHook("config:a", "A2"));
  await call(engine);
  assert.deepEqual(asked, ["config:a A", "config:b B", "config:a A2"]);
});

Deno.test("a once hook from code is spent for itself, and fires again when it is registered anew", async () => {
  let asked = 0;
  const { registry, engine } = engineWith(() => (asked++, Promise.resolve(runOf(""))));
  const hook = () => onecode("my-plugin:hello", { once: true, source: "plugin" });
  const remove = registry.register(hook());
  await call(engine);
  registry.replaceConfig([]);
  await call(engine);
  assert.equal(asked, 1);
  remove();
  registry.register(hook());
  await call(engine);
  assert.equal(asked, 2);
});

Deno.test("two emissions at once do not run a once hook twice; the claim is given back on failure", async () => {
  let asked = 0;
  let answer: (run: HookRun) => void = () => {};
  const { registry, engine } = engineWith(() => {
    asked++;
    return new Promise((resolve) => answer = resolve);
  });
  registry.replaceConfig([onceHook("config:a", "A")]);
  const running = async (count: number) => {
    while (asked < count) await new Promise((resolve) => setTimeout(resolve, 0));
  };
  const first = call(engine);
  await running(1);
  const second = await call(engine);
  assert.deepEqual(second.reports, []);
  answer(runOf("", { code: 1 }));
  await first;
  const third = call(engine);
  await running(2);
  answer(runOf(""));
  assert.equal((await third).reports.length, 1);
  assert.equal(asked, 2);
  assert.deepEqual((await call(engine)).reports, []);
});

Deno.test("a cancel keeps the once hook that was running and the one that was not asked yet", async () => {
  const controller = new AbortController();
  const asked: string[] = [];
  const { registry, engine } = engineWith(({ registration }) => {
    asked.push(registration.id);
    controller.abort();
    return Promise.resolve(asked.length === 1 ? ended({ kind: "cancelled" }) : runOf(""));
  });
  registry.replaceConfig([onceHook("config:a", "A"), onceHook("config:b", "B", { order: 1 })]);
  assert.equal((await call(engine, controller.signal)).cancelled, true);
  await call(engine);
  assert.deepEqual(asked, ["config:a", "config:a", "config:b"]);
});

Deno.test("a fault of the engine keeps the once hooks that were not asked", async () => {
  const asked: string[] = [];
  const { registry, engine } = engineWith(({ registration: { id } }) => (asked.push(id), Promise.resolve(runOf(""))));
  let breaks = true;
  const matcher = {
    ...EVERYTHING,
    matches: () => {
      if (breaks) throw new Error("broken matcher");
      return { matched: true } as const;
    },
  };
  registry.replaceConfig([onceHook("config:a", "A"), onecode("config:b", { matcher, order: 1 })]);
  assert.match((await call(engine)).fault!, /broken matcher/);
  breaks = false;
  await call(engine);
  assert.deepEqual(asked, ["config:a", "config:b"]);
});

const MESSAGES: readonly (readonly [what: string, texts: readonly string[], message: string | undefined])[] = [
  ["nothing (O-22)", ["", ""], undefined],
  ["three messages (O-24)", ["Msg1", "Msg2", "Msg3"], "Msg3"],
  ["a silent hook between (O-29)", ["Msg1", "", "Msg2", ""], "Msg2"],
  ["an empty message after a full one", ['{"message":"Msg1"}', '{"message":""}'], "Msg1"],
  ["message before systemMessage of one hook", ['{"message":"m","systemMessage":"s"}'], "m"],
  ["only systemMessage (O-25)", ['{"systemMessage":"s"}'], "s"],
];

for (const [what, texts, message] of MESSAGES) {
  Deno.test(`the last message that is not empty wins: ${what}`, async () => {
    const ids = texts.map((_, index) => `h${index}`);
    const said = Object.fromEntries(ids.map((id, index) => [id, texts[index]!]));
    const engine = engineOf(ids.map((id) => onecode(id, { point: "input" })), answers(said));
    const result = await engine.emit(OCCASIONS.input, MOMENT, NEVER);
    assert.equal(result.message, message);
    assert.equal(result.verdict.decision, "allow");
    assert.deepEqual(result.contexts, []);
  });
}

Deno.test("contexts and denies add up in order, whatever the priority of their hooks (O-13, O-16, O-26)", async () => {
  const engine = engineOf(
    [
      onecode("low", { point: "input", priority: 200 }),
      onecode("high", { point: "input", priority: 50 }),
      onecode("middle", { point: "input", priority: 100 }),
    ],
    answers({
      low: '{"additionalContext":"ctx-2","blockingError":"second"}',
      high: '{"additionalContext":"ctx-1","blockingError":{"error":"forbidden by policy"}}',
      middle: runOf("", { code: 2, stderr: "between\n" }),
    }),
  );
  const { contexts, verdict, effect, batch_rule: batchRule } = await engine.emit(OCCASIONS.input, MOMENT, NEVER);
  assert.deepEqual(contexts, [{ hook_id: "high", text: "ctx-1" }, { hook_id: "low", text: "ctx-2" }]);
  assert.equal(effect, "block");
  assert.equal(batchRule, "go_on");
  assert.deepEqual(verdict, {
    decision: "deny",
    reasons: ["forbidden by policy", "between", "second"],
    cause: "policy",
    hook_ids: ["high", "middle", "low"],
    liftable: false,
    lane: "onecode",
  });
});

Deno.test("managed, user, project, plugin; equal priority keeps the order of the file; soong runs before", async () => {
  const asked: string[] = [];
  const hooks = [
    onecode("plugin", { source: "plugin" }),
    onecode("project", { source: "project" }),
    onecode("user-1"),
    onecode("user-2"),
    onecode("user-3"),
    onecode("managed", { source: "managed" }),
    onecode("first", { source: "plugin", priority: 1 }),
    registration("soong", { priority: 900 }),
  ];
  const engine = engineOf(hooks, ({ registration: { id } }) => (asked.push(id), Promise.resolve(runOf(""))));
  await call(engine);
  assert.deepEqual(asked, ["soong", "first", "managed", "user-1", "user-2", "user-3", "project", "plugin"]);
});

Deno.test("a hook that says nothing on exit 2 is named in the reason (case 01)", async () => {
  const declared = { file: "/home/u/.onecode/hooks.json", line: 3, column: 5, path: "pre_tool_call[0].hooks[0]" };
  const engine = engineOf(
    [onecode("config:pre_tool_call:Command:abc123", { declared })],
    () => Promise.resolve(runOf("", { code: 2 })),
  );
  const { verdict, reports } = await call(engine);
  assert.deepEqual(verdict.decision === "deny" && verdict.reasons, [
    "the hook config:pre_tool_call:Command:abc123 (/home/u/.onecode/hooks.json:3) denied this and gave no reason",
  ]);
  assert.deepEqual(reports.map(({ outcome }) => outcome), ["deny"]);
});

Deno.test("a hook whose executor throws is alone in it: the healthy one runs once (O-15)", async () => {
  const asked: string[] = [];
  const engine = engineOf(
    [onecode("bad", { priority: 50 }), onecode("good", { priority: 200 })],
    ({ registration }) => {
      asked.push(registration.id);
      if (registration.id === "bad") throw new Error("boom");
      return Promise.resolve(runOf('{"message":"fine"}'));
    },
  );
  const result = await call(engine);
  assert.deepEqual(asked, ["bad", "good"]);
  assert.deepEqual([result.fault, result.effect, result.message], [undefined, "proceed", "fine"]);
  assert.deepEqual(result.reports.map(({ outcome, cause }) => [outcome, cause]), [
    ["undecided", "transport"],
    ["allow", undefined],
  ]);
});

Deno.test("a type that nothing here runs is undecided (not_started), named, and keeps its once hook", async () => {
  const { registry, engine } = engineWith(answers({}), { executors: {} as HookEngineOptions["executors"] });
  registry.replaceConfig([onceHook("config:a", "A")]);
  for (let round = 0; round < 2; round++) {
    const { reports, effect } = await call(engine);
    assert.equal(effect, "proceed");
    assert.deepEqual(reports.map(({ outcome, cause, reason }) => [outcome, cause, reason]), [
      ["undecided", "not_started", "could not start: nothing here runs hooks of type command"],
    ]);
  }
});

Deno.test("a deny where onecode only observes is dropped and recorded: model points, post_tool_call", async () => {
  for (const point of ["pre_model_call", "post_model_call", "post_tool_call"] as const) {
    const engine = engineOf([onecode("audit", { point })], () => Promise.resolve(runOf("", { code: 2, stderr: "no" })));
    const { effect, reports } = await engine.emit(OCCASIONS[point], MOMENT, NEVER);
    assert.equal(effect, "proceed", point);
    assert.deepEqual(reports.map(({ outcome, reason, warnings }) => [outcome, reason, warnings]), [
      ["observed", "no", ["deny_ignored"]],
    ]);
    assert.equal(engine.hasBlocking(point), false);
  }
});

Deno.test("a fault of the engine fails the call closed and lets the batch go on, unless a soong hook has denied", async () => {
  const broken = {
    onecode: {
      ...DIALECTS.onecode!,
      payload: () => {
        throw new Error("broken");
      },
    },
  };
  const dialects = { ...DIALECTS, ...broken };
  const alone = engineOf([onecode("a")], answers({}), {}, dialects);
  const { effect, batch_rule: batchRule, fault } = await call(alone);
  assert.deepEqual([effect, batchRule], ["block", "go_on"]);
  assert.match(fault!, /broken/);
  const denied = '{"decision":"deny","reason":"no"}';
  const mixed = engineOf([registration("soong"), onecode("a")], answers({ soong: denied }), {}, dialects);
  assert.equal((await call(mixed)).batch_rule, "by_tier");
});
