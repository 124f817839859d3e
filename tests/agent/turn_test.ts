import assert from "node:assert/strict";
import { createAgent } from "../../src/agent/mod.ts";
import type { Tool } from "../../src/tools/mod.ts";
import { collect, deny, hookPort, noteTool, of, partsOf, playModel } from "./support.ts";

const never = new AbortController().signal;

Deno.test("a turn with calls and an answer fires every point once and in order", async () => {
  const ran: string[] = [];
  const { model, requests } = playModel([{ text: "look", calls: [{ id: "c1", name: "Read" }] }, { text: "done" }]);
  const { hooks, asked } = hookPort(() => undefined);
  const agent = createAgent(partsOf({ model, hooks }, [noteTool("Read", "readonly", ran)]));
  const start = { version: "1", source: "startup", project_dir: "/p", hooks_enabled: true } as const;
  await collect(agent.start(start, never));
  const { result, events } = await collect(agent.prompt("go", never));
  await collect(agent.finish(result.reason, never));

  assert.deepEqual(result, { reason: "completed", text: "done" });
  assert.deepEqual(asked.map((occasion) => occasion.point), [
    "agent_startup",
    "input",
    "pre_model_call",
    "post_model_call",
    "pre_tool_call",
    "post_tool_call",
    "pre_model_call",
    "post_model_call",
    "stop",
    "output",
    "agent_shutdown",
  ]);
  assert.deepEqual(requests[1]?.messages, [
    { role: "user", text: "go" },
    { role: "assistant", text: "look", tool_calls: [{ id: "c1", name: "Read", arguments_text: "{}" }] },
    { role: "tool", call_id: "c1", name: "Read", content: "Read ran", is_error: false },
  ]);
  assert.deepEqual(of(events, "assistant_message").map((event) => [event.text, event.final]), [
    ["look", undefined],
    ["done", true],
  ]);
});

for (
  const { title, denied, expected } of [
    { title: "a denied write", denied: ["c2"], expected: { ran: ["c1"], skipped: ["c3", "c4"] } },
    { title: "a denied readonly call", denied: ["c1"], expected: { ran: ["c3"], skipped: ["c2", "c4"] } },
    { title: "a denied dangerous call", denied: ["c4"], expected: { ran: ["c1", "c2", "c3"], skipped: [] } },
    { title: "two denied readonly calls", denied: ["c1", "c3"], expected: { ran: [], skipped: ["c2", "c4"] } },
  ]
) {
  Deno.test(`after ${title} the batch goes on by tier and each call has one result in order`, async () => {
    const ran: string[] = [];
    const { model, requests } = playModel([{
      calls: [
        { id: "c1", name: "Read" },
        { id: "c2", name: "Write" },
        { id: "c3", name: "Read" },
        { id: "c4", name: "Bash" },
      ],
    }, { text: "ok" }]);
    const { hooks } = hookPort((occasion) =>
      occasion.point === "pre_tool_call" && denied.includes(occasion.call.id)
        ? deny("pre_tool_call", "block", "no way")
        : undefined
    );
    const tools = [
      noteTool("Read", "readonly", ran),
      noteTool("Write", "write", ran),
      noteTool("Bash", "dangerous", ran),
    ];
    let questions = 0;
    const permission = {
      ...partsOf({ model }).permission,
      mode: "ask" as const,
      ask: () => {
        questions += 1;
        return Promise.resolve({ decision: "allow" as const });
      },
    };
    const { events } = await collect(createAgent(partsOf({ model, hooks, permission }, tools)).prompt("go", never));
    assert.deepEqual(ran, expected.ran);
    assert.equal(questions, expected.ran.filter((id) => id === "c2" || id === "c4").length);
    assert.deepEqual(of(events, "tool_skipped").map((event) => event.call_id), expected.skipped);
    assert.deepEqual(
      of(events, "tool_denied").map((event) => [event.call_id, event.by]),
      denied.map((id) => [id, "hook"]),
    );
    assert.deepEqual(
      requests[1]?.messages.flatMap((message) => message.role === "tool" ? [message.call_id] : []),
      ["c1", "c2", "c3", "c4"],
    );
    const first = requests[1]?.messages.find((message) => message.role === "tool" && message.call_id === denied[0]);
    assert.ok(first?.role === "tool" && first.is_error && first.content.includes("no way"));
  });
}

Deno.test("the onecode batch rule lets later calls run after a deny", async () => {
  const ran: string[] = [];
  const { model } = playModel([{ calls: [{ id: "c1", name: "Write" }, { id: "c2", name: "Write" }] }, { text: "ok" }]);
  const { hooks } = hookPort((occasion) =>
    occasion.point === "pre_tool_call" && occasion.call.id === "c1"
      ? { ...deny("pre_tool_call", "block", "no"), batch_rule: "go_on" }
      : undefined
  );
  await collect(createAgent(partsOf({ model, hooks }, [noteTool("Write", "write", ran)])).prompt("go", never));
  assert.deepEqual(ran, ["c2"]);
});

Deno.test("a Stop deny sends the model back with a user message, and the deny after the last one ends the run", async () => {
  const { model, requests } = playModel([{ text: "done" }]);
  const { hooks, asked } = hookPort((occasion) =>
    occasion.point === "stop" ? deny("stop", "send_back", "tests fail") : undefined
  );
  const parts = partsOf({ model, hooks });
  const { result, events } = await collect(
    createAgent({ ...parts, limits: { ...parts.limits, max_stop_denials: 3 } }).prompt("go", never),
  );
  assert.equal(result.reason, "stop_hook_limit");
  assert.equal(requests.length, 4);
  assert.equal(of(events, "stop_hook_prevented").length, 4);
  const last = requests[1]?.messages.at(-1);
  assert.ok(last?.role === "user" && last.text.includes("tests fail") && last.text.includes("prevented completion"));
  assert.ok(requests.every((request) => request.system === "system"));
  assert.deepEqual(
    asked.flatMap((occasion) => occasion.point === "stop" ? [[occasion.stop_hook_active, occasion.stop_denials]] : []),
    [[false, 0], [true, 1], [true, 2], [true, 3]],
  );
  assert.ok(!asked.some((occasion) => occasion.point === "output"), "an overruled text is no final answer");
});

Deno.test("a blocked prompt leaves no text behind and asks no model", async () => {
  const { model, requests } = playModel([{ text: "done" }]);
  const { hooks } = hookPort((occasion) => occasion.point === "input" ? deny("input", "block", "secret") : undefined);
  const { result, events } = await collect(createAgent(partsOf({ model, hooks })).prompt("my password", never));
  assert.equal(result.reason, "blocked");
  assert.equal(requests.length, 0);
  assert.deepEqual(of(events, "input_blocked").map((event) => event.length), [11]);
  assert.ok(!JSON.stringify(events).includes("my password"));
});

Deno.test("while a blocking output hook is registered no text leaves before its verdict, and a blocked answer never does", async () => {
  for (const blocks of [true, false]) {
    const { model } = playModel([{ text: "the secret" }]);
    const { hooks } = hookPort(
      (occasion) => occasion.point === "output" && blocks ? deny("output", "block", "no") : undefined,
      ["output"],
    );
    const { result, events } = await collect(createAgent(partsOf({ model, hooks })).prompt("go", never));
    const order = events.map((event) => event.type);
    assert.equal(result.reason, blocks ? "blocked" : "completed");
    if (blocks) {
      assert.ok(!JSON.stringify(events).includes("the secret"));
      assert.ok(order.includes("output_blocked") && order.includes("error"));
    } else {
      assert.deepEqual(order.slice(-2), ["assistant_delta", "assistant_message"]);
    }
  }
});

Deno.test("unknown tools, broken and invalid arguments become error results without any hook being asked", async () => {
  const ran: string[] = [];
  const calls = [
    { id: "a", name: "Reed" },
    { id: "b", name: "constructor" },
    { id: "c", name: "Read", arguments_text: "{bad" },
    { id: "d", name: "Read", arguments_text: "null" },
    { id: "e", name: "Read", arguments_text: '"x"' },
    { id: "f", name: "Read", arguments_text: "" },
    { id: "g", name: "Read", arguments_text: '{"bad":1}' },
    { id: "h", name: "Read", arguments_text: "{}" },
  ];
  const { model, requests } = playModel([{ calls }, { text: "ok" }]);
  const { hooks, asked } = hookPort(() => undefined);
  await collect(createAgent(partsOf({ model, hooks }, [noteTool("Read", "readonly", ran)])).prompt("go", never));
  assert.deepEqual(ran, ["h"]);
  assert.deepEqual(asked.flatMap((one) => one.point === "pre_tool_call" ? [one.call.id] : []), ["h"]);
  const results = requests[1]!.messages.flatMap((message) => message.role === "tool" ? [message] : []);
  assert.deepEqual(results.map((result) => [result.call_id, result.is_error]), calls.map(({ id }) => [id, id !== "h"]));
  assert.match(results[0]!.content, /Did you mean Read\?/);
  assert.match(results[6]!.content, /bad: not a field/);
});

Deno.test("the same failing call again and again ends the turn with its own reason", async () => {
  const { model, requests } = playModel([{ calls: [{ id: "x", name: "nope" }] }]);
  const { result } = await collect(createAgent(partsOf({ model })).prompt("go", never));
  assert.equal(result.reason, "repeated_failure");
  assert.equal(requests.length, 5);
});

Deno.test("duplicate and empty call ids are made unique over the whole conversation", async () => {
  const ran: string[] = [];
  const calls = [{ id: "x", name: "Read" }, { id: "x", name: "Read" }, { id: "", name: "Read" }];
  const { model, requests } = playModel([{ calls }, { calls: [{ id: "x", name: "Read" }] }, { text: "ok" }]);
  await collect(createAgent(partsOf({ model }, [noteTool("Read", "readonly", ran)])).prompt("go", never));
  assert.equal(new Set(ran).size, 4);
  const asked = requests[2]!.messages.flatMap((one) =>
    one.role === "assistant" ? one.tool_calls.map((call) => call.id) : []
  );
  assert.deepEqual(asked, ran);
});

Deno.test("an interrupt gives the running call and the waiting calls different results", async () => {
  const controller = new AbortController();
  const slow: Tool = {
    ...noteTool("Bash", "dangerous", []),
    run: (_input, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve({ is_error: true, content: "so far" }));
        controller.abort();
      }),
  };
  const { model } = playModel([{ calls: [{ id: "c1", name: "Bash" }, { id: "c2", name: "Bash" }] }]);
  const { hooks, asked } = hookPort(() => undefined);
  const { result, events } = await collect(
    createAgent(partsOf({ model, hooks }, [slow])).prompt("go", controller.signal),
  );
  assert.equal(result.reason, "aborted");
  assert.deepEqual(of(events, "aborted_tools").map((event) => event.call_ids), [["c1", "c2"]]);
  const [first, second] = of(events, "tool_result");
  assert.match(first!.content, /after it had started.*\n.*\nso far/);
  assert.match(second!.content, /before it started/);
  assert.ok(!asked.some((occasion) => occasion.point === "post_tool_call" || occasion.point === "stop"));
});

Deno.test("calls of an answer that was cut at the output limit are not run", async () => {
  const ran: string[] = [];
  const { model, requests } = playModel([
    { calls: [{ id: "c1", name: "Read" }], finish_reason: "length" },
    { text: "ok" },
  ]);
  await collect(createAgent(partsOf({ model }, [noteTool("Read", "readonly", ran)])).prompt("go", never));
  assert.deepEqual(ran, []);
  assert.equal(requests[1]!.messages.filter((message) => message.role === "tool").length, 1);
});

Deno.test("a large result reaches model and post hooks as a summary with a reference", async () => {
  const { model, requests } = playModel([{ calls: [{ id: "c1", name: "Read" }] }, { text: "ok" }]);
  const { hooks, asked } = hookPort(() => undefined);
  const tool = noteTool("Read", "readonly", [], "x".repeat(100_000));
  await collect(createAgent(partsOf({ model, hooks }, [tool])).prompt("go", never));
  const post = asked.find((occasion) => occasion.point === "post_tool_call");
  assert.ok(post?.point === "post_tool_call" && post.result.artifact_ref === "artifacts/s/c1");
  const result = requests[1]!.messages.at(-1);
  assert.ok(result?.role === "tool" && result.content === "summary of 100000");
});

Deno.test("a fault of the engine blocks at input, pre_tool_call and output and changes nothing elsewhere", async () => {
  for (const point of ["input", "pre_model_call", "pre_tool_call", "post_tool_call", "stop", "output"] as const) {
    const ran: string[] = [];
    const { model } = playModel([{ calls: [{ id: "c1", name: "Write" }] }, { text: "done" }]);
    const { hooks } = hookPort((occasion) => {
      if (occasion.point === point) throw new Error("broken engine");
      return undefined;
    });
    const { result, events } = await collect(
      createAgent(partsOf({ model, hooks }, [noteTool("Write", "write", ran)])).prompt("go", never),
    );
    assert.equal(result.reason, point === "input" || point === "output" ? "blocked" : "completed", point);
    assert.deepEqual(ran, point === "input" || point === "pre_tool_call" ? [] : ["c1"], point);
    assert.ok(of(events, "error").some((event) => event.code === "hook_engine_fault"), point);
  }
});

Deno.test("the bounds for model requests and tokens end a turn with their own reasons", async () => {
  for (
    const [limits, reason] of [
      [{ max_turns: 3 }, "max_turns"],
      [{ max_turns: 50, max_tokens: 30 }, "max_tokens"],
    ] as const
  ) {
    const { model, requests } = playModel([{ calls: [{ id: "c", name: "Read" }] }]);
    const parts = partsOf({ model }, [noteTool("Read", "readonly", [])]);
    const { result } = await collect(
      createAgent({ ...parts, limits: { ...parts.limits, ...limits } }).prompt("go", never),
    );
    assert.equal(result.reason, reason);
    assert.equal(requests.length, reason === "max_turns" ? 3 : 2);
  }
});

Deno.test("a model failure ends the turn as an error and asks no Stop hook", async () => {
  const { model } = playModel([[
    { type: "text_delta", text: "half" },
    { type: "failure", failure: { kind: "cut", message: "the stream ended early" } },
  ]]);
  const { hooks, asked } = hookPort(() => undefined);
  const { result, events } = await collect(createAgent(partsOf({ model, hooks })).prompt("go", never));
  assert.equal(result.reason, "error");
  assert.deepEqual(of(events, "error").map((event) => [event.code, event.message]), [[
    "model_cut",
    "the stream ended early",
  ]]);
  assert.ok(!asked.some((occasion) => occasion.point === "stop"));
});
