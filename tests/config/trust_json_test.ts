import assert from "node:assert/strict";
import { type JsonString, replaceJsonStrings } from "../../src/config/mod.ts";

Deno.test("strings are replaced where they stand, and comments, spaces and all else stay byte for byte", () => {
  const text = '// a "secret"\n{ "secret" : "x\\"y", "list": [ "x", { "Deep": "z" } ], /* b */ "n": 1, }\n';
  const seen: JsonString[] = [];
  const result = replaceJsonStrings(text, (string) => {
    seen.push(string);
    return string.keys[0] === "secret" ? '*"*' : undefined;
  });
  assert.equal(result, text.replace('"x\\"y"', '"*\\"*"'));
  assert.deepEqual(seen, [
    { keys: ["secret"], value: 'x"y' },
    { keys: ["list"], value: "x" },
    { keys: ["list", "Deep"], value: "z" },
  ]);
});

Deno.test("both values of a key that stands twice are replaced", () => {
  assert.equal(replaceJsonStrings('{"a":"1","a":"2"}', () => "*"), '{"a":"*","a":"*"}');
});

Deno.test("a text that is no JSON gives nothing, because what stands in it is unknown", () => {
  for (const text of ["", "{", '{"a": "b"', '{"a": secret}', "{} {}", '"unfinished']) {
    assert.equal(replaceJsonStrings(text, () => "*"), undefined, text);
  }
});
