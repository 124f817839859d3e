/** Script files: what is accepted, and where a finding points. */
import assert from "node:assert/strict";
import { createModel } from "../../src/model/mod.ts";
import { answerOf, modelOf, optionsFor } from "./support.ts";

Deno.test("comments, trailing commas and a byte-order mark are accepted", async () => {
  const text = '\uFEFF{\n  // one turn\n  "turns": [{ "text": "ok", }, ],\n  /* end */\n}\n';
  const options = optionsFor({}, { readTextFile: () => Promise.resolve(text) });
  assert.equal((await answerOf(await modelOf("script/a.jsonc", options))).text, "ok");
});

Deno.test("every finding has file, line and column, and unknown keys the nearest known one", async () => {
  const table = [
    ['{"turns": [', "a.json:1:12: error[invalid-json]"],
    ["", "a.json:1:1: error[invalid-json]"],
    ["[]", "a.json:1:1: error[wrong-type]: the script must be an object"],
    ["{}", 'a.json:1:1: error[missing-key]: the script has no "turns"'],
    ['{\n  "turns": {}\n}', 'a.json:2:12: error[wrong-type]: "turns" must be a list'],
    [
      '{"turns": [\n  {"txt": "a"}\n]}',
      'a.json:2:4: error[unknown-key]: the turn has an unknown key "txt"\n  hint: did you mean "text"?',
    ],
    ['{"turns": [{"text": 1}]}', 'a.json:1:21: error[wrong-type]: "text" must be a string'],
    ['{"turns": [{"tool_calls": [{"input": {}}]}]}', 'error[missing-key]: the call has no "name"'],
    ['{"turns": [{"tool_calls": [{"name": "a", "argz": {}}]}]}', "error[unknown-key]: the call has an unknown key"],
    ['{"turns": [{"error": "cutt"}]}', '"error" must be "cut" or { "status": NUMBER }'],
    ['{"turns": [{"error": {"stauts": 1}}]}', 'did you mean "status"?'],
    ['{"turns": [{"expect": {"contain": "x"}}]}', 'did you mean "contains"?'],
    ['{"turns": [{"delay_ms": -1}]}', '"delay_ms" must be a number, 0 or more'],
    ['{"turns": [{"text": "ab", "chunks": ["a"]}]}', '"chunks" joined together must give "text"'],
    ['{"turns": [], "on_exhausted": "stop"}', '"on_exhausted" must be one of error, repeat_last, loop'],
    ["{bad", "the file is no valid JSON: invalid symbol"],
    ['{"turns": [], "turns": []}', '"turns" is there twice'],
  ] as const;
  for (const [text, expected] of table) {
    const creation = await createModel("script/a.json", optionsFor({}, { readTextFile: () => Promise.resolve(text) }));
    assert.equal(creation.kind, "problem", text);
    if (creation.kind !== "problem") continue;
    assert.equal(creation.problem.code, "bad_script");
    assert.ok(creation.problem.message.includes(expected), `${text}\n${creation.problem.message}`);
    assert.ok(creation.problem.diagnostics!.length > 0);
  }
});

Deno.test("all findings of a file are told at once", async () => {
  const text = '{"turns": [{"txt": "a"}, {"text": 2}], "modelid": "x"}';
  const creation = await createModel("script/a.json", optionsFor({}, { readTextFile: () => Promise.resolve(text) }));
  assert.deepEqual(
    creation.kind === "problem" && creation.problem.diagnostics?.map((finding) => [finding.code, finding.column]),
    [["unknown-key", 40], ["unknown-key", 13], ["wrong-type", 35]],
  );
});
