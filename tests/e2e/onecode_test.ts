/** Onecode hooks through the program: real child processes, loopback receivers, the model's scripted answers. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { feishuBot, mac, startRecorder, wechatWorkBot } from "../support/recorder.ts";
import { createWorld, of, type World } from "../support/world.ts";

const BASH = (id: string, command: string) => ({ name: "Bash", id, input: { command } });

/** A world whose project is trusted, with the user's onecode hooks. */
async function trustedWorld(hooks: unknown): Promise<World> {
  const world = await createWorld();
  await world.config(`[trust]\ndirectories = ["${world.project}"]\n`);
  await world.write(join(world.userHome, ".onecode/hooks.json"), JSON.stringify(hooks));
  return world;
}

Deno.test("scenario 1: a guard that exits 2 keeps a dangerous command from running, and the model is told", async () => {
  await using world = await trustedWorld({
    pre_tool_call: [{
      matcher: "Bash",
      hooks: [{ type: "command", command: "python3 ~/.onecode/scripts/block-dangerous.py", timeout: 20_000 }],
    }],
  });
  await world.write(
    join(world.userHome, ".onecode/scripts/block-dangerous.py"),
    [
      "import json, sys",
      "call = json.load(sys.stdin)",
      'if "rm -rf" in call.get("toolInput", {}).get("command", ""):',
      '    sys.stderr.write("refused: a recursive delete")',
      "    sys.exit(2)",
    ].join("\n"),
  );
  await world.write("keep.txt", "kept");
  const { code, events, stderr } = await world.play([
    { tool_calls: [BASH("c1", "rm -rf keep.txt"), BASH("c2", "echo fine > ran.txt")] },
    { expect: { contains: ["refused: a recursive delete"] }, text: "ok" },
  ]);
  assert.equal(code, 0, stderr);
  assert.ok(await world.exists("keep.txt"));
  assert.ok(await world.exists("ran.txt"), "a onecode deny is about its own call");
  assert.deepEqual(of(events, "hook_denied").map(({ point, tool_call_id }) => [point, tool_call_id]), [
    ["pre_tool_call", "c1"],
  ]);
  assert.deepEqual(of(events, "tool_result").map(({ call_id, is_error }) => [call_id, is_error]), [
    ["c1", true],
    ["c2", false],
  ]);
});

Deno.test("scenario 2: after a tool a signed message goes to a feishu bot, with the fields of its template", async () => {
  await using bot = startRecorder(feishuBot("signing-secret-1"));
  await using world = await trustedWorld({
    post_tool_call: [{
      matcher: "Bash",
      hooks: [{
        type: "notification",
        provider: "feishu",
        webhookUrl: `${bot.url}/open-apis/bot/v2/hook/token-1`,
        secret: "signing-secret-1",
        message: "tool {{ToolName}} is done @ {{Timestamp}}",
      }],
    }],
  });
  const { code, events, stderr } = await world.play([{ tool_calls: [BASH("c1", "true")] }, { text: "ok" }]);
  assert.equal(code, 0, stderr);
  assert.equal(bot.requests.length, 1);
  const body = JSON.parse(bot.requests[0]!.body);
  assert.match(body.content.text, /^tool Bash is done @ \d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  assert.equal(body.sign, mac(`${body.timestamp}\nsigning-secret-1`, ""));
  assert.deepEqual(of(events, "hook_finished").map(({ outcome }) => outcome), ["allow"]);
});

Deno.test("scenario 3: an audit service is told of each model answer, and never slows or changes it", async () => {
  await using service = startRecorder(() => new Response("no thanks", { status: 500 }));
  const hook = {
    type: "http",
    method: "POST",
    url: `${service.url}/api/model-response`,
    headers: { Authorization: "Bearer ci-token-1" },
    body: '{"session":"{{SessionId}}","cwd":"{{Cwd}}","ts":"{{Timestamp}}"}',
  };
  await using world = await trustedWorld({
    post_model_call: [{ matcher: "script-*", hooks: [hook] }, { matcher: "gpt-*", hooks: [hook] }],
  });
  const { code, events, stderr } = await world.play([{ text: "the answer" }]);
  assert.equal(code, 0, stderr);
  assert.equal(service.requests.length, 1);
  const [request] = service.requests;
  assert.equal(request!.headers.get("authorization"), "Bearer ci-token-1");
  assert.equal(request!.headers.get("content-type"), "application/json");
  assert.equal(JSON.parse(request!.body).cwd, world.project);
  assert.equal(of(events, "assistant_message").at(-1)?.text, "the answer");
  const [report] = of(events, "hook_finished");
  assert.deepEqual([report?.outcome, report?.cause], ["undecided", "transport"]);
});

Deno.test("scenario 4: a command is told of each model request, and its deny is dropped", async () => {
  await using world = await trustedWorld({
    pre_model_call: [{
      matcher: "*",
      hooks: [{ type: "command", command: "echo request >> ~/.onecode/audit.log; exit 2", timeout: 20_000 }],
    }],
  });
  const { code, stderr } = await world.play([{ tool_calls: [BASH("c1", "true")] }, { text: "ok" }]);
  assert.equal(code, 0, stderr);
  assert.equal(await world.read(join(world.userHome, ".onecode/audit.log")), "request\nrequest\n");
});

Deno.test("scenario 5: the final answer is announced to a wechat_work bot, with non-ASCII text whole", async () => {
  await using bot = startRecorder(wechatWorkBot());
  await using world = await trustedWorld({
    output: [{
      hooks: [{
        type: "notification",
        provider: "wechat_work",
        webhookUrl: `${bot.url}/cgi-bin/webhook/send?key=key-1`,
        message: "✅ 完成 @ {{Timestamp}}",
      }],
    }],
  });
  const { code, stderr } = await world.play([{ tool_calls: [BASH("c1", "true")] }, { text: "ok" }]);
  assert.equal(code, 0, stderr);
  assert.equal(bot.requests.length, 1, "once, for the final answer only");
  assert.equal(bot.requests[0]!.raw_query, "key=key-1");
  assert.match(JSON.parse(bot.requests[0]!.body).text.content, /^✅ 完成 @ \d{4}/);
});

Deno.test("an input hook that denies ends the run with 3, and the prompt is nowhere in the log", async () => {
  await using world = await trustedWorld({
    input: [{ hooks: [{ type: "command", command: "echo no passwords here >&2; exit 2" }] }],
  });
  const model = await world.script([{ text: "never" }]);
  const run = await world.run(["run", "my password is hunter-2", "--model", model, "--output", "stream-json"]);
  assert.equal(run.code, 3, run.stderr);
  assert.deepEqual(of(run.events, "input_blocked").map(({ reasons }) => reasons), [["no passwords here"]]);
  assert.deepEqual(of(run.events, "assistant_message"), []);
  for (const text of await everythingWritten(world)) assert.ok(!text.includes("hunter-2"), text);
});

Deno.test("an output hook that denies keeps the answer from stdout and from the log, and says how long it was", async () => {
  await using world = await trustedWorld({
    output: [{ hooks: [{ type: "command", command: "grep -q launch-code && exit 2 || exit 0" }] }],
  });
  const model = await world.script([{ text: "the launch-code is 42" }]);
  for (const format of ["text", "json", "stream-json"]) {
    const run = await world.run(["run", "go", "--model", model, "--output", format]);
    assert.equal(run.code, 3, run.stderr);
    assert.ok(!(run.stdout + run.stderr).includes("launch-code"), run.stdout);
  }
  for (const text of await everythingWritten(world)) assert.ok(!text.includes("launch-code"), text);
});

Deno.test("hooks run user before project, by priority before that, and all of them; contexts and reasons add up", async () => {
  await using world = await trustedWorld({
    pre_tool_call: [{
      matcher: "Bash",
      hooks: [
        { type: "command", command: "echo user first >&2; exit 2" },
        { type: "command", command: "echo user early >&2; exit 2", priority: 10 },
      ],
    }],
  });
  await world.write(
    ".onecode/hooks.json",
    JSON.stringify({
      pre_tool_call: [{
        matcher: "B*|Read",
        hooks: [
          { type: "command", command: "echo project >&2; exit 2" },
          { type: "command", command: "echo project before all >&2; exit 2", priority: 1 },
        ],
      }],
    }),
  );
  await world.hooks({
    PreToolUse: [{ hooks: [{ type: "command", decision: "deny", reason: "soong" }] }],
  });
  const { events } = await world.play([{ tool_calls: [BASH("c1", "touch RAN")] }, { text: "ok" }]);
  assert.ok(!await world.exists("RAN"));
  assert.deepEqual(of(events, "hook_denied")[0]?.reasons, [
    "soong",
    "project before all",
    "user early",
    "user first",
    "project",
  ]);
});

Deno.test("where the home folder is the project, its onecode file is loaded once, as the user's (case 19)", async () => {
  await using world = await trustedWorld({ input: [{ hooks: [{ type: "command", command: "echo x >> LOG" }] }] });
  await world.config(`[trust]\nuser_hooks = "always"\n`);
  const run = await world.play([{ text: "ok" }], ["--project", world.userHome]);
  assert.equal(run.code, 0, run.stderr);
  assert.equal(await world.read(join(world.userHome, "LOG")), "x\n");
  const { stdout } = await world.run(["hooks", "list"], { cwd: world.userHome });
  assert.match(stdout, /User hooks:/);
  assert.doesNotMatch(stdout, /Project hooks:/);
});

Deno.test("hooks out of onecode files fire beside those of a onecode-shaped hooks.json of the home", async () => {
  await using world = await trustedWorld({ input: [{ hooks: [{ type: "command", command: "echo one >> LOG" }] }] });
  await world.hooks('{ "input": [ { "hooks": [ { "type": "Command", "command": "echo two >> LOG" }, ] } ] }');
  assert.equal((await world.play([{ text: "ok" }])).code, 0);
  assert.equal(await world.read("LOG"), "two\none\n");
  await world.config("");
  const run = await world.play([{ text: "ok" }]);
  assert.equal(of(run.events, "warning").filter(({ code }) => code === "hooks_skipped").length, 2);
  assert.equal(await world.read("LOG"), "two\none\n");
});

Deno.test('with sources = ["soong"] no onecode file is read', async () => {
  await using world = await trustedWorld({ input: [{ hooks: [{ type: "command", command: "touch FIRED" }] }] });
  await world.config(`[hooks]\nsources = ["soong"]\n[trust]\ndirectories = ["${world.project}"]\n`);
  const run = await world.play([{ text: "ok" }]);
  assert.deepEqual(of(run.events, "warning"), []);
  assert.ok(!await world.exists("FIRED"));
});

Deno.test("hooks, hooks list and hooks status show sources, executors, masked addresses, trust and generation", async () => {
  await using world = await trustedWorld({
    pre_tool_call: [{ matcher: "Bash", hooks: [{ type: "command", command: "exit 0" }] }],
    post_tool_call: [{ hooks: [{ type: "http", url: "https://u:pw-1@audit.example.com/t0ken-1?key=k3y-1" }] }],
    output: [{
      hooks: [{
        type: "notification",
        provider: "DingTalk",
        webhookUrl: "https://oapi.example.com/x?access_token=t0ken-2",
      }],
    }],
  });
  await world.write(
    ".onecode/hooks.json",
    '{ "input": [ { "hooks": [ { "type": "command", "command": "true" } ] } ] }',
  );
  await world.write(
    ".onecode/notification-providers.json",
    JSON.stringify({ dingtalk: { url: "https://x.example.com", body: { a: "{{Text}}" } } }),
  );
  const list = (await world.run(["hooks", "list"])).stdout;
  assert.match(list, /User hooks:[^]*pre_tool_call[^]*\[100\] command +config:pre_tool_call:Command:[0-9a-f]{6}/);
  assert.match(
    list,
    /\[100\] http +config:post_tool_call:Http:[0-9a-f]{6}[^]*POST https:\/\/\*\*\*@audit\.example\.com\/\.\.\.\?key=\*\*\*/,
  );
  assert.match(list, /notifies: DingTalk https:\/\/oapi\.example\.com/);
  assert.match(list, /Project hooks:[^]*\[200\] command +config:input:Command:[0-9a-f]{6}/);
  const status = (await world.run(["hooks", "status"])).stdout;
  const overview = (await world.run(["hooks"])).stdout;
  for (const shown of [status, overview]) {
    assert.match(shown, /Generation: 1/);
    assert.match(shown, /Workspace trusted: yes/);
    assert.match(shown, /\.onecode\/hooks\.json \(project\): loaded, 1 hook/);
    assert.match(shown, /\.soong-agent|home\/hooks\.json \(user\): not found, 0 hook/);
  }
  assert.match(status, /dingtalk of the project's definitions \(.*\) replaces that of the embedded definitions/);
  for (const shown of [list, status, overview]) assert.doesNotMatch(shown, /pw-1|t0ken|k3y/);
  const { stdout: points } = await world.run(["hooks", "events"]);
  for (const point of ["input", "pre_model_call", "post_model_call", "pre_tool_call", "post_tool_call", "output"]) {
    assert.match(points, new RegExp(`^  ${point} `, "m"));
  }
});

/** The content of every file in the home. */
async function everythingWritten(world: World): Promise<readonly string[]> {
  const texts: string[] = [];
  const walk = async (folder: string) => {
    for await (const entry of Deno.readDir(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory) await walk(path);
      else texts.push(await Deno.readTextFile(path));
    }
  };
  await walk(world.home);
  return texts;
}
