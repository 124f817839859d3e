import assert from "node:assert/strict";
import { globMatcher } from "../../src/text/mod.ts";

const ROWS: readonly (readonly [glob: string, matching: readonly string[], not: readonly string[]])[] = [
  ["*.ts", ["a.ts", ".ts", "文.ts"], ["src/a.ts", "a.tsx", "ats"]],
  ["**/*.ts", ["a.ts", "src/a.ts", "a/b/c/d.ts"], ["a.js", "a.ts/b"]],
  ["src/**", ["src/a", "src/a/b.ts"], ["src", "src-old/a", "lib/src/a"]],
  ["src/**/x", ["src/x", "src/a/x", "src/a/b/x"], ["src/ax", "x", "srcx"]],
  ["**", ["a", "a/b", ""], []],
  ["a**b", ["ab", "axxb"], ["a/b"]],
  ["?", ["a", "😀"], ["", "ab", "/"]],
  ["[a-c]x", ["ax", "bx"], ["dx", "x"]],
  ["[!a-c]x", ["dx"], ["ax", "/x"]],
  ["[]a]", ["]", "a"], ["b"]],
  ["[a\\-z]", ["a", "-", "z"], ["b"]],
  ["{a,b}.{ts,js}", ["a.ts", "b.js"], ["c.ts", "a.md", "{a,b}.ts"]],
  ["{src/**,lib}/x", ["src/q/x", "lib/x"], ["x"]],
  ["{a,{b,c}d}", ["a", "bd", "cd"], ["b", "ad"]],
  ["x{,.bak}", ["x", "x.bak"], ["x,"]],
  ["{a}", ["{a}"], ["a"]],
  ["[abc", ["[abc"], ["a"]],
  ["{a,b", ["{a,b"], ["a"]],
  ["a\\*", ["a*"], ["ab"]],
  [".github/*.yml", [".github/a.yml"], ["github/a.yml", ".github/w/a.yml"]],
  ["-x*", ["-x", "-xyz"], ["x"]],
  ["(a|b)+$", ["(a|b)+$"], ["a", "ab"]],
];

for (const [glob, matching, not] of ROWS) {
  Deno.test(`glob ${glob} matches what it should and nothing else`, () => {
    const matcher = globMatcher(glob);
    assert.deepEqual(matching.filter((path) => !matcher.matches(path)), []);
    assert.deepEqual(not.filter((path) => matcher.matches(path)), []);
  });
}

Deno.test("braces are letters when told so", () => {
  const matcher = globMatcher("{a,b}", { braces: false });
  assert.equal(matcher.matches("{a,b}"), true);
  assert.equal(matcher.matches("a"), false);
});

Deno.test("mayMatchBelow prunes folders that cannot hold a match", () => {
  const matcher = globMatcher("src/*/deep/**/*.ts");
  const below = (folder: string) => matcher.mayMatchBelow(folder);
  assert.deepEqual(
    ["", "src", "src/a", "src/a/deep", "src/a/deep/x/y"].map(below),
    [true, true, true, true, true],
  );
  assert.deepEqual(["lib", "src/a/shallow", "srcx"].map(below), [false, false, false]);
});

Deno.test("globs that blow up as regular expressions answer at once on long names", () => {
  const name = "a".repeat(5000);
  for (const glob of ["*a".repeat(60) + "b", "{a,aa}".repeat(60) + "b", "**/".repeat(60) + "b", "{".repeat(3000)]) {
    assert.equal(globMatcher(glob).matches(name), false);
    assert.equal(globMatcher(glob).matches((name + "/").repeat(3)), false);
  }
});
