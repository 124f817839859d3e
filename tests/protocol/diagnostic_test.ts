import assert from "node:assert/strict";
import { formatDiagnostic, nearest } from "../../src/protocol/mod.ts";

for (
  const [word, expected] of [
    ["PreTolUse", "PreToolUse"],
    ["pretooluse", "PreToolUse"],
    ["PreTooluSe", "PreToolUse"],
    ["Sotp", "Stop"],
    ["Stpo", "Stop"],
    ["Notification", undefined],
    ["x", undefined],
    ["", undefined],
    ["y".repeat(100_000), undefined],
  ] as const
) {
  Deno.test(`the nearest word of ${JSON.stringify(word.slice(0, 20))} is ${expected}`, () => {
    assert.equal(nearest(word, ["SessionStart", "PreToolUse", "PostToolUse", "Stop"]), expected);
  });
}

Deno.test("a finding is file:line:col: severity[code]: message, with its hint below", () => {
  const finding = {
    file: "/h.json",
    line: 3,
    column: 7,
    severity: "error",
    code: "unknown-key",
    message: "no",
  } as const;
  assert.equal(formatDiagnostic(finding), "/h.json:3:7: error[unknown-key]: no");
  assert.equal(formatDiagnostic({ ...finding, hint: "do" }), "/h.json:3:7: error[unknown-key]: no\n  hint: do");
});
