import assert from "node:assert/strict";
import fc from "fast-check";
import { parseJson, writeAsciiJson, writeJson } from "../../src/protocol/mod.ts";

Deno.test("integers that a double cannot hold keep every digit, through parsing and writing", () => {
  const text = '{"a":9007199254740993,"b":[-12345678901234567890123],"c":1.5,"d":9007199254740991,"e":1e3}';
  const value = parseJson(text) as Record<string, unknown>;
  assert.equal(value["a"], 9007199254740993n);
  assert.equal(value["d"], 9007199254740991);
  assert.equal(writeJson(value), text.replace("1e3", "1000"));
});

Deno.test("any value is written in ASCII and read back as it was", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    const text = writeAsciiJson(value);
    // deno-lint-ignore no-control-regex
    assert.match(text, /^[\x00-\x7e]*$/);
    assert.equal(writeJson(parseJson(text)), JSON.stringify(value));
  }));
});

Deno.test("a key __proto__ is a key like any other", () => {
  const value = parseJson('{"__proto__":{"x":1},"constructor":2}') as Record<string, unknown>;
  assert.deepEqual(Object.keys(value), ["__proto__", "constructor"]);
  assert.equal(({} as Record<string, unknown>)["x"], undefined);
});
