import assert from "node:assert/strict";
import fc from "fast-check";
import { formatPath, type HookDocument, parseDocument, pathOf, toJson, valueOf } from "../../src/hooks/document.ts";
import { formatDiagnostic } from "../../src/protocol/mod.ts";

const encode = (text: string) => new TextEncoder().encode(text);

function parsed(text: string): HookDocument {
  const result = parseDocument("hooks.json", encode(text));
  assert.ok(result.ok, result.ok ? "" : formatDiagnostic(result.diagnostic));
  return result.document;
}

function refusal(bytes: Uint8Array | string): string {
  const result = parseDocument("hooks.json", typeof bytes === "string" ? encode(bytes) : bytes);
  assert.ok(!result.ok, "this must be refused");
  return formatDiagnostic(result.diagnostic);
}

Deno.test("comments, trailing commas, a byte-order mark and CRLF are read", () => {
  const { root } = parsed('\uFEFF{\r\n  // note\r\n  "a": [1, 2, /* two */ ],\r\n  "b": { "c": null, },\r\n}\r\n');
  assert.deepEqual(toJson(root), { a: [1, 2], b: { c: null } });
});

Deno.test("positions count lines and UTF-16 columns from 1, whatever ends a line", () => {
  const document = parsed('\uFEFF{"a":1,\r\n"ä😀": 2,\r"c":\n3}');
  assert.ok(document.root.type === "object");
  const places = document.root.members.map(({ keyOffset, value }) => [
    document.positionAt(keyOffset),
    document.positionAt(value.offset),
  ]);
  assert.deepEqual(places, [
    [{ line: 1, column: 2 }, { line: 1, column: 6 }],
    [{ line: 2, column: 1 }, { line: 2, column: 8 }],
    [{ line: 3, column: 1 }, { line: 4, column: 1 }],
  ]);
});

const REFUSED: readonly (readonly [what: string, text: string | Uint8Array, diagnostic: string])[] = [
  [
    "a missing comma",
    '{\n  "a": 1\n  "b": 2\n}',
    'hooks.json:3:3: error[invalid-json]: a comma is missing before "b"\n' +
    "  hint: put a comma after the value that ends at 2:9",
  ],
  [
    "a missing colon",
    '{ "a" 1 }',
    'hooks.json:1:7: error[invalid-json]: a colon is missing after the key "a"',
  ],
  [
    "an object cut short",
    '{\n "a": [1,\n',
    'hooks.json:3:1: error[invalid-json]: the file ends too early\n  hint: the "[" at 2:7 is still open',
  ],
  [
    "a bracket that closes something else",
    '{ "a": [1 } ]',
    'hooks.json:1:11: error[invalid-json]: "}" closes nothing here\n  hint: the "[" at 1:8 is still open',
  ],
  [
    "single quotes",
    "{ 'a': 1 }",
    "hooks.json:1:3: error[invalid-json]: \"'a'\" is not JSON\n  hint: strings stand in double quotes",
  ],
  [
    "a bare word",
    '{ "a": True }',
    'hooks.json:1:8: error[invalid-json]: "True" is not JSON\n' +
    "  hint: keys and strings stand in double quotes; other words are only true, false and null",
  ],
  [
    "a string over two lines",
    '{ "a": "x\ny" }',
    "hooks.json:1:8: error[invalid-json]: the string is not closed on its line\n" +
    '  hint: end it with "; write a line break in it as \\n',
  ],
  [
    "an unknown escape",
    '{ "a": "C:\\x" }',
    "hooks.json:1:8: error[invalid-json]: unknown escape in the string\n  hint: write a backslash as \\\\",
  ],
  [
    "an open comment",
    "{} /* x",
    "hooks.json:1:4: error[invalid-json]: the comment is not closed\n  hint: close it with */",
  ],
  ["text behind the end", "{} {}", 'hooks.json:1:4: error[invalid-json]: "{" stands after the end of the document'],
  [
    "two commas",
    "[1,,2]",
    'hooks.json:1:4: error[invalid-json]: a value is missing before ","\n  hint: the "[" at 1:1 is still open',
  ],
  [
    "an empty file",
    "",
    "hooks.json:1:1: error[empty-file]: the file is empty\n" +
    '  hint: a file without hooks is written { "version": 1, "hooks": {} }',
  ],
  [
    "a file of comments only",
    "// nothing\n",
    "hooks.json:2:1: error[empty-file]: the file is empty\n" +
    '  hint: a file without hooks is written { "version": 1, "hooks": {} }',
  ],
  [
    "UTF-16 with its mark",
    Uint8Array.of(0xff, 0xfe, 0x7b, 0, 0x7d, 0),
    "hooks.json:1:1: error[utf-16]: this file is UTF-16, which is not read\n  hint: save it as UTF-8",
  ],
  [
    "UTF-16 without a mark, big end first",
    Uint8Array.of(0, 0x7b, 0, 0x7d),
    "hooks.json:1:1: error[utf-16]: this file is UTF-16, which is not read\n  hint: save it as UTF-8",
  ],
  [
    "UTF-32",
    Uint8Array.of(0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0),
    "hooks.json:1:1: error[utf-16]: this file is UTF-32, which is not read\n  hint: save it as UTF-8",
  ],
  [
    "bytes that are no UTF-8",
    Uint8Array.of(0x7b, 0x0a, 0x22, 0xe9, 0x22, 0x7d),
    "hooks.json:2:2: error[not-utf8]: this file is not UTF-8\n  hint: save it as UTF-8",
  ],
];

for (const [what, text, expected] of REFUSED) {
  Deno.test(`${what} is named with its place`, () => assert.equal(refusal(text), expected));
}

Deno.test("ten thousand brackets and a million are refused with a place, not with a crash", () => {
  const expected = "hooks.json:1:201: error[nested-too-deeply]: more than 200 objects and lists inside each other";
  assert.equal(refusal("[".repeat(10_000) + "]".repeat(10_000)), expected);
  assert.equal(refusal("[".repeat(1_000_000)), expected);
});

Deno.test("a file of ten megabytes is read", () => {
  const rule = '{"matcher":"Bash","hooks":[{"type":"command","command":"true"}]}';
  const count = Math.ceil(10_000_000 / rule.length);
  const { root } = parsed(`{"hooks":{"PreToolUse":[${Array(count).fill(rule).join(",")}]}}`);
  assert.ok(root.type === "object");
});

Deno.test("a key that stands twice is kept twice and named with both places", () => {
  const { duplicates, positionAt } = parsed('{ "a": 1, "b": { "c": 1, "c": 2 }, "a": 3 }');
  const places = duplicates.map(({ first, second }) => [
    second.key,
    positionAt(first.keyOffset).column,
    positionAt(second.keyOffset).column,
  ]);
  assert.deepEqual(places, [["c", 18, 26], ["a", 3, 36]]);
});

Deno.test("keys that mean something to JavaScript are data", () => {
  const { root } = parsed('{ "__proto__": { "polluted": 1 }, "constructor": 2, "toString": 3 }');
  const value = toJson(root) as Record<string, unknown>;
  assert.deepEqual(Object.keys(value), ["__proto__", "constructor", "toString"]);
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
  assert.equal((({}) as Record<string, unknown>)["polluted"], undefined);
  assert.ok(root.type === "object");
  assert.equal(valueOf(root, "hasOwnProperty"), undefined);
});

Deno.test("the path of a node says where it stands", () => {
  const { root } = parsed('{ "hooks": { "Pre Tool": [ {}, { "timeout": 1 } ] } }');
  const hooks = root.type === "object" ? root.members[0]!.value : root;
  const list = hooks.type === "object" ? hooks.members[0]!.value : root;
  const rule = list.type === "array" ? list.items[1]! : root;
  assert.equal(pathOf(rule), 'hooks["Pre Tool"][1]');
  assert.equal(pathOf(root), "$");
  assert.equal(formatPath(["a", 0, "b-c", "d.e"]), 'a[0].b-c["d.e"]');
});

Deno.test("whatever JSON writes is read back the same", () => {
  fc.assert(fc.property(fc.json(), (text) => {
    assert.deepEqual(toJson(parsed(text).root), JSON.parse(text));
  }));
});

Deno.test("no garbage makes it throw, and every fault lies inside the file", () => {
  const piece = fc.constantFrom(..."{}[],:\"'\\/*\n\r\t 1e-.null", "true", "{}", '"a"', "\uFEFF", "\0", "é", "😀");
  const garbage = fc.oneof(fc.string(), fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join("")));
  fc.assert(
    fc.property(garbage, (text) => {
      const result = parseDocument("f", encode(text));
      if (result.ok) return;
      const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/);
      const { line, column } = result.diagnostic;
      assert.ok(line >= 1 && line <= lines.length, `line ${line} of ${JSON.stringify(text)}`);
      assert.ok(column >= 1 && column <= lines[line - 1]!.length + 1, `column ${column} of ${JSON.stringify(text)}`);
    }),
    { numRuns: 2000 },
  );
});

Deno.test("no bytes make it throw", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
    parseDocument("f", bytes);
  }));
});
