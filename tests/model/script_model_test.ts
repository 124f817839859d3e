/** The scripted model: what its turns do. */
import assert from "node:assert/strict";
import type { Model, ModelOptions } from "../../src/model/mod.ts";
import { answerOf, eventsOf, failureOf, modelOf, optionsFor, requestOf } from "./support.ts";

Deno.test("turns are played one a request, with text, calls and the id of the file", async () => {
  const model = await scripted({
    model_id: "script-1",
    turns: [
      { text: "Let me look.", tool_calls: [{ name: "Bash", input: { command: "ls" } }, { name: "LS", id: "mine" }] },
      { text: "Done." },
    ],
  });
  assert.deepEqual([model.provider, model.id], ["script", "script-1"]);
  const first = await answerOf(model);
  assert.deepEqual(first.tool_calls, [
    { id: "call_1_1", name: "Bash", arguments_text: '{"command":"ls"}' },
    { id: "mine", name: "LS", arguments_text: "{}" },
  ]);
  assert.deepEqual([first.text, first.finish_reason], ["Let me look.", "tool_calls"]);
  const second = await answerOf(model);
  assert.deepEqual([second.text, second.finish_reason, second.tool_calls], ["Done.", "stop", []]);
});

Deno.test("raw_input and raw_args are sent as they are, valid JSON or not", async () => {
  const texts = ['{command: "x"}', "", '{"a": 1}\n'];
  const model = await scripted({
    turns: [{
      tool_calls: texts.flatMap((text) => [{ name: "Bash", raw_input: text }, { name: "Bash", raw_args: text }]),
    }],
  });
  const { tool_calls } = await answerOf(model);
  assert.deepEqual(tool_calls.map((call) => call.arguments_text), texts.flatMap((text) => [text, text]));
});

Deno.test("long integers of an input stay exact", async () => {
  const model = await scriptedText(
    '{"turns": [{"tool_calls": [{"name": "T", "input": {"id": 12345678901234567890}}]}]}',
  );
  assert.equal((await answerOf(model)).tool_calls[0]?.arguments_text, '{"id":12345678901234567890}');
});

Deno.test("chunks stream the text in pieces, as a list or as a number", async () => {
  const model = await scripted({ turns: [{ chunks: ["a", "b😀", "c"] }, { text: "ab😀d", chunks: 2 }] });
  for (const expected of [["a", "b😀", "c"], ["ab", "😀d"]]) {
    const events = await eventsOf(model);
    assert.deepEqual(events.flatMap((event) => event.type === "text_delta" ? [event.text] : []), expected);
    const last = events.at(-1)!;
    assert.equal(last.type === "finish" && last.answer.text, expected.join(""));
  }
});

Deno.test("a cut gives the text, no call, and a failure that no retry follows", async () => {
  const turn = { text: "writing", tool_calls: [{ name: "Write", raw_input: '{"file_path":"a' }], error: "cut" };
  const model = await scripted({ turns: [turn, { text: "ok again" }] }, { max_retries: 3 });
  const events = await eventsOf(model);
  assert.deepEqual(events.map((event) => event.type), ["text_delta", "failure"]);
  assert.equal(events[1]?.type === "failure" && events[1].failure.kind, "cut");
  assert.equal((await answerOf(model)).text, "ok again");
});

Deno.test("a transient status is a failed try whose retry plays the next turn; others end the request", async () => {
  const turns = [529, 429].map((status) => ({ error: { status } }));
  const model = await scripted({ turns: [...turns, { text: "third" }, { error: { status: 401 } }] }, {
    max_retries: 3,
  });
  const events = await eventsOf(model);
  assert.deepEqual(events.map((event) => event.type), ["retry", "retry", "text_delta", "finish"]);
  const failure = await failureOf(model);
  assert.deepEqual([failure.kind, failure.status], ["status", 401]);
});

Deno.test("after the last turn: a clear failure, the last turn again, or all turns again", async () => {
  const turns = [{ text: "a" }, { text: "b" }];
  const strict = await scripted({ turns });
  await answerOf(strict);
  await answerOf(strict);
  const failure = await failureOf(strict);
  assert.equal(failure.kind, "script");
  assert.match(failure.message, /test\.json has 2 turns and was asked for a further one \(number 3\)/);

  for (const [on_exhausted, expected] of [["repeat_last", "abbb"], ["loop", "abab"]] as const) {
    const model = await scripted({ turns, on_exhausted });
    let played = "";
    for (let count = 0; count < 4; count++) played += (await answerOf(model)).text;
    assert.equal(played, expected);
  }
});

Deno.test("an expectation that the request does not meet fails and shows the difference", async () => {
  const request = requestOf({ messages: [{ role: "user", text: 'See "README" and\nCHANGES' }] });
  const met = await scripted({
    turns: [{ expect: { contains: ['"README" and\n', "CHANGES"], not_contains: ["LICENSE"] } }],
  });
  await answerOf(met, request);

  const missing = await scripted({ turns: [{ expect: { contains: ["LICENSE"] } }] });
  const first = await failureOf(missing, request);
  assert.equal(first.kind, "script");
  assert.match(first.message, /Turn 1 of test\.json: the request does not hold "LICENSE"; .*README/);

  const unwanted = await scripted({ turns: [{ expect: { not_contains: ["CHANGES"] } }] });
  assert.match((await failureOf(unwanted, request)).message, /holds "CHANGES", which it must not: .*README.*CHANGES/);
});

Deno.test("a delay is waited and a cancel ends it", async () => {
  const turns = [{ delay_ms: 300, text: "slow" }, { delay_ms: 600_000, text: "never" }];
  const text = JSON.stringify({ turns });
  const { sleep: _sleep, ...options } = optionsFor({}, { readTextFile: () => Promise.resolve(text) });
  const model = await modelOf("script/test.json", options);
  const started = performance.now();
  await answerOf(model);
  assert.ok(performance.now() - started >= 290);
  assert.equal((await failureOf(model, requestOf(), AbortSignal.timeout(100))).kind, "cancelled");
});

function scripted(script: unknown, more: Partial<ModelOptions> = {}): Promise<Model> {
  return scriptedText(JSON.stringify(script), more);
}

function scriptedText(text: string, more: Partial<ModelOptions> = {}): Promise<Model> {
  return modelOf("script/test.json", optionsFor({}, { ...more, readTextFile: () => Promise.resolve(text) }));
}
