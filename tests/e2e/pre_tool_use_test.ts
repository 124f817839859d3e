import assert from "node:assert/strict";
import { createWorld, of } from "../support/world.ts";

const SAY_DENY = `echo '{"decision":"deny","reason":"not \\"here\\" 拒绝"}'`;

function rule(command: string, matcher: unknown = { tool_name: "Bash" }, more: Record<string, unknown> = {}) {
  return [{ ...(matcher === "none" ? {} : { matcher }), hooks: [{ type: "command", command, ...more }] }];
}

Deno.test("a PreToolUse deny keeps the tool from running, asks nobody, and tells the model why", async () => {
  await using world = await createWorld();
  await world.hooks({ PreToolUse: rule(SAY_DENY) });
  const { code, events } = await world.play([
    { tool_calls: [{ name: "Bash", id: "c1", input: { command: "touch MARK" } }] },
    { expect: { contains: ['not \\"here\\" 拒绝'] }, text: "understood" },
  ], ["--permission-mode", "ask"]);
  assert.equal(code, 0);
  assert.equal(await world.exists("MARK"), false);
  assert.deepEqual(of(events, "permission_decision"), []);
  assert.deepEqual(of(events, "hook_denied").map((event) => [event.point, event.reasons]), [
    ["pre_tool_call", ['not "here" 拒绝']],
  ]);
  assert.deepEqual(of(events, "tool_denied").map((event) => [event.call_id, event.by]), [["c1", "hook"]]);
  const [result, ...others] = of(events, "tool_result");
  assert.deepEqual(others, []);
  assert.ok(result?.is_error && result.content.includes('not "here" 拒绝'));
});

const BATCH = [
  { name: "Read", id: "c1", input: { file_path: "a.txt" } },
  { name: "Write", id: "c2", input: { file_path: "n.txt", content: "x" } },
  { name: "Read", id: "c3", input: { file_path: "b.txt" } },
  { name: "Bash", id: "c4", input: { command: "touch MARK" } },
];

for (
  const { title, matcher, calls, errors, skipped, denied } of [
    {
      title: "Read, Write (denied), Read, Bash: the first Read ran, the last two are skipped",
      matcher: { tool_name: "Write" },
      calls: BATCH,
      errors: [false, true, true, true],
      denied: ["c2"],
      skipped: ["c3", "c4"],
    },
    {
      title: "Write (denied) first: nothing of the batch runs",
      matcher: { tool_name: "Write" },
      calls: [BATCH[1]!, BATCH[0]!, BATCH[2]!, BATCH[3]!],
      errors: [true, true, true, true],
      denied: ["c2"],
      skipped: ["c1", "c3", "c4"],
    },
    {
      title: "Read (denied), Read, Bash: the second Read runs, Bash is skipped",
      matcher: { path_prefix: "a.txt" },
      calls: [BATCH[0]!, BATCH[2]!, BATCH[3]!],
      errors: [true, false, true],
      denied: ["c1"],
      skipped: ["c4"],
    },
    {
      title: "all reads denied: each read has its own verdict, the others are skipped",
      matcher: { tag: "readonly" },
      calls: BATCH,
      errors: [true, true, true, true],
      denied: ["c1", "c3"],
      skipped: ["c2", "c4"],
    },
  ]
) {
  Deno.test(`batch: ${title}`, async () => {
    await using world = await createWorld();
    await world.write("a.txt", "alpha\n");
    await world.write("b.txt", "beta\n");
    await world.hooks({ PreToolUse: rule(SAY_DENY, matcher) });
    const { code, events } = await world.play([{ tool_calls: calls }, { text: "done" }]);
    assert.equal(code, 0);
    const results = of(events, "tool_result");
    assert.deepEqual(results.map((event) => event.call_id), calls.map((call) => call.id));
    assert.deepEqual(results.map((event) => event.is_error), errors);
    assert.deepEqual(of(events, "tool_denied").map((event) => event.call_id), denied);
    assert.deepEqual(of(events, "tool_skipped").map((event) => event.call_id), skipped);
    assert.equal(await world.exists("n.txt"), false);
    assert.equal(await world.exists("MARK"), false);
  });
}

Deno.test("every built-in tool waits for its verdict, in every mode that runs without a person", async () => {
  const calls = [
    { name: "Bash", id: "c1", input: { command: "touch MARK" } },
    { name: "Write", id: "c2", input: { file_path: "new.txt", content: "x" } },
    { name: "Edit", id: "c3", input: { file_path: "a.txt", old_string: "alpha-secret", new_string: "beta" } },
    { name: "Read", id: "c4", input: { file_path: "a.txt" } },
    { name: "Grep", id: "c5", input: { pattern: "alpha", output_mode: "content" } },
    { name: "Glob", id: "c6", input: { pattern: "*.txt" } },
    { name: "LS", id: "c7", input: {} },
    { name: "TodoWrite", id: "c8", input: { todos: [] } },
    { name: "agent_plan_template", id: "c9", input: {} },
  ];
  for (const mode of ["ask", "full"]) {
    await using world = await createWorld();
    await world.write("a.txt", "alpha-secret\n");
    await world.hooks({ PreToolUse: rule(`sleep 0.2; ${SAY_DENY}`, "none") });
    const turns = [...calls.map((call) => ({ tool_calls: [call] })), {
      expect: { not_contains: ["alpha-secret\\n"] },
      text: "ok",
    }];
    const { code, events } = await world.play(turns, ["--permission-mode", mode]);
    assert.equal(code, 0);
    assert.deepEqual(
      of(events, "tool_result").map((event) => [event.call_id, event.is_error]),
      calls.map(({ id }) => [id, true]),
    );
    assert.deepEqual(of(events, "tool_started"), []);
    assert.equal(await world.exists("MARK"), false);
    assert.equal(await world.exists("new.txt"), false);
    assert.equal(await world.read("a.txt"), "alpha-secret\n");
    assert.ok(of(events, "hook_finished").every((event) => event.duration_ms >= 190));
  }
});

Deno.test("an early allow never hides a later deny; hooks run one by one in file order, also after a deny; both reasons are kept", async () => {
  for (
    const answers of [
      ["allow", "deny", "allow"],
      ["deny", "allow", "allow"],
      ["deny", "allow", "deny"],
    ]
  ) {
    await using world = await createWorld();
    const hooks = answers.map((decision, index) => ({
      type: "command",
      command: `echo start-${index} >> order.log; sleep 0.0${5 - index}; echo end-${index} >> order.log; ` +
        `echo '{"decision":"${decision}","reason":"from ${index}"}'`,
    }));
    await world.hooks({ PreToolUse: [{ matcher: "Bash", hooks: hooks.slice(0, 2) }, { hooks: hooks.slice(2) }] });
    const { events } = await world.play([
      { tool_calls: [{ name: "Bash", id: "c1", input: { command: "touch MARK" } }] },
      { text: "ok" },
    ]);
    assert.equal(await world.exists("MARK"), false);
    assert.deepEqual(
      (await world.read("order.log")).trim().split("\n"),
      [0, 1, 2].flatMap((index) => [`start-${index}`, `end-${index}`]),
    );
    const expected = answers.flatMap((decision, index) => decision === "deny" ? [`from ${index}`] : []);
    assert.deepEqual(of(events, "hook_denied")[0]?.reasons, expected);
    for (const reason of expected) assert.ok(of(events, "tool_result")[0]?.content.includes(reason));
  }
});

Deno.test("a static deny rule of the public project denies without a process, by its tool names, and shows the grouped form", async () => {
  await using world = await createWorld();
  await world.hooks(JSON.stringify({
    version: 1,
    hooks: [{ event_type: "PreToolUse", tool_name: "code.write_file", decision: "deny", reason: "blocked" }],
  }));
  const { events, stderr } = await world.play([
    { tool_calls: [{ name: "Write", id: "c1", input: { file_path: "x.txt", content: "1" } }] },
    { text: "ok" },
  ]);
  assert.equal(await world.exists("x.txt"), false);
  assert.ok(of(events, "tool_result")[0]?.content.includes("blocked"));
  assert.match(stderr + JSON.stringify(of(events, "warning")), /PreToolUse/);
});

Deno.test("a hook matched by an old tool name is given that vocabulary, metadata is kept and permission is never asked", async () => {
  await using world = await createWorld();
  const script = `cat > payload.json; echo '{"decision":"deny","reason":"command blocked","metadata":{"rule":7}}'`;
  await world.hooks({ PreToolUse: rule(script, { tool_name: "code.write_file" }) });
  const { events } = await world.play([
    { tool_calls: [{ name: "Write", id: "c1", input: { file_path: "x.txt", content: "1" } }] },
    { text: "ok" },
  ], ["--permission-mode", "ask"]);
  const payload = JSON.parse(await world.read("payload.json"));
  assert.equal(payload.tool_name, "code.write_file");
  assert.equal(payload.arguments.content, "1");
  assert.match(payload.arguments.path, /x\.txt$/);
  assert.deepEqual(of(events, "hook_finished")[0]?.metadata, { rule: 7 });
  assert.deepEqual(of(events, "permission_decision"), []);
  assert.equal(await world.exists("x.txt"), false);
});

Deno.test("a prompt that is not answered by anybody is a deny, and an allow of a hook never answers it", async () => {
  await using world = await createWorld();
  await world.hooks({ PreToolUse: rule(`echo '{"decision":"allow"}'`) });
  const { events } = await world.play([
    { tool_calls: [{ name: "Bash", id: "c1", input: { command: "touch MARK" } }] },
    { text: "ok" },
  ], ["--permission-mode", "ask"]);
  assert.equal(await world.exists("MARK"), false);
  assert.deepEqual(of(events, "tool_denied").map((event) => [event.by, event.cause]), [[
    "permission",
    "permission_rule",
  ]]);
});

Deno.test("path rules hold for every spelling of the path", async () => {
  await using world = await createWorld();
  await world.write("secret/key", "k\n");
  await world.write("secret2/key", "k\n");
  await world.write("src/secret/key", "k\n");
  await world.write("notsecret/key", "k\n");
  await Deno.symlink("secret", `${world.project}/link`);
  await world.hooks({ PreToolUse: rule(SAY_DENY, { path_prefix: "secret" }) });
  const table: [string, string, Record<string, unknown>, boolean][] = [
    ["Read", "secret/key", {}, true],
    ["Read", "./secret/key", {}, true],
    ["Read", "secret//key", {}, true],
    ["Read", "src/../secret/key", {}, true],
    ["Read", `${world.project}/secret/key`, {}, true],
    ["Write", "secret/new-file", { content: "x" }, true],
    ["Write", "secret/deep/er/new-file", { content: "x" }, true],
    ["Read", "link/key", {}, true],
    ["Write", "link/new-file", { content: "x" }, true],
    ["LS", "secret", {}, true],
    ["LS", "secret/", {}, true],
    ["Read", "secret2/key", {}, false],
    ["Read", "src/secret/key", {}, false],
    ["Read", "notsecret/key", {}, false],
  ];
  const turns = table.map(([name, path, more], index) => ({
    tool_calls: [{ name, id: `c${index}`, input: { [name === "LS" ? "path" : "file_path"]: path, ...more } }],
  }));
  const { events } = await world.play([...turns, { text: "ok" }]);
  const denied = new Set(of(events, "tool_denied").map((event) => event.call_id));
  assert.deepEqual(
    table.map(([name, path], index) => [name, path, denied.has(`c${index}`)]),
    table.map(([name, path, , expected]) => [name, path, expected]),
  );
});
