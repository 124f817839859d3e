/**
 * Every way in which a tool can run asks the hooks before and after it. A new tool without a sample call, or a way past the hooks,
 * makes this fail.
 */
import assert from "node:assert/strict";
import type { LoggedEvent } from "../../src/protocol/mod.ts";
import { createWorld, of, type World } from "../support/world.ts";

/** One call a tool that runs in the prepared project. */
const SAMPLES: Readonly<Record<string, Record<string, unknown>>> = {
  "Read": { file_path: "a.txt" },
  "Glob": { pattern: "*.txt" },
  "Grep": { pattern: "a" },
  "LS": {},
  "Write": { file_path: "new.txt", content: "x" },
  "Edit": { file_path: "a.txt", old_string: "alpha", new_string: "beta" },
  "Bash": { command: "echo hi" },
  "TodoWrite": { todos: [{ content: "one", status: "pending" }] },
  "agent.plan_template": { goal: "a plan" },
};

const AUDIT = { hooks: [{ type: "command", command: "true" }] };

async function guardedWorld(): Promise<World> {
  const world = await createWorld();
  await world.write("a.txt", "alpha\n");
  await world.hooks({ PreToolUse: [AUDIT], PostToolUse: [AUDIT] });
  return world;
}

/** Each call that was started has one finished hook at each of the two points, before and after it. */
function checkCovered(events: readonly LoggedEvent[], expected: number): void {
  const started = of(events, "tool_started");
  assert.equal(started.length, expected);
  for (const { call_id: id } of started) {
    const at = (matches: (event: LoggedEvent) => boolean) => events.findIndex(matches);
    const hook = (point: string) =>
      at((event) => event.type === "hook_finished" && event.point === point && event.tool_call_id === id);
    const began = at((event) => event.type === "tool_started" && event.call_id === id);
    const ended = at((event) => event.type === "tool_result" && event.call_id === id);
    const [pre, post] = [hook("pre_tool_call"), hook("post_tool_call")];
    assert.ok(pre >= 0 && pre < began, `${id} began without its hook`);
    assert.ok(post > began && post < ended, `${id} ended without its hook`);
  }
}

async function toolNames(world: World): Promise<readonly string[]> {
  const { stdout } = await world.run(["tools"]);
  return stdout.split("\n").flatMap((line) =>
    /^([\w.]+)\s+(?:readonly|write|dangerous)\b/.exec(line.trim())?.[1] ?? []
  );
}

Deno.test("every tool of the program, one by one and all in one answer, asks the hooks before and after", async () => {
  await using world = await guardedWorld();
  const names = await toolNames(world);
  assert.deepEqual([...names].sort(), Object.keys(SAMPLES).sort(), "a tool without a sample call here");
  const call = (name: string, index: number) => ({
    name: name.replace(".", "_"),
    id: `c${index}`,
    input: SAMPLES[name],
  });
  const single = await world.play([...names.map((name, index) => ({ tool_calls: [call(name, index)] })), {
    text: "ok",
  }]);
  checkCovered(single.events, names.length);
  await world.write("a.txt", "alpha\n");
  await Deno.remove(`${world.project}/new.txt`);
  const batch = await world.play([{ tool_calls: names.map(call) }, { text: "ok" }]);
  checkCovered(batch.events, names.length);
});

Deno.test("a failing tool, a resumed session and every permission mode ask the hooks as well", async () => {
  await using world = await guardedWorld();
  const read = (id: string) => ({ name: "Read", id, input: { file_path: "a.txt" } });
  const failing = await world.play([
    { tool_calls: [{ name: "Read", id: "f1", input: { file_path: "none.txt" } }] },
    { tool_calls: [{ name: "Bash", id: "f2", input: { command: "exit 3" } }] },
    { text: "ok" },
  ]);
  checkCovered(failing.events, 2);
  const model = await world.script([{ tool_calls: [read("r1")] }, { text: "ok" }]);
  const resumed = await world.run(["run", "again", "--resume", "last", "--model", model, "--output", "stream-json"]);
  checkCovered(resumed.events, 1);
  for (const mode of ["ask", "accept-edits", "read-only", "full"]) {
    const run = await world.play([{ tool_calls: [read("m1")] }, { text: "ok" }], ["--permission-mode", mode]);
    checkCovered(run.events, 1);
  }
});

Deno.test("a hook that rewrites a call does not take it past the hook after it", async () => {
  await using world = await guardedWorld();
  const verdict = JSON.stringify({
    decision: "transform",
    transform: { path: "$target.command", value: "echo other" },
  });
  await world.hooks(JSON.stringify({
    version: 2,
    hooks: {
      PreToolUse: [{ hooks: [{ protocol: "agent-hooks/0.1", command: `echo '${verdict}'` }] }],
      PostToolUse: [{ hooks: [{ protocol: "agent-hooks/0.1", command: `echo '{"decision":"allow"}'` }] }],
    },
  }));
  const run = await world.play([{ tool_calls: [{ name: "Bash", id: "c1", input: { command: "echo hi" } }] }, {
    text: "ok",
  }]);
  checkCovered(run.events, 1);
});
