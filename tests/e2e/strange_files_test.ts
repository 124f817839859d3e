import assert from "node:assert/strict";
import { join } from "node:path";
import { createWorld, type World } from "../support/world.ts";

/** What must be refused, not waited for, where a file is expected. */
const STRANGE: readonly { readonly name: string; readonly make: (path: string) => Promise<void> }[] = [
  { name: "a pipe without a writer", make: (path) => command("mkfifo", path) },
  { name: "a device without an end", make: (path) => Deno.symlink("/dev/zero", path) },
  { name: "a folder", make: (path) => Deno.mkdir(path) },
  { name: "a link to itself", make: (path) => Deno.symlink(path, path) },
];

for (const { name, make } of STRANGE) {
  Deno.test(`${name} in the place of config.toml ends a run at once, with its path`, async () => {
    await using world = await createWorld();
    const path = join(world.home, "config.toml");
    await make(path);
    const { code, stderr } = await world.run(["run", "go", "--model", await world.script([{ text: "ok" }])]);
    assert.equal(code, 4, stderr);
    says(stderr, path);
  });

  Deno.test(`${name} in the place of a script ends a run at once, with its path`, async () => {
    await using world = await createWorld();
    const path = join(world.project, "script.json");
    await make(path);
    const { code, stderr } = await world.run(["run", "go", "--model", `script/${path}`]);
    assert.equal(code, 2, stderr);
    says(stderr, path);
  });

  Deno.test(`${name} in the place of a session costs the list one line`, async () => {
    await using world = await createWorld();
    const id = await recordedSession(world);
    const folder = join(world.home, "sessions");
    const strange = join(folder, `${id.slice(0, -1)}${id.endsWith("0") ? "1" : "0"}.jsonl`);
    await make(strange);
    const list = await world.run(["sessions", "list"]);
    assert.equal(list.code, 0, list.stderr);
    assert.ok(list.stdout.includes(id));
    const resumed = await world.run([
      "run",
      "again",
      "--resume",
      "last",
      "--model",
      await world.script([{ text: "ok" }]),
    ]);
    assert.equal(resumed.code, 0, resumed.stderr);
    for (const verb of ["show", "verify"]) {
      const one = await world.run(["sessions", verb, strange.slice(folder.length + 1, -".jsonl".length)]);
      assert.notEqual(one.code, 0);
      assert.doesNotMatch(one.stderr, STACK);
    }
  });
}

Deno.test("a prompt without an end on stdin is refused when it is too long", async () => {
  await using world = await createWorld();
  const model = await world.script([{ text: "ok" }]);
  const { code, stderr } = await world.run(["run", "-", "--model", model], { stdin: "y".repeat(17 * 1024 * 1024) });
  assert.equal(code, 2, stderr);
  assert.match(stderr, /more than 16 MiB/);
});

const STACK = /\.ts:\d+/;

function says(stderr: string, path: string): void {
  assert.ok(stderr.includes(path), stderr);
  assert.match(stderr, /cannot be read/);
  assert.doesNotMatch(stderr, STACK);
}

async function recordedSession(world: World): Promise<string> {
  const model = await world.script([{ text: "ok" }]);
  const { stdout } = await world.run(["run", "go", "--model", model, "--output", "json"]);
  return JSON.parse(stdout).session_id;
}

async function command(program: string, ...args: string[]): Promise<void> {
  const { success } = await new Deno.Command(program, { args }).output();
  assert.ok(success);
}

Deno.test("a pipe that the agent makes in its project holds nothing up, not even the end", async () => {
  await using world = await createWorld();
  const { code, events } = await world.play([
    { tool_calls: [{ name: "Bash", id: "c1", input: { command: "mkfifo pipe && sleep 1" } }] },
    { text: "done" },
  ], ["--permission-mode", "full"]);
  assert.equal(code, 0);
  assert.equal(events.at(-1)?.type, "session_finished");
});
