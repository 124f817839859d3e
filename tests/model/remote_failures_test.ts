/** What goes wrong between the program and a provider, for real, in each protocol. */
import assert from "node:assert/strict";
import { type ServedTurn, SERVER_KEY, startModelServer, streamBytes } from "../support/model_server.ts";
import { answerOf, eventsOf, failureOf, modelOf, optionsFor, requestOf, serverModel, WIRES } from "./support.ts";

const CALLS: ServedTurn = {
  text: "Writing.",
  tool_calls: [
    { name: "Bash", input: { command: "ls" }, id: "c1" },
    { name: "Write", input: { file_path: "a.txt", content: "hello" }, id: "c2" },
  ],
};

const KEYS = { OPENAI_API_KEY: SERVER_KEY, ANTHROPIC_API_KEY: SERVER_KEY, GEMINI_API_KEY: SERVER_KEY };

for (const wire of WIRES) {
  Deno.test(`${wire}: a stream cut after any number of bytes yields no call and no answer`, async () => {
    const whole = streamBytes(wire, CALLS).length;
    const marker =
      { openai: '"finish_reason":"tool_calls"', anthropic: "message_stop", google: '"finishReason"' }[wire];
    const complete = new TextDecoder().decode(streamBytes(wire, CALLS)).indexOf(marker);
    const turns: ServedTurn[] = [];
    for (let at_byte = 0; at_byte < complete; at_byte += 7) turns.push({ ...CALLS, error: "cut", at_byte });
    assert.ok(complete < whole && turns.length > 50);
    await using server = startModelServer(turns);
    const model = await serverModel(wire, server);
    for (const turn of turns) {
      const events = await eventsOf(model);
      const last = events.at(-1)!;
      assert.equal(last.type === "failure" && last.failure.kind, "cut", `cut at byte ${turn.at_byte}`);
      assert.ok(events.slice(0, -1).every((event) => event.type === "text_delta"));
    }
  });

  Deno.test(`${wire}: a connection that breaks in the middle of a call is a cut`, async () => {
    await using server = startModelServer([{ ...CALLS, error: "cut", cut: "break" }]);
    assert.equal((await failureOf(await serverModel(wire, server))).kind, "cut");
  });

  Deno.test(`${wire}: an answer without a finish reason is a cut`, async () => {
    await using server = startModelServer([{ ...CALLS, finish_reason: null }]);
    assert.equal((await failureOf(await serverModel(wire, server))).kind, "cut");
  });

  Deno.test(`${wire}: a cut stream is tried again, announced, and its text is in no answer`, async () => {
    await using server = startModelServer([{ ...CALLS, error: "cut" }, { text: "whole" }]);
    const events = await eventsOf(await serverModel(wire, server, { max_retries: 1 }));
    const retry = events.find((event) => event.type === "retry");
    assert.deepEqual(
      retry?.type === "retry" && { attempt: retry.attempt, delay_ms: retry.delay_ms },
      { attempt: 2, delay_ms: 375 },
    );
    assert.match(retry?.type === "retry" ? retry.reason : "", /cut/);
    const last = events.at(-1)!;
    assert.deepEqual(last.type === "finish" && [last.answer.text, last.answer.tool_calls], ["whole", []]);
    assert.equal(server.requests.length, 2);
  });

  Deno.test(`${wire}: a stream that goes silent in the middle of a call ends as idle`, async () => {
    await using server = startModelServer([{ ...CALLS, error: "idle" }]);
    const failure = await failureOf(await serverModel(wire, server, { idle_timeout_ms: 300 }));
    assert.equal(failure.kind, "idle");
    assert.match(failure.message, /nothing for 0\.3 s/);
  });

  Deno.test(`${wire}: a server that does not answer at all ends as idle`, async () => {
    await using server = startModelServer([{ text: "late", delay_ms: 600_000 }]);
    const failure = await failureOf(await serverModel(wire, server, { idle_timeout_ms: 300 }));
    assert.equal(failure.kind, "idle");
  });

  Deno.test(`${wire}: an error event in the stream yields no call and tells the server's own words`, async () => {
    await using server = startModelServer([
      { ...CALLS, error: { event: { message: "Overloaded just now", word: "overloaded_error" } } },
      { text: "second" },
    ]);
    const events = await eventsOf(await serverModel(wire, server, { max_retries: 1 }));
    const retry = events.find((event) => event.type === "retry");
    assert.match(retry?.type === "retry" ? retry.reason : "", /Overloaded just now/);
    const last = events.at(-1)!;
    assert.equal(last.type === "finish" && last.answer.text, "second");
  });

  Deno.test(`${wire}: an error event that no retry can heal ends the request`, async () => {
    const event = { message: "no such field", word: "invalid_request_error" };
    await using server = startModelServer([{ ...CALLS, error: { event } }]);
    const failure = await failureOf(await serverModel(wire, server, { max_retries: 3 }));
    assert.equal(failure.kind, "cut");
    assert.equal(server.requests.length, 1);
  });

  Deno.test(`${wire}: rate limit, overload and server faults are tried again, each announced`, async () => {
    const statuses = [429, 500, 529];
    await using server = startModelServer([...statuses.map((status) => ({ error: { status } })), { text: "ok" }]);
    const events = await eventsOf(await serverModel(wire, server, { max_retries: 3 }));
    const retries = events.flatMap((event) => event.type === "retry" ? [event] : []);
    assert.deepEqual(retries.map(({ attempt, delay_ms }) => [attempt, delay_ms]), [[2, 375], [3, 750], [4, 1500]]);
    for (const [index, status] of statuses.entries()) assert.match(retries[index]!.reason, new RegExp(`${status}`));
    assert.equal(events.at(-1)?.type, "finish");
  });

  Deno.test(`${wire}: retries are bounded and the last failure says how often it was tried`, async () => {
    await using server = startModelServer(Array.from({ length: 9 }, () => ({ error: { status: 503 } })));
    const failure = await failureOf(await serverModel(wire, server, { max_retries: 3 }));
    assert.equal(server.requests.length, 4);
    assert.deepEqual([failure.kind, failure.status], ["status", 503]);
    assert.match(failure.message, /tried 4 times/);
  });

  Deno.test(`${wire}: a refused request is told with status, reason and hint, and not tried again`, async () => {
    const key = { openai: "OPENAI_API_KEY", anthropic: "ANTHROPIC_API_KEY", google: "GEMINI_API_KEY" }[wire];
    await using server = startModelServer([
      { error: { status: 401, message: "that key is unknown" } },
      { error: { status: 404, message: "no such model" } },
      { error: { status: 400, message: "a field is wrong" } },
      { error: { status: 307, headers: { location: "http://127.0.0.1:9/elsewhere" } } },
    ]);
    const model = await serverModel(wire, server, { max_retries: 3 });
    const messages: string[] = [];
    for (const status of [401, 404, 400, 307]) {
      const failure = await failureOf(model);
      assert.deepEqual([failure.kind, failure.status], ["status", status]);
      messages.push(failure.message);
    }
    assert.match(messages[0]!, new RegExp(`401: that key is unknown — check ${key}`));
    assert.match(messages[1]!, /404: no such model — check the model name "test-model" and the base URL http:\/\/127/);
    assert.match(messages[2]!, /400: a field is wrong/);
    assert.match(messages[3]!, /redirects elsewhere/);
    assert.equal(server.requests.length, 4);
  });

  Deno.test(`${wire}: no failure text holds the key, the prompt, or a long reply`, async () => {
    const prompt = requestOf().messages[0]!;
    const said = prompt.role === "user" ? prompt.text : "";
    const encoded = [SERVER_KEY, encodeURIComponent(SERVER_KEY), btoa(SERVER_KEY)].join(" ");
    await using server = startModelServer([
      { error: { status: 400, message: `bad key ${encoded} \u001b[31m at https://host.test/x?key=${SERVER_KEY}` } },
      { error: { status: 400, message: `cannot read: ${said}` } },
      { error: { status: 400, message: "long ".repeat(5_000) } },
      { error: { status: 400, body: `<html>${said} ${SERVER_KEY}</html>` } },
      { text: "x", error: { event: { message: `lost ${SERVER_KEY} and ${said}` } } },
    ]);
    const model = await serverModel(wire, server);
    for (let count = 0; count < 5; count++) {
      const text = JSON.stringify(await failureOf(model));
      assert.doesNotMatch(text, /S3CRET|list the files|u001b/);
      assert.ok(!text.includes(btoa(SERVER_KEY).slice(0, 20)));
      assert.ok(text.length < 700, text);
    }
  });

  Deno.test(`${wire}: a cancel ends a running stream, a silent server and a wait for a retry soon`, async () => {
    await using server = startModelServer([
      { ...CALLS, error: "idle" },
      { text: "late", delay_ms: 600_000 },
      { error: { status: 429, headers: { "retry-after": "50" } } },
    ]);
    const environment = server.environment;
    const { sleep: _sleep, ...options } = optionsFor(environment, { max_retries: 3 });
    const model = await modelOf(`${wire}/test-model`, options);
    for (let count = 0; count < 3; count++) {
      const started = performance.now();
      const failure = await failureOf(model, requestOf(), AbortSignal.timeout(200));
      assert.equal(failure.kind, "cancelled");
      assert.ok(performance.now() - started < 10_000);
    }
    assert.equal((await failureOf(model, requestOf(), AbortSignal.abort())).kind, "cancelled");
    assert.equal(server.requests.length, 3);
  });

  Deno.test(`${wire}: a closed port is told without the address' secrets and tried again`, async () => {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const url = `http://127.0.0.1:${listener.addr.port}`;
    listener.close();
    const variable =
      { openai: "OPENAI_BASE_URL", anthropic: "ANTHROPIC_BASE_URL", google: "GOOGLE_GEMINI_BASE_URL" }[wire];
    const model = await modelOf(`${wire}/m`, optionsFor({ ...KEYS, [variable]: url }, { max_retries: 1 }));
    const events = await eventsOf(model);
    assert.equal(events.filter((event) => event.type === "retry").length, 1);
    const last = events.at(-1)!;
    assert.equal(last.type === "failure" && last.failure.kind, "connection");
    assert.match(JSON.stringify(last), /nothing listens there/);
    assert.doesNotMatch(JSON.stringify(last), /S3CRET|key=/);
  });
}

Deno.test("the wait that a server asks for is kept: seconds, milliseconds, and a date", async () => {
  const date = new Date(Date.UTC(2030, 0, 1, 0, 0, 0));
  const later = new Date(date.getTime() + 20_000);
  await using server = startModelServer([
    { error: { status: 429, headers: { "retry-after": "7" } } },
    { error: { status: 529, headers: { "retry-after-ms": "1234.5", "retry-after": "7" } } },
    { error: { status: 503, headers: { date: date.toUTCString(), "retry-after": later.toUTCString() } } },
    { error: { status: 503, headers: { "retry-after": "soon" } } },
    { text: "ok" },
  ]);
  const waits: number[] = [];
  const sleep = (duration_ms: number) => Promise.resolve(void waits.push(duration_ms));
  await answerOf(await serverModel("openai", server, { max_retries: 4, sleep }));
  assert.deepEqual(waits.slice(0, 2), [7_000, 1_235]);
  assert.equal(waits[2], 20_000);
  assert.equal(waits[3], 3_000);
});

Deno.test("a wait of an hour is not waited: the failure says what the server asks for", async () => {
  await using server = startModelServer([{ error: { status: 429, headers: { "retry-after": "3600" } } }]);
  const failure = await failureOf(await serverModel("openai", server, { max_retries: 3 }));
  assert.equal(failure.status, 429);
  assert.match(failure.message, /asks to wait 3600 s/);
});

Deno.test("a used-up quota is not tried again", async () => {
  await using server = startModelServer([{ error: { status: 429, word: "insufficient_quota" } }]);
  assert.equal((await failureOf(await serverModel("openai", server, { max_retries: 3 }))).status, 429);
});

Deno.test("a web page instead of a stream names the base URL", async () => {
  await using page = pageServer();
  const environment = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: `${page.url}/v1` };
  const failure = await failureOf(await modelOf("openai/m", optionsFor(environment)));
  assert.match(failure.message, /text\/html instead of a stream — check the base URL http:\/\/127/);
});

Deno.test("a stream that breaks after the finish reason is a cut: nothing unfinished passes as an answer", async () => {
  const bytes = new TextDecoder().decode(streamBytes("openai", CALLS));
  const at_byte = bytes.indexOf("data: [DONE]") + 3;
  await using server = startModelServer([{ ...CALLS, error: "cut", at_byte, cut: "break" }]);
  assert.equal((await failureOf(await serverModel("openai", server))).kind, "cut");
});

Deno.test("a consumer that leaves ends the request", async () => {
  await using server = startModelServer([{ ...CALLS, error: "idle" }, { text: "next" }]);
  const model = await serverModel("anthropic", server);
  for await (const event of model.stream(requestOf(), new AbortController().signal)) {
    if (event.type === "text_delta") break;
  }
  assert.equal((await answerOf(model)).text, "next");
});

function pageServer() {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    () => new Response("<html></html>", { headers: { "content-type": "text/html; charset=utf-8" } }),
  );
  return { url: `http://127.0.0.1:${server.addr.port}`, [Symbol.asyncDispose]: () => server.shutdown() };
}
