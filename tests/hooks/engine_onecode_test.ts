/** Onecode hook files over the engine with real hook processes: from the file to the effect. */
import assert from "node:assert/strict";
import {
  createHookEngine,
  createRegistry,
  DIALECTS,
  type EmissionResult,
  type HookEngine,
  loadHookFiles,
  type Registration,
  type Registry,
} from "../../src/hooks/mod.ts";
import type { Occasion } from "../../src/protocol/mod.ts";
import { inPlace, type Place } from "../executors/support.ts";
import { CALL, MOMENT, NEVER, OCCASIONS, SCOPE } from "./engine_support.ts";

interface Setup {
  readonly place: Place;
  readonly registry: Registry;
  readonly engine: HookEngine;
  load(content: unknown): Promise<readonly string[]>;
  fire(occasion?: Occasion): Promise<EmissionResult>;
}

function withEngine(work: (setup: Setup) => Promise<void>): Promise<void> {
  return inPlace(async (place) => {
    const registry = createRegistry();
    const engine = createHookEngine(registry, DIALECTS, {
      scope: { ...SCOPE, project_dir: place.project },
      executors: place.executors,
      on_failure: "allow",
      mode: "enforce",
      fail_closed_when_empty: false,
      now: () => new Date(),
    });
    await work({
      place,
      registry,
      engine,
      async load(content) {
        const path = `${place.home}/hooks.json`;
        await Deno.writeTextFile(path, typeof content === "string" ? content : JSON.stringify(content));
        const loaded = await loadHookFiles({
          files: [{ path, source: "user", dialect: "onecode", base_priority: 100 }],
          project_dir: place.project,
          default_timeout_ms: 60_000,
        });
        registry.replaceConfig(loaded.registrations);
        return loaded.diagnostics.map(({ code }) => code);
      },
      fire: (occasion = OCCASIONS.pre_tool_call) => engine.emit(occasion, MOMENT, NEVER),
    });
  });
}

const guard = (command: string, more: object = {}) => ({
  pre_tool_call: [{ matcher: "Bash", hooks: [{ type: "command", command, timeout: 20_000, ...more }] }],
});
const reasonsOf = ({ verdict }: EmissionResult) => verdict.decision === "deny" ? verdict.reasons : [];

interface Row {
  readonly title: string;
  readonly command: string;
  readonly outcome: string;
  readonly cause?: string;
  readonly reason: RegExp;
  readonly notices?: readonly RegExp[];
}

const ROWS: readonly Row[] = [
  {
    title: "exit 2 without a word (case 01)",
    command: "exit 2",
    outcome: "deny",
    reason: /^the hook config:pre_tool_call:Command:[0-9a-f]{6} \(.*hooks\.json:1\) denied this and gave no reason$/,
  },
  {
    title: "exit 2 with the reason on stdout only (case 01)",
    command: `echo '{"blockingError":{"error":"dangerous command"}}'; exit 2`,
    outcome: "deny",
    reason: /^dangerous command$/,
  },
  {
    title: "exit 2 with both",
    command: `echo '{"blockingError":"out"}'; echo err >&2; exit 2`,
    outcome: "deny",
    reason: /^err$/,
  },
  {
    title: "a misspelt verdict (case 05, line 1)",
    command: `echo '{"decison":"deny"}'`,
    outcome: "undecided",
    cause: "output",
    reason: /no answer of a onecode hook/,
    notices: [/By policy this counts as no objection/],
  },
  {
    title: "another product's word (case 05, line 3)",
    command: `echo '{"permissionDecision":"deny"}'`,
    outcome: "undecided",
    cause: "output",
    reason: /to deny, print/,
    notices: [/permissionDecision/],
  },
  { title: "an empty object (case 05, line 7)", command: "echo '{}'", outcome: "allow", reason: /^$/ },
  {
    title: "exit 1 (case 06)",
    command: "echo bad luck >&2; exit 1",
    outcome: "undecided",
    cause: "exit",
    reason: /exited with code 1: bad luck/,
    notices: [/exited with code 1: bad luck/],
  },
  {
    title: "a file without execute bit (case 06)",
    command: "./noexec.sh",
    outcome: "undecided",
    cause: "exit",
    reason: /exited with code 126/,
    notices: [/exited with code 126: .*noexec/],
  },
  {
    title: "a missing program (case 06)",
    command: "./no-such-guard",
    outcome: "undecided",
    cause: "exit",
    reason: /exited with code 127/,
    notices: [/no-such-guard/],
  },
  {
    title: "a signal (case 06)",
    command: "kill -SEGV $$",
    outcome: "undecided",
    cause: "exit",
    reason: /SIGSEGV/,
    notices: [/SIGSEGV/],
  },
  {
    title: "a missing script of python (case 06)",
    command: "python3 ./no-such-guard.py",
    outcome: "deny",
    reason: /no-such-guard\.py/,
  },
  { title: "a syntax error of the shell (case 06)", command: "if then", outcome: "deny", reason: /[Ss]yntax error/ },
];

for (const { title, command, outcome, cause, reason, notices = [] } of ROWS) {
  Deno.test(`onecode: ${title} comes to ${outcome}, said once, and no process is left`, () =>
    withEngine(async ({ place, load, fire }) => {
      await Deno.writeTextFile(`${place.project}/noexec.sh`, "#!/bin/sh\nexit 2\n", { mode: 0o644 });
      assert.deepEqual(await load(guard(command)), []);
      const result = await fire();
      const [report] = result.reports;
      assert.equal(report?.outcome, outcome);
      assert.equal(report?.cause, outcome === "deny" ? "policy" : cause);
      assert.match(report?.reason ?? "", reason);
      assert.equal(result.effect, outcome === "deny" ? "block" : "proceed");
      assert.equal(result.batch_rule, outcome === "deny" ? "go_on" : "by_tier");
      if (outcome === "deny") assert.match(reasonsOf(result)[0]!, reason);
      assert.equal(result.notices.length, notices.length);
      notices.forEach((notice, index) => assert.match(result.notices[index]!.message, notice));
      assert.deepEqual((await fire()).notices, [], "a repeat is in the reports only");
    }));
}

Deno.test("onecode: a matcher decides who is asked: a hook on Bash is not asked about Read (O-12)", () =>
  withEngine(async ({ place, load, fire, engine }) => {
    await load(guard("touch ASKED; exit 2"));
    assert.equal(engine.hasActive("pre_tool_call", "Read"), false);
    const result = await fire({ point: "pre_tool_call", call: { ...CALL, name: "Read" } });
    assert.deepEqual([result.effect, result.reports.length, result.message], ["proceed", 0, undefined]);
    await assert.rejects(Deno.stat(`${place.project}/ASKED`));
  }));

Deno.test("onecode: the payload is one line that json.load and read -r both take", () =>
  withEngine(async ({ place, load, fire }) => {
    await load({
      pre_tool_call: [{
        hooks: [
          {
            command: `python3 -c 'import json,sys; print(json.dumps({"message": json.load(sys.stdin)["point"]}))'`,
            timeout: 20_000,
          },
          { command: 'read -r line && printf "%s" "$line" > line.json', timeout: 20_000 },
        ],
      }],
    });
    const { message } = await fire();
    assert.equal(message, "pre_tool_call");
    const payload = JSON.parse(await Deno.readTextFile(`${place.project}/line.json`));
    assert.match(payload.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/);
    assert.deepEqual({ ...payload, timestamp: "" }, {
      point: "pre_tool_call",
      sessionId: "session-1",
      cwd: place.project,
      toolName: "Bash",
      toolInput: { command: "touch MARK" },
      toolUseId: "call-1",
      timestamp: "",
      generation: 1,
    });
  }));

Deno.test("onecode: the limits of case 15 hold: 10 ms is obeyed, what is no limit and 3e9 are not 0 ms", () =>
  withEngine(async ({ place, load, fire }) => {
    const limits = ["10", "0", "-1", '"5000"', "1.5", "null", "true", "3000000000", "1e400"];
    const hooks = [...limits.map((limit) => `,"timeout":${limit}`), ""].map((limit, index) =>
      `{"type":"command","command":"sleep 0.4; touch OK-${index}"${limit}}`
    );
    const codes = await load(`{"pre_tool_call":[{"matcher":"Bash","hooks":[${hooks.join()}]}]}`);
    assert.deepEqual(codes, [
      "timeout-unit",
      ...Array(6).fill("bad-timeout"),
      "timeout-unit",
      "bad-timeout",
    ]);
    const { reports } = await fire();
    assert.deepEqual(reports.map(({ outcome }) => outcome), ["undecided", ...Array(9).fill("allow")]);
    assert.match(reports[0]!.reason!, /timed out after 10 ms/);
    const made = [...Deno.readDirSync(place.project)].map(({ name }) => name).sort();
    assert.deepEqual(made, Array.from({ length: 9 }, (_, index) => `OK-${index + 1}`));
  }));

Deno.test("onecode: a once hook with an empty answer runs once, over a reload of its file too", () =>
  withEngine(async ({ place, load, fire, engine }) => {
    const file = guard("echo x >> RUNS", { once: true });
    const runs = async () => (await Deno.readTextFile(`${place.project}/RUNS`)).length / 2;
    await load(file);
    await fire();
    await fire();
    assert.equal(await runs(), 1);
    await load({ ...file, output: [] });
    await fire();
    assert.equal(await runs(), 1);
    assert.equal(engine.hasActive("pre_tool_call", "Bash"), false);
    await load(guard("echo x >> RUNS", { once: true, priority: 120 }));
    await fire();
    assert.equal(await runs(), 2);
  }));

Deno.test("onecode: a limit that code gives to its own hook holds", () =>
  withEngine(async ({ registry, fire }) => {
    const hook: Registration = {
      id: "my-plugin:slow",
      point: "pre_tool_call",
      speech: "onecode",
      source: "plugin",
      priority: 150,
      order: 0,
      matcher: { text: "*", matches: () => ({ matched: true }) },
      executor: { type: "command", command: "sleep 30" },
      timeout_ms: 200,
      mode: "enforce",
    };
    registry.register(hook);
    const { reports, message } = await fire();
    assert.deepEqual(reports.map(({ outcome, cause, reason }) => [outcome, cause, reason]), [
      ["undecided", "timeout", "timed out after 200 ms"],
    ]);
    assert.equal(message, "timed out after 200 ms");
  }));

Deno.test("onecode: a cancel ends the running hook and is passed on, not turned into an answer (O-64)", () =>
  withEngine(async ({ load, engine }) => {
    await load(guard("sleep 30"));
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    const result = await engine.emit(OCCASIONS.pre_tool_call, MOMENT, controller.signal);
    assert.equal(result.cancelled, true);
    assert.deepEqual(result.notices, []);
    assert.deepEqual(result.reports.map(({ outcome, cause }) => [outcome, cause]), [["undecided", "cancelled"]]);
  }));
