import assert from "node:assert/strict";
import { createWorld, of } from "../support/world.ts";

Deno.test("calls of tools that do not exist: each has an error result with the right names, none runs unhooked", async () => {
  await using world = await createWorld();
  await world.hooks({ PreToolUse: [{ hooks: [{ type: "command", command: "cat >> seen; echo >> seen" }] }] });
  const names = ["Reed", "bash_tool", "", " Bash ", "constructor", "__proto__", "mcp__nobody__here"];
  const { code, events } = await world.play([
    { tool_calls: names.map((name, index) => ({ name, id: `c${index}`, input: { command: "true" } })) },
    { text: "ok" },
  ]);
  assert.equal(code, 0);
  const results = of(events, "tool_result");
  assert.deepEqual(results.map((event) => event.call_id), names.map((_, index) => `c${index}`));
  for (const [index, name] of names.entries()) {
    if (name.trim() === "Bash") continue;
    assert.ok(results[index]!.is_error, name);
    assert.match(results[index]!.content, /Bash/);
  }
  const seen = (await world.exists("seen")) ? (await world.read("seen")).split("\n").filter(Boolean) : [];
  const ran = results[3]!.is_error ? 0 : 1;
  assert.equal(seen.length, ran, "a trimmed name passes its hooks");
  if (ran) assert.equal(JSON.parse(seen[0]!).tool_name, "Bash");
});

Deno.test("the same bad call again and again ends the run with a reason of its own and a code that is not success", async () => {
  await using world = await createWorld();
  const model = await world.script([{ tool_calls: [{ name: "Reed", input: {} }] }], { on_exhausted: "repeat_last" });
  const { code, events } = await world.run(["run", "go", "--model", model, "--output", "stream-json"]);
  assert.equal(code, 1);
  assert.equal(of(events, "session_finished")[0]?.reason, "repeated_failure");
  assert.equal(of(events, "model_request").length, 5);
});

Deno.test("arguments that are no JSON object run nothing, ask no hook, and the history stays valid", async () => {
  await using world = await createWorld();
  await world.hooks({ PreToolUse: [{ hooks: [{ type: "command", command: "touch ASKED" }] }] });
  const bad = [
    '{"command": "touch MARK"',
    '{command: "touch MARK"}',
    '{"command": "touch MARK"} trailing',
    '{"command": "touch MARK",}',
    "",
    "null",
    "[]",
    '"touch MARK"',
    '{"command": 5}',
    '{"cmd": "touch MARK"}',
    '{"command": "touch MARK", "cmmand": "x"}',
  ];
  const { code, events } = await world.play([
    { tool_calls: bad.map((raw_input, index) => ({ name: "Bash", id: `c${index}`, raw_input })) },
    { text: "ok" },
  ]);
  assert.equal(code, 0);
  const results = of(events, "tool_result");
  assert.equal(results.length, bad.length);
  for (const [index, result] of results.entries()) {
    assert.ok(result.is_error && result.content.length > 20, bad[index]);
  }
  assert.match(results[8]!.content, /command/);
  assert.match(results[9]!.content, /cmd/);
  assert.equal(await world.exists("MARK"), false);
  assert.equal(await world.exists("ASKED"), false);
});

Deno.test("three edits of one file in one answer all land, in call order, however the path is written", async () => {
  await using world = await createWorld();
  await world.write("n.txt", "one\ntwo\nthree\n");
  await world.hooks({ PostToolUse: [{ hooks: [{ type: "command", command: "sleep 0.1" }] }] });
  const { events } = await world.play([
    {
      tool_calls: [["n.txt", "one", "1"], ["./n.txt", "two", "2"], [`${world.project}/n.txt`, "three", "3"]].map((
        [file_path, old_string, new_string],
        index,
      ) => ({ name: "Edit", id: `c${index}`, input: { file_path, old_string, new_string } })),
    },
    { text: "ok" },
  ]);
  assert.equal(await world.read("n.txt"), "1\n2\n3\n");
  assert.deepEqual(of(events, "tool_result").map((event) => event.call_id), ["c0", "c1", "c2"]);
});

Deno.test("a command that asks its terminal gets an empty input, and what it leaves behind is ended and told", async () => {
  await using world = await createWorld();
  const commands = [
    "sleep 300 & echo started",
    "nohup sleep 300 >/dev/null 2>&1 & echo pid",
    "(sleep 300; echo late) &",
    "cat",
    'read x; echo "got:$x"',
    "grep foo",
    "echo first; sleep 300 & sleep 300",
  ];
  const { events } = await world.play(
    [
      {
        tool_calls: commands.map((command, index) => ({
          name: "Bash",
          id: `c${index}`,
          input: { command, timeout: 2000 },
        })),
      },
      { text: "ok" },
    ],
    [],
    { limit_ms: 90_000 },
  );
  const results = of(events, "tool_result");
  assert.match(results[0]!.content, /started/);
  for (const index of [0, 1, 2]) assert.match(results[index]!.content, /background/i, commands[index]);
  assert.match(results[4]!.content, /got:/);
  assert.match(results[6]!.content, /first/);
  assert.match(results[6]!.content, /timed out|time limit|2000 ms/);
});

Deno.test("a flood keeps exit code, beginning and end, stays within its size, and reaches nobody raw", async () => {
  await using world = await createWorld();
  const { events } = await world.play(
    [
      {
        tool_calls: [
          { name: "Bash", id: "c0", input: { command: "seq 1 3000000; echo THE-END >&2; exit 7" } },
          { name: "Bash", id: "c1", input: { command: "yes", timeout: 3000 } },
          { name: "Bash", id: "c2", input: { command: "head -c 5000000 /dev/zero | tr '\\0' x" } },
          { name: "Bash", id: "c3", input: { command: "printf 'a\\rb\\033[31mred'" } },
        ],
      },
      { text: "ok" },
    ],
    [],
    { limit_ms: 90_000 },
  );
  const results = of(events, "tool_result");
  const kept = await world.read(`${world.home}/${results[0]!.artifact_ref}`);
  assert.match(results[0]!.content, /\b7\b/);
  assert.match(results[0]!.content + kept, /THE-END/);
  assert.match(kept, /^1\n2\n/m);
  assert.ok(kept.length < 3_000_000);
  assert.ok(results.every((event) => event.content.length < 40_000));
  // deno-lint-ignore no-control-regex
  assert.doesNotMatch(results[3]!.content, /[\x1b\r]/);
});
