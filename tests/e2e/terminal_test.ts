import assert from "node:assert/strict";
import { inTerminal } from "../support/terminal.ts";
import { createWorld, until } from "../support/world.ts";

const TURNS = [
  { tool_calls: [{ name: "Bash", id: "c1", input: { command: "echo one >> LOG" } }] },
  { tool_calls: [{ name: "Bash", id: "c2", input: { command: "echo two >> LOG" } }] },
  {
    expect: { contains: ["use the other file"] },
    tool_calls: [{ name: "Bash", id: "c3", input: { command: "echo one >> LOG" } }],
  },
  { text: "all done" },
];

Deno.test("on a terminal the user is asked: always, a word to the model, and the same call again without a question", async () => {
  await using world = await createWorld();
  await world.hooks({
    PreToolUse: [{
      hooks: [{ type: "command", command: `echo '{"decision":"allow","reason":"looks harmless to me"}'` }],
    }],
  });
  const model = await world.script(TURNS);
  await inTerminal(world, ["run", "go", "--model", model], async ({ screen, keys }) => {
    await until(async () => (await screen()).includes("Allow Bash"), "the first question");
    assert.match(await screen(), /looks harmless to me/);
    await keys("a", "Enter");
    await until(async () => (await screen()).split("Allow Bash").length === 3, "the second question");
    await keys("use the other file", "Enter");
    await until(async () => (await screen()).includes("EXIT-CODE:"), "the end");
    const end = await screen();
    assert.match(end, /all done/);
    assert.match(end, /EXIT-CODE:0/);
    assert.equal(end.split("Allow Bash").length, 3, "the third call is not asked about");
  });
  assert.equal(await world.read("LOG"), "one\none\n");
});

Deno.test("Ctrl-C at the question ends the run with 130 and the call has not run", async () => {
  await using world = await createWorld();
  const model = await world.script(TURNS);
  await inTerminal(world, ["run", "go", "--model", model], async ({ screen, keys }) => {
    await until(async () => (await screen()).includes("Allow Bash"), "the question");
    await keys("C-c");
    await until(async () => (await screen()).includes("EXIT-CODE:"), "the end");
    assert.match(await screen(), /EXIT-CODE:130/);
  });
  assert.equal(await world.exists("LOG"), false);
});

Deno.test("what was typed before a question was shown does not answer it", async () => {
  await using world = await createWorld();
  const model = await world.script([
    { tool_calls: [{ name: "Read", id: "c0", input: { file_path: "nothing" } }], delay_ms: 1500 },
    TURNS[0],
    { text: "all done" },
  ]);
  await inTerminal(world, ["run", "go", "--model", model], async ({ screen, keys }) => {
    await keys("y", "Enter");
    await until(async () => (await screen()).includes("Allow Bash"), "the question");
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal(await world.exists("LOG"), false, "the question is still open");
    await keys("n", "Enter");
    await until(async () => (await screen()).includes("EXIT-CODE:"), "the end");
  });
  assert.equal(await world.exists("LOG"), false);
});
