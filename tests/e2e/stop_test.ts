import assert from "node:assert/strict";
import { createWorld, of } from "../support/world.ts";

const COUNT = `cat >> payloads.jsonl; echo >> payloads.jsonl`;

Deno.test("a Stop deny sends the model back as a user message, with stop_hook_active the second time, until the cap", async () => {
  await using world = await createWorld();
  await world.config("[hooks]\nmax_stop_denials = 2\n");
  await world.hooks({
    Stop: [{ hooks: [{ type: "command", command: `${COUNT}; echo '{"decision":"deny","reason":"tests are red"}'` }] }],
  });
  const model = await world.script([
    { text: "done" },
    { expect: { contains: ["tests are red", "prevented completion"] }, text: "done" },
  ], { on_exhausted: "repeat_last" });
  const { code, events } = await world.run(["run", "go", "--model", model, "--output", "stream-json"]);
  assert.equal(code, 3);
  assert.equal(of(events, "session_finished")[0]?.reason, "stop_hook_limit");
  assert.equal(of(events, "model_request").length, 3);
  assert.deepEqual(of(events, "stop_hook_prevented").map((event) => event.denials), [1, 2, 3]);
  const payloads = (await world.read("payloads.jsonl")).split("\n").filter(Boolean).map((line) => JSON.parse(line));
  assert.deepEqual(payloads.map((payload) => payload.stop_hook_active), [false, true, true]);
  assert.ok(
    payloads.every((payload) => payload.last_assistant_message === "done" && payload.hook_event_name === "Stop"),
  );
  const contexts = of(events, "hook_context");
  assert.equal(contexts.length, 2);
  assert.ok(contexts.every((event) => event.origin === "stop"));
});

Deno.test("by default Stop hooks send the model back eight times, and the ninth deny ends the run", async () => {
  await using world = await createWorld();
  await world.hooks({ Stop: [{ hooks: [{ type: "command", command: `echo '{"decision":"deny","reason":"no"}'` }] }] });
  const model = await world.script([{ text: "done" }], { on_exhausted: "repeat_last" });
  const { code, events, stderr } = await world.run(["run", "go", "--model", model, "--output", "stream-json"]);
  assert.equal(code, 3, stderr);
  assert.equal(of(events, "model_request").length, 9);
});

Deno.test("a Stop hook that is satisfied later lets the run complete, whatever tools ran in between", async () => {
  await using world = await createWorld();
  const command = `test -e FIXED && exit 0; echo '{"decision":"deny","reason":"make FIXED"}'`;
  await world.hooks({ Stop: [{ hooks: [{ type: "command", command }] }] });
  const { code, events } = await world.play([
    { text: "done" },
    { tool_calls: [{ name: "Write", input: { file_path: "FIXED", content: "1" } }] },
    { text: "now done" },
  ]);
  assert.equal(code, 0);
  assert.equal(of(events, "session_finished")[0]?.reason, "completed");
  assert.equal(of(events, "assistant_message").at(-1)?.text, "now done");
});

Deno.test("a broken Stop hook never sends the model back, with on_failure = deny neither", async () => {
  for (const config of ["", '[hooks]\non_failure = "deny"\n']) {
    await using world = await createWorld();
    await world.config(config);
    await world.hooks({ Stop: [{ hooks: [{ type: "command", command: "exit 1" }] }] });
    const { code } = await world.play([{ text: "done" }]);
    assert.equal(code, 0);
  }
});

Deno.test("after a model failure no Stop hook is asked", async () => {
  await using world = await createWorld();
  await world.hooks({ Stop: [{ hooks: [{ type: "command", command: "touch ASKED" }] }] });
  const { code } = await world.play([{ error: { status: 400 } }]);
  assert.equal(code, 1);
  assert.equal(await world.exists("ASKED"), false);
});
