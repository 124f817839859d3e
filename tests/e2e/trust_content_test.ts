/** Trust by content: what was shown and trusted runs, and nothing that was put in its place. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { inTerminal } from "../support/terminal.ts";
import { createWorld, of, type ProgramResult, until, type World } from "../support/world.ts";

const HOOKS = ".onecode/hooks.json";

function onecode(command: string, point = "input"): string {
  return JSON.stringify({ [point]: [{ hooks: [{ type: "command", command }] }] });
}

const TURNS = [{ tool_calls: [{ name: "Bash", id: "c1", input: { command: "true" } }] }, { text: "ok" }];

function skipped({ events }: ProgramResult): readonly string[] {
  return of(events, "warning").filter(({ code }) => code === "hooks_skipped").map(({ message }) => message);
}

async function fired(world: World, project = world.project): Promise<boolean> {
  return await world.exists(join(project, "FIRED"));
}

Deno.test("trust shows what would run; after it the hooks run until one byte of them changes", async () => {
  await using world = await createWorld();
  await world.write(".onecode/guard.sh", "touch FIRED\n");
  await world.write(HOOKS, onecode("sh .onecode/guard.sh"));
  const shown = await world.run(["trust"]);
  assert.equal(shown.code, 1);
  for (const part of [HOOKS, "sh .onecode/guard.sh", ".onecode/guard.sh  script of a hook", "config:input:Command:"]) {
    assert.ok(shown.stdout.includes(part), shown.stdout);
  }
  assert.match(shown.stderr, /no terminal to ask on.*--yes/);
  assert.ok(!await world.exists(join(world.home, "trust.json")));

  assert.equal((await world.run(["trust", "--yes"])).code, 0);
  assert.equal((await Deno.stat(join(world.home, "trust.json"))).mode! & 0o777, 0o600);
  assert.deepEqual(skipped(await world.play(TURNS)), []);
  assert.ok(await fired(world));
  assert.equal((await world.run(["trust", "--diff"])).code, 0);
  const list = (await world.run(["trust", "--list"])).stdout;
  assert.ok(list.includes(world.project) && list.includes(HOOKS) && list.includes(".onecode/guard.sh"), list);

  await Deno.remove(join(world.project, "FIRED"));
  await world.write(".onecode/guard.sh", "touch FIRED # changed\n");
  assert.match(skipped(await world.play(TURNS)).join(), /guard\.sh has changed since it was trusted/);
  assert.ok(!await fired(world));
  const diff = await world.run(["trust", "--diff"]);
  assert.equal(diff.code, 1);
  assert.match(diff.stdout, /-touch FIRED\n\+touch FIRED # changed/);
  await world.run(["trust", "--yes"]);
  assert.deepEqual(skipped(await world.play(TURNS)), []);

  await Deno.remove(join(world.project, "FIRED"));
  await world.write(HOOKS, onecode("sh .onecode/guard.sh; true"));
  assert.match(skipped(await world.play(TURNS)).join(), /this file has changed since it was trusted/);
  assert.ok(!await fired(world));
  assert.equal((await world.run(["trust", "--remove"])).code, 0);
  assert.match(skipped(await world.play(TURNS)).join(), /this project is not trusted/);
});

Deno.test("a trusted script that is swapped while the agent works does not run, and the hook is undecided aloud", async () => {
  await using world = await createWorld();
  await world.write(".onecode/guard.sh", "exit 0\n");
  await world.write(HOOKS, onecode("sh .onecode/guard.sh", "post_tool_call"));
  await world.run(["trust", "--yes"]);
  const run = await world.play([
    { tool_calls: [{ name: "Bash", id: "c1", input: { command: "echo touch PWNED > .onecode/guard.sh" } }] },
    { text: "ok" },
  ]);
  assert.equal(run.code, 0, run.stderr);
  assert.ok(!await world.exists("PWNED"));
  const [report] = of(run.events, "hook_finished");
  assert.deepEqual([report?.outcome, report?.cause], ["undecided", "not_started"]);
  assert.match(run.stderr, /guard\.sh has changed since it was trusted/);
});

Deno.test("whatever is put in place of a trusted script is a change, a link to the outside or to the payload too", async () => {
  const rows:
    readonly (readonly [what: string, command: string, put: (world: World, path: string) => Promise<void>])[] = [
      ["a link out of the project", "sh .onecode/guard", async (world, path) => {
        await Deno.symlink(await world.write(join(world.root, "evil.sh"), "touch PWNED\n"), path);
      }],
      ["a link to stdin, where the prompt is", "sh .onecode/guard", (_, path) => Deno.symlink("/dev/stdin", path)],
      ["a folder that python runs", "python3 .onecode/guard", async (world, path) => {
        await world.write(join(path, "__main__.py"), "open('PWNED', 'w')\n");
      }],
      ["a pipe", "sh .onecode/guard", async (_, path) => {
        await new Deno.Command("mkfifo", { args: [path] }).output();
      }],
      ["nothing", "sh .onecode/guard", () => Promise.resolve()],
    ];
  for (const [what, command, put] of rows) {
    await using world = await createWorld();
    const path = await world.write(".onecode/guard", "");
    await world.write(HOOKS, onecode(command));
    await world.run(["trust", "--yes"]);
    await Deno.remove(path);
    await put(world, path);
    const model = await world.script([{ text: "ok" }]);
    const run = await world.run(["run", "$(touch PWNED)", "--model", model, "--output", "stream-json"]);
    assert.equal(run.code, 0, run.stderr);
    assert.ok(!await world.exists("PWNED"), what);
    assert.match(skipped(run).join(), /guard has changed since it was trusted/, what);
    assert.equal(of(run.events, "hook_finished").length, 0, what);
  }
});

Deno.test("a script that is a link out of the project is trusted with the content it leads to", async () => {
  await using world = await createWorld();
  const outside = await world.write(join(world.root, "shared.sh"), "touch FIRED\n");
  await Deno.mkdir(join(world.project, ".onecode"));
  await Deno.symlink(outside, join(world.project, ".onecode/guard.sh"));
  await world.write(HOOKS, onecode("sh .onecode/guard.sh"));
  const shown = await world.run(["trust", "--yes"]);
  assert.ok(shown.stdout.includes(`.onecode/guard.sh  script of a hook, a link to ${outside}`), shown.stdout);
  assert.deepEqual(skipped(await world.play(TURNS)), []);
  assert.ok(await fired(world));
  await world.write(outside, "touch PWNED\n");
  assert.match(skipped(await world.play(TURNS)).join(), /guard\.sh has changed/);
  assert.ok(!await world.exists("PWNED"));
});

Deno.test("a hook whose script is a device is not trusted", async () => {
  await using world = await createWorld();
  await Deno.mkdir(join(world.project, ".onecode"));
  await Deno.symlink("/dev/stdin", join(world.project, ".onecode/guard.sh"));
  await world.write(HOOKS, onecode("sh .onecode/guard.sh"));
  await new Deno.Command("mkfifo", { args: [join(world.project, ".onecode/pipe.sh")] }).output();
  for (const name of ["guard.sh", "pipe.sh"]) {
    await world.write(HOOKS, onecode(`sh .onecode/${name}`));
    const trust = await world.run(["trust", "--yes"]);
    assert.equal(trust.code, 4, name);
    assert.ok(trust.stderr.includes(`${name} is named by a hook, and it is no regular file`), trust.stderr);
  }
  assert.ok(!await world.exists(join(world.home, "trust.json")));
});

Deno.test("a script that is missing is listed, and one that comes later is not run before it is trusted", async () => {
  await using world = await createWorld();
  await world.write(HOOKS, onecode("sh .onecode/late.sh"));
  const { stdout, stderr } = await world.run(["trust", "--yes"]);
  assert.match(stdout, /^\.onecode\/late\.sh {2}script of a hook \(missing: /m);
  assert.match(stderr, /, 1 file; a change of it has to be trusted again/);
  await world.write(".onecode/late.sh", "touch FIRED\n");
  assert.match(skipped(await world.play(TURNS)).join(), /late\.sh was not there/);
  assert.ok(!await fired(world));
  const again = await world.run(["trust", "--yes"]);
  assert.doesNotMatch(again.stdout, /missing/);
  assert.match(again.stderr, /, 2 files; a change of any of them/);
});

Deno.test("the diff says of a pipe or a folder in place of a script what it is, and of nothing that it is gone", async () => {
  await using world = await createWorld();
  const path = await world.write(".onecode/guard.sh", "true\n");
  await world.write(HOOKS, onecode("sh .onecode/guard.sh"));
  await world.run(["trust", "--yes"]);
  await Deno.remove(path);
  const diff = async () => (await world.run(["trust", "--diff"])).stdout;
  assert.match(await diff(), /guard\.sh\tgone/);
  await new Deno.Command("mkfifo", { args: [path] }).output();
  assert.equal(await diff(), ".onecode/guard.sh: changed; it cannot be compared: it is no regular file\n");
  await Deno.remove(path);
  await Deno.mkdir(path);
  assert.equal(await diff(), ".onecode/guard.sh: changed; it cannot be compared: it is a folder\n");
});

Deno.test("neither trust nor its diff shows a secret of the project's files, and a changed channel is seen", async () => {
  await using world = await createWorld();
  const secret = "hunter2-very-secret";
  const hooks = (word: string) =>
    JSON.stringify(
      { input: [{ hooks: [{ type: "notification", provider: "own", secret: `${secret}${word}`, message: "m" }] }] },
      undefined,
      1,
    );
  const providers = (host: string) =>
    JSON.stringify({ own: { url: `https://${host}.test/hook/${secret}`, body: { a: "{{Text}}" } } }, undefined, 1);
  await world.write(HOOKS, hooks("1"));
  await world.write(".onecode/notification-providers.json", providers("good"));
  const first = await world.run(["trust", "--yes"]);
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stdout, /own {2}POST https:\/\/good\.test\/\.\.\./);
  await world.write(HOOKS, hooks("2"));
  await world.write(".onecode/notification-providers.json", providers("evil"));
  const diff = await world.run(["trust", "--diff"]);
  assert.equal(diff.code, 1);
  assert.match(diff.stdout, /^\+.*evil\.test/m);
  assert.match(diff.stdout, /^\+.*"secret": "\*\*\*/m);
  for (const { stdout, stderr } of [first, diff]) assert.ok(!(stdout + stderr).includes(secret), stdout);
});

Deno.test("a copy of what was trusted is kept for the user only, and goes when nothing is trusted with it", async () => {
  await using world = await createWorld();
  const kept = async () => (await Array.fromAsync(Deno.readDir(join(world.home, "trust")))).map(({ name }) => name);
  await world.write(HOOKS, onecode("true"));
  await world.run(["trust", "--yes"]);
  const [before, ...none] = await kept();
  assert.deepEqual(none, []);
  assert.equal((await Deno.stat(join(world.home, "trust", before!))).mode! & 0o777, 0o600);
  await world.write(HOOKS, onecode("false"));
  await world.write(join(world.home, "trust", before!), "something else");
  assert.match((await world.run(["trust", "--diff"])).stdout, /its trusted content was not kept/);
  await world.run(["trust", "--yes"]);
  const [after, ...more] = await kept();
  assert.deepEqual(more, []);
  assert.notEqual(after, before);
  await world.run(["trust", "--remove"]);
  assert.deepEqual(await kept(), []);
});

Deno.test("with pin = true a trusted folder is not enough for the project's files", async () => {
  await using world = await createWorld();
  await world.write(HOOKS, onecode("touch FIRED"));
  await world.config(`[trust]\npin = true\ndirectories = ["${world.project}"]\n`);
  assert.equal(skipped(await world.play(TURNS)).length, 1);
  assert.ok(!await fired(world));
  await world.run(["trust", "--yes"]);
  await world.play(TURNS);
  assert.ok(await fired(world));
});

Deno.test("on a terminal a plain return trusts nothing, and a yes trusts what was shown, not what came after", async () => {
  await using world = await createWorld();
  await world.write(HOOKS, onecode("touch FIRED"));
  await inTerminal(world, ["trust"], async ({ screen, keys }) => {
    await until(async () => (await screen()).includes("[y/N]"), "the question");
    assert.ok((await screen()).replaceAll("\n", "").includes("with this file as it is now? [y/N]"));
    await keys("Enter");
    await until(async () => (await screen()).includes("EXIT-CODE:1"), "the end");
  });
  await inTerminal(world, ["trust"], async ({ screen, keys }) => {
    await until(async () => (await screen()).includes("[y/N]"), "the question");
    await world.write(HOOKS, onecode("touch PWNED"));
    await keys("y", "Enter");
    await until(async () => (await screen()).includes("EXIT-CODE:0"), "the end");
  });
  assert.match(skipped(await world.play(TURNS)).join(), /has changed/);
  assert.ok(!await world.exists("PWNED"));
});

Deno.test("a broken hook file is not trusted, a broken trust.json trusts nothing and is not overwritten", async () => {
  await using world = await createWorld();
  await world.write(HOOKS, '{ "input": [ }');
  const broken = await world.run(["trust", "--yes"]);
  assert.equal(broken.code, 4);
  assert.ok(broken.stdout.includes(`${HOOKS}:1:14`), broken.stdout);

  await world.write(HOOKS, onecode("touch FIRED"));
  await world.run(["trust", "--yes"]);
  const path = join(world.home, "trust.json");
  await world.write(path, (await world.read(path)).replace('"version"', "version"));
  const run = await world.play(TURNS);
  assert.ok(!await fired(world));
  assert.ok(run.stderr.includes(`${path}:2:3`), run.stderr);
  const before = await world.read(path);
  const again = await world.run(["trust", "--yes"]);
  assert.equal(again.code, 1, again.stderr);
  assert.equal(await world.read(path), before);
});
