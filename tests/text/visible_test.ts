import assert from "node:assert/strict";
import fc from "fast-check";
import { visibleText } from "../../src/text/mod.ts";

Deno.test("what steers, hides or reorders is written as its code point; everything else stays", () => {
  const rows: readonly (readonly [string, string])[] = [
    ["ls -la\n\tplain ü 密", "ls -la\n\tplain ü 密"],
    ["ls\u001b]; rm x; : \u0007", "ls\\u{1b}]; rm x; : \\u{7}"],
    ["a\rb", "a\\u{d}b"],
    ["a\u202eb\u200bc\ufeffd", "a\\u{202e}b\\u{200b}c\\u{feff}d"],
    ["tag\u{e0041}", "tag\\u{e0041}"],
    ["wide\u00a0blank\u3000", "wide\\u{a0}blank\\u{3000}"],
  ];
  for (const [text, shown] of rows) assert.equal(visibleText(text), shown);
});

Deno.test("no text makes anything but printable letters, line breaks and tabs", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    // deno-lint-ignore no-control-regex
    assert.doesNotMatch(visibleText(text), /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
  }));
});
