import assert from "node:assert/strict";
import { bareName, quoteName } from "../../src/text/mod.ts";

Deno.test("a name is quoted on one line and can be read back as JSON", () => {
  const name = 'a"b\\c\nd\x1b[31m\u202e\x7f\u2028 é';
  const quoted = quoteName(name);
  assert.equal(quoted, '"a\\"b\\\\c\\nd\\u001b[31m\\u202e\\u007f\\u2028 é"');
  assert.equal(JSON.parse(quoted), name);
});

Deno.test("a harmless name stays bare, a misleading one is quoted", () => {
  assert.equal(bareName("src/a b.ts"), "src/a b.ts");
  assert.deepEqual(["", " a", "a\nb", "a\u200bb", 'a"b'].map(bareName), [
    '""',
    '" a"',
    '"a\\nb"',
    '"a\\u200bb"',
    '"a\\"b"',
  ]);
});
