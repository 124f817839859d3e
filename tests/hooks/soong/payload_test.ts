import assert from "node:assert/strict";
import { loadText, rule, rules } from "../hook_files.ts";
import { soongPayload } from "../../../src/hooks/soong/payload.ts";
import {
  type JsonObject,
  type Moment,
  type Occasion,
  parseJson,
  type RunScope,
  writeAsciiJson,
} from "../../../src/protocol/mod.ts";

const SCOPE: RunScope = {
  session_id: "s1",
  run_id: "r1",
  session_started_at: "2026-01-01T00:00:00.000Z",
  project_dir: "/project",
  transcript_path: "/home/sessions/s1.jsonl",
  permission_mode: "ask",
  mode: "headless",
};
const MOMENT: Moment = {
  turn: 2,
  usage: { input_tokens: 10, output_tokens: 3 },
  tool_call_count: 4,
  elapsed_ms: 1500,
};
const { registrations: [REGISTRATION] } = await loadText(rules(rule(undefined)));

function payload(occasion: Occasion, alias?: string, scope = SCOPE): JsonObject {
  const facts = { registration: REGISTRATION!, generation: 7, timestamp: new Date(0) };
  return soongPayload(occasion, scope, MOMENT, alias === undefined ? facts : { ...facts, alias });
}

function common(event: string): JsonObject {
  return {
    version: 1,
    event,
    hook_event_name: event,
    event_type: event,
    session_id: "s1",
    run_id: "r1",
    turn: 2,
    cwd: "/project",
    project_dir: "/project",
    transcript_path: "/home/sessions/s1.jsonl",
    permission_mode: "ask",
    mode: "headless",
    timestamp: "1970-01-01T00:00:00.000Z",
    generation: 7,
    usage: { input_tokens: 10, output_tokens: 3, tool_calls: 4, elapsed_seconds: 1.5 },
  };
}

const BASH = {
  id: "call_1",
  name: "Bash",
  input: { command: "ls 'ä'", timeout: 5 },
  tier: "dangerous",
  tags: ["code", "shell", "write", "dangerous"],
} as const;

const PAYLOADS: readonly (readonly [what: string, occasion: Occasion, event: string, fields: JsonObject])[] = [
  [
    "SessionStart says how the session began",
    { point: "agent_startup", source: "resume", tools: ["Bash"] },
    "SessionStart",
    { source: "resume" },
  ],
  [
    "UserPromptSubmit holds the whole prompt",
    { point: "input", prompt: "x".repeat(100_000) },
    "UserPromptSubmit",
    { prompt: "x".repeat(100_000) },
  ],
  [
    "PreToolUse holds the call under both names of its arguments",
    { point: "pre_tool_call", call: BASH },
    "PreToolUse",
    {
      tool_name: "Bash",
      tool_use_id: "call_1",
      tool_input: BASH.input,
      arguments: BASH.input,
      tool_tier: "dangerous",
      tool_tags: [...BASH.tags],
    },
  ],
  [
    "PostToolUse holds a small result whole",
    {
      point: "post_tool_call",
      call: BASH,
      result: {
        call_id: "call_1",
        name: "Bash",
        is_error: true,
        content: "no",
        duration_ms: 3,
        metadata: { exit_code: 1 },
      },
    },
    "PostToolUse",
    {
      tool_name: "Bash",
      tool_use_id: "call_1",
      tool_input: BASH.input,
      arguments: BASH.input,
      tool_tier: "dangerous",
      tool_tags: [...BASH.tags],
      tool_response: { content: "no", is_error: true, duration_ms: 3, metadata: { exit_code: 1 } },
      result: { content: "no", is_error: true, duration_ms: 3, metadata: { exit_code: 1 } },
    },
  ],
  [
    "PostToolUse holds summary and reference of a large result",
    {
      point: "post_tool_call",
      call: { ...BASH, input: {} },
      result: { call_id: "call_1", name: "Bash", is_error: false, content: "1 MB of …", artifact_ref: "artifacts/a" },
    },
    "PostToolUse",
    {
      tool_name: "Bash",
      tool_use_id: "call_1",
      tool_input: {},
      arguments: {},
      tool_tier: "dangerous",
      tool_tags: [...BASH.tags],
      tool_response: { summary: "1 MB of …", artifact_ref: "artifacts/a", is_error: false },
      result: { summary: "1 MB of …", artifact_ref: "artifacts/a", is_error: false },
    },
  ],
  [
    "Stop says whether a Stop hook has sent the model back before",
    { point: "stop", stop_hook_active: true, stop_denials: 1, last_assistant_message: "done" },
    "Stop",
    { stop_hook_active: true, last_assistant_message: "done" },
  ],
];

for (const [what, occasion, event, fields] of PAYLOADS) {
  Deno.test(what, () => assert.deepEqual(payload(occasion), { ...common(event), ...fields }));
}

Deno.test("a sub-agent is named, the main agent is not", () => {
  const stop: Occasion = { point: "stop", stop_hook_active: false, stop_denials: 0, last_assistant_message: "" };
  const { agent_id, agent_type } = payload(stop, undefined, { ...SCOPE, agent: { id: "a2", type: "general" } });
  assert.deepEqual([agent_id, agent_type], ["a2", "general"]);
  assert.ok(!("agent_id" in payload(stop)));
});

/** Path as the model wrote it, as the tool resolved it, as the hook reads it. */
const PATHS: readonly (readonly [written: string, resolved: string, absolute: string])[] = [
  ["src/a.ts", "/project/src/a.ts", "/project/src/a.ts"],
  ["./src//a.ts", "/project/src/a.ts", "/project/src/a.ts"],
  ["/project/src/a.ts", "/project/src/a.ts", "/project/src/a.ts"],
  ["link/a.ts", "/project/src/a.ts", "/project/link/a.ts"],
  ["link/../a.ts", "/elsewhere/a.ts", "/elsewhere/a.ts"],
];

for (const [written, resolved, absolute] of PATHS) {
  Deno.test(`the path ${written} of a file tool is absolute in the payload, and resolved beside it`, () => {
    const call = { ...BASH, name: "Read", input: { file_path: written, limit: 3 }, path: resolved };
    const { tool_input, arguments: sameInput, tool_path } = payload({ point: "pre_tool_call", call });
    assert.deepEqual(tool_input, { file_path: absolute, limit: 3 });
    assert.deepEqual(sameInput, tool_input);
    assert.equal(tool_path, resolved);
  });
}

const VOCABULARY: readonly (readonly [alias: string, name: string, input: JsonObject, expected: JsonObject])[] = [
  ["code.read_file", "Read", { file_path: "a", offset: 5, limit: 9 }, {
    path: "/project/a",
    start_line: 5,
    max_lines: 9,
  }],
  ["code.read_file", "Read", { file_path: "a" }, { path: "/project/a" }],
  ["code.list_dir", "LS", {}, { path: "/project", recursive: false }],
  ["code.search", "Grep", { pattern: "x", path: "src", glob: "*.ts", head_limit: 2 }, {
    query: "x",
    path: "/project/src",
    glob: "*.ts",
    limit: 2,
  }],
  ["code.write_file", "Write", { file_path: "a", content: "c" }, {
    path: "/project/a",
    content: "c",
    create_dirs: true,
    overwrite: true,
  }],
  ["code.edit_file", "Edit", { file_path: "a", old_string: "o", new_string: "n" }, {
    path: "/project/a",
    edits: [{ old: "o", new: "n", replace_all: false }],
    create_if_missing: false,
  }],
  ["code.run_command", "Bash", { command: "ls -l", timeout: 9 }, {
    argv: ["/bin/sh", "-c", "ls -l"],
    cwd: "/project",
    timeout_ms: 9,
  }],
  ["mcp.gh.create", "mcp__gh__create", { path: "a" }, { path: "a" }],
];

for (const [alias, name, input, expected] of VOCABULARY) {
  Deno.test(`a rule that matched by ${alias} reads that name and its arguments ${JSON.stringify(input)}`, () => {
    const path = "file_path" in input ? "/project/a" : "path" in input && name === "Grep" ? "/project/src" : undefined;
    const call = { ...BASH, name, input, ...(path === undefined ? {} : { path }) };
    const { tool_name, arguments: translated } = payload({ point: "pre_tool_call", call }, alias);
    assert.equal(tool_name, alias);
    assert.deepEqual(translated, expected);
  });
}

Deno.test("a payload is one ASCII line, whatever the call holds, and large integers keep their digits", () => {
  const call = { ...BASH, input: { text: "中\u2028\n\u0000😀", id: 12345678901234567890n, __proto__x: 1 } };
  const line = writeAsciiJson(payload({ point: "pre_tool_call", call }));
  assert.match(line, /^[\x20-\x7e]+$/);
  const read = parseJson(line) as { readonly tool_input: JsonObject };
  assert.deepEqual(read.tool_input, call.input);
});
