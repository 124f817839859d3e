import assert from "node:assert/strict";
import { fitMessage, renderBody, renderHeader, renderMessage } from "../../../src/executors/providers/message.ts";
import { bodySize } from "../../../src/executors/providers/request_body.ts";

const FIELDS = { Text: "it's {{Title}}", Title: "T", Event: "pre_tool_call", Timestamp: "2026-01-02 03:04:05" };

const ROWS: readonly (readonly [template: string, expected: string])[] = [
  ["{{Text}}|{Text}", "it's {{Title}}|it's {{Title}}"],
  ["{{Title}} {Event} {{Timestamp}}", "T pre_tool_call 2026-01-02 03:04:05"],
  ["{Title}} and {{Title}", "T and T"],
  ["{{text}} {{Unknown}} {Point} {{ Title }}", "{{text}} {{Unknown}} {Point} {{ Title }}"],
  ["no template $& $1", "no template $& $1"],
];

for (const [template, expected] of ROWS) {
  Deno.test(`the message template ${template} is filled in once`, () => {
    assert.equal(renderMessage(template, FIELDS), expected);
  });
}

Deno.test("values with $ patterns of JavaScript stay as they are", () => {
  assert.equal(renderMessage("[{{Text}}]", { ...FIELDS, Text: "$& $1 $$" }), "[$& $1 $$]");
});

Deno.test("only string leaves of a body are templates: keys, numbers and other values stay", () => {
  const body = { "{{Title}}": 1, big: 12345678901234567890n, deep: [{ t: "{{Title}}" }, null, true, 0.5] };
  assert.deepEqual(renderBody(body, FIELDS), {
    "{{Title}}": 1,
    big: 12345678901234567890n,
    deep: [{ t: "T" }, null, true, 0.5],
  });
});

Deno.test("a header value is one line, and what a secret expanded to is no template", () => {
  const fields = { ...FIELDS, Title: "a\r\nX-Evil: 1" };
  assert.equal(renderHeader([{ text: "{{Title}}", literal: false }], fields), "a X-Evil: 1");
  const parts = [{ text: "Bearer ", literal: false }, { text: "{{Title}}", literal: true }];
  assert.equal(renderHeader(parts, fields), "Bearer {{Title}}");
});

Deno.test("a text that is too long is cut at a character, with a mark, in both kinds of limits", () => {
  const long = '通知🎉\n"'.repeat(2000);
  for (const [limit, unit] of [[2048, "text"], [20_000, "body"]] as const) {
    const body = (fields: typeof FIELDS) => ({ text: { content: fields.Text } });
    const { Text } = fitMessage({ ...FIELDS, Text: long }, { bytes: limit, of: unit }, (one) => bodySize(body(one)));
    const size = unit === "text" ? new TextEncoder().encode(Text).length : bodySize(body({ ...FIELDS, Text }));
    assert.ok(size <= limit, `${unit}: ${size}`);
    assert.ok(size > limit - 200, `${unit}: only ${size} of ${limit} bytes are used`);
    assert.match(Text, /\n\[\d+ of 24000 bytes left out\]$/);
    assert.ok(!Text.includes("\uFFFD"));
    assert.ok(long.startsWith(Text.slice(0, Text.lastIndexOf("\n["))));
  }
});

Deno.test("a text that fits is not touched, at the very limit either", () => {
  const text = "é".repeat(1024);
  const fit = (limit: number, of: "text" | "body") =>
    fitMessage({ ...FIELDS, Text: text }, { bytes: limit, of }, (one) => bodySize({ t: one.Text })).Text;
  assert.equal(fit(2048, "text"), text);
  assert.equal(fit(2048 + '{"t":""}'.length, "body"), text);
  assert.notEqual(fit(2047, "text"), text);
  assert.notEqual(fit(2047 + '{"t":""}'.length, "body"), text);
});
