/** Hooks that speak agent-hooks/0.1 through the program: a script on stdin and stdout, a server on this machine, a person. */
import assert from "node:assert/strict";
import { startRecorder } from "../support/recorder.ts";
import { standardValidators } from "../support/standard_schemas.ts";
import { inTerminal } from "../support/terminal.ts";
import { createWorld, of, until, type World } from "../support/world.ts";

const EXAMPLE = new URL("../../examples/hooks/agent-hooks/hooks/guard.py", import.meta.url).pathname;

/** `hooks.json` of version 2 with one hook of the standard at each event. */
async function standardHooks(world: World, hooks: Readonly<Record<string, Record<string, unknown>>>): Promise<void> {
  const rules = Object.entries(hooks).map(([event, hook]) => [
    event,
    [{ hooks: [{ protocol: "agent-hooks/0.1", timeout: 20, ...hook }] }],
  ]);
  await world.hooks(JSON.stringify({ version: 2, hooks: Object.fromEntries(rules) }));
}

const bash = (id: string, command: string) => ({ name: "Bash", id, input: { command } });

Deno.test("a script that speaks the standard denies, rewrites and lets pass; the model is told what ran", async () => {
  await using world = await createWorld();
  await standardHooks(world, { PreToolUse: { type: "command", command: `python3 ${EXAMPLE}` } });
  const { code, events, stderr } = await world.play([
    { tool_calls: [bash("c1", "rm -rf /tmp/nothing; touch RAN")] },
    {
      expect: { contains: ["recursive deletes are refused"] },
      tool_calls: [bash("c2", "git push --force; touch PUSHED")],
    },
    { expect: { contains: ["A hook changed the arguments", "--dry-run"] }, tool_calls: [bash("c3", "echo plain")] },
    { expect: { contains: ["plain"] }, text: "ok" },
  ]);
  assert.equal(code, 0, stderr);
  assert.ok(!await world.exists("RAN"));
  const [transformed] = of(events, "hook_transformed");
  assert.deepEqual(transformed?.input, { command: "git push --force; touch PUSHED" });
  assert.match(String((transformed?.rewritten_input as { command: string }).command), /--dry-run/);
  const records = of(events, "interception").map(({ record }) => record);
  assert.deepEqual(records.map(({ verdict }) => verdict["decision"]), ["deny", "transform", "allow"]);
  assert.ok(records.every(({ input_identity: identity }) => /^sha256:[0-9a-f]{64}$/.test(identity ?? "")));
  assert.notEqual(records[1]!.input_identity, records[1]!.enforced_identity);
});

Deno.test("rewritten arguments meet the deny rules, the protected files and the tool's own checks", async () => {
  await using world = await createWorld();
  await world.config('[permissions]\ndeny = ["Bash(curl:*)"]\n');
  const rewrite = (value: unknown) =>
    `echo '${JSON.stringify({ decision: "transform", transform: { path: "$target", value } })}'`;
  const cases: readonly (readonly [unknown, RegExp])[] = [
    [{ command: "curl http://127.0.0.1:1 > RAN" }, /the deny rule Bash\(curl:\*\) matches/],
    [{ comand: "touch RAN" }, /changed its arguments to something it does not take/],
  ];
  await standardHooks(world, {
    PreToolUse: { type: "command", command: rewrite({ file_path: ".onecode/hooks.json", content: "{}" }) },
  });
  const wrote = { name: "Write", id: "w", input: { file_path: "plain.txt", content: "x" } };
  const moved = await world.play([{ tool_calls: [wrote] }, { text: "ok" }]);
  assert.deepEqual(of(moved.events, "tool_denied").map(({ by }) => by), ["protected"]);
  assert.ok(!await world.exists(".onecode"));
  for (const [value, says] of cases) {
    await standardHooks(world, { PreToolUse: { type: "command", command: rewrite(value) } });
    const run = await world.play([{ tool_calls: [bash("c1", "true")] }, { text: "ok" }]);
    assert.match(of(run.events, "tool_result")[0]?.content ?? "", says);
    assert.ok(!await world.exists("RAN"));
  }
});

Deno.test("a server that speaks the standard judges; one that fails in any way fails closed with the right reason", async () => {
  const answers: Readonly<Record<string, () => Response | Promise<Response>>> = {
    "/deny": () => Response.json({ decision: "deny", reason: "acme:no" }),
    "/500": () => new Response("oops", { status: 500 }),
    "/html": () => new Response("<html>sorry</html>", { headers: { "content-type": "text/html" } }),
    "/large": () => new Response(" ".repeat(10_000_000) + '{"decision":"allow"}'),
    "/invalid": () => Response.json({ decision: "perhaps" }),
    "/slow": () => new Promise((resolve) => setTimeout(() => resolve(Response.json({ decision: "allow" })), 3000)),
    "/allow": () => Response.json({ decision: "allow" }),
  };
  await using server = startRecorder(({ path }) => answers[path]!());
  const rows: readonly (readonly [url: string, reason: string | undefined])[] = [
    [`${server.url}/deny`, "acme:no"],
    [`${server.url}/500`, "host_error:interceptor_failed"],
    [`${server.url}/html`, "host_error:interceptor_failed"],
    [`${server.url}/large`, "host_error:interceptor_failed"],
    [`${server.url}/invalid`, "host_error:verdict_invalid"],
    [`${server.url}/slow`, "host_error:interceptor_timeout"],
    ["http://127.0.0.1:1/down", "host_error:interceptor_failed"],
    [`${server.url}/allow`, undefined],
  ];
  for (const [url, reason] of rows) {
    await using world = await createWorld();
    await standardHooks(world, { PreToolUse: { type: "http", url, timeout: 1 } });
    const { events } = await world.play([{ tool_calls: [bash("c1", "touch RAN")] }, { text: "ok" }]);
    const record = of(events, "interception")[0]?.record;
    assert.equal(record?.verdict["reason"], reason, url);
    assert.equal(await world.exists("RAN"), reason === undefined, url);
  }
  const [first] = server.requests;
  assert.deepEqual(JSON.parse(first!.body).tool_call.args, { command: "touch RAN" });
});

Deno.test("a server that speaks the standard rewrites, and asks: without a person its deny stands", async () => {
  await using server = startRecorder(({ body }) => {
    const { command } = JSON.parse(body).target;
    return Response.json(
      command.startsWith("echo")
        ? { decision: "transform", transform: { path: "$target.command", value: "echo rewritten > OUT" } }
        : { decision: "deny", reason: "acme:ask", approval: { team: "ops" } },
    );
  });
  await using world = await createWorld();
  await standardHooks(world, { PreToolUse: { type: "http", url: server.url } });
  const { events } = await world.play([
    { tool_calls: [bash("c1", "echo original > OUT")] },
    { expect: { contains: ["echo rewritten"] }, tool_calls: [bash("c2", "touch RAN")] },
    { expect: { contains: ["acme:ask"] }, text: "ok" },
  ]);
  assert.equal(await world.read("OUT"), "rewritten\n");
  assert.ok(!await world.exists("RAN"));
  const records = of(events, "interception").map(({ record }) => record);
  assert.deepEqual(records.map(({ verdict }) => verdict["decision"]), ["transform", "deny"]);
  assert.deepEqual(records[1]?.verdict["approval"], {}, "what is in an approval block is not in the record");
});

Deno.test("every context that a hook is given at the eight points is valid by the standard's schemas", async () => {
  await using world = await createWorld();
  const events = [
    ...["SessionStart", "UserPromptSubmit", "PreModelCall", "PostModelCall"],
    ...["PreToolUse", "PostToolUse", "Output", "SessionEnd"],
  ];
  const command = `cat >> "$SOONG_PROJECT_DIR/contexts"; echo '{"decision":"allow"}'`;
  await standardHooks(world, Object.fromEntries(events.map((event) => [event, { type: "command", command }])));
  await world.write("big.txt", "line of text\n".repeat(10_000));
  const run = await world.play([
    {
      text: "looking",
      tool_calls: [bash("c1", "cat big.txt"), { name: "Read", id: "c2", input: { file_path: "no.txt" } }],
    },
    { tool_calls: [{ name: "Bash", id: "c3", raw_input: "{ broken" }, { name: "Nothing", id: "c4", input: {} }] },
    { text: "ok ✓" },
  ]);
  assert.equal(run.code, 0, run.stderr);
  const contexts = (await world.read("contexts")).trim().split("\n").map((line) => JSON.parse(line));
  assert.equal(new Set(contexts.map(({ interception_point: point }) => point)).size, 8);
  const validators = standardValidators();
  if (validators === undefined) {
    console.log("  the agent-hooks schemas are not beside the project: nothing was compared");
  }
  for (const context of contexts) assert.deepEqual(validators?.context(context) ?? [], [], JSON.stringify(context));
});

Deno.test("without a terminal a deny that asks for approval stands", async () => {
  await using world = await createWorld();
  const asks = `echo '{"decision":"deny","reason":"acme:ask","approval":{}}'`;
  await standardHooks(world, { PreToolUse: { type: "command", command: asks } });
  const { events } = await world.play([{ tool_calls: [bash("c1", "touch RAN")] }, { text: "ok" }]);
  assert.ok(!await world.exists("RAN"));
  const record = of(events, "interception")[0]?.record;
  assert.deepEqual([record?.verdict["reason"], record?.verdict["approval"], record?.resolved_by], [
    "acme:ask",
    {},
    undefined,
  ]);
});

Deno.test("on a terminal a person lifts such a deny, once, and is not asked a second time for permission", async () => {
  await using world = await createWorld();
  await standardHooks(world, { PreToolUse: { type: "command", command: `python3 ${EXAMPLE}` } });
  const model = await world.script([
    { tool_calls: [bash("c1", ": git push; echo one >> RAN")] },
    { tool_calls: [bash("c2", ": git push; echo two >> RAN")] },
    { expect: { contains: ["not today"] }, text: "all done" },
  ]);
  await inTerminal(world, ["run", "go", "--model", model], async ({ screen, keys }) => {
    await until(async () => (await screen()).includes("a push needs a person"), "the first question");
    await keys("y", "Enter");
    await until(async () => (await screen()).split("lets you decide").length === 3, "the second question");
    await keys("not today", "Enter");
    await until(async () => (await screen()).includes("EXIT-CODE:0"), "the end");
    assert.equal((await screen()).split("lifted by a person").length, 2);
    assert.doesNotMatch(await screen(), /Allow Bash/);
  });
  assert.equal(await world.read("RAN"), "one\n");
});

Deno.test("a deny at PostToolUse keeps the result from the model, the log and the artifacts", async () => {
  await using world = await createWorld();
  await standardHooks(world, {
    PostToolUse: { type: "command", command: `echo '{"decision":"deny","reason":"acme:tainted"}'` },
  });
  const secret = "SECRET-RESULT ".repeat(5000);
  await world.write("big.txt", secret);
  const { code, events } = await world.play([
    { tool_calls: [{ name: "Bash", id: "c1", input: { command: "cat big.txt" } }] },
    { expect: { contains: ["acme:tainted"] }, text: "ok" },
  ]);
  assert.equal(code, 0);
  assert.ok(!JSON.stringify(events).includes("SECRET-RESULT"));
  for await (const entry of walk(`${world.home}`)) {
    assert.ok(!(await Deno.readTextFile(entry)).includes("SECRET-RESULT"), entry);
  }
});

Deno.test("with hooks.incremental each part of an answer is shown when its verdict permits it, and none after a deny", async () => {
  await using world = await createWorld();
  await world.config("[hooks]\nincremental = true\n");
  const guard = `python3 -c 'import json,sys; c=json.load(sys.stdin)["response"]["content"] or ""; ` +
    `print(json.dumps({"decision": "deny" if "secret" in c else "allow", "reason": "acme:word"}))'`;
  await standardHooks(world, { PostModelCall: { type: "command", command: guard } });
  const run = await world.play([{
    text: "public part, secret part, the rest",
    chunks: ["public part, ", "secret part, ", "the rest"],
  }]);
  assert.equal(run.code, 3, run.stderr);
  assert.ok(!(run.stdout + run.stderr).includes("secret part"));
});

async function* walk(folder: string): AsyncGenerator<string> {
  for await (const entry of Deno.readDir(folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) yield* walk(path);
    else yield path;
  }
}
