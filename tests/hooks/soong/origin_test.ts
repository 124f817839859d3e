/** Behaviours that the public soong-agent's own tests assert, as far as they concern loading and matching. */
import assert from "node:assert/strict";
import { createRegistry } from "../../../src/hooks/mod.ts";
import { callOf, loadText } from "../hook_files.ts";

const DENIES: readonly (readonly [what: string, hooks: unknown, tool: string, reason: string])[] = [
  [
    "a static rule on code.write_file denies a Write call with its reason",
    [{ event_type: "PreToolUse", tool_name: "code.write_file", action: "deny", reason: "blocked" }],
    "Write",
    "blocked",
  ],
  [
    "a static rule without an event denies the call too",
    [{ matcher: { tool_name: "code.write_file" }, decision: "deny", reason: "blocked" }],
    "Write",
    "blocked",
  ],
  [
    "a rule on mcp.local.write_note denies that tool of that server",
    {
      PreToolUse: [{
        matcher: { tool_name: "mcp.local.write_note" },
        hooks: [{ decision: "deny", reason: "no notes" }],
      }],
    },
    "mcp__local__write_note",
    "no notes",
  ],
  [
    "a rule by canonical_tool_name denies by that name",
    [{
      event_type: "tool_started",
      matcher: { canonical_tool_name: "code.run_command" },
      decision: "deny",
      reason: "no",
    }],
    "Bash",
    "no",
  ],
];

for (const [what, hooks, tool, reason] of DENIES) {
  Deno.test(what, async () => {
    const { registrations } = await loadText({ version: 1, hooks });
    const registry = createRegistry();
    registry.replaceConfig(registrations);
    const executors = (name: string) =>
      registry.snapshot().matching(callOf(name)).map(({ registration }) => registration.executor);
    assert.deepEqual(executors(tool), [{ type: "static", reason }]);
    assert.deepEqual(executors("Read"), []);
  });
}
