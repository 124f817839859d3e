import assert from "node:assert/strict";
import { createWorld, readLog, until, type World } from "../support/world.ts";

interface Situation {
  readonly title: string;
  /** Prepares the world and gives the model's turns; the run is under way when READY exists. */
  prepare(world: World): Promise<readonly unknown[]>;
}

const SITUATIONS: readonly Situation[] = [
  {
    title: "while a command and its background child run",
    prepare: () =>
      Promise.resolve([{ tool_calls: [{ name: "Bash", input: { command: "sleep 300 & touch READY; sleep 300" } }] }]),
  },
  {
    title: "while a hook sleeps",
    async prepare(world) {
      await world.hooks({
        PreToolUse: [{ hooks: [{ type: "command", command: "touch READY; sleep 300 & sleep 300" }] }],
      });
      return [{ tool_calls: [{ name: "Bash", input: { command: "touch MARK" } }] }];
    },
  },
  {
    title: "while a command ignores TERM",
    prepare: () =>
      Promise.resolve([{
        tool_calls: [{ name: "Bash", input: { command: "trap '' TERM; touch READY; sleep 300; sleep 300" } }],
      }]),
  },
  {
    title: "while the model is silent",
    async prepare(world) {
      await world.hooks({ UserPromptSubmit: [{ hooks: [{ type: "command", command: "touch READY" }] }] });
      return [{ text: "late", delay_ms: 120_000 }];
    },
  },
];

for (const situation of SITUATIONS) {
  for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143], ["SIGHUP", 129]] as const) {
    Deno.test(`${signal} ${situation.title}: exit ${code} within its time, no process left, a whole log`, async () => {
      await using world = await createWorld();
      const model = await world.script(await situation.prepare(world));
      const child = world.start(["run", "go", "--model", model, "--permission-mode", "full"]);
      void child.stdin.close();
      const output = child.output();
      await until(() => world.exists("READY"), "the run is under way");
      await new Promise((resolve) => setTimeout(resolve, 150));
      const begun = performance.now();
      child.kill(signal);
      const result = await output;
      const took = performance.now() - begun;
      assert.equal(result.code, code, new TextDecoder().decode(result.stderr));
      assert.ok(took < 4500, `took ${took} ms`);
      assert.equal(await world.exists("MARK"), false);
      for await (const entry of Deno.readDir(`${world.home}/sessions`)) {
        if (!entry.name.endsWith(".jsonl")) continue;
        const log = await readLog(`${world.home}/sessions/${entry.name}`);
        assert.equal(log.at(-1)?.type, "session_finished");
        assert.ok(log.at(-1)?.type === "session_finished" && (log.at(-1) as { reason: string }).reason === "aborted");
      }
    });
  }
}

Deno.test("a second Ctrl-C ends the program at once", async () => {
  await using world = await createWorld();
  const model = await world.script([
    { tool_calls: [{ name: "Bash", input: { command: "trap '' TERM; touch READY; sleep 300; sleep 300" } }] },
  ]);
  const child = world.start(["run", "go", "--model", model, "--permission-mode", "full"]);
  void child.stdin.close();
  const output = child.output();
  await until(() => world.exists("READY"), "the run is under way");
  child.kill("SIGINT");
  await new Promise((resolve) => setTimeout(resolve, 100));
  const begun = performance.now();
  child.kill("SIGINT");
  assert.equal((await output).code, 130);
  assert.ok(performance.now() - begun < 1500);
});

Deno.test("a closed stdout ends the run, its children too", async () => {
  await using world = await createWorld();
  const turns = Array.from(
    { length: 200 },
    () => ({ tool_calls: [{ name: "Bash", input: { command: "sleep 0.05" } }] }),
  );
  const model = await world.script([...turns, { text: "done" }]);
  const child = world.start(["run", "go", "--model", model, "--permission-mode", "full", "--output", "stream-json"]);
  void child.stdin.close();
  const reader = child.stdout.getReader();
  await reader.read();
  await reader.cancel();
  const stderr = new Response(child.stderr).text();
  const status = await child.status;
  assert.equal(status.code, 1);
  assert.doesNotMatch(await stderr, /\.ts:\d+/);
});
