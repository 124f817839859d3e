import assert from "node:assert/strict";
import fc from "fast-check";
import { parseToml, type TomlValue } from "../../src/config/toml.ts";
import { type TomlPath, tomlPositions } from "../../src/config/toml_positions.ts";

/** The text from the key and from the value of a path on. */
function at(text: string, path: TomlPath): [string, string] {
  const place = tomlPositions(text).find(path);
  assert.ok(place, `${JSON.stringify(path)} is nowhere in ${text}`);
  return [text.slice(place.key).split("\n")[0]!, text.slice(place.value).split("\n")[0]!];
}

Deno.test("keys and values are found in every form that TOML has", () => {
  const text = [
    "# top = 1",
    'a.b . "c d" = 1',
    "[t.'x.y'.\"\\u0041\"] # [no]",
    "k = [ 1, # ]",
    '  "two ] , #", [3, { d = 4 }],',
    "]",
    's = """',
    "q = 1",
    '[no] \\""" """""',
    "l = '''",
    "r = '",
    "''' # end",
    "i = { e = 'x}', f.g = [ {h = 1}, ] }",
    "[[p]]",
    "n = 1",
    "[p.sub]",
    "m = 2",
    "[[p]]",
    "n = 3",
    "[[p.list]]",
    "o = 4",
    "last = true",
  ].join("\n");
  assert.ok(parseToml(text, "f").ok);
  const rows: [TomlPath, string, string][] = [
    [["a", "b", "c d"], '"c d" = 1', "1"],
    [["a"], 'a.b . "c d" = 1', 'a.b . "c d" = 1'],
    [["t", "x.y", "A"], '"\\u0041"] # [no]', '"\\u0041"] # [no]'],
    [["t", "x.y", "A", "k"], "k = [ 1, # ]", "[ 1, # ]"],
    [["t", "x.y", "A", "k", 1], '"two ] , #", [3, { d = 4 }],', '"two ] , #", [3, { d = 4 }],'],
    [["t", "x.y", "A", "k", 2, 1, "d"], "d = 4 }],", "4 }],"],
    [["t", "x.y", "A", "s"], 's = """', '"""'],
    [["t", "x.y", "A", "l"], "l = '''", "'''"],
    [["t", "x.y", "A", "i", "e"], "e = 'x}', f.g = [ {h = 1}, ] }", "'x}', f.g = [ {h = 1}, ] }"],
    [["t", "x.y", "A", "i", "f", "g", 0, "h"], "h = 1}, ] }", "1}, ] }"],
    [["p", 0, "n"], "n = 1", "1"],
    [["p", 0, "sub", "m"], "m = 2", "2"],
    [["p", 1, "n"], "n = 3", "3"],
    [["p", 1, "list", 0, "o"], "o = 4", "4"],
    [["p", 1, "list", 0, "last"], "last = true", "true"],
  ];
  for (const [path, key, value] of rows) assert.deepEqual(at(text, path), [key, value]);
  assert.equal(tomlPositions(text).find(["top"]), undefined);
  assert.equal(tomlPositions(text).find(["q"]), undefined);
});

/** Every path of a parsed document. */
function* pathsOf(value: TomlValue, path: TomlPath): Generator<TomlPath> {
  if (path.length > 0) yield path;
  if (Array.isArray(value)) { for (const [index, item] of value.entries()) yield* pathsOf(item, [...path, index]); }
  else if (typeof value === "object" && !(value instanceof Date)) {
    for (const [key, item] of Object.entries(value)) yield* pathsOf(item, [...path, key]);
  }
}

const NAMES = ["a", "b", "hooks", '"q q"', "'l.l'", '"\\t"', "1"];
const VALUES = [
  "1",
  '"s"',
  "'''\n]\n'''",
  '"""a\\"\n"""',
  "[1, [2], ]",
  "{ a = 1, b.c = [ { d = 2 } ] }",
  "true",
  "2026-01-01 10:00:00",
];
const LINES = fc.oneof(
  fc.tuple(fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 }), fc.constantFrom(...VALUES))
    .map(([names, value]) => `${names.join(" . ")} = ${value} # c "`),
  fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 }).map((names) => `[ ${names.join(".")} ]`),
  fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 2 }).map((names) => `[[${names.join(".")}]]`),
  fc.constantFrom("", "# [x]", "  \t"),
);

Deno.test("in every document that parses, every key and element has a place", () => {
  let parsed = 0;
  fc.assert(
    fc.property(fc.array(LINES, { maxLength: 8 }), fc.constantFrom("\n", "\r\n"), (lines, end) => {
      const document = parseToml(lines.join(end), "f");
      if (!document.ok) return;
      parsed += 1;
      for (const path of pathsOf(document.root, [])) {
        assert.ok(document.positions.find(path), `${JSON.stringify(path)} in ${JSON.stringify(lines.join(end))}`);
      }
    }),
    { numRuns: 2000 },
  );
  assert.ok(parsed > 200);
});

Deno.test("any text can be looked through: nothing throws, and deep or long ones take no time", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), (text) => void tomlPositions(text)));
  const signs = fc.constantFrom("[", "]", "{", "}", '"', "'", "=", ".", ",", "#", "\n", "\\", "a", " ", '"""', "'''");
  fc.assert(fc.property(fc.array(signs), (parts) => void tomlPositions(parts.join(""))), { numRuns: 2000 });
  for (const text of ["a=[", "a={b=", "[", "a=", "a.", '"', "a=1\n", "[[a]]\n"]) {
    const begun = performance.now();
    tomlPositions(text.repeat(20_000));
    assert.ok(performance.now() - begun < 5000, text);
  }
});
