/** The three protocols end to end against a real server on loopback. */
import assert from "node:assert/strict";
import type { Message } from "../../src/protocol/mod.ts";
import { SERVER_KEY, startModelServer } from "../support/model_server.ts";
import { answerOf, eventsOf, requestOf, serverModel, WIRES } from "./support.ts";

const PATHS = {
  openai: "/v1/chat/completions",
  anthropic: "/v1/messages",
  google: "/v1beta/models/test-model:streamGenerateContent?alt=sse",
} as const;

const KEY_HEADERS = {
  openai: ["authorization", `Bearer ${SERVER_KEY}`],
  anthropic: ["x-api-key", SERVER_KEY],
  google: ["x-goog-api-key", SERVER_KEY],
} as const;

for (const wire of WIRES) {
  Deno.test(`${wire}: text comes in its pieces and the answer holds all of it with its usage`, async () => {
    await using server = startModelServer([{
      chunks: ["Héllo ", "wörld ", "😀"],
      usage: { input_tokens: 21, output_tokens: 5 },
    }]);
    const events = await eventsOf(await serverModel(wire, server));
    assert.deepEqual(events, [
      { type: "text_delta", text: "Héllo " },
      { type: "text_delta", text: "wörld " },
      { type: "text_delta", text: "😀" },
      {
        type: "finish",
        answer: {
          text: "Héllo wörld 😀",
          tool_calls: [],
          finish_reason: "stop",
          usage: { input_tokens: 21, output_tokens: 5 },
        },
      },
    ]);
  });

  Deno.test(`${wire}: the request has key, system prompt and tools in their places and asks for a stream`, async () => {
    await using server = startModelServer([{ text: "ok" }]);
    await answerOf(await serverModel(wire, server));
    const [request] = server.requests;
    assert.equal(request!.path, PATHS[wire]);
    const [header, value] = KEY_HEADERS[wire];
    assert.equal(request!.headers[header], value);
    assert.doesNotMatch(request!.path, /S3CRET/);
    assert.deepEqual(server.conversation(0), [
      { role: "system", text: "You are a test." },
      { role: "user", text: "Please list the files of this folder." },
    ]);
    const [tool] = requestOf().tools;
    const { body } = request!;
    const sent = {
      openai: () => [body.model, body.stream, body.stream_options, body.tools[0].function],
      anthropic: () => [body.model, body.stream, { include_usage: true }, {
        name: body.tools[0].name,
        description: body.tools[0].description,
        parameters: body.tools[0].input_schema,
      }],
      google: () => {
        const { parametersJsonSchema: parameters, ...declaration } = body.tools[0].functionDeclarations[0];
        return ["test-model", true, { include_usage: true }, { ...declaration, parameters }];
      },
    }[wire]();
    assert.deepEqual(sent, ["test-model", true, { include_usage: true }, tool]);
  });

  Deno.test(`${wire}: several calls arrive whole and in order when every byte comes alone`, async () => {
    await using server = startModelServer([{
      text: "Two things. 好",
      tool_calls: [
        { name: "Bash", input: { command: 'echo "é"' }, id: "call_a" },
        { name: "Read", input: { file_path: "a b.txt" }, id: "call_b" },
      ],
      split_bytes: 1,
    }]);
    const answer = await answerOf(await serverModel(wire, server));
    assert.equal(answer.text, "Two things. 好");
    assert.equal(answer.finish_reason, "tool_calls");
    assert.deepEqual(
      answer.tool_calls.map(({ name, arguments_text }) => [name, JSON.parse(arguments_text)]),
      [["Bash", { command: 'echo "é"' }], ["Read", { file_path: "a b.txt" }]],
    );
    assert.equal(new Set(answer.tool_calls.map((call) => call.id)).size, 2);
  });

  Deno.test(`${wire}: each tool result goes back once, in order, with its id and its error`, async () => {
    await using server = startModelServer([
      { tool_calls: [{ name: "Bash", input: { command: "ls" } }, { name: "Bash", input: { command: "false" } }] },
      { text: "Done." },
    ]);
    const model = await serverModel(wire, server);
    const first = await answerOf(model);
    const [one, two] = first.tool_calls;
    const history: Message[] = [
      ...requestOf().messages,
      { role: "assistant", text: first.text, tool_calls: first.tool_calls },
      { role: "tool", call_id: one!.id, name: "Bash", content: "a.txt", is_error: false },
      { role: "user", text: "A hook says: look twice." },
      { role: "tool", call_id: two!.id, name: "Bash", content: "exit code 1", is_error: true },
      { role: "user", text: "Go on." },
    ];
    assert.equal((await answerOf(model, requestOf({ messages: history }))).text, "Done.");
    const hasErrorFlag = wire !== "openai";
    assert.deepEqual(server.conversation(1).slice(1), [
      { role: "user", text: "Please list the files of this folder." },
      {
        role: "assistant",
        text: "",
        tool_calls: [
          { id: one!.id, name: "Bash", input: { command: "ls" } },
          { id: two!.id, name: "Bash", input: { command: "false" } },
        ],
      },
      { role: "tool", call_id: one!.id, content: "a.txt", is_error: hasErrorFlag ? false : undefined },
      { role: "tool", call_id: two!.id, content: "exit code 1", is_error: hasErrorFlag ? true : undefined },
      { role: "user", text: "A hook says: look twice." },
      { role: "user", text: "Go on." },
    ]);
  });

  Deno.test(`${wire}: arguments that are no JSON object go back inside a valid request`, async () => {
    const texts = ["{command: 1}", '{"command": "ls"} trailing', "", "null", "[]", '"ls"'];
    await using server = startModelServer([{ text: "ok" }]);
    const messages: Message[] = [
      ...requestOf().messages,
      {
        role: "assistant",
        text: "",
        tool_calls: texts.map((arguments_text, index) => ({ id: `c${index}`, name: "no such tool!", arguments_text })),
      },
      ...texts.map((_, index): Message => ({
        role: "tool",
        call_id: `c${index}`,
        name: "no such tool!",
        content: "invalid arguments",
        is_error: true,
      })),
    ];
    await answerOf(await serverModel(wire, server), requestOf({ messages }));
    const sent = server.conversation(0).find((message) => message.role === "assistant");
    assert.deepEqual(
      sent?.role === "assistant" && sent.tool_calls.map(({ name, input }) => ({ name, input })),
      texts.map((text) => ({ name: "no_such_tool_", input: { _invalid_arguments: text } })),
    );
  });

  Deno.test(`${wire}: duplicate and empty call ids become unique`, async () => {
    await using server = startModelServer([{
      tool_calls: ["a", "b", "c", "d"].map((command, index) => ({
        name: "Bash",
        input: { command },
        id: index < 2 ? "same" : "",
      })),
    }]);
    const { tool_calls } = await answerOf(await serverModel(wire, server));
    assert.deepEqual(tool_calls.map((call) => JSON.parse(call.arguments_text).command), ["a", "b", "c", "d"]);
    assert.equal(new Set(tool_calls.map((call) => call.id)).size, 4);
    assert.ok(tool_calls.every((call) => call.id !== ""));
  });

  Deno.test(`${wire}: a connection kept open after the end of the answer is not waited for`, async () => {
    await using server = startModelServer([{ text: "ok", keep_open: true }]);
    const started = performance.now();
    assert.equal((await answerOf(await serverModel(wire, server, { idle_timeout_ms: 300 }))).text, "ok");
    assert.ok(performance.now() - started < 10_000);
  });
}

for (const wire of ["openai", "anthropic"] as const) {
  Deno.test(`${wire}: argument text stays as the model wrote it`, async () => {
    const raw_input = '{ "id": 12345678901234567890, "n": 1.0,\\n "command":"ls" }'.replace("\\n", "\n");
    await using server = startModelServer([{
      tool_calls: [{ name: "Bash", raw_input }, { name: "Bash", raw_input: "{oops" }],
    }]);
    const { tool_calls } = await answerOf(await serverModel(wire, server));
    assert.deepEqual(tool_calls.map((call) => call.arguments_text), [raw_input, "{oops"]);
  });

  Deno.test(`${wire}: a call without argument text has no arguments, unless the answer was stopped early`, async () => {
    const turn = { tool_calls: [{ name: "ExitPlanMode", raw_input: "" }] };
    const length = wire === "openai" ? "length" : "max_tokens";
    await using server = startModelServer([turn, { ...turn, finish_reason: length }]);
    const model = await serverModel(wire, server);
    assert.equal((await answerOf(model)).tool_calls[0]?.arguments_text, "{}");
    const stopped = await answerOf(model);
    assert.equal(stopped.finish_reason, "length");
    assert.equal(stopped.tool_calls[0]?.arguments_text, "");
  });
}

Deno.test("openai: long integers of the arguments go back digit for digit", async () => {
  await using server = startModelServer([{ text: "ok" }]);
  const arguments_text = '{"id":12345678901234567890}';
  const messages: Message[] = [
    { role: "user", text: "go" },
    { role: "assistant", text: "", tool_calls: [{ id: "c1", name: "Bash", arguments_text }] },
    { role: "tool", call_id: "c1", name: "Bash", content: "ok", is_error: false },
  ];
  await answerOf(await serverModel("openai", server), requestOf({ messages }));
  assert.equal(server.requests[0]?.body.messages[2].tool_calls[0].function.arguments, arguments_text);
});

Deno.test("anthropic: signed reasoning goes back unchanged, and to no other protocol", async () => {
  await using server = startModelServer([
    {
      reasoning: { text: "Let me think.", signature: "c2lnbmVk" },
      text: "Looking.",
      tool_calls: [{ name: "Bash", input: { command: "ls" }, id: "toolu_1" }],
    },
    { text: "ok" },
    { text: "ok" },
  ]);
  const answer = await answerOf(await serverModel("anthropic", server));
  const kept = JSON.parse(JSON.stringify(answer));
  const messages: Message[] = [
    ...requestOf().messages,
    { role: "assistant", text: kept.text, tool_calls: kept.tool_calls, provider_metadata: kept.provider_metadata },
    { role: "tool", call_id: "toolu_1", name: "Bash", content: "a.txt", is_error: false },
  ];
  await answerOf(await serverModel("anthropic", server), requestOf({ messages }));
  assert.deepEqual(
    server.requests[1]?.body.messages[1].content,
    [
      { type: "thinking", thinking: "Let me think.", signature: "c2lnbmVk" },
      { type: "text", text: "Looking." },
      { type: "tool_use", id: "toolu_1", name: "Bash", input: { command: "ls" } },
    ],
  );
  await answerOf(await serverModel("google", server), requestOf({ messages }));
  assert.doesNotMatch(JSON.stringify(server.requests[2]?.body), /c2lnbmVk|Let me think/);
});

Deno.test("google: thought signatures of reasoning and calls go back unchanged", async () => {
  await using server = startModelServer([
    {
      reasoning: { text: "Hm.", signature: "dGhvdWdodA==" },
      tool_calls: [{ name: "Bash", input: { command: "ls" }, signature: "Y2FsbA==" }],
    },
    { text: "ok" },
  ]);
  const model = await serverModel("google", server);
  const kept = JSON.parse(JSON.stringify(await answerOf(model)));
  const messages: Message[] = [
    ...requestOf().messages,
    { role: "assistant", text: kept.text, tool_calls: kept.tool_calls, provider_metadata: kept.provider_metadata },
    { role: "tool", call_id: kept.tool_calls[0].id, name: "Bash", content: "a.txt", is_error: false },
  ];
  await answerOf(model, requestOf({ messages }));
  const parts = server.requests[1]?.body.contents[1].parts;
  assert.deepEqual(parts[0], { text: "Hm.", thought: true, thoughtSignature: "dGhvdWdodA==" });
  assert.equal(parts[1].functionCall.name, "Bash");
  assert.equal(parts[1].thoughtSignature, "Y2FsbA==");
});

Deno.test("anthropic: system prompt and last message are marked for the cache", async () => {
  await using server = startModelServer([{ text: "ok" }]);
  await answerOf(await serverModel("anthropic", server));
  const { system, messages } = server.requests[0]!.body;
  assert.deepEqual(system.at(-1).cache_control, { type: "ephemeral" });
  assert.deepEqual(messages.at(-1).content.at(-1).cache_control, { type: "ephemeral" });
});
