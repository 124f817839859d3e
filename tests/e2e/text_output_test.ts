/** What `soong-agent run` tells a person on the terminal about calls and hooks. */
import assert from "node:assert/strict";
import { createWorld, of, type World } from "../support/world.ts";

const bash = (id: string, command: string) => ({ name: "Bash", id, input: { command } });

async function told(world: World, turns: readonly unknown[], args: readonly string[] = []) {
  return await world.run(["run", "go", "--model", await world.script(turns), "--permission-mode", "full", ...args]);
}

/** One hook of the standard before each tool call. */
async function transformer(world: World, value: unknown): Promise<void> {
  const answer = JSON.stringify({ decision: "transform", transform: { path: "$target", value } });
  await world.write("answer.json", answer);
  const hook = {
    id: "rewriter",
    type: "command",
    protocol: "agent-hooks/0.1",
    command: "cat answer.json",
    timeout: 20,
  };
  await world.hooks(JSON.stringify({ version: 2, hooks: { PreToolUse: [{ hooks: [hook] }] } }));
}

Deno.test("a call that cannot run says why on one line, like each other failed call", async () => {
  await using world = await createWorld();
  const { code, stderr } = await told(world, [
    {
      tool_calls: [
        { name: "Write", id: "c1", input: { nope: 1 } },
        { name: "Foo", id: "c2", input: {} },
        { name: "Bash", id: "c3", raw_input: "{ broken" },
        bash("c4", "true"),
      ],
    },
    { text: "ok" },
  ]);
  assert.equal(code, 0, stderr);
  const lines = stderr.split("\n").filter((line) => /^\s+(failed|ok)/.test(line));
  assert.equal(lines.length, 4, stderr);
  assert.match(lines[0]!, /failed The arguments of Write do not fit, so nothing was run: .*nope/);
  assert.match(lines[1]!, /failed There is no tool named "Foo"/);
  assert.match(lines[2]!, /failed The arguments of Bash are not a JSON object/);
  assert.match(lines[3]!, /ok \d+ ms/);
});

Deno.test("a denied and a skipped call have one line each for their end", async () => {
  await using world = await createWorld();
  await world.config('[permissions]\ndeny = ["Bash(curl:*)"]\n');
  const { stderr } = await told(world, [
    { tool_calls: [bash("c1", "curl x"), bash("c2", "true")] },
    { text: "ok" },
  ]);
  assert.match(stderr, /denied by permission/);
  assert.match(stderr, /not run Bash/);
  assert.doesNotMatch(stderr, /failed/);
});

Deno.test("a hook that rewrites a call has its line with what changed, and the error is the tool's own", async () => {
  await using world = await createWorld();
  await transformer(world, { command: "echo \u202eproblem; exit 3" });
  const { stderr } = await told(world, [{ tool_calls: [bash("c1", "true")] }, { text: "ok" }]);
  assert.match(stderr, /hook pre_tool_call \S+: transform \d+ ms/);
  assert.match(stderr, /changed command: "true" → "echo \\u\{202e\}problem; exit 3"/);
  assert.match(stderr, /failed .*(problem|3)/);
  assert.doesNotMatch(stderr, /failed \[A hook changed/);
});

Deno.test("a long argument is shown from a little before what a hook changed in it", async () => {
  await using world = await createWorld();
  const long = "x".repeat(5000);
  await transformer(world, { file_path: "a.txt", content: `${long}\nnew ${long}` });
  const call = { name: "Write", id: "c1", input: { file_path: "a.txt", content: `${long}\nold` } };
  const { stderr } = await told(world, [{ tool_calls: [call] }, { text: "ok" }]);
  const line = stderr.split("\n").find((one) => one.includes("changed"))!;
  assert.match(line, /^ {2}changed content: …x+\\nold" → …x+\\nnew x+…$/);
  assert.ok(line.length < 300);
  assert.match(stderr, /ok \d+ ms/);
});

Deno.test("hooks.fail_closed_when_empty says that no hook is registered, and names its key", async () => {
  await using world = await createWorld();
  await world.config("[hooks]\nfail_closed_when_empty = true\n");
  const { stderr } = await told(world, [{ text: "ok" }]);
  assert.match(stderr, /error: The session was refused: .*no hook is registered.*hooks\.fail_closed_when_empty/);
  assert.doesNotMatch(stderr, /A hook refused/);
  const { events } = await world.play([{ text: "ok" }]);
  assert.equal(of(events, "interception")[0]?.record.verdict["reason"], "host_error:no_interceptor");
});

Deno.test("one model request is one request, two are requests", async () => {
  await using world = await createWorld();
  const turns = [{ tool_calls: [bash("c1", "true")] }, { tool_calls: [bash("c2", "true")] }, { text: "ok" }];
  assert.match((await told(world, turns, ["--max-turns", "1"])).stderr, /after 1 model request \(/);
  assert.match((await told(world, turns, ["--max-turns", "2"])).stderr, /after 2 model requests \(/);
});

Deno.test("that hooks are off is a warning of --output json, and one line of the text", async () => {
  await using world = await createWorld();
  const json = await told(world, [{ text: "ok" }], ["--no-hooks", "--output", "json"]);
  const codes = JSON.parse(json.stdout).warnings.map(({ code }: { code: string }) => code);
  assert.deepEqual(codes, ["hooks_off"]);
  const text = await told(world, [{ text: "ok" }], ["--no-hooks"]);
  assert.equal(text.stderr.split("hooks are off").length, 2, text.stderr);
});
