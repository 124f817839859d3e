/**
 * Behaviours that the public soong-agent's own tests assert, by their number in docs/decisions/0011: held as they are, or held
 * our way where we differ on purpose.
 */
import assert from "node:assert/strict";
import { createWorld, of, type ProgramResult, type World } from "../support/world.ts";

interface Row {
  readonly id: string;
  readonly behaviour: string;
  readonly hooks?: Record<string, unknown> | string;
  readonly config?: string;
  readonly prepare?: (world: World) => Promise<unknown>;
  readonly turns: readonly unknown[];
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
  check(result: ProgramResult, world: World): Promise<void> | void;
}

const write = (id: string, file_path = "x.txt") => ({ name: "Write", id, input: { file_path, content: "1" } });
const rule = (command: unknown, matcher?: unknown, more: Record<string, unknown> = {}) => [
  { ...(matcher === undefined ? {} : { matcher }), hooks: [{ type: "command", command, ...more }] },
];
const DONE = { text: "done" };
const DENY = (reason: string) => `echo '{"decision":"deny","reason":"${reason}"}'`;

const TABLE: readonly Row[] = [
  {
    id: "S-01",
    behaviour: "a static deny rule by tool name gives an error result with its reason",
    hooks: JSON.stringify({
      hooks: { PreToolUse: [{ tool_name: "code.write_file", action: "deny", reason: "blocked" }] },
    }),
    turns: [{ tool_calls: [write("c1")] }, DONE],
    async check({ events }, world) {
      assert.ok(of(events, "tool_result")[0]?.content.includes("blocked"));
      assert.equal(await world.exists("x.txt"), false);
    },
  },
  {
    id: "S-02",
    behaviour: "hooks of the home are loaded, those of the project are not",
    hooks: { PreToolUse: rule(DENY("home says no"), "Write") },
    prepare: (world) =>
      world.write(
        ".soong-agent/hooks.json",
        JSON.stringify({ version: 1, hooks: { PreToolUse: rule(DENY("project says no"), "Read") } }),
      ),
    turns: [{ tool_calls: [{ name: "Read", id: "c1", input: { file_path: ".soong-agent/hooks.json" } }] }, {
      tool_calls: [write("c2")],
    }, DONE],
    check({ events }) {
      assert.deepEqual(of(events, "tool_result").map((event) => event.is_error), [false, true]);
    },
  },
  {
    id: "S-04",
    behaviour: "a list command that denies: reason and metadata arrive, permission is never asked, nothing is written",
    hooks: {
      PreToolUse: rule(
        [
          "/bin/sh",
          "-c",
          `grep -q '"tool_name":"code.write_file"' && echo '{"decision":"deny","reason":"command blocked","metadata":{"by":"me"}}'`,
        ],
        { tool_name: "code.write_file" },
      ),
    },
    turns: [{ tool_calls: [write("c1")] }, DONE],
    args: ["--permission-mode", "ask"],
    async check({ events }, world) {
      assert.ok(of(events, "tool_result")[0]?.content.includes("command blocked"));
      assert.deepEqual(of(events, "hook_finished")[0]?.metadata, { by: "me" });
      assert.deepEqual(of(events, "permission_decision"), []);
      assert.equal(await world.exists("x.txt"), false);
    },
  },
  {
    id: "S-05",
    behaviour: "a hook that runs out of time lets the tool run and is told",
    hooks: { PreToolUse: rule("sleep 1", "Write", { timeout_ms: 10 }) },
    turns: [{ tool_calls: [write("c1")] }, DONE],
    async check({ events }, world) {
      assert.equal(await world.exists("x.txt"), true);
      assert.deepEqual(of(events, "hook_finished").map((event) => [event.outcome, event.cause]), [[
        "undecided",
        "timeout",
      ]]);
    },
  },
  {
    id: "S-08",
    behaviour: "a variable outside the list does not reach a hook, PATH does",
    hooks: { PreToolUse: rule("env > ENV", "Write") },
    turns: [{ tool_calls: [write("c1")] }, DONE],
    env: { SOONG_HOOK_SECRET: "s3cret" },
    async check(_result, world) {
      const seen = await world.read("ENV");
      assert.ok(seen.includes("PATH=") && !seen.includes("s3cret"));
    },
  },
  {
    id: "S-09",
    behaviour: "PostToolUse on a read sees event, tool and content; its deny changes nothing and is recorded",
    hooks: { PostToolUse: rule(`cat > payload.json; ${DENY("too late")}`, "Read") },
    prepare: (world) => world.write("a.txt", "hello\n"),
    turns: [{ tool_calls: [{ name: "Read", id: "c1", input: { file_path: "a.txt" } }] }, DONE],
    async check({ events }, world) {
      const payload = JSON.parse(await world.read("payload.json"));
      assert.equal(payload.event, "PostToolUse");
      assert.match(payload.result.content, /hello/);
      assert.equal(of(events, "tool_result")[0]?.is_error, false);
      assert.equal(of(events, "hook_finished")[0]?.reason, "too late");
    },
  },
  {
    id: "S-12",
    behaviour: "SessionStart and UserPromptSubmit that deny are observed in that order and the run completes",
    hooks: { SessionStart: rule(DENY("no")), UserPromptSubmit: rule(`cat > prompt.json; ${DENY("no")}`) },
    turns: [DONE],
    async check({ code, events }, world) {
      assert.equal(code, 0);
      assert.deepEqual(of(events, "hook_finished").map((event) => event.event), ["SessionStart", "UserPromptSubmit"]);
      assert.equal(JSON.parse(await world.read("prompt.json")).prompt, "go");
    },
  },
  {
    id: "S-13",
    behaviour: "SessionStart fires once a process, with source resume in the second (ours)",
    hooks: { SessionStart: rule("cat >> starts; echo >> starts") },
    turns: [DONE],
    async check(_result, world) {
      const second = await world.run(["run", "more", "--resume", "last", "--model", await world.script([DONE])]);
      assert.equal(second.code, 0, second.stderr);
      const sources = (await world.read("starts")).split("\n").filter(Boolean).map((line) => JSON.parse(line).source);
      assert.deepEqual(sources, ["startup", "resume"]);
    },
  },
  {
    id: "S-14",
    behaviour:
      "a Stop rule that always denies ends with stop_hook_limit after eight send-backs (ours), not at max_turns",
    hooks: JSON.stringify({ hooks: [{ event_type: "Stop", decision: "deny", reason: "never" }] }),
    turns: Array.from({ length: 12 }, () => DONE),
    check({ code, events }) {
      assert.equal(code, 3);
      assert.equal(of(events, "model_request").length, 9);
      assert.equal(of(events, "hook_context").length, 8);
      assert.equal(of(events, "session_finished")[0]?.reason, "stop_hook_limit");
    },
  },
  {
    id: "S-17",
    behaviour: "a write that fails does not stop the batch (ours): only a deny does",
    turns: [{ tool_calls: [write("c1", "a.txt/below/a/file"), { name: "LS", id: "c2", input: {} }] }, DONE],
    prepare: (world) => world.write("a.txt", "a file\n"),
    check({ events }) {
      assert.deepEqual(of(events, "tool_result").map((event) => [event.call_id, event.is_error]), [["c1", true], [
        "c2",
        false,
      ]]);
    },
  },
  {
    id: "S-18",
    behaviour: "two readonly calls of one answer give two results in call order",
    turns: [
      { tool_calls: [{ name: "LS", id: "c1", input: {} }, { name: "Glob", id: "c2", input: { pattern: "*" } }] },
      DONE,
    ],
    check({ events }) {
      assert.deepEqual(of(events, "tool_result").map((event) => event.call_id), ["c1", "c2"]);
    },
  },
  {
    id: "S-21",
    behaviour: "the plan folder of the configuration, with its placeholder, is the suggested one",
    config: '[plan]\ndefault_dir = "<project>/notes/plans"\n',
    turns: [{ tool_calls: [{ name: "agent_plan_template", id: "c1", input: { goal: "tidy up" } }] }, DONE],
    check({ events }) {
      assert.match(of(events, "tool_result")[0]!.content, /notes\/plans/);
    },
  },
  {
    id: "S-22",
    behaviour:
      "a plan template and then the plan: only the write asks for permission, and its hooks see the resolved path",
    hooks: { PreToolUse: rule("cat > payload.json", "Write") },
    args: ["--permission-mode", "accept-edits"],
    turns: [
      { tool_calls: [{ name: "agent_plan_template", id: "c1", input: {} }] },
      { tool_calls: [write("c2", ".soong-agent/plans/../plans/p.md")] },
      DONE,
    ],
    async check({ events }, world) {
      assert.deepEqual(of(events, "permission_decision").map((event) => [event.call_id, event.decision]), [
        ["c1", "allow"],
        ["c2", "allow"],
      ]);
      assert.equal(JSON.parse(await world.read("payload.json")).tool_path, `${world.project}/.soong-agent/plans/p.md`);
      assert.equal(await world.exists(".soong-agent/plans/p.md"), true);
    },
  },
  {
    id: "S-23",
    behaviour: "a fresh run creates nothing in the project (ours)",
    turns: [DONE],
    check(_result, world) {
      assert.deepEqual([...Deno.readDirSync(world.project)], []);
    },
  },
  {
    id: "S-24",
    behaviour: "reading .env with nobody to ask is denied",
    prepare: (world) => world.write(".env", "KEY=1\n"),
    turns: [{ tool_calls: [{ name: "Read", id: "c1", input: { file_path: ".env" } }] }, DONE],
    check({ events }) {
      assert.deepEqual(of(events, "permission_decision").map((event) => [event.decision, event.by]), [[
        "deny",
        "sensitive",
      ]]);
    },
  },
  {
    id: "S-26",
    behaviour: "a list does not show what is in a .pem; a search passes over it and says so (ours)",
    prepare: (world) => world.write("k.pem", "PRIVATE\n"),
    turns: [
      {
        tool_calls: [{ name: "LS", id: "c1", input: {} }, {
          name: "Grep",
          id: "c2",
          input: { pattern: "PRIVATE", output_mode: "content" },
        }],
      },
      DONE,
    ],
    check({ events }) {
      const [list, grep] = of(events, "tool_result");
      assert.ok(!list!.is_error && list!.content.includes("k.pem"));
      assert.ok(!/PRIVATE$/m.test(grep!.content.split("\n")[0]!));
      assert.match(grep!.content, /sensitive/);
    },
  },
];

for (const row of TABLE) {
  Deno.test(`${row.id}: ${row.behaviour}`, async () => {
    await using world = await createWorld();
    if (row.config !== undefined) await world.config(row.config);
    if (row.hooks !== undefined) await world.hooks(row.hooks);
    await row.prepare?.(world);
    const result = await world.play(row.turns, row.args ?? [], { env: row.env ?? {} });
    await row.check(result, world);
  });
}
