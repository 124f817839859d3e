import assert from "node:assert/strict";
import fc from "fast-check";
import { type LinePattern, linePattern } from "../../src/text/mod.ts";

const ROWS: readonly (readonly [source: string, matching: readonly string[], not: readonly string[]])[] = [
  ["MARKER", ["x MARKER y"], ["marker"]],
  ["--pre=./x.sh", ["--pre=./x.sh"], ["-pre"]],
  ["-e", ["-e"], ["e"]],
  ["->", ["a->b"], ["a>b"]],
  ["-1", ["-1"], ["1"]],
  ["^a.c$", ["abc", "a\tc", "a😀c"], ["abcd", "ac"]],
  ["\\bfoo\\b", ["a foo b", "foo", "(foo)"], ["food", "xfoo"]],
  ["\\Boo", ["foo"], ["oo"]],
  ["(?:ab|cd)+e", ["abcde", "cde"], ["e", "ace"]],
  ["(?<name>x)y", ["xy"], ["y"]],
  ["(?P<name>x)y", ["xy"], ["y"]],
  ["a{2,3}b", ["aab", "xaaab"], ["ab"]],
  ["^a{2}$", ["aa"], ["a", "aaa"]],
  ["interface{}", ["interface{}"], ["interface"]],
  ["{foo}", ["{foo}"], ["foo"]],
  ["a{,3}", ["a{,3}"], ["aaa"]],
  ["[^a-c]", ["d", "abcd"], ["abc", ""]],
  ["[]x]", ["]", "x"], ["y"]],
  ["[a-]", ["-"], ["b"]],
  ["[[:digit:]_]+", ["_5"], ["x"]],
  ["[\\w.]+@\\w+", ["a.b@c"], ["@c"]],
  ["\\d{3}-\\d{4}", ["555-1234"], ["55-1234"]],
  ["\\p{Han}", ["中"], ["a"]],
  ["\\P{L}", ["1"], ["a"]],
  ["\\x41\\u0042\\u{43}", ["ABC"], ["abc"]],
  ["(?i)straße", ["STRAßE"], ["strasse"]],
  ["a(?i:b)c", ["aBc"], ["Abc"]],
  ["a+?b|c*+d", ["aab", "d"], ["b"]],
  ['\\/\\-\\"', ['/-"'], ["/"]],
  ["^$", [""], ["x"]],
  ["a||b", ["", "z"], []],
  ["(a*)*b", ["b", "aab"], ["a"]],
  ["(^|,)x(,|$)", ["x", "a,x", "x,b"], ["ax"]],
];

for (const [source, matching, not] of ROWS) {
  Deno.test(`expression ${source} finds what it should and nothing else`, () => {
    const pattern = compiled(source);
    assert.deepEqual(matching.filter((line) => !pattern.matches(line)), []);
    assert.deepEqual(not.filter((line) => pattern.matches(line)), []);
  });
}

Deno.test("ignoring case covers letters, classes and their complements", () => {
  const matches = (source: string, line: string) => compiled(source, true).matches(line);
  assert.equal(matches("marker", "MARKER"), true);
  assert.equal(matches("[a-c]", "B"), true);
  assert.equal(matches("[^a]", "A"), false);
  assert.equal(matches("ÄÖ", "äö"), true);
});

const ERRORS: readonly (readonly [source: string, offset: number, message: RegExp])[] = [
  ["(", 0, /never closed/],
  ["ab(c", 2, /never closed/],
  ["a)", 1, /closes no group/],
  ["x[abc", 1, /never closed/],
  ["*a", 0, /nothing to repeat/],
  ["a|+", 2, /nothing to repeat/],
  ["a\\", 1, /backslash/],
  ["[z-a]", 1, /ends before it begins/],
  ["a{3,2}", 1, /below where it begins/],
  ["a{9999}", 1, /at most/],
  ["(?=a)", 0, /look-around/],
  ["x(?<!a)", 1, /look-around/],
  ["(a)\\1", 3, /back references/],
  ["a\\nb", 1, /line by line/],
  ["\\y", 0, /unknown escape/],
  ["\\p{Nope}", 0, /property/],
  ["(?x)a", 0, /unknown kind/],
  ["((a{1000}){1000}){1000}", 0, /too large/],
  ["((){1000}){1000}", 0, /too large/],
  ["(".repeat(5000), 100, /nested/],
];

for (const [source, offset, message] of ERRORS) {
  Deno.test(`expression ${source.slice(0, 30)} is refused, and where it is wrong is said`, () => {
    const result = linePattern(source);
    assert.ok(!result.ok);
    assert.equal(result.offset, offset);
    assert.match(result.message, message);
  });
}

Deno.test("expressions that make a backtracking engine hang answer at once", () => {
  const line = "a".repeat(50_000) + "!";
  for (
    const source of ["(a+)+$", "(a|a)*b", "(a*)*b", "(.*)(.*)(.*)(.*)(.*)x$", "^(([a-z])+.)+[A-Z]$", "(a?){50}a{50}b"]
  ) {
    assert.equal(compiled(source).matches(line), false);
  }
});

Deno.test("agrees with JavaScript's engine on random expressions and lines", () => {
  const atom = fc.constantFrom("a", "b", "c", ".", "[ab]", "[^a]", "\\w", "\\s", "\\b", "^", "$", "-", "😀");
  const { expression } = fc.letrec<{ expression: string }>((tie) => ({
    expression: fc.oneof(
      { maxDepth: 4 },
      atom,
      fc.tuple(tie("expression"), tie("expression")).map(([left, right]) => left + right),
      fc.tuple(tie("expression"), tie("expression")).map(([left, right]) => `(?:${left}|${right})`),
      fc.tuple(tie("expression"), fc.constantFrom("*", "+", "?", "{0,2}", "{2}", "*?"))
        .map(([item, quantifier]) => `(?:${item})${quantifier}`),
    ),
  }));
  const line = fc.array(fc.constantFrom("a", "b", "c", " ", "-", "😀"), { maxLength: 12 }).map((parts) =>
    parts.join("")
  );
  fc.assert(
    fc.property(expression, fc.array(line, { maxLength: 5 }), (source, lines) => {
      const pattern = compiled(source);
      const reference = new RegExp(source, "u");
      for (const text of lines) assert.equal(pattern.matches(text), reference.test(text), `${source} on ${text}`);
    }),
    { numRuns: 500 },
  );
});

function compiled(source: string, ignoreCase = false): LinePattern {
  const result = linePattern(source, { ignore_case: ignoreCase });
  assert.ok(result.ok, result.ok ? "" : result.message);
  return result.pattern;
}
