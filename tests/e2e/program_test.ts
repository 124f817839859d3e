import assert from "node:assert/strict";
import { createWorld, of } from "../support/world.ts";
import deno from "../../deno.json" with { type: "json" };

Deno.test("--version and --help answer without touching anything", async () => {
  await using world = await createWorld();
  const version = await world.run(["--version"]);
  assert.equal(version.code, 0);
  assert.ok(version.stdout.includes(deno.version));
  for (const args of [["--help"], ["run", "--help"], ["hooks", "--help"], ["hooks", "validate", "--help"]]) {
    const help = await world.run(args);
    assert.equal(help.code, 0, help.stderr);
    assert.match(help.stdout, /Usage/i);
  }
  assert.deepEqual([...Deno.readDirSync(world.home)], []);
});

Deno.test("wrong usage is exit code 2, on stderr, with the valid words", async () => {
  await using world = await createWorld();
  for (
    const [args, says] of [
      [["ru"], /run/],
      [["hooks", "lst"], /list/],
      [["run", "x", "--permission-mode", "yolo"], /accept-edits/],
      [["run", "x", "--max-turns", "many"], /max-turns/],
      [["run", "x", "--model", "nothing/here"], /nothing/],
      [["run", "x", "--project", "no/such/folder"], /no\/such\/folder/],
      [["--allow-read"], /allow-read/],
    ] as const
  ) {
    const { code, stdout, stderr } = await world.run(args);
    assert.equal(code, 2, `${args}: ${stdout}${stderr}`);
    assert.equal(stdout, "");
    assert.match(stderr, says);
    assert.doesNotMatch(stderr, /\.ts:\d+/);
  }
});

Deno.test("a prompt comes from the argument, from stdin with -, and may begin with a dash after --", async () => {
  await using world = await createWorld();
  const model = await world.script([{ expect: { contains: ["--allow-read -A eval"] }, text: "ok" }]);
  const dashed = await world.run(["run", "--model", model, "--", "--allow-read -A eval"]);
  assert.equal(dashed.code, 0, dashed.stderr);
  assert.equal(dashed.stdout, "ok\n");
  const piped = await world.run(["run", "-", "--model", model], { stdin: "--allow-read -A eval\n" });
  assert.equal(piped.stdout, "ok\n", piped.stderr);
});

Deno.test("text puts the answer alone on stdout; json is one object; neither has colours in a pipe", async () => {
  await using world = await createWorld();
  const turns = [
    { text: "looking", tool_calls: [{ name: "Bash", id: "c1", input: { command: "echo hi" } }] },
    { text: "the answer" },
  ];
  const text = await world.run(["run", "go", "--model", await world.script(turns), "--permission-mode", "full"]);
  assert.equal(text.stdout, "the answer\n");
  assert.match(text.stderr, /Bash/);
  // deno-lint-ignore no-control-regex
  assert.doesNotMatch(text.stdout + text.stderr, /\x1b/);
  const json = await world.run([
    "run",
    "go",
    "--model",
    await world.script(turns),
    "--permission-mode",
    "full",
    "--output",
    "json",
  ]);
  const report = JSON.parse(json.stdout);
  assert.equal(report.result, "the answer");
  assert.equal(report.reason, "completed");
  assert.equal(report.tool_call_count, 1);
  assert.match(report.head, /^[0-9a-f]{64}$/);
  const verify = await world.run(["sessions", "verify", report.session_id, "--head", report.head]);
  assert.equal(verify.code, 0, verify.stdout + verify.stderr);
  const wrong = await world.run(["sessions", "verify", report.session_id, "--head", "0".repeat(64)]);
  assert.equal(wrong.code, 1);
});

Deno.test("escapes in model text, tool output and hook reasons never reach the terminal raw", async () => {
  await using world = await createWorld();
  const reason = "\x1b]0;owned\x07 stop \x1b[31m";
  await world.hooks({
    PreToolUse: [{
      matcher: "Write",
      hooks: [{ type: "command", command: `printf '%s' '${JSON.stringify({ decision: "deny", reason })}'` }],
    }],
  });
  const { stdout, stderr } = await world.run([
    "run",
    "go",
    "--permission-mode",
    "full",
    "--model",
    await world.script([
      {
        text: "\x1b[2J one \u202e",
        tool_calls: [{ name: "Bash", input: { command: "printf 'a\\rb\\033[31mred'; exit 1" } }],
      },
      { tool_calls: [{ name: "Write", input: { file_path: "x", content: "" } }] },
      { text: "\x1b[2J end \u202e" },
    ]),
  ]);
  // deno-lint-ignore no-control-regex
  assert.doesNotMatch(stdout + stderr, /[\x1b\x07\r\u202e]/);
  assert.match(stdout, /end/);
});

Deno.test("tools lists every built-in with its tier", async () => {
  await using world = await createWorld();
  const { code, stdout } = await world.run(["tools"]);
  assert.equal(code, 0);
  for (
    const [name, tier] of [
      ["Read", "readonly"],
      ["Glob", "readonly"],
      ["Grep", "readonly"],
      ["LS", "readonly"],
      ["Write", "write"],
      ["Edit", "write"],
      ["Bash", "dangerous"],
      ["TodoWrite", "readonly"],
      ["agent.plan_template", "readonly"],
    ]
  ) assert.match(stdout, new RegExp(`${name!.replace(".", "\\.")}\\b.*${tier}`), name);
});

Deno.test("hooks list, events and status tell what is configured", async () => {
  await using world = await createWorld();
  await world.hooks({ PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "./guard.sh" }] }] });
  const list = await world.run(["hooks", "list"]);
  assert.match(list.stdout, /User hooks/);
  assert.match(list.stdout, /config:pre_tool_call:Command:[0-9a-f]{6}/);
  assert.match(list.stdout, /guard\.sh/);
  assert.equal((await world.run(["hooks", "ls"])).stdout, list.stdout);
  const events = await world.run(["hooks", "events"]);
  const [first, second] = events.stdout.split("Events of soong files, version 2");
  for (const event of ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"]) {
    assert.ok(first?.includes(event));
  }
  for (const event of ["PreModelCall", "PostModelCall", "PreToolUse", "Output", "SessionEnd"]) {
    assert.ok(second?.includes(`  ${event} `), event);
  }
  assert.ok(!second?.includes("  Stop "));
  const status = await world.run(["hooks", "status"]);
  assert.equal(status.code, 0);
  assert.match(status.stdout, /hooks\.json/);
  assert.match(status.stdout, /^A hook that fails: is recorded, the loop goes on$/m);
  const guard = { type: "command", protocol: "agent-hooks/0.1", command: "./guard.sh" };
  await world.hooks(JSON.stringify({ version: 2, hooks: { PreToolUse: [{ hooks: [guard] }] } }));
  assert.match(
    (await world.run(["hooks", "status"])).stdout,
    /^A hook that fails: counts as a deny if it speaks agent-/m,
  );
});

Deno.test("protected files are refused in every mode, whatever rules say", async () => {
  await using world = await createWorld();
  await world.config('[permissions]\nallow = ["Write", "Edit", "Bash"]\nadded_dirs = ["${SOONG_AGENT_HOME}"]\n');
  await world.hooks({ Stop: [{ hooks: [{ type: "command", command: "./guard.sh" }] }] });
  await world.write("guard.sh", "#!/bin/sh\nexit 0\n", 0o755);
  const paths = [
    ".onecode/hooks.json",
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".mcp.json",
    "guard.sh",
    "./sub/../guard.sh",
    `${world.home}/hooks.json`,
  ];
  const { events } = await world.play([
    { tool_calls: [{ name: "Read", id: "r", input: { file_path: "guard.sh" } }] },
    ...paths.map((path, index) => ({
      tool_calls: [{ name: "Write", id: `c${index}`, input: { file_path: path, content: "x" } }],
    })),
    { text: "ok" },
  ]);
  assert.deepEqual(
    of(events, "tool_denied").map((event) => [event.call_id, event.by]),
    paths.map((_, index) => [`c${index}`, "protected"]),
  );
  assert.equal(await world.read("guard.sh"), "#!/bin/sh\nexit 0\n");
});

Deno.test("permission rules: deny wins, allow spares the question, chains are not smuggled through, sensitive files ask", async () => {
  await using world = await createWorld();
  await world.write(".env", "KEY=1\n");
  await world.config('[permissions]\nallow = ["Bash(echo:*)"]\ndeny = ["Bash(echo evil:*)", "Write(secret/**)"]\n');
  const table: [string, Record<string, unknown>, boolean][] = [
    ["Bash", { command: "echo fine" }, true],
    ["Bash", { command: "echo evil twin" }, false],
    ["Bash", { command: "echo a && touch MARK" }, false],
    ["Bash", { command: "echo $(touch MARK)" }, false],
    ["Bash", { command: "echo a\ntouch MARK" }, false],
    ["Bash", { command: "echo a > MARK" }, false],
    ["Write", { file_path: "secret/x", content: "" }, false],
    ["Read", { file_path: ".env" }, false],
  ];
  const { events } = await world.play([
    ...table.map(([name, input], index) => ({ tool_calls: [{ name, id: `c${index}`, input }] })),
    { text: "ok" },
  ], ["--permission-mode", "ask"]);
  assert.deepEqual(
    of(events, "permission_decision").map((event) => [event.call_id, event.decision]),
    table.map(([, , allowed], index) => [`c${index}`, allowed ? "allow" : "deny"]),
  );
  assert.equal(await world.exists("MARK"), false);
});

Deno.test("a permission rule that names no tool is told; a deny rule about bash in any letters denies", async () => {
  await using world = await createWorld();
  await world.config('[permissions]\nallow = ["edit", "mcp__x__y", "Wri*"]\ndeny = ["Bsh(ls)", "bash(touch:*)"]\n');
  const { events } = await world.play([
    { tool_calls: [{ name: "Bash", id: "c1", input: { command: "touch MARK" } }] },
    { text: "ok" },
  ], ["--permission-mode", "full"]);
  const warned = of(events, "warning").filter(({ code }) => code === "permission_rule").map(({ message }) => message);
  assert.equal(warned.length, 2);
  assert.match(warned[0]!, /permissions\.allow .*"edit".* did you mean "Edit"\?/);
  assert.match(warned[1]!, /permissions\.deny .*"Bsh\(ls\)".* did you mean "Bash"\?/);
  assert.deepEqual(of(events, "tool_denied").map(({ by }) => by), ["permission"]);
  assert.equal(await world.exists("MARK"), false);
});

Deno.test("a home that is reached through a link is protected by its real path too, and so is a sensitive file", async () => {
  await using world = await createWorld();
  await Deno.symlink(world.home, `${world.root}/linked-home`);
  await Deno.symlink(world.userHome, `${world.root}/linked-user`);
  await world.config(`[permissions]\nadded_dirs = ["${world.home}", "${world.userHome}"]\n`);
  await world.write(`${world.userHome}/.aws/credentials`, "key\n");
  const { events } = await world.play(
    [
      { tool_calls: [{ name: "Write", id: "c1", input: { file_path: `${world.home}/hooks.json`, content: "{}" } }] },
      { tool_calls: [{ name: "Read", id: "c2", input: { file_path: `${world.userHome}/.aws/credentials` } }] },
      { text: "ok" },
    ],
    [],
    { env: { SOONG_AGENT_HOME: `${world.root}/linked-home`, HOME: `${world.root}/linked-user` } },
  );
  assert.deepEqual(of(events, "permission_decision").map((event) => [event.call_id, event.decision, event.by]), [
    ["c1", "deny", "protected"],
    ["c2", "deny", "sensitive"],
  ]);
});

Deno.test("the file that the summary of a large result names can be read and searched", async () => {
  await using world = await createWorld();
  const first = await world.play([{ tool_calls: [{ name: "Bash", id: "c1", input: { command: "seq 1 50000" } }] }, {
    text: "ok",
  }]);
  const [result] = of(first.events, "tool_result");
  const id = of(first.events, "session_started")[0]!.session_id;
  const path = `${world.home}/${result!.artifact_ref}`;
  assert.ok(result!.content.includes(path));
  const model = await world.script([
    { tool_calls: [{ name: "Read", id: "c2", input: { file_path: path, offset: 40000, limit: 2 } }] },
    { tool_calls: [{ name: "Grep", id: "c3", input: { pattern: "^4999$", path, output_mode: "content" } }] },
    { tool_calls: [{ name: "Read", id: "c4", input: { file_path: `${world.home}/sessions/${id}.jsonl` } }] },
    { text: "ok" },
  ]);
  const { events } = await world.run(["run", "more", "--model", model, "--resume", id, "--output", "stream-json"]);
  const results = of(events, "tool_result");
  assert.match(results[0]!.content, /\b40000\b/);
  assert.match(results[1]!.content, /4999/);
  assert.equal(results[2]!.is_error, true, "the log itself stays out of reach");
});
