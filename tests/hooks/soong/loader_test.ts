import assert from "node:assert/strict";
import fc from "fast-check";
import { codesOf, loadedOf, loadText, rule, rules, textsOf } from "../hook_files.ts";

Deno.test("one bad entry costs only itself, and each is named once", async () => {
  const loaded = await loadText({
    version: 1,
    hooks: {
      PreToolUse: [
        rule("Bash", "touch GOOD-1"),
        { matcher: { tool: "Bash" }, hooks: [{ type: "command", command: "touch OBJ" }] },
        { matcher: "Bash", hooks: { type: "command", command: "touch NOTALIST" } },
        { matcher: "Bash" },
        null,
        "Bash",
        {
          matcher: "Bash",
          hooks: [
            { type: "command" },
            { type: "command", command: "" },
            { type: "command", command: 42 },
            { type: "command", command: [] },
            { type: "command", command: ["ls", 1] },
            { type: "webhook", url: "https://x" },
            { type: "Command", command: "x" },
            { type: 7, command: "x" },
            null,
          ],
        },
        { matcher: 7, hooks: [{ type: "command", command: "x" }] },
        { matcher: { tag: ["a"] }, hooks: [{ type: "command", command: "x" }] },
        { matcher: { tool_name: "" }, hooks: [{ type: "command", command: "x" }] },
        rule("Bash", "x", { working_dir: 1 }),
        rule("Bash", "touch GOOD-2"),
      ],
      Pre_Tool_Use: [rule(undefined, "touch CASE")],
      PreToolUs: [rule(undefined, "touch TYPO")],
      pre_tool_call: [rule(undefined, "touch OLD")],
      SessionEnd: [rule(undefined, "touch GONE")],
      PostToolUse: { matcher: "Read" },
      Stop: null,
    },
    $schema: "x",
    _comment: "mine",
  });
  assert.deepEqual(loadedOf(loaded), [
    "pre_tool_call: touch GOOD-1",
    "pre_tool_call: touch OBJ",
    "pre_tool_call: touch GOOD-2",
  ]);
  assert.deepEqual(codesOf(loaded), [
    "error[wrong-type] at hooks.PreToolUse[2].hooks",
    "error[missing-hooks] at hooks.PreToolUse[3]",
    "error[wrong-type] at hooks.PreToolUse[4]",
    "error[wrong-type] at hooks.PreToolUse[5]",
    "error[missing-command] at hooks.PreToolUse[6].hooks[0]",
    "error[bad-command] at hooks.PreToolUse[6].hooks[1].command",
    "error[bad-command] at hooks.PreToolUse[6].hooks[2].command",
    "error[bad-command] at hooks.PreToolUse[6].hooks[3].command",
    "error[bad-command] at hooks.PreToolUse[6].hooks[4].command[1]",
    "error[unsupported-type] at hooks.PreToolUse[6].hooks[5].type",
    "error[unsupported-type] at hooks.PreToolUse[6].hooks[6].type",
    "error[wrong-type] at hooks.PreToolUse[6].hooks[7].type",
    "error[wrong-type] at hooks.PreToolUse[6].hooks[8]",
    "error[wrong-type] at hooks.PreToolUse[7].matcher",
    "error[wrong-type] at hooks.PreToolUse[8].matcher.tag",
    "error[empty-condition] at hooks.PreToolUse[9].matcher.tool_name",
    "error[wrong-type] at hooks.PreToolUse[10].hooks[0].working_dir",
    "error[unknown-event] at hooks.Pre_Tool_Use",
    "error[unknown-event] at hooks.PreToolUs",
    "error[unknown-event] at hooks.pre_tool_call",
    "error[needs-version-2] at hooks.SessionEnd",
    "error[wrong-type] at hooks.PostToolUse",
    "error[wrong-type] at hooks.Stop",
  ]);
});

Deno.test("a diagnostic names file, line, column, what is wrong and what to write", async () => {
  const loaded = await loadText(`{
  "version": 1,
  "hooks": {
    "PreTooluse": [],
    "PreToolUse": [
      {
        "matchr": "Bash",
        "hooks": [{ "type": "command", "command": "true" }]
      },
      {
        "matcher": "bash",
        "hooks": [
          { "type": "command", "command": "true", "timeot": 5 },
          { "type": "http", "url": "https://example.org" },
          { "type": "command", "command": "a", "command": "b" }
        ]
      }
    ]
  }
}`);
  assert.deepEqual(textsOf(loaded), [
    'hooks.json:4:5: error[unknown-event]: unknown event "PreTooluse"; its hooks are skipped\n' +
    '  hint: did you mean "PreToolUse"? Event names are case-sensitive',
    'hooks.json:7:9: error[unknown-key]: unknown key "matchr"; the rule is skipped\n  hint: did you mean "matcher"?',
    'hooks.json:11:20: warning[unknown-tool]: no known tool is called "bash"\n' +
    '  hint: did you mean "Bash"? Tool names are case-sensitive',
    'hooks.json:13:51: error[unknown-key]: unknown key "timeot"; it has no effect\n  hint: did you mean "timeout"?',
    'hooks.json:14:21: error[needs-version-2]: version 1 has no hooks of type "http"; the hook is skipped\n' +
    '  hint: version 1 runs hooks of type "command" only; "http" is read in version 2, for hooks of agent-hooks/0.1, ' +
    "and in files of the onecode form (~/.onecode/hooks.json)",
    'hooks.json:15:48: error[duplicate-key]: "command" stands twice in one object, first at 15:32; ' +
    "the entry is skipped\n  hint: keep one of them",
  ]);
  assert.deepEqual(loadedOf(loaded), ["pre_tool_call: true"]);
});

const EVENT_HINTS: readonly (readonly [event: string, hint: string])[] = [
  ["pretooluse", 'did you mean "PreToolUse"? Event names are case-sensitive'],
  ["PreToolUze", 'did you mean "PreToolUse"?'],
  ["input", 'write "UserPromptSubmit"'],
  ["pre_tool_call", 'write "PreToolUse"'],
  ["agent_startup", 'write "SessionStart"'],
  ["BeforeTool", 'write "PreToolUse"'],
  ["AfterAgent", 'write "Stop"'],
  ["beforeShellExecution", 'write "PreToolUse"'],
  ["PostToolUseFailure", 'write "PostToolUse"'],
  ["output", '"Output" in version 2 is that event'],
  ["BeforeModel", '"PreModelCall" in version 2 is that event'],
  ["PermissionRequest", 'no hooks are asked there; "PreToolUse" is asked before permission'],
  ["SubagentStop", "no hooks are asked there"],
  [
    "Notification",
    'no hooks are asked there; messages are sent by hooks of type "notification" in an onecode file (~/.onecode/hooks.json)',
  ],
  ["Xyzzy", "events of version 1: SessionStart, UserPromptSubmit, PreToolUse, PostToolUse, Stop"],
  ["toString", "events of version 1: SessionStart, UserPromptSubmit, PreToolUse, PostToolUse, Stop"],
];

for (const [event, hint] of EVENT_HINTS) {
  Deno.test(`the event name ${event} gets the word to write instead`, async () => {
    const { diagnostics, registrations } = await loadText({ version: 1, hooks: { [event]: [rule(undefined)] } });
    assert.deepEqual(diagnostics.map((found) => [found.severity, found.code, found.hint]), [
      ["error", "unknown-event", hint],
    ]);
    assert.deepEqual(registrations, []);
  });
}

Deno.test("events of version 2 are named as such", async () => {
  for (const event of ["PreModelCall", "PostModelCall", "Output", "SessionEnd"]) {
    const { diagnostics } = await loadText({ version: 1, hooks: { [event]: [rule(undefined)] } });
    assert.deepEqual(diagnostics.map(({ code, message }) => [code, message]), [
      ["needs-version-2", `"${event}" is an event of version 2; its hooks are skipped`],
    ]);
  }
});

const VERSION_2_KEYS: readonly (readonly [key: string, value: unknown, runs: boolean])[] = [
  ["priority", 5, true],
  ["once", true, true],
  ["name", "x", true],
  ["on_failure", "deny", true],
  ["mode", "observe", true],
  ["persistent", true, true],
  ["enabled", false, false],
  ["protocol", "agent-hooks/0.1", false],
  ["model", "gpt-*", false],
];

for (const [key, value, runs] of VERSION_2_KEYS) {
  Deno.test(`the setting ${key} of version 2 is named, and the hook ${runs ? "runs without it" : "is skipped"}`, async () => {
    const loaded = await loadText(rules(rule("Bash", "true", { [key]: value as string })));
    assert.deepEqual(codesOf(loaded), [`error[needs-version-2] at hooks.PreToolUse[0].hooks[0].${key}`]);
    assert.equal(loaded.registrations.length, runs ? 1 : 0);
  });
}

const KEYS: readonly (readonly [what: string, rule: unknown, runs: boolean])[] = [
  ["a misspelt matcher skips the rule", { matchers: "Bash", hooks: [{ type: "command", command: "x" }] }, false],
  ["a misspelt condition skips the rule", { matcher: { tol_name: "Bash" }, hooks: [{ command: "x" }] }, false],
  ["a misspelt hooks skips the rule", { matcher: "Bash", hook: [{ type: "command", command: "x" }] }, false],
  ["a misspelt command skips the hook", { hooks: [{ type: "command", comand: "x" }] }, false],
  ["a misspelt condition skips the hook", { hooks: [{ type: "command", command: "x", tool_nam: "Bash" }] }, false],
  ["arguments beside the command skip the hook", { hooks: [{ type: "command", command: "x", args: ["y"] }] }, false],
  ["a condition of another product skips the hook", { hooks: [{ type: "command", command: "x", if: "y" }] }, false],
  ["a misspelt setting costs itself alone", { hooks: [{ type: "command", command: "x", timeuot: 3 }] }, true],
  [
    "a setting of another product costs itself alone",
    { hooks: [{ type: "command", command: "x", async: true }] },
    true,
  ],
  [
    "a strange key of a rule costs itself alone",
    { sequential: true, hooks: [{ type: "command", command: "x" }] },
    true,
  ],
  ["a key that JavaScript knows costs itself alone", { hooks: [{ type: "command", command: "x", valueOf: 1 }] }, true],
];

for (const [what, item, runs] of KEYS) {
  Deno.test(`unknown keys: ${what}`, async () => {
    const loaded = await loadText(rules(item));
    assert.deepEqual(loaded.diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code), [
      "unknown-key",
    ]);
    assert.equal(loaded.registrations.length, runs ? 1 : 0);
  });
}

Deno.test("keys for notes may stand everywhere", async () => {
  const loaded = await loadText({
    version: 1,
    $schema: "x",
    "//": "note",
    hooks: {
      _why: "note",
      PreToolUse: [{
        description: "note",
        matcher: { comment: "note", tool_name: "Bash" },
        hooks: [{ _note: 1, type: "command", command: "x" }],
      }],
    },
  });
  assert.deepEqual(textsOf(loaded), []);
  assert.deepEqual(loadedOf(loaded), ["pre_tool_call: x"]);
});

Deno.test("of two lists under one event both are read, of two commands in one hook none", async () => {
  const loaded = await loadText(`{ "version": 1, "hooks": {
    "PreToolUse": [{ "hooks": [{ "type": "command", "command": "one" }] }],
    "PreToolUse": [
      { "hooks": [{ "type": "command", "command": "two" }, { "type": "command", "command": "a", "command": "b" }] },
      { "matcher": { "tag": "a", "tag": "b" }, "hooks": [{ "type": "command", "command": "c" }] },
      { "matcher": "Bash", "matcher": "Read", "hooks": [{ "type": "command", "command": "d" }] }
    ] } }`);
  assert.deepEqual(loadedOf(loaded), ["pre_tool_call: one", "pre_tool_call: two"]);
  assert.deepEqual(codesOf(loaded), [
    "error[duplicate-key] at hooks.PreToolUse",
    "error[duplicate-key] at hooks.PreToolUse[0].hooks[1].command",
    "error[duplicate-key] at hooks.PreToolUse[1].matcher.tag",
    "error[duplicate-key] at hooks.PreToolUse[2].matcher",
  ]);
});

const VERSIONS: readonly (readonly [version: string, codes: readonly string[], loads: boolean])[] = [
  ['"version": 1,', [], true],
  ["", ["hint[missing-version] at $"], true],
  ['"version": 3,', ["error[unknown-version] at version"], false],
  ['"version": "1",', ["error[unknown-version] at version"], false],
  ['"version": null,', ["error[unknown-version] at version"], false],
];

for (const [version, codes, loads] of VERSIONS) {
  Deno.test(`a file with ${version || "no version"} ${loads ? "is read as version 1" : "contributes nothing and says so"}`, async () => {
    const loaded = await loadText(
      `{ ${version} "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "x" }] }] } }`,
    );
    assert.deepEqual(codesOf(loaded), codes);
    assert.equal(loaded.registrations.length, loads ? 1 : 0);
    assert.equal(loaded.files[0]!.status, loads ? "loaded" : "failed");
  });
}

Deno.test("a matcher at an event without a tool call can never match, which is an error", async () => {
  const loaded = await loadText({
    version: 1,
    hooks: {
      Stop: [
        rule("Bash", "dead"),
        rule({ tag: "write" }, "dead"),
        rule("", "alive"),
        rule({}, "alive"),
        rule({ event_type: "Stop" }, "alive"),
        rule({ event: "PreToolUse" }, "dead"),
        rule({ event: "Nope" }, "dead"),
      ],
    },
  });
  assert.deepEqual(loadedOf(loaded), ["stop: alive", "stop: alive", "stop: alive"]);
  assert.deepEqual(codesOf(loaded), [
    "error[matcher-never-matches] at hooks.Stop[0].matcher",
    "error[matcher-never-matches] at hooks.Stop[1].matcher.tag",
    "error[matcher-never-matches] at hooks.Stop[5].matcher.event",
    "error[unknown-event] at hooks.Stop[6].matcher.event",
  ]);
});

Deno.test("static denies and flat lists of the public soong-agent work, with a warning that shows the grouped form", async () => {
  const loaded = await loadText({
    hooks: [
      { event_type: "PreToolUse", tool_name: "code.write_file", decision: "deny", reason: "blocked" },
      { event_type: "tool_started", matcher: { tool_name: "Bash" }, type: "command", command: ["python3", "x.py"] },
      { event_type: "stop", action: "deny", reason: 5 },
      { event_type: "PostToolUse", hooks: [{ type: "command", command: "grouped" }] },
    ],
    version: 1,
  });
  assert.deepEqual(loadedOf(loaded), [
    "pre_tool_call: deny blocked",
    "pre_tool_call: python3,x.py",
    "stop: deny 5",
    "post_tool_call: grouped",
  ]);
  assert.deepEqual(loaded.diagnostics.map(({ severity, code, hint }) => [severity, code, hint]), [
    [
      "warning",
      "old-form",
      'in the grouped form: "PreToolUse":[{"matcher":{"tool_name":"code.write_file"},' +
      '"hooks":[{"decision":"deny","reason":"blocked"}]}]',
    ],
    [
      "warning",
      "old-form",
      'in the grouped form: "PreToolUse":[{"matcher":{"tool_name":"Bash"},' +
      '"hooks":[{"type":"command","command":["python3","x.py"]}]}]',
    ],
    ["warning", "old-form", 'in the grouped form: "Stop":[{"hooks":[{"action":"deny","reason":5}]}]'],
    ["warning", "old-form", 'in the grouped form: "PostToolUse":[{"hooks":[{"type":"command","command":"grouped"}]}]'],
  ]);
});

Deno.test("a rules list is read like a flat list of hooks", async () => {
  const loaded = await loadText({ rules: [{ event_type: "PreToolUse", decision: "deny", reason: "no" }] });
  assert.deepEqual(loadedOf(loaded), ["pre_tool_call: deny no"]);
  assert.deepEqual(codesOf(loaded), ["hint[missing-version] at $", "warning[old-form] at rules[0]"]);
});

Deno.test("a flat rule without an event is asked wherever its conditions can hold", async () => {
  const loaded = await loadText({
    version: 1,
    hooks: [{ tool_name: "Bash", decision: "deny", reason: "a" }, { type: "command", command: "audit" }],
  });
  assert.deepEqual(loadedOf(loaded), [
    "pre_tool_call: deny a",
    "post_tool_call: deny a",
    "agent_startup: audit",
    "input: audit",
    "pre_tool_call: audit",
    "post_tool_call: audit",
    "stop: audit",
  ]);
});

Deno.test("under its event a rule may itself be the hook, and old event names are keys too", async () => {
  const loaded = await loadText({
    version: 1,
    hooks: { tool_started: [{ matcher: "Bash", type: "command", command: "flat" }] },
  });
  assert.deepEqual(loadedOf(loaded), ["pre_tool_call: flat"]);
  assert.deepEqual(codesOf(loaded), [
    "warning[old-form] at hooks.tool_started",
    "warning[old-form] at hooks.tool_started[0]",
  ]);
});

Deno.test("a hook's own condition replaces that of its rule", async () => {
  const { registrations } = await loadText(rules({
    matcher: { tool_name: "Bash", tag: "write" },
    hooks: [{ type: "command", command: "own", tool_name: "Read" }, { type: "command", command: "rule" }],
  }));
  assert.deepEqual(registrations.map(({ matcher }) => matcher.text), [
    "tag=write tool_name=Read",
    "tool_name=Bash tag=write",
  ]);
});

const DECISIONS:
  readonly (readonly [what: string, hook: unknown, loaded: readonly string[], codes: readonly string[]])[] = [
    ["a deny is read", { decision: "deny", reason: "no" }, ["deny no"], ["static-rule"]],
    ["a deny keeps its type", { type: "command", action: "deny", reason: "no" }, ["deny no"], ["static-rule"]],
    ["a deny without reason gets one", { decision: "deny" }, ["deny denied by the rule in line 1 of the hook file"], [
      "missing-reason",
      "static-rule",
    ]],
    ["a deny wins over a command", { decision: "deny", reason: "no", command: "x" }, ["deny no"], [
      "command-ignored",
      "static-rule",
    ]],
    ["an allow is nothing", { decision: "allow" }, [], ["unknown-decision"]],
    ["another word is an error", { decision: "block" }, [], ["unknown-decision"]],
    ["another word beside a command costs itself", { type: "command", command: "x", decision: "Deny" }, ["x"], [
      "unknown-decision",
    ]],
  ];

for (const [what, hook, loaded, codes] of DECISIONS) {
  Deno.test(`static rules: ${what}`, async () => {
    const found = await loadText(rules({ matcher: "Bash", hooks: [hook] }));
    assert.deepEqual(loadedOf(found), loaded.map((text) => `pre_tool_call: ${text}`));
    assert.deepEqual(found.diagnostics.map(({ code }) => code).toSorted(), codes.toSorted());
  });
}

Deno.test("a command without a type is a command, with a warning", async () => {
  const loaded = await loadText(rules({ hooks: [{ command: "x" }] }));
  assert.deepEqual(loadedOf(loaded), ["pre_tool_call: x"]);
  assert.deepEqual(codesOf(loaded), ["warning[missing-type] at hooks.PreToolUse[0].hooks[0]"]);
});

const WARNED: readonly (readonly [what: string, matcher: unknown, code: string, hint: string])[] = [
  ["a star", "*", "literal-wildcard", "to match everything, leave the matcher out"],
  ["a glob", "Bash*", "literal-wildcard", 'match by "tag", or write one rule for each name'],
  ["alternatives", "Write|Edit", "literal-wildcard", "write one rule for each name"],
  ["a class", { tool_name: "[BR]ash" }, "literal-wildcard", 'match by "tag", or write one rule for each name'],
  [
    "a question mark in a path",
    { path_prefix: "src/?" },
    "literal-wildcard",
    'match by "tag", or write one rule for each name',
  ],
  ["a tilde", { path: "~/secrets" }, "literal-tilde", "write the absolute path, or one relative to the project"],
  ["a misspelt tool", "Bassh", "unknown-tool", 'did you mean "Bash"?'],
  ["a tool of nobody", { tool: "Teleport" }, "unknown-tool", "known tools: Read, LS, Grep, Write, Edit, Bash"],
  ["a misspelt alias", "code.write_fil", "unknown-tool", 'did you mean "code.write_file"?'],
  [
    "an MCP server without a tool",
    "mcp__gh",
    "unknown-tool",
    "names are exact: an MCP tool is mcp__<server>__<tool>; all of them have the tag mcp",
  ],
  ["a misspelt tag", { tag: "dangerouss" }, "unknown-tag", 'did you mean "dangerous"?'],
  [
    "a tag the tool has not",
    { tool_name: "Bash", tag: "readonly" },
    "unknown-tool",
    "its tags: code, shell, write, dangerous",
  ],
];

for (const [what, matcher, code, hint] of WARNED) {
  Deno.test(`a matcher with ${what} is loaded with a warning`, async () => {
    const { registrations, diagnostics } = await loadText(rules(rule(matcher)));
    assert.deepEqual(diagnostics.map((found) => [found.severity, found.code, found.hint]), [["warning", code, hint]]);
    assert.equal(registrations.length, 1);
  });
}

for (
  const matcher of [
    "Bash",
    "code.run_command",
    "mcp__gh__create",
    "mcp.gh.create",
    { tag: "mcp" },
    { path: "src" },
    "",
    {},
  ]
) {
  Deno.test(`the matcher ${JSON.stringify(matcher)} is loaded without a word`, async () => {
    assert.deepEqual(textsOf(await loadText(rules(rule(matcher)))), []);
  });
}

const scraps = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, 0, -1, 1e400, "", "Bash", "deny", "command", "PreToolUse", "stop", "\0", "*"),
    fc.string(),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(
      fc.constantFrom(
        ..."version hooks rules PreToolUse Stop stop matcher type command timeout timeout_ms decision action".split(
          " ",
        ),
        ..."reason event event_type tool_name tool tag path path_prefix priority __proto__ constructor x".split(" "),
      ),
      tie("value"),
      { maxKeys: 5, noNullPrototype: true },
    ),
  ),
})).value;

Deno.test("no content makes it throw, and every diagnostic lies inside the file", async () => {
  await fc.assert(
    fc.asyncProperty(scraps, fc.boolean(), async (value, inHooks) => {
      const text = JSON.stringify(inHooks ? { version: 1, hooks: value } : value, null, 1);
      const lines = text.split("\n");
      const { diagnostics } = await loadText(text);
      for (const { line, column } of diagnostics) {
        assert.ok(line >= 1 && line <= lines.length && column >= 1 && column <= lines[line - 1]!.length + 1);
      }
    }),
    { numRuns: 500 },
  );
});
