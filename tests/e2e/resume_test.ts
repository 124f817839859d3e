import assert from "node:assert/strict";
import { createWorld, of, readLog, until, type World } from "../support/world.ts";

async function sessionFile(world: World): Promise<string> {
  for await (const entry of Deno.readDir(`${world.home}/sessions`)) {
    if (entry.name.endsWith(".jsonl")) return `${world.home}/sessions/${entry.name}`;
  }
  throw new Error("no session file");
}

const LONG_CALLS = [
  {
    tool_calls: [
      { name: "Bash", id: "c1", input: { command: "echo x >> n; sleep 300" } },
      { name: "Bash", id: "c2", input: { command: "touch MARK" } },
    ],
  },
  { text: "unreached" },
];

for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143], ["SIGHUP", 129], ["SIGKILL", 137]] as const) {
  Deno.test(`a run ended by ${signal} in a call leaves no process and can be resumed with every call paired`, async () => {
    await using world = await createWorld();
    const model = await world.script(LONG_CALLS);
    const child = world.start(["run", "go", "--model", model, "--permission-mode", "full", "--output", "stream-json"]);
    const output = child.output();
    void child.stdin.close();
    await until(() => world.exists("n"), "the call runs");
    const begun = performance.now();
    child.kill(signal);
    const { code: exit, signal: by } = await output;
    if (signal === "SIGKILL") assert.equal(by, "SIGKILL");
    else assert.equal(exit, code);
    assert.ok(performance.now() - begun < 4500);
    await until(async () => (await world.leftovers()).length === 0, "all children are gone");

    const next = await world.script([{ expect: { contains: ["c1", "c2"] }, text: "back" }]);
    const resumed = await world.run(["run", "go on", "--model", next, "--resume", "last", "--output", "stream-json"]);
    assert.equal(resumed.code, 0, resumed.stderr + resumed.stdout);
    const log = await readLog(await sessionFile(world));
    const results = of(log, "tool_result");
    assert.deepEqual(results.map((event) => event.call_id), ["c1", "c2"]);
    assert.match(results[0]!.content, /after it had started/);
    assert.match(results[1]!.content, /never started|before it started/);
    assert.equal((await world.read("n")).trim(), "x");
    assert.equal(await world.exists("MARK"), false);
    assert.deepEqual(log.map((event) => event.seq), log.map((_, index) => index + 1));
  });
}

Deno.test("a torn last line is dropped with a warning, only that record is lost, and later records stand on their own lines", async () => {
  await using world = await createWorld();
  const first = await world.play([{ text: "one" }]);
  assert.equal(first.code, 0);
  const file = await sessionFile(world);
  const { size } = await Deno.stat(file);
  await Deno.truncate(file, size - 40);

  const second = await world.run([
    "run",
    "second",
    "--model",
    await world.script([{ expect: { contains: ["one"] }, text: "two" }]),
    "--resume",
    "last",
  ]);
  assert.equal(second.code, 0, second.stderr);
  assert.match(second.stderr, /damaged|torn|dropped/);
  const third = await world.run([
    "run",
    "third",
    "--model",
    await world.script([{ expect: { contains: ["one", "second", "two"] }, text: "three" }]),
    "--resume",
    "last",
  ]);
  assert.equal(third.code, 0, third.stderr);
  for (const line of (await world.read(file)).trimEnd().split("\n")) JSON.parse(line);
  const verify = await world.run(["sessions", "verify", of(first.events, "session_started")[0]!.session_id]);
  assert.equal(verify.code, 0, verify.stdout + verify.stderr);
});

Deno.test("resume goes on in the same session with its history, and SessionStart says source resume", async () => {
  await using world = await createWorld();
  await world.hooks({ SessionStart: [{ hooks: [{ type: "command", command: "cat >> starts; echo >> starts" }] }] });
  const first = await world.play([
    { tool_calls: [{ name: "Bash", id: "c1", input: { command: "echo tool-said-this" } }] },
    { text: "answer one" },
  ]);
  const id = of(first.events, "session_started")[0]!.session_id;
  const model = await world.script([{
    expect: { contains: ["go", "tool-said-this", "answer one", "more"] },
    text: "answer two",
  }]);
  const second = await world.run(["run", "more", "--model", model, "--resume", id, "--output", "json"]);
  assert.equal(second.code, 0, second.stderr);
  const report = JSON.parse(second.stdout);
  assert.equal(report.session_id, id);
  assert.equal(report.result, "answer two");
  const starts = (await world.read("starts")).split("\n").filter(Boolean).map((line) => JSON.parse(line).source);
  assert.deepEqual(starts, ["startup", "resume"]);
  const unknown = await world.run(["run", "x", "--model", model, "--resume", "no-such-session"]);
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /no-such-session/);
  assert.doesNotMatch(unknown.stderr, /\bat .*\.ts:\d+/);
});

Deno.test("every event of the log is numbered, chained and the same as on stdout, deltas aside", async () => {
  await using world = await createWorld();
  const { events, stderr } = await world.play([
    { tool_calls: [{ name: "Bash", id: "c1", input: { command: "true" } }] },
    { text: "hello", chunks: ["hel", "lo"] },
  ]);
  const log = await readLog(await sessionFile(world));
  assert.deepEqual(events.filter((event) => event.type !== "assistant_delta"), log, stderr);
  assert.deepEqual(of(events, "assistant_delta").map((event) => event.text), ["hel", "lo"]);
  const listed = await world.run(["sessions", "list"]);
  assert.match(listed.stdout, new RegExp(log[0]!.session_id));
  const shown = await world.run(["sessions", "show", log[0]!.session_id]);
  assert.equal(shown.code, 0);
  assert.match(shown.stdout, /hello/);

  const path = await sessionFile(world);
  await Deno.writeTextFile(path, (await Deno.readTextFile(path)).replaceAll("hello", "jello"));
  const changed = await world.run(["sessions", "show", log[0]!.session_id]);
  assert.equal(changed.code, 1);
  assert.match(changed.stdout, /jello/);
  assert.match(changed.stderr, /^error: .*:\d+: the chain is broken .* may have been changed$/m);
});
