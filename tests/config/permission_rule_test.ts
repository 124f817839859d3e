import assert from "node:assert/strict";
import { parsePermissionRule } from "../../src/config/mod.ts";

Deno.test("rules are a tool, or a tool with a command or a path", () => {
  const rows: [string, unknown][] = [
    ["Read", undefined],
    [" Read ", undefined],
    ["mcp__x__*", undefined],
    ["agent.plan_template", undefined],
    ["Bash(*)", undefined],
    ["Bash(git status:*)", { kind: "command", words: ["git", "status"], any_more: true }],
    ["Bash(git status *)", { kind: "command", words: ["git", "status"], any_more: true }],
    ["Bash( npm  'run x' )", { kind: "command", words: ["npm", "run x"], any_more: false }],
    ["Bash(npm run test*)", { kind: "command", words: ["npm", "run", "test*"], any_more: false }],
    ["Edit(src/**)", { kind: "path", pattern: "src/**" }],
    ["Read(/a (b)/c)", { kind: "path", pattern: "/a (b)/c" }],
  ];
  for (const [text, about] of rows) {
    const parsed = parsePermissionRule(text);
    assert.ok(parsed.ok, text);
    assert.deepEqual(parsed.rule, { text, tool: text.trim().split("(")[0], about });
  }
});

Deno.test("what is no rule is refused at its place", () => {
  const rows: [string, number, RegExp][] = [
    ["", 0, /no tool name/],
    ["(x)", 0, /no tool name/],
    ["  ", 2, /no tool name/],
    ["Ba$h", 0, /no tool name/],
    ["Bash(", 5, /closing parenthesis/],
    ["Bash(git status:*", 17, /closing parenthesis/],
    ["Bash()", 5, /empty/],
    ["Read(  )", 5, /empty/],
    ["Bash(x) y", 9, /closing parenthesis/],
    ["Bash git", 4, /follows the tool name/],
    ["Bash(:*)", 5, /no command/],
    ["Bash(a && b:*)", 5, /one simple command/],
    ["Bash(a; b)", 5, /one simple command/],
    ["mcp__x__y(z)", 10, /takes no parentheses/],
    ["Read(${HOME}/x)", 5, /not expanded/],
  ];
  for (const [text, offset, says] of rows) {
    const parsed = parsePermissionRule(text);
    assert.ok(!parsed.ok, text);
    assert.equal(parsed.offset, offset, text);
    assert.match(parsed.problem, says, text);
  }
});
