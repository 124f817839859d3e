/** What the user is told: once a hook and cause, with names and what to do; later repeats are in the reports only. */
import assert from "node:assert/strict";
import type { HookRun } from "../../src/protocol/mod.ts";
import { ended, engineOf, MOMENT, NEVER, OCCASIONS, registration, runOf } from "./engine_support.ts";

const declared = { file: "/home/hooks.json", line: 7, column: 5, path: "hooks.PreToolUse[0].hooks[0]" };

interface Row {
  readonly title: string;
  readonly run: HookRun;
  readonly says: readonly RegExp[];
}

/** Case 06, and its neighbours. */
const ROWS: readonly Row[] = [
  { title: "exit 1", run: runOf("", { code: 1 }), says: [/exited with code 1/] },
  {
    title: "no execute bit",
    run: runOf("", { code: 126, stderr: "sh: 1: ./guard-noexec.sh: Permission denied\n" }),
    says: [/126: sh: 1: \.\/guard-noexec\.sh: Permission denied/],
  },
  {
    title: "a missing program",
    run: runOf("", { code: 127, stderr: "sh: 1: ./no-such-guard: not found\n" }),
    says: [/127/, /not found/],
  },
  { title: "a signal", run: ended({ kind: "signalled", signal: "SIGSEGV" }), says: [/SIGSEGV/] },
  {
    title: "a spawn failure",
    run: ended({ kind: "not_started", reason: "no such program: x" }),
    says: [/no such program: x/],
  },
  {
    title: "exit 2 by accident",
    run: runOf("", { code: 2, stderr: "python3: can't open file './no-such-guard.py'\n" }),
    says: [/can't open file/, /exit code 2 is no deny in soong version 1/, /"decision":"deny"/],
  },
  { title: "a timeout", run: ended({ kind: "timed_out", limit_ms: 300 }), says: [/timed out after 300 ms/] },
  { title: "a typo", run: runOf('{"decison":"deny"}'), says: [/decison/, /did you mean "decision"/] },
];

for (const { title, run, says } of ROWS) {
  Deno.test(`${title} is told once, naming the hook and where it is declared, and is no allow in the reports`, async () => {
    const engine = engineOf([registration("config:guard", { declared })], () => Promise.resolve(run));
    const first = await engine.emit(OCCASIONS.pre_tool_call, MOMENT, NEVER);
    assert.equal(first.effect, "proceed");
    assert.deepEqual(first.notices.map(({ code }) => code), ["hook_undecided"]);
    const { message } = first.notices[0]!;
    for (const part of [/config:guard \(\/home\/hooks\.json:7\)/, /PreToolUse/, /no objection/, ...says]) {
      assert.match(message, part);
    }
    const second = await engine.emit(OCCASIONS.pre_tool_call, MOMENT, NEVER);
    assert.deepEqual(second.notices, []);
    assert.deepEqual(second.reports.map(({ outcome }) => outcome), ["undecided"]);
  });
}

Deno.test("another cause of the same hook, and the same cause of another hook, are told as well", async () => {
  let run = runOf("", { code: 1 });
  const engine = engineOf([registration("a"), registration("b")], () => Promise.resolve(run));
  const said = async () => (await engine.emit(OCCASIONS.pre_tool_call, MOMENT, NEVER)).notices.length;
  assert.equal(await said(), 2);
  assert.equal(await said(), 0);
  run = ended({ kind: "timed_out", limit_ms: 1 });
  assert.equal(await said(), 2);
  assert.equal(await said(), 0);
});

Deno.test("an unclean deny, an unknown key and an ignored change are each told once", async () => {
  const outputs = [
    'banner\n{"decision":"deny"}',
    '{"decision":"allow","note":1}',
    '{"decision":"allow","updatedInput":{}}',
  ];
  let output = "";
  const engine = engineOf([registration("h")], () => Promise.resolve(runOf(output)));
  const codes: string[] = [];
  for (output of [...outputs, ...outputs]) {
    codes.push(...(await engine.emit(OCCASIONS.pre_tool_call, MOMENT, NEVER)).notices.map(({ code }) => code));
  }
  assert.deepEqual(codes, ["hook_unclean_deny", "hook_unknown_key", "hook_change_ignored"]);
});

Deno.test("a policy that denies a broken hook says so", async () => {
  const engine = engineOf([registration("h")], () => Promise.resolve(runOf("", { code: 1 })), { on_failure: "deny" });
  const { notices } = await engine.emit(OCCASIONS.pre_tool_call, MOMENT, NEVER);
  assert.match(notices[0]!.message, /counts as a deny/);
});

Deno.test("what a hook prints is bounded in its report", async () => {
  const answer = {
    decision: "deny",
    reason: "r".repeat(50_000),
    logs: ["l".repeat(50_000)],
    metadata: "m".repeat(50_000),
  };
  const run = runOf(JSON.stringify(answer), { stderr: "e".repeat(50_000) });
  const { reports } = await engineOf([registration("h")], () => Promise.resolve(run))
    .emit(OCCASIONS.pre_tool_call, MOMENT, NEVER);
  assert.ok(JSON.stringify(reports).length < 50_000);
  for (const text of [reports[0]!.reason!, reports[0]!.stderr!]) {
    assert.ok(text.length <= 10_000);
    assert.match(text, /characters left out/);
  }
});
