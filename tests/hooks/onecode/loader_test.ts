/** Onecode files: what is read, what is named and skipped, and what one bad entry costs. */
import assert from "node:assert/strict";
import type { HookFile, LoadedHooks } from "../../../src/hooks/mod.ts";
import { codesOf, inFolder, loadText, textsOf } from "../hook_files.ts";
import { loadHookFiles } from "../../../src/hooks/mod.ts";

const ONECODE = { dialect: "onecode" } as const satisfies Partial<HookFile>;
const load = (content: unknown, file: Partial<HookFile> = {}) => loadText(content, { ...ONECODE, ...file });
const group = (hook: unknown, matcher?: unknown) => ({ ...(matcher === undefined ? {} : { matcher }), hooks: [hook] });
const command = (line: string, more: object = {}) => ({ type: "command", command: line, ...more });

/** What was loaded, one line a hook. */
function hooksOf({ registrations }: LoadedHooks): string[] {
  return registrations.map(({ point, matcher, executor }) => {
    const what = executor.type === "command" ? executor.command : executor.type;
    return `${point} ${matcher.text}: ${String(what)}`;
  });
}

Deno.test("a file with one group and one command is loaded as it says (O-36)", async () => {
  const loaded = await load(
    '{\n  "pre_tool_call": [\n    { "matcher": "Bash",\n      "hooks": [{ "type": "command", "command": "echo", "timeout": 3000 }] }\n  ]\n}',
  );
  assert.deepEqual(loaded.diagnostics, []);
  assert.deepEqual(loaded.files.map(({ status, dialect, hook_count }) => [status, dialect, hook_count]), [
    ["loaded", "onecode", 1],
  ]);
  const [{ matcher, ...registration }] = loaded.registrations as [LoadedHooks["registrations"][number]];
  assert.match(registration.id, /^config:pre_tool_call:Command:[0-9a-f]{6}$/);
  assert.deepEqual({ ...registration, matcher: matcher.text }, {
    id: registration.id,
    point: "pre_tool_call",
    speech: "onecode",
    source: "user",
    priority: 100,
    order: 0,
    matcher: "Bash",
    executor: { type: "command", command: "echo" },
    timeout_ms: 3000,
    mode: "enforce",
    declared: { file: loaded.files[0]!.path, line: 4, column: 17, path: "pre_tool_call[0].hooks[0]" },
  });
});

Deno.test("all six points are read, with every field of every type", async () => {
  const loaded = await load({
    input: [group(command("a"))],
    pre_model_call: [group(command("b"), "gpt-*")],
    post_model_call: [
      group({
        type: "http",
        url: "https://ci.example.com/{{Point}}?key=${KEY}",
        method: "put",
        headers: { Authorization: "Bearer ${T}", "X-Tool": "{{ToolName}}" },
        body: '{"a":"{{Cwd}}"}',
        timeout: 250,
      }),
    ],
    pre_tool_call: [group(command("c", { once: true, priority: -5, statusMessage: "looking" }), " Write | Edit ")],
    post_tool_call: [
      group({
        type: "notification",
        provider: "feishu",
        webhookUrl: "https://open.feishu.cn/x",
        secret: "${S}",
        message: "{{ToolName}}",
        statusMessage: "Title",
      }),
    ],
    output: [group({ type: "http", url: "https://x.example" }, "")],
  });
  assert.deepEqual(loaded.diagnostics, []);
  const facts = loaded.registrations.map((one) => [
    one.point,
    one.matcher.text,
    one.timeout_ms,
    one.priority,
    one.once ?? false,
    one.executor,
  ]);
  assert.deepEqual(facts, [
    ["input", "*", 5000, 100, false, { type: "command", command: "a" }],
    ["pre_model_call", "gpt-*", 5000, 100, false, { type: "command", command: "b" }],
    ["post_model_call", "*", 250, 100, false, {
      type: "http",
      url: "https://ci.example.com/{{Point}}?key=${KEY}",
      method: "PUT",
      headers: { Authorization: "Bearer ${T}", "X-Tool": "{{ToolName}}" },
      body: '{"a":"{{Cwd}}"}',
      sends_payload: false,
    }],
    ["pre_tool_call", "Write | Edit", 5000, -5, true, { type: "command", command: "c" }],
    ["post_tool_call", "*", 5000, 100, false, {
      type: "notification",
      provider: "feishu",
      webhook_url: "https://open.feishu.cn/x",
      secret: "${S}",
      message: "{{ToolName}}",
      title: "Title",
    }],
    ["output", "*", 5000, 100, false, {
      type: "http",
      url: "https://x.example",
      method: "POST",
      headers: {},
      sends_payload: false,
    }],
  ]);
  assert.deepEqual(loaded.registrations.map(({ id }) => id.replace(/[0-9a-f]{6}$/, "")), [
    "config:input:Command:",
    "config:pre_model_call:Command:",
    "config:post_model_call:Http:",
    "config:pre_tool_call:Command:",
    "config:post_tool_call:Notification:",
    "config:output:Http:",
  ]);
});

Deno.test("field names and types are read in any case, and a missing type is a command", async () => {
  const loaded = await load({
    post_tool_call: [{ MATCHER: "bash", Hooks: [{ Command: "a", TIMEOUT: 900, Once: true }] }, {
      hooks: [{ Type: " HTTP ", URL: "https://x.example" }, { type: null, command: "b", once: null, priority: null }],
      matcher: null,
    }],
  });
  assert.deepEqual(loaded.diagnostics, []);
  assert.deepEqual(hooksOf(loaded), ["post_tool_call bash: a", "post_tool_call *: http", "post_tool_call *: b"]);
  assert.deepEqual(loaded.registrations.map(({ timeout_ms }) => timeout_ms), [900, 5000, 5000]);
});

Deno.test("a project's file has base priority 200, a user's 100, and an own priority wins", async () => {
  await inFolder(async (folder) => {
    const files = [["user", 100], ["project", 200]] as const;
    for (const [name] of files) {
      const content = { input: [group(command(name)), group(command(`${name}-own`, { priority: 150 }))] };
      await Deno.writeTextFile(`${folder}/${name}.json`, JSON.stringify(content));
    }
    const loaded = await loadHookFiles({
      files: files.map(([source, base]) => ({
        path: `${folder}/${source}.json`,
        source,
        dialect: "onecode",
        base_priority: base,
      })),
      project_dir: folder,
      default_timeout_ms: 60_000,
    });
    assert.deepEqual(loaded.registrations.map(({ source, priority }) => [source, priority]), [
      ["user", 100],
      ["user", 150],
      ["project", 200],
      ["project", 150],
    ]);
  });
});

/** Root keys that are no point here: the one diagnostic of each, and its hint. */
const KEYS: readonly (readonly [key: string, code: string, says: RegExp, hint: RegExp])[] = [
  [
    "PreToolUse",
    "retired-event",
    /old name of the point "pre_tool_call"; its hooks are skipped/,
    /write "pre_tool_call"/,
  ],
  ["PostToolUse", "retired-event", /old name of the point "post_tool_call"/, /write "post_tool_call"/],
  ["UserPromptSubmit", "retired-event", /old name of the point "input"/, /write "input"/],
  ["pretooluse", "retired-event", /old name/, /write "pre_tool_call"/],
  ["SessionStart", "retired-event", /no hook point/, /soong hook file the event "SessionStart" is asked/],
  ["SessionEnd", "retired-event", /no hook point/, /the event "SessionEnd" \(version 2\)/],
  ["Stop", "retired-event", /no hook point/, /the event "Stop" is asked/],
  ["StopFailure", "retired-event", /no hook point/, /soong-agent reports a failed run itself/],
  ["PreCompact", "retired-event", /no hook point/, /compacts the conversation by itself/],
  ["PostCompact", "retired-event", /no hook point/, /compacts the conversation by itself/],
  ["GoalStageInvoke", "retired-event", /"GoalStageInvoke" is no hook point/, /there are no goals/],
  ["Notification", "retired-event", /no hook point/, /type "notification"/],
  ["agent_startup", "internal-point", /internal point/, /"SessionStart"/],
  ["agent_shutdown", "internal-point", /internal point/, /"SessionEnd" \(version 2\)/],
  ["NotARealEvent", "unknown-point", /"NotARealEvent"/, /points: input, pre_model_call/],
  ["pre_tool_cal", "unknown-point", /"pre_tool_cal"/, /did you mean "pre_tool_call"\?/],
  ["hooks", "unknown-point", /belongs to soong hook files/, /the shape is/],
  ["version", "unknown-point", /belongs to soong hook files/, /the shape is/],
];

for (const [key, code, says, hint] of KEYS) {
  Deno.test(`the root key ${key} costs its own hooks only, with one ${code} diagnostic (O-37, O-39)`, async () => {
    const loaded = await load({ [key]: [group(command("lost"))], output: [group(command("kept"))] });
    assert.deepEqual(hooksOf(loaded), ["output *: kept"]);
    const [diagnostic, ...more] = loaded.diagnostics;
    assert.deepEqual(more, []);
    assert.deepEqual([diagnostic!.severity, diagnostic!.code, diagnostic!.line], ["error", code, 1]);
    assert.match(diagnostic!.message, says);
    assert.match(diagnostic!.hint!, hint);
    assert.equal(loaded.files[0]!.status, "loaded");
  });
}

Deno.test("a point in another case is read, with a hint; beside the right one it is not", async () => {
  const alone = await load({ " Pre_Tool_Call ": [group(command("a"))] });
  assert.deepEqual(hooksOf(alone), ["pre_tool_call *: a"]);
  assert.deepEqual(textsOf(alone), [
    'hooks.json:1:2: hint[key-style]: " Pre_Tool_Call " is read as "pre_tool_call"\n  hint: write "pre_tool_call"',
  ]);
  const beside = await load({ INPUT: [group(command("lost"))], input: [group(command("kept"))] });
  assert.deepEqual(hooksOf(beside), ["input *: kept"]);
  assert.match(textsOf(beside).join(), /error\[duplicate-key\]: "INPUT" is the point "input".*did you mean "input"/s);
  const twice = await load(
    '{ "input": [{ "hooks": [{ "command": "a" }] }], "input": [{ "hooks": [{ "command": "b" }] }] }',
  );
  assert.deepEqual(hooksOf(twice), ["input *: a", "input *: b"]);
  assert.deepEqual(twice.diagnostics.map(({ code }) => code), ["duplicate-key"]);
});

Deno.test("JSON with comments is read; broken JSON is refused with its line (O-40)", async () => {
  const commented =
    '\uFEFF{ // mine\n  "$schema": "x", "_comment": 1,\n  "input": [ { "hooks": [ { "command": "a", } ], } ], /* end */ }';
  assert.deepEqual(hooksOf(await load(commented)), ["input *: a"]);
  const broken = await load('{\n  "input": [\n    { "hooks": [ oops ] }\n  ]\n}');
  assert.deepEqual(broken.files.map(({ status, hook_count }) => [status, hook_count]), [["failed", 0]]);
  assert.deepEqual(broken.diagnostics.map(({ code, line }) => [code, line]), [["invalid-json", 3]]);
});

Deno.test("one bad entry costs only itself, and each gives one diagnostic with its path (case 16)", async () => {
  const loaded = await load({
    pre_tool_call: [
      group(command("GOOD-1"), "Bash"),
      command("FLAT"),
      group(command("OBJ"), { tool: "Bash" }),
      { matcher: "Bash", hooks: command("NOTALIST") },
      { matcher: "Bash" },
      null,
      "Bash",
      {
        matcher: "Bash",
        hooks: [{ type: "command" }, command(""), { type: "command", command: 42 }, {
          type: "webhook",
          url: "https://x",
        }],
      },
      group(command("GOOD-2"), "Bash"),
    ],
    Pre_Tool_Call: [group(command("CASE"), "*")],
    pre_tool_cal: [group(command("TYPO"), "*")],
    PreToolUse: [group(command("OLD"), "*")],
    SessionEnd: [group(command("GONE"), "*")],
    post_tool_call: { matcher: "*" },
    $schema: "x",
    _comment: "mine",
  });
  assert.deepEqual(hooksOf(loaded), ["pre_tool_call Bash: GOOD-1", "pre_tool_call Bash: GOOD-2"]);
  assert.equal(loaded.files[0]!.hook_count, 2);
  assert.deepEqual(codesOf(loaded).toSorted(), [
    "error[bad-command] at pre_tool_call[7].hooks[1].command",
    "error[bad-command] at pre_tool_call[7].hooks[2].command",
    "error[duplicate-key] at Pre_Tool_Call",
    "error[flat-form] at pre_tool_call[1]",
    "error[missing-command] at pre_tool_call[7].hooks[0]",
    "error[missing-hooks] at pre_tool_call[4]",
    "error[retired-event] at PreToolUse",
    "error[retired-event] at SessionEnd",
    "error[unknown-point] at pre_tool_cal",
    "error[unknown-type] at pre_tool_call[7].hooks[3].type",
    "error[wrong-type] at post_tool_call",
    "error[wrong-type] at pre_tool_call[2].matcher",
    "error[wrong-type] at pre_tool_call[3].hooks",
    "error[wrong-type] at pre_tool_call[5]",
    "error[wrong-type] at pre_tool_call[6]",
  ]);
});

Deno.test("the flat form is skipped and shown as a group, without what may be secret", async () => {
  const loaded = await load({
    input: [command("x", { timeout: 5 }), {
      type: "http",
      url: "https://x.example/?key=SECRET",
      headers: { A: "SECRET" },
    }],
  });
  assert.deepEqual(hooksOf(loaded), []);
  assert.deepEqual(loaded.diagnostics.map(({ code, hint }) => [code, hint]), [
    ["flat-form", 'put it into a group: {"hooks":[{"command":"x","timeout":5,"type":"command"}]}'],
    ["flat-form", 'put it into a group: {"hooks":[{"headers":"…","type":"http","url":"…"}]}'],
  ]);
});

/** What is wrong in one hook, beside a good one: the diagnostic, and whether the hook is loaded all the same. */
const HOOKS: readonly (readonly [hook: unknown, loads: boolean, diagnostics: readonly string[]])[] = [
  [{ command: "x", timeout: "5000" }, true, ["error[bad-timeout]"]],
  [{ command: "x", priority: "150" }, true, ["error[bad-priority]"]],
  [{ command: "x", priority: 1.5 }, true, ["error[bad-priority]"]],
  [{ command: "x", once: "yes" }, true, ["error[wrong-type]"]],
  [{ command: "x", statusMessage: 5 }, true, ["error[wrong-type]"]],
  [{ command: "x", note: 1 }, true, ["error[unknown-key]"]],
  [{ command: "x", priorty: 1 }, true, ["error[unknown-key]"]],
  [{ command: "x", url: "https://x.example" }, true, ["warning[key-of-another-type]"]],
  [{ command: "x", enabled: false }, false, ["error[unknown-key]"]],
  [{ command: "x", matcher: "Bash" }, false, ["error[unknown-key]"]],
  [{ comand: "x" }, false, ["error[unknown-key]"]],
  [{ command: "x", tpye: "http" }, false, ["error[unknown-key]"]],
  [{ command: "x", Command: "y" }, false, ["error[duplicate-key]"]],
  [{ command: ["x", "y"] }, true, []],
  [{ command: "x\0y" }, false, ["error[bad-command]"]],
  [{ command: null }, false, ["error[missing-command]"]],
  [{ type: "", command: "x" }, false, ["error[unknown-type]"]],
  [{ type: 5, command: "x" }, false, ["error[wrong-type]"]],
  [{ type: "comand", command: "x" }, false, ["error[unknown-type]"]],
  [{ url: "https://x.example" }, false, ["error[missing-type]"]],
  [{}, false, ["error[missing-command]"]],
  [[], false, ["error[wrong-type]"]],
  [null, false, ["error[wrong-type]"]],
  [{ type: "http" }, true, ["warning[missing-key]"]],
  [{ type: "http", url: "" }, true, ["warning[missing-key]"]],
  [{ type: "http", url: 5 }, false, ["error[wrong-type]"]],
  [{ type: "http", url: "ftp://127.0.0.1/x" }, true, ["warning[unusable-url]"]],
  [{ type: "http", url: "not a url" }, true, ["warning[unusable-url]"]],
  [{ type: "http", url: "https:host/x" }, true, ["warning[unusable-url]"]],
  [{ type: "http", url: "file:address.txt" }, true, []],
  [{ type: "http", url: "${ADDRESS}" }, true, []],
  [
    { type: "notification", provider: "feishu", message: "m", webhookUrl: "http://example.com/x" },
    true,
    ["warning[unusable-url]"],
  ],
  [{ type: "notification", provider: "feishu", message: "m", webhookUrl: "http://127.0.0.1:1/x" }, true, []],
  [{ type: "http", url: "https://{{Cwd}}/" }, false, ["error[template-in-host]"]],
  [{ type: "http", url: "{{UserMessage}}" }, false, ["error[template-in-host]"]],
  [{ type: "http", url: "https://x.example:{{ToolName}}/" }, false, ["error[template-in-host]"]],
  [{ type: "http", url: "https://{{ToolName}}@x.example/" }, false, ["error[template-in-host]"]],
  [{ type: "http", url: "{{Point}}://x.example/" }, false, ["error[template-in-host]"]],
  [{ type: "http", url: "https://${HOST}/{{Point}}?t={{ToolName}}#{{Cwd}}" }, true, []],
  [{ type: "http", url: "https://x.example?t={{ToolName}}" }, true, []],
  [{ type: "http", url: "https://x.example", method: "HEAD" }, false, ["error[bad-method]"]],
  [{ type: "http", url: "https://x.example", method: 5 }, false, ["error[wrong-type]"]],
  [{ type: "http", url: "https://x.example", method: "GET", body: "x" }, true, ["warning[body-ignored]"]],
  [{ type: "http", url: "https://x.example", body: { a: 1 } }, false, ["error[wrong-type]"]],
  [{ type: "http", url: "https://x.example", headers: [] }, false, ["error[wrong-type]"]],
  [{ type: "http", url: "https://x.example", headers: { A: 1 } }, false, ["error[wrong-type]"]],
  [{ type: "http", url: "https://x.example", headers: { A: "1", a: "2" } }, false, ["error[duplicate-key]"]],
  [{ type: "notification", message: "m" }, true, ["warning[missing-key]"]],
  [{ type: "notification", provider: "FEISHU", message: "m" }, true, ["warning[missing-key]"]],
  [{ type: "notification", provider: "dingtalk", message: "m" }, true, []],
  [{ type: "notification", provider: "dingtalk" }, true, ["warning[missing-key]"]],
  [{ type: "notification", provider: "dingtalk", message: 5 }, false, ["error[wrong-type]"]],
  [{ type: "notification", provider: "x", message: "m", webhookUrl: "https://{{Cwd}}" }, false, [
    "error[template-in-host]",
  ]],
];

for (const [hook, loads, wanted] of HOOKS) {
  const verb = loads ? "is loaded" : "is skipped";
  Deno.test(`the hook ${JSON.stringify(hook)} ${verb}: ${wanted.join(", ") || "nothing to say"}`, async () => {
    const loaded = await load({ input: [{ hooks: [hook, command("good")] }] });
    assert.deepEqual(hooksOf(loaded).length, loads ? 2 : 1);
    assert.equal(hooksOf(loaded).at(-1), "input *: good");
    assert.deepEqual(loaded.diagnostics.map(({ severity, code }) => `${severity}[${code}]`), wanted);
  });
}

const GROUPS: readonly (readonly [point: string, matcher: unknown, loads: boolean, diagnostics: readonly string[]])[] =
  [
    ["input", "", true, []],
    ["output", "*", true, []],
    ["output", " * ", true, []],
    ["output", "Completed", false, ["error[matcher-never-matches]"]],
    ["input", "*|x", false, ["error[matcher-never-matches]"]],
    ["pre_tool_call", "|", false, ["error[matcher-never-matches]"]],
    ["pre_tool_call", "Write|", true, ["warning[empty-alternative]"]],
    ["pre_tool_call", "Bsah", true, ["warning[unknown-tool]"]],
    ["pre_tool_call", "bash|READ", true, []],
    ["pre_tool_call", "Bas", true, ["warning[unknown-tool]"]],
    ["pre_tool_call", "mcp__gh", true, ["warning[unknown-tool]"]],
    ["pre_tool_call", "mcp__gh__create", true, []],
    ["pre_tool_call", "Nothing*", true, []],
    ["pre_tool_call", "^Bash$", true, ["warning[not-a-pattern]"]],
    ["pre_tool_call", ".*", true, ["warning[not-a-pattern]"]],
    ["pre_model_call", "gpt-4.*|claude-*", true, []],
    ["pre_model_call", "anything", true, []],
    ["pre_tool_call", ["Bash"], false, ["error[wrong-type]"]],
  ];

for (const [point, matcher, loads, wanted] of GROUPS) {
  Deno.test(`the matcher ${JSON.stringify(matcher)} at ${point}: ${wanted.join(", ") || "nothing to say"}`, async () => {
    const loaded = await load({ [point]: [group(command("x"), matcher), group(command("good"))] });
    assert.equal(loaded.registrations.length, loads ? 2 : 1);
    assert.deepEqual(loaded.diagnostics.map(({ severity, code }) => `${severity}[${code}]`), wanted);
  });
}

const LEVELS: readonly (readonly [what: string, content: unknown, path: string])[] = [
  ["a point that is null", { input: null }, "input"],
  ["a point that is a string", { input: "command" }, "input"],
  ["hooks that are null", { input: [{ hooks: null }] }, "input[0].hooks"],
  ["hooks that are a string", { input: [{ hooks: "x" }] }, "input[0].hooks"],
  ["a group that is a list", { input: [[command("x")]] }, "input[0]"],
  ["a matcher that is a number", { input: [group(command("x"), 5)] }, "input[0].matcher"],
  ["a hook that is a string", { input: [group("command")] }, "input[0].hooks[0]"],
];

for (const [what, content, path] of LEVELS) {
  Deno.test(`${what} is said with its path and costs nothing else (origin, row 41)`, async () => {
    const loaded = await load({ ...content as object, output: [group(command("kept"))] });
    assert.deepEqual(hooksOf(loaded), ["output *: kept"]);
    assert.deepEqual(codesOf(loaded), [`error[wrong-type] at ${path}`]);
    assert.equal(loaded.files[0]!.status, "loaded");
  });
}

Deno.test("a misspelt key of a group costs the group: it would match everything", async () => {
  const loaded = await load({
    pre_tool_call: [{ matchr: "Bash", hooks: [command("a")] }, { matcher: "Bash", hoks: [command("b")] }],
  });
  assert.deepEqual(hooksOf(loaded), []);
  assert.deepEqual(loaded.diagnostics.map(({ message, hint }) => [message, hint]), [
    ['unknown key "matchr"; the group is skipped', 'did you mean "matcher"?'],
    ['unknown key "hoks"; the group is skipped', 'did you mean "hooks"?'],
  ]);
});

/** Case 15 in milliseconds: what is written, the limit that holds, and what is said. */
const LIMITS: readonly (readonly [written: string, limit_ms: number, says: RegExp | undefined])[] = [
  [
    '"timeout": 10',
    10,
    /warning\[timeout-unit\]: "timeout": 10 is only 10 ms\n {2}hint: "timeout" is in milliseconds here; for 10 seconds write 10000/,
  ],
  [
    '"timeout": 0',
    5000,
    /error\[bad-timeout\]: "timeout" is 0, no positive whole number of milliseconds; the default of 5 s/,
  ],
  ['"timeout": -1', 5000, /error\[bad-timeout\]: "timeout" is -1/],
  ['"timeout": "5000"', 5000, /error\[bad-timeout\]: "timeout" is "5000"/],
  ['"timeout": 1.5', 5000, /error\[bad-timeout\]: "timeout" is 1.5/],
  ['"timeout": null', 5000, /error\[bad-timeout\]: "timeout" is null/],
  ['"timeout": true', 5000, /error\[bad-timeout\]: "timeout" is true/],
  ['"timeout": 3000000000', 2147483647, /warning\[timeout-unit\]: .* is 35 days; cut to 2147483647 ms/],
  ['"timeout": 1e400', 5000, /error\[bad-timeout\]: "timeout" is 1e400/],
  ["", 5000, undefined],
  ['"timeout": 2000', 2000, undefined],
  ['"TimeOut": 1000000', 1_000_000, /warning\[timeout-unit\]: "timeout": 1000000 is 17 min/],
];

for (const [written, limit, says] of LIMITS) {
  Deno.test(`the limit of { ${written} } is ${limit} ms${says ? " and is remarked on" : ""} (case 15)`, async () => {
    const loaded = await load(`{"input":[{"hooks":[{"command":"x"${written && `,${written}`}}]}]}`);
    assert.deepEqual(loaded.registrations.map(({ timeout_ms }) => timeout_ms), [limit]);
    const texts = textsOf(loaded);
    assert.equal(texts.length, says === undefined ? 0 : 1);
    if (says !== undefined) assert.match(texts[0]!, says);
  });
}

Deno.test("an id stays with its entry over layout and neighbours; a changed entry has another, twins are numbered", async () => {
  const ids = async (content: unknown) => (await load(content)).registrations.map(({ id, entry }) => [id, entry]);
  const one = command("x", { once: true });
  const [[plain, entry]] = await ids({ input: [group(one)] }) as [[string, string]];
  const moved = await ids(
    '{ "output": [], /* moved */ "input": [\n{ "hooks": [ { "once": true, "command": "x", "type": "command" } ] } ] }',
  );
  assert.deepEqual(moved, [[plain, entry]]);
  const [[changed, other]] = await ids({ input: [group(command("x", { once: true, timeout: 900 }))] }) as [
    [string, string],
  ];
  assert.notEqual(changed, plain);
  assert.notEqual(other, entry);
  assert.deepEqual((await ids({ input: [group(one), group(one)] })).map(([id]) => id), [plain, `${plain}-2`]);
});

Deno.test("no diagnostic quotes a url, a secret, a header or a body", async () => {
  const secret = "SECRET-VALUE";
  const hooks = [
    { type: "http", url: `https://{{Cwd}}/${secret}` },
    { type: "http", url: [`https://x/${secret}`] },
    { type: "http", url: `https://x/${secret}`, headers: { A: [secret] } },
    { type: "http", url: `https://x/${secret}`, headers: secret },
    { type: "http", url: `https://x/${secret}`, body: { a: secret }, method: "GET" },
    { type: "http", url: `https://x/${secret}`, body: secret, method: "GET" },
    { type: "notification", provider: "feishu", secret: [secret], webhookUrl: { a: secret } },
    { type: "notification", provider: "feishu", secret, message: { a: secret } },
    { type: "notificatio", provider: "feishu", secret },
  ];
  const loaded = await load({ output: [{ hooks }, ...hooks] });
  assert.ok(loaded.diagnostics.length >= hooks.length);
  assert.ok(!JSON.stringify(loaded.diagnostics).includes(secret));
});
