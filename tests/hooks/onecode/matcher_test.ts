/** The matcher of onecode: the table of the format, case 20, and the rows of the origin. */
import assert from "node:assert/strict";
import { compileMatcher } from "../../../src/hooks/onecode/matcher.ts";
import { callOf } from "../hook_files.ts";
import { OCCASIONS } from "../engine_support.ts";

type Row = readonly [matcher: string, tool: string, matches: boolean];

const SEED: readonly Row[] = [
  ["", "Bash", true],
  ["*", "Bash", true],
  ["*", "any text at all", true],
  ["Bash", "Bash", true],
  ["Bash", "bash", true],
  ["Bash", "Read", false],
  ["Bash*", "Bash", true],
  ["Bash*", "BashRun", true],
  ["*Tool", "MyTool", true],
  ["*Tool", "Tool", true],
  ["Write|Read", "Write", true],
  ["Write|Read", "Read", true],
  ["Write|Read", "Edit", false],
  [" Write | Read ", "Write", true],
  [" Write | Read ", "Read", true],
];

const CASE_20: readonly Row[] = [
  ["bash", "Bash", true],
  ["Bash", "BashOutput", false],
  ["Bas", "Bash", false],
  ["ash", "Bash", false],
  ["*Tool", "ToolX", false],
  ["Write|Edit", "Edit", true],
  ["Write|Edit", "WriteEdit", false],
  ["Write||Edit", "Bash", false],
  ["|", "Bash", false],
  ["mcp__gh", "mcp__gh__create", false],
  ["mcp__gh__*", "mcp__gh__create", true],
  ["mcp__gh__*", "mcp__ghx__create", false],
  ["mcp__*", "mcp__my-srv__a", true],
  ["mcp__*__read", "mcp__a_b__read", true],
  [".*", "Bash", false],
  ["^Bash$", "Bash", false],
];

const ORIGIN: readonly Row[] = [
  ["Ba*sh", "Bash", true],
  ["B*h*", "Bash", true],
  ["  Write  |  Read  ", "Read", true],
  [" Bash ", "Bash", true],
  ["   ", "Bash", true],
  ["Write|", "Write", true],
  ["Write|", "Bash", false],
  ["Write|*", "Bash", true],
  ["ab*ba", "aba", false],
  ["a?b", "axb", false],
  ["[ab]", "a", false],
  ["**", "Bash", true],
  ["TITLE", "title", true],
  ["a*b", "a\nb", true],
];

for (const [where, rows] of Object.entries({ "the format": SEED, "case 20": CASE_20, "the origin": ORIGIN })) {
  for (const [matcher, tool, matches] of rows) {
    const title = `${JSON.stringify(matcher)} ${matches ? "matches" : "does not match"} ${
      JSON.stringify(tool)
    } (${where})`;
    Deno.test(title, () => {
      const compiled = compileMatcher(matcher);
      assert.equal(compiled.matches(callOf(tool)).matched, matches);
      assert.equal(compiled.admits?.(tool) ?? true, matches);
    });
  }
}

Deno.test('only "" and "*" match an empty subject', () => {
  for (const matcher of ["", "*", "  ", " * "]) {
    assert.equal(compileMatcher(matcher).matches(OCCASIONS.input).matched, true);
  }
  for (const matcher of ["Bash", "Bash*", "**", "*|x", "|", "|*", "* *"]) {
    assert.equal(compileMatcher(matcher).matches(OCCASIONS.input).matched, false, matcher);
    assert.equal(compileMatcher(matcher).matches(OCCASIONS.output).matched, false, matcher);
    assert.equal(compileMatcher(matcher).matches(callOf("")).matched, false, matcher);
  }
});

Deno.test("model points compare the model id", () => {
  for (const point of ["pre_model_call", "post_model_call"] as const) {
    const occasion = { ...OCCASIONS[point], model_id: "gpt-5" };
    assert.equal(compileMatcher("GPT-*|claude-*").matches(occasion).matched, true);
    assert.deepEqual(compileMatcher("claude-*").matches(occasion), {
      matched: false,
      field: "model_id",
      expected: "claude-*",
      actual: "gpt-5",
    });
  }
});

Deno.test("TodoWrite is matched by todos_* and todos_write as well", () => {
  for (const matcher of ["todos_*", "todos_write", "TODOS_WRITE", "TodoWrite", "todo*"]) {
    assert.equal(compileMatcher(matcher).matches(callOf("TodoWrite")).matched, true, matcher);
  }
  assert.equal(compileMatcher("todos_*").matches(callOf("Bash")).matched, false);
  assert.equal(compileMatcher("TodoWrite").matches(callOf("todos_write")).matched, false);
});

Deno.test("a miss says which field stood against it", () => {
  assert.deepEqual(compileMatcher(" Write | Edit ").matches(callOf("Bash")), {
    matched: false,
    field: "tool_name",
    expected: "Write | Edit",
    actual: "Bash",
  });
});

Deno.test("the text of a matcher is as written, and * for everything", () => {
  assert.deepEqual(["", "*", " Bash ", "A|B"].map((matcher) => compileMatcher(matcher).text), [
    "*",
    "*",
    "Bash",
    "A|B",
  ]);
});
