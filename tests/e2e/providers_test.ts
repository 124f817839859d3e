import assert from "node:assert/strict";
import { type NeutralMessage, type ServedTurn, SERVER_KEY, startModelServer } from "../support/model_server.ts";
import { createWorld, of } from "../support/world.ts";

const TASK: readonly ServedTurn[] = [
  { text: "I look first.", tool_calls: [{ name: "Read", id: "r1", input: { file_path: "a.txt" } }] },
  {
    tool_calls: [
      { name: "Edit", id: "e1", input: { file_path: "a.txt", old_string: "alpha", new_string: "beta ü" } },
      { name: "Bash", id: "b1", input: { command: "cat a.txt; echo from-bash" } },
    ],
  },
  { text: "It says beta now." },
];

const PROVIDERS = [
  { model: "openai/gpt-test", wire: "openai" },
  { model: "anthropic/claude-test", wire: "anthropic" },
  { model: "google/gemini-test", wire: "google" },
  { model: "local/tiny", wire: "openai" },
] as const;

function results(conversation: readonly NeutralMessage[]) {
  return conversation.flatMap((message) => message.role === "tool" ? [message] : []);
}

for (const { model, wire } of PROVIDERS) {
  Deno.test(`${model}: a task with Read, Edit and Bash changes the file, and each result goes back once, in order`, async () => {
    await using server = startModelServer(TASK);
    await using world = await createWorld();
    await world.config(`[providers.local]\nbase_url = "${server.url}/v1"\n`);
    await world.write("a.txt", "alpha\n");
    const { code, events, stderr, stdout } = await world.run(
      ["run", "change it", "--model", model, "--permission-mode", "full", "--output", "stream-json"],
      { env: server.environment },
    );
    assert.equal(code, 0, stderr + stdout);
    assert.equal(await world.read("a.txt"), "beta ü\n");
    assert.equal(server.requests.length, 3);
    assert.ok(server.requests.every((request) => request.protocol === wire));
    const last = server.conversation(-1);
    assert.deepEqual(last.map((message) => message.role), [
      "system",
      "user",
      "assistant",
      "tool",
      "assistant",
      "tool",
      "tool",
    ]);
    const [read, edit, bash] = results(last);
    assert.match(read!.content, /alpha/);
    assert.ok(edit && !edit.is_error);
    assert.match(bash!.content, /beta ü\nfrom-bash/);
    if (wire !== "google") assert.deepEqual(results(last).map((result) => result.call_id), ["r1", "e1", "b1"]);
    assert.equal(of(events, "session_finished")[0]?.reason, "completed");
    assert.ok(of(events, "session_finished")[0]!.usage.input_tokens > 0);
    assert.ok(!JSON.stringify(events).includes(SERVER_KEY));
  });

  Deno.test(`${model}: a hook deny goes back as an error result with its reason, and the tool has not run`, async () => {
    await using server = startModelServer([
      { tool_calls: [{ name: "Bash", id: "b1", input: { command: "touch MARK" } }] },
      { text: "understood" },
    ]);
    await using world = await createWorld();
    await world.config(`[providers.local]\nbase_url = "${server.url}/v1"\n`);
    await world.hooks({
      PreToolUse: [{
        matcher: "Bash",
        hooks: [{ type: "command", command: `echo '{"decision":"deny","reason":"not here"}'` }],
      }],
      Stop: [{
        hooks: [{
          type: "command",
          command: `test -e AGAIN && exit 0; touch AGAIN; echo '{"decision":"deny","reason":"one more step"}'`,
        }],
      }],
    });
    server.add({ text: "really done" });
    const { code, events } = await world.run(
      ["run", "go", "--model", model, "--output", "stream-json"],
      { env: server.environment },
    );
    assert.equal(code, 0);
    assert.equal(await world.exists("MARK"), false);
    const [result] = results(server.conversation(1));
    assert.match(result!.content, /not here/);
    assert.equal(of(events, "tool_result")[0]?.is_error, true);
    const afterStop = server.conversation(2).at(-1)!;
    assert.equal(afterStop.role, "user");
    assert.ok(afterStop.role === "user" && afterStop.text.includes("one more step"));
    assert.ok(
      server.conversation(2).every((message) => message.role !== "system" || !message.text.includes("one more step")),
    );
  });

  Deno.test(`${model}: a stream cut in a call runs nothing, is tried again a bounded number of times and said`, async () => {
    const cut: ServedTurn = {
      text: "now",
      tool_calls: [
        { name: "Bash", id: "b1", input: { command: "touch MARK" } },
        { name: "Bash", id: "b2", input: { command: "touch MARK2" } },
      ],
      error: "cut",
    };
    await using server = startModelServer(Array.from({ length: 20 }, () => cut));
    await using world = await createWorld();
    await world.config(`[providers.local]\nbase_url = "${server.url}/v1"\n[models]\nmax_retries = 1\n`);
    const { code, events, stderr } = await world.run(
      ["run", "go", "--model", model, "--permission-mode", "full", "--output", "stream-json"],
      { env: server.environment },
    );
    assert.equal(code, 1, stderr);
    assert.equal(server.requests.length, 2);
    assert.equal(await world.exists("MARK"), false);
    assert.equal(await world.exists("MARK2"), false);
    assert.deepEqual(of(events, "tool_call"), []);
    assert.deepEqual(of(events, "assistant_message"), []);
    assert.equal(of(events, "session_finished")[0]?.reason, "error");
    assert.equal(of(events, "error").length, 1);

    server.add();
    await using after = startModelServer([{ text: "back again" }]);
    await world.config(`[providers.local]\nbase_url = "${after.url}/v1"\n`);
    const resumed = await world.run(["run", "go on", "--model", model, "--resume", "last"], { env: after.environment });
    assert.equal(resumed.stdout, "back again\n", resumed.stderr);
  });
}

Deno.test("refusals are told with status, the server's own words and what to check, never with key or prompt", async () => {
  for (
    const { model, key } of [
      { model: "openai/gpt-test", key: "OPENAI_API_KEY" },
      { model: "anthropic/claude-test", key: "ANTHROPIC_API_KEY" },
      { model: "google/gemini-test", key: "GEMINI_API_KEY" },
    ]
  ) {
    await using server = startModelServer([{ error: { status: 401 } }]);
    await using world = await createWorld();
    const refused = await world.run(["run", "the-secret-prompt", "--model", model], { env: server.environment });
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /401/);
    assert.ok(refused.stderr.includes(key), refused.stderr);
    assert.ok(!refused.stderr.includes(SERVER_KEY) && !refused.stderr.includes("the-secret-prompt"));
    const missing = await world.run(["run", "x", "--model", model], { env: {} });
    assert.equal(missing.code, 2);
    assert.ok(missing.stderr.includes(key), missing.stderr);
  }
});

Deno.test("a server that is busy is asked again after the time it names", async () => {
  await using server = startModelServer([
    { error: { status: 429, headers: { "retry-after": "1" } } },
    { error: { status: 503 } },
    { text: "at last" },
  ]);
  await using world = await createWorld();
  const { code, stdout, stderr } = await world.run(["run", "go", "--model", "openai/gpt-test"], {
    env: server.environment,
  });
  assert.equal(code, 0, stderr);
  assert.equal(stdout, "at last\n");
  assert.match(stderr, /429/);
  assert.ok(server.requests[1]!.at - server.requests[0]!.at >= 900);
});
