import assert from "node:assert/strict";
import { createWorld, of } from "../support/world.ts";

const DENY_ALL = `cat >> payloads.jsonl; echo >> payloads.jsonl; echo '{"decision":"deny","reason":"ignored here"}'`;

async function payloads(world: { read(path: string): Promise<string> }) {
  return (await world.read("payloads.jsonl")).split("\n").filter(Boolean).map((line) => JSON.parse(line));
}

Deno.test("SessionStart, UserPromptSubmit and PostToolUse cannot block in version 1, and the log says a deny was ignored", async () => {
  await using world = await createWorld();
  const hooks = [{ hooks: [{ type: "command", command: DENY_ALL }] }];
  await world.hooks({ SessionStart: hooks, UserPromptSubmit: hooks, PostToolUse: hooks });
  const { code, events } = await world.play([
    { tool_calls: [{ name: "Bash", id: "c1", input: { command: "echo hello; touch MARK" } }] },
    { expect: { contains: ["hello"] }, text: "ok" },
  ]);
  assert.equal(code, 0);
  assert.equal(await world.exists("MARK"), true);
  const finished = of(events, "hook_finished");
  assert.deepEqual(finished.map((event) => [event.event, event.outcome]), [
    ["SessionStart", "observed"],
    ["UserPromptSubmit", "observed"],
    ["PostToolUse", "observed"],
  ]);
  for (const event of finished) {
    assert.ok(event.warnings?.includes("deny_ignored"), JSON.stringify(event));
    assert.equal(event.reason, "ignored here");
  }
  assert.deepEqual(of(events, "hook_denied"), []);
  const seen = await payloads(world);
  assert.deepEqual(seen.map((one) => one.hook_event_name), ["SessionStart", "UserPromptSubmit", "PostToolUse"]);
  assert.equal(seen[0].source, "startup");
  assert.equal(seen[1].prompt, "go");
  assert.equal(seen[2].tool_name, "Bash");
  assert.equal(seen[2].tool_use_id, "c1");
  assert.match(seen[2].tool_response.content, /hello/);
  assert.deepEqual(seen[2].result, seen[2].tool_response);
  for (const one of seen) {
    assert.equal(one.cwd, world.project);
    assert.equal(one.project_dir, world.project);
    assert.equal(one.permission_mode, "full");
    assert.equal(one.generation, 1);
    assert.ok(one.session_id && one.transcript_path && one.timestamp && one.version === 1);
  }
});

Deno.test("PostToolUse fires for failures with the error, not for denied, skipped, unknown or invalid calls", async () => {
  await using world = await createWorld();
  await world.write("a.txt", "alpha\n");
  await world.hooks({
    PreToolUse: [{
      matcher: { path_prefix: "forbidden" },
      hooks: [{ type: "command", command: `echo '{"decision":"deny","reason":"no"}'` }],
    }],
    PostToolUse: [{ hooks: [{ type: "command", command: "cat >> payloads.jsonl; echo >> payloads.jsonl; exit 1" }] }],
  });
  const calls = [
    { name: "Bash", id: "fails", input: { command: "echo bad >&2; exit 7" } },
    { name: "Edit", id: "edit", input: { file_path: "a.txt", old_string: "nope", new_string: "x" } },
    { name: "Read", id: "missing", input: { file_path: "missing.txt" } },
    { name: "Bash", id: "late", input: { command: "sleep 300", timeout: 500 } },
    { name: "Bash", id: "fine", input: { command: "true" } },
    { name: "Nope", id: "unknown", input: {} },
    { name: "Bash", id: "invalid", input: { cmd: "true" } },
    { name: "Write", id: "denied", input: { file_path: "forbidden/x", content: "" } },
    { name: "Bash", id: "skipped", input: { command: "true" } },
  ];
  const { code, events } = await world.play([{ tool_calls: calls }, { text: "ok" }]);
  assert.equal(code, 0);
  const seen = await payloads(world);
  assert.deepEqual(seen.map((one) => [one.tool_use_id, one.tool_response.is_error]), [
    ["fails", true],
    ["edit", true],
    ["missing", true],
    ["late", true],
    ["fine", false],
  ]);
  assert.match(seen[0].tool_response.content, /bad/);
  assert.deepEqual(of(events, "tool_result").map((event) => event.call_id), calls.map((call) => call.id));
  assert.equal(of(events, "tool_result").find((event) => event.call_id === "fine")?.is_error, false);
});

Deno.test("a 1 MB result reaches model and PostToolUse as a summary and an artifact_ref, and the file holds it whole", async () => {
  await using world = await createWorld();
  await world.hooks({ PostToolUse: [{ hooks: [{ type: "command", command: "cat > payload.json" }] }] });
  const { events } = await world.play([
    { tool_calls: [{ name: "Bash", id: "c1", input: { command: "seq 1 150000" } }] },
    { text: "ok" },
  ]);
  const [result] = of(events, "tool_result");
  assert.ok(result?.artifact_ref);
  assert.ok(result!.content.length < 40_000);
  const payload = JSON.parse(await world.read("payload.json"));
  assert.equal(payload.tool_response.artifact_ref, result!.artifact_ref);
  assert.equal(payload.tool_response.content, undefined);
  assert.ok(payload.tool_response.summary.length < 40_000);
  const kept = await world.read(`${world.home}/${result!.artifact_ref}`);
  assert.ok(kept.includes("\n75000\n") && kept.includes("\n150000"));
});

Deno.test("a payload is ASCII and survives a script that reads it by another code page", async () => {
  await using world = await createWorld();
  await world.hooks({ UserPromptSubmit: [{ hooks: [{ type: "command", command: "cat > payload.json" }] }] });
  const model = await world.script([{ text: "ok" }]);
  await world.run(["run", "请删除 'a\\b' ✅", "--model", model]);
  const bytes = await Deno.readFile(`${world.project}/payload.json`);
  assert.ok(bytes.every((byte) => byte < 0x80));
  assert.equal(bytes.at(-1), 0x0a);
  assert.equal(JSON.parse(new TextDecoder().decode(bytes)).prompt, "请删除 'a\\b' ✅");
});

Deno.test("hooks of the project's .soong-agent folder are never read, and that is said", async () => {
  await using world = await createWorld();
  const evil = { version: 1, hooks: { SessionStart: [{ hooks: [{ type: "command", command: "touch RAN" }] }] } };
  await world.write(".soong-agent/hooks.json", JSON.stringify(evil));
  await world.write(".soong-agent/notification-providers.json", "{}");
  const played = await world.play([{ text: "ok" }]);
  assert.equal(played.code, 0);
  assert.match(JSON.stringify(of(played.events, "warning")), /\.soong-agent\/hooks\.json/);
  const text = await world.run(["run", "go", "--model", await world.script([{ text: "ok" }])]);
  assert.match(text.stderr, /\.soong-agent\/hooks\.json/);
  for (
    const args of [["--version"], ["--help"], ["hooks"], ["hooks", "list"], ["hooks", "status"], ["hooks", "validate"]]
  ) {
    const { code, stdout, stderr } = await world.run(args);
    assert.equal(code, 0, `${args}: ${stderr}`);
    if (args[1] === "status" || args[1] === "validate") assert.match(stdout + stderr, /\.soong-agent\/hooks\.json/);
  }
  assert.equal(await world.exists("RAN"), false);
});

Deno.test("with hooks.enabled = false or --no-hooks nothing fires, and the run says so", async () => {
  for (const [config, args] of [["[hooks]\nenabled = false\n", []], ["", ["--no-hooks"]]] as const) {
    await using world = await createWorld();
    await world.config(config);
    await world.hooks({ SessionStart: [{ hooks: [{ type: "command", command: "touch RAN" }] }] });
    const { code, stderr } = await world.run(["run", "go", "--model", await world.script([{ text: "ok" }]), ...args]);
    assert.equal(code, 0);
    assert.equal(await world.exists("RAN"), false);
    assert.match(stderr, /hooks are off/);
  }
});

Deno.test("started in the home folder, or through a link to it, each hook fires once", async () => {
  await using world = await createWorld();
  await Deno.mkdir(`${world.userHome}/.soong-agent`);
  await Deno.writeTextFile(
    `${world.userHome}/.soong-agent/hooks.json`,
    JSON.stringify({
      version: 1,
      hooks: { SessionStart: [{ hooks: [{ type: "command", command: "echo x >> LOG" }] }] },
    }),
  );
  await Deno.symlink(world.userHome, `${world.root}/link`);
  const model = await world.script([{ text: "ok" }]);
  const env = { SOONG_AGENT_HOME: "" };
  for (const [folder, lines] of [[world.userHome, 1], [`${world.root}/link`, 2]] as const) {
    const { code, stderr } = await world.run(["run", "go", "--model", model], { cwd: folder, env });
    assert.equal(code, 0, stderr);
    assert.equal((await world.read(`${world.userHome}/LOG`)).trim().split("\n").length, lines);
  }
});
