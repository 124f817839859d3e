import assert from "node:assert/strict";
import { createWorld } from "../support/world.ts";

Deno.test("alone on a bare machine: odd folder name, empty home, a Deno configuration and variables around it", async () => {
  await using world = await createWorld();
  const folder = `${world.root}/a 文件夹`;
  await Deno.mkdir(folder);
  await Deno.writeTextFile(`${folder}/deno.json`, `{ "imports": { "zod": "./nowhere.ts" }, "lock": "x" }`);
  const home = `${world.root}/empty home`;
  const env = { HOME: home, SOONG_AGENT_HOME: "", DENO_NO_PROMPT: "0" };
  const before = [...Deno.readDirSync(folder)].length;
  for (const args of [["--version"], ["--help"], ["hooks"], ["tools"]]) {
    const { code, stdout, stderr } = await world.run(args, { cwd: folder, env });
    assert.equal(code, 0, stderr);
    assert.ok(stdout.length > 0);
  }
  const demo = await world.run(["run", "--demo"], { cwd: folder, env });
  assert.equal(demo.code, 0, demo.stderr);
  const model = await world.script([{ text: "done" }]);
  await Deno.mkdir(home);
  const both = await Promise.all(
    [1, 2].map(() => world.run(["run", "go", "--model", model], { cwd: folder, env })),
  );
  for (const run of both) assert.equal(run.stdout, "done\n", run.stderr);
  assert.equal([...Deno.readDirSync(folder)].length, before, "nothing is written into the project");
  assert.deepEqual([...Deno.readDirSync(home)].map((entry) => entry.name).filter((name) => name !== ".cache"), [
    ".soong-agent",
  ]);
});

Deno.test("without HOME and SOONG_AGENT_HOME there is one clear message", async () => {
  await using world = await createWorld();
  const { code, stderr } = await world.run(["run", "go", "--model", "demo"], {
    env: { HOME: "", SOONG_AGENT_HOME: "" },
  });
  assert.equal(code, 4);
  assert.match(stderr, /SOONG_AGENT_HOME/);
  assert.doesNotMatch(stderr, /\.ts:\d+/);
});

Deno.test("the demo shows what was denied, why, and how long each hook took", async () => {
  await using world = await createWorld();
  const { code, stdout, stderr } = await world.run(["run", "--demo"]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /denied by hook: deleting whole folders is refused here/);
  assert.match(stdout, /sent back/);
  assert.match(stdout, /hook PreToolUse .* deny \d+ ms/);
  assert.match(stdout, /hook Stop .* allow \d+ ms/);
  assert.match(stdout, /the check passes/);
});
