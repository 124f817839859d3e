import assert from "node:assert/strict";
import { join } from "node:path";
import { loadHookFiles } from "../../../src/hooks/mod.ts";
import { inFolder } from "../hook_files.ts";

async function load(content: unknown) {
  return await withFile(typeof content === "string" ? content : JSON.stringify(content));
}

async function withFile(text: string) {
  let loaded: Awaited<ReturnType<typeof loadHookFiles>> | undefined;
  await inFolder(async (folder) => {
    const path = join(folder, "hooks.json");
    await Deno.writeTextFile(path, text);
    loaded = await loadHookFiles({
      files: [{ path, source: "user", dialect: "by_content", base_priority: 100 }],
      project_dir: folder,
      default_timeout_ms: 60_000,
    });
  });
  return loaded!;
}

const standard = (more: Record<string, unknown>) => ({ protocol: "agent-hooks/0.1", ...more });
const file = (event: string, hook: unknown, matcher?: string) => ({
  version: 2,
  hooks: { [event]: [{ ...(matcher !== undefined && { matcher }), hooks: [hook] }] },
});

Deno.test("a hook that speaks the standard is loaded at each of the eight points, by the names of soong's events", async () => {
  const events = [
    "SessionStart",
    "UserPromptSubmit",
    "PreModelCall",
    "PostModelCall",
    "PreToolUse",
    "PostToolUse",
    "Output",
    "SessionEnd",
  ];
  const hook = standard({ type: "command", command: "x" });
  const hooks = Object.fromEntries(events.map((event) => [event, [{ hooks: [hook] }]]));
  const { registrations, diagnostics } = await load({ version: 2, hooks });
  assert.deepEqual(diagnostics, []);
  assert.equal(registrations.length, 8);
  assert.ok(registrations.every(({ speech, timeout_ms: ms }) => speech === "agent-hooks/0.1" && ms === 5000));
});

Deno.test("http without a body sends the context; limits, priority and glob are read", async () => {
  const hook = standard({ type: "http", url: "https://h.example/p", timeout: 2, priority: 7 });
  const { registrations, diagnostics } = await load(file("PreToolUse", hook, "Bash|Write*"));
  assert.deepEqual(diagnostics, []);
  const [registration] = registrations;
  assert.ok(registration?.executor.type === "http" && registration.executor.sends_payload);
  assert.deepEqual([registration.timeout_ms, registration.priority, registration.matcher.text], [
    2000,
    7,
    "Bash|Write*",
  ]);
});

const REFUSED: readonly (readonly [what: string, content: unknown, code: string])[] = [
  ["a hook that speaks soong", file("PreToolUse", { type: "command", command: "x" }), "not-in-this-version"],
  ["another protocol", file("PreToolUse", { protocol: "agent-hooks/9", command: "x" }), "not-in-this-version"],
  ["the standard at Stop", file("Stop", standard({ command: "x" })), "no-standard-point"],
  ["an unknown event", file("PreTool", standard({ command: "x" })), "unknown-event"],
  ["on_failure", file("PreToolUse", standard({ command: "x", on_failure: "allow" })), "unknown-key"],
  ["a misspelt key", file("PreToolUse", standard({ comand: "x" })), "unknown-key"],
  ["a notification", file("PreToolUse", standard({ type: "notification" })), "unknown-type"],
  ["a hook without a command", file("PreToolUse", standard({ type: "command" })), "missing-command"],
  ["a matcher where nothing can match", file("Output", standard({ command: "x" }), "Bash"), "matcher-never-matches"],
  ["a rule without hooks", { version: 2, hooks: { PreToolUse: [{ matcher: "Bash" }] } }, "missing-hooks"],
  ["events that are no object", { version: 2, hooks: [] }, "wrong-type"],
  [
    "a template in the host",
    file("PreToolUse", standard({ type: "http", url: "https://{{Cwd}}/" })),
    "template-in-host",
  ],
];

for (const [what, content, code] of REFUSED) {
  Deno.test(`version 2: ${what} is skipped and said`, async () => {
    const { registrations, diagnostics } = await load(content);
    assert.deepEqual(registrations, []);
    assert.ok(diagnostics.some((one) => one.code === code), JSON.stringify(diagnostics));
  });
}

const STANDARD_EVENTS =
  "SessionStart, UserPromptSubmit, PreModelCall, PostModelCall, PreToolUse, PostToolUse, Output, SessionEnd";
const hook = standard({ type: "command", command: "x" });
const withMatcher = (event: string) => ({
  version: 2,
  hooks: { [event]: [{ matcher: { tool_name: "Bash" }, hooks: [hook] }] },
});

const HINTS: readonly (readonly [what: string, content: unknown, hint: string])[] = [
  ["the standard at Stop", file("Stop", hook), `events of agent-hooks/0.1: ${STANDARD_EVENTS}`],
  ["an unknown event", file("Xyzzy", hook), `events: ${STANDARD_EVENTS}`],
  ["an event that is near Stop only", file("Stopp", hook), `events: ${STANDARD_EVENTS}`],
  [
    "an object as matcher",
    withMatcher("PreToolUse"),
    'in version 2 a matcher is a glob over the tool name, for example "matcher": "Bash|Write"',
  ],
  ["an object as matcher where nothing can match", withMatcher("Output"), "leave the matcher out"],
  [
    "another version of the protocol",
    file("PreToolUse", { ...hook, protocol: "agent-hooks/0.2" }),
    'write "protocol": "agent-hooks/0.1"',
  ],
  [
    "a hook that speaks soong",
    file("PreToolUse", { type: "command", command: "x" }),
    'a hook that speaks soong belongs into a file with "version": 1',
  ],
  [
    "an unknown version",
    { ...file("PreToolUse", hook), version: 3 },
    'write "version": 1, or "version": 2 for hooks of agent-hooks/0.1',
  ],
];

for (const [what, content, hint] of HINTS) {
  Deno.test(`version 2: the hint about ${what} says what to write`, async () => {
    const { registrations, diagnostics } = await load(content);
    assert.deepEqual(registrations, []);
    assert.deepEqual(diagnostics.map((one) => one.hint), [hint]);
  });
}
