/** Workspace trust: nothing that a project brings along runs before the user trusts it, and what does not run is said. */
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

Deno.test("an untrusted project's hooks never run, whatever command looks at them, and a run says what it skipped", async () => {
  await using world = await createWorld();
  const hostile = {
    input: [{ hooks: [{ type: "command", command: "touch PWNED" }] }],
    pre_tool_call: [{ matcher: "*", hooks: [{ type: "command", command: "touch PWNED; exit 2" }] }],
    output: [{ hooks: [{ type: "command", command: "touch PWNED" }] }],
  };
  const file = await world.write(HOOKS, JSON.stringify(hostile));
  const run = await world.play(TURNS);
  assert.equal(run.code, 0, run.stderr);
  assert.equal(of(run.events, "hook_finished").length, 0);
  const [message, ...more] = skipped(run);
  assert.deepEqual(more, []);
  for (const part of [file, "3 hooks are skipped", `soong-agent trust ${world.project}`]) {
    assert.ok(message?.includes(part), message);
    assert.ok(run.stderr.includes(part), run.stderr);
  }
  for (
    const args of [
      ["--version"],
      ["--help"],
      ["hooks"],
      ["hooks", "list"],
      ["hooks", "status"],
      ["hooks", "validate"],
      ["hooks", "validate", file, "--dialect", "onecode"],
      ["trust"],
      ["trust", "--list"],
      ["trust", "--diff"],
      ["trust", "--remove"],
      ["trust", "--folder"],
      ["tools"],
    ]
  ) {
    const { stdout, stderr } = await world.run(args);
    assert.ok(!await world.exists("PWNED"), args.join(" "));
    assert.doesNotMatch(stdout + stderr, /\.ts:\d+/);
  }
  assert.match((await world.run(["hooks", "status"])).stdout, /Workspace trusted: NO[^]*SKIPPED: .*3 hooks/);
  assert.ok(!await world.exists("PWNED"));
});

Deno.test("a hook file that comes while the agent works does not run either, and that is said", async () => {
  await using world = await createWorld();
  const write = `mkdir -p .onecode; printf %s '${onecode("touch PWNED", "pre_tool_call")}' > ${HOOKS}; sleep 2.5`;
  const run = await world.play([
    { tool_calls: [{ name: "Bash", id: "c1", input: { command: write } }] },
    { tool_calls: [{ name: "Bash", id: "c2", input: { command: "true" } }] },
    { text: "ok" },
  ]);
  assert.equal(run.code, 0, run.stderr);
  assert.ok(!await world.exists("PWNED"));
  assert.match(skipped(run).join(), /1 hook is skipped/);
});

Deno.test("a sibling with the same beginning, a link to elsewhere and a way up are not the trusted folder (cases 23, 24)", async () => {
  await using world = await createWorld();
  const trusted = join(world.root, "App");
  const sibling = join(world.root, "Application");
  for (const folder of [trusted, sibling]) {
    await world.write(join(folder, HOOKS), onecode('touch "$SOONG_PROJECT_DIR/FIRED"'));
  }
  await Deno.symlink(sibling, join(trusted, "linked"));
  await Deno.mkdir(join(trusted, "inner"));
  await world.config(`[trust]\ndirectories = ["${trusted}"]\n`);
  for (const project of [sibling, join(trusted, "linked"), join(trusted, "..", "Application")]) {
    const run = await world.play(TURNS, ["--project", project]);
    assert.equal(run.code, 0, run.stderr);
    assert.ok(!await fired(world, sibling), project);
    assert.equal(skipped(run).length, 1);
  }
  const inside = await world.play(TURNS, ["--project", trusted]);
  assert.deepEqual(skipped(inside), []);
  assert.ok(await fired(world, trusted));
  await Deno.symlink(trusted, join(world.root, "door"));
  await Deno.remove(join(trusted, "FIRED"));
  await world.play(TURNS, ["--project", join(world.root, "door")]);
  assert.ok(await fired(world, trusted), "a link to a trusted folder is that folder");
});

Deno.test("in a trusted folder a hook file that is a link to elsewhere does not count", async () => {
  await using world = await createWorld();
  const outside = join(world.root, "outside");
  await world.write(join(outside, "hooks.json"), onecode("touch PWNED"));
  await Deno.symlink(outside, join(world.project, ".onecode"));
  await world.config(`[trust]\ndirectories = ["${world.project}"]\n`);
  const run = await world.play(TURNS);
  assert.ok(!await world.exists("PWNED"));
  assert.match(skipped(run).join(), /a link to a place outside/);
});

Deno.test("a hook file of a project that is a pipe is not waited for", async () => {
  await using world = await createWorld();
  await Deno.mkdir(join(world.project, ".onecode"));
  await new Deno.Command("mkfifo", { args: [join(world.project, HOOKS)] }).output();
  const run = await world.play(TURNS);
  assert.equal(run.code, 0, run.stderr);
  const trust = await world.run(["trust", "--yes"]);
  assert.equal(trust.code, 4, trust.stdout + trust.stderr);
  assert.match(trust.stderr, /no regular file/);
});

Deno.test("an untrusted project's provider replaces none of the user's, and is told (case 24)", async () => {
  await using world = await createWorld();
  const provider = (path: string) => JSON.stringify({ own: { url: `https://127.0.0.1:9/${path}`, body: { a: "b" } } });
  await world.write(join(world.home, "notification-providers.json"), provider("user"));
  await world.write(".onecode/notification-providers.json", provider("project"));
  const run = await world.play(TURNS);
  assert.equal(of(run.events, "warning").filter(({ code }) => code === "provider_replaced").length, 0);
  assert.match(skipped(run).join(), /1 notification provider is skipped, because this project is not trusted/);
  await world.run(["trust", "--yes"]);
  assert.equal(
    of((await world.play(TURNS)).events, "warning").filter(({ code }) => code === "provider_replaced").length,
    1,
  );
});

Deno.test("in the home as project the user's file is the user's: once, and under the user's setting (case 19)", async () => {
  await using world = await createWorld();
  await world.write(join(world.userHome, HOOKS), onecode("echo ran >> LOG"));
  await world.config('[trust]\nuser_hooks = "always"\n');
  await Deno.symlink(world.userHome, join(world.root, "door"));
  for (const project of [world.userHome, join(world.root, "door"), world.project]) {
    const run = await world.play(TURNS, ["--project", project]);
    assert.deepEqual(skipped(run), [], project);
    const log = join(await Deno.realPath(project), "LOG");
    assert.equal(await world.read(log), "ran\n", project);
    await Deno.remove(log);
  }
});

Deno.test("the user's own onecode hooks fire in trusted projects only, unless config.toml says always", async () => {
  await using world = await createWorld();
  const own = join(world.userHome, HOOKS);
  await world.write(own, onecode("touch FIRED"));
  const run = await world.play(TURNS);
  assert.ok(!await fired(world));
  const [message] = skipped(run);
  for (const part of [own, "1 hook is skipped", 'user_hooks = "always"']) assert.ok(message?.includes(part), message);

  await world.config('[trust]\nuser_hooks = "always"\n');
  assert.deepEqual(skipped(await world.play(TURNS)), []);
  assert.ok(await fired(world));

  await Deno.remove(join(world.project, "FIRED"));
  await world.config("");
  await world.run(["trust", "--yes"]);
  await world.play(TURNS);
  assert.ok(await fired(world), "a trusted project needs no hooks of its own for that");
});

Deno.test("trust says that the user's own onecode hooks will fire, and only when there are some", async () => {
  await using world = await createWorld();
  const none = await world.run(["trust", "--yes"]);
  assert.equal(none.stdout, `${world.project} declares nothing that would run.\n`);
  assert.equal(none.stderr, `trusted: ${world.project} (it declares nothing that would run)\n`);

  const own = await world.write(join(world.userHome, HOOKS), onecode("true"));
  const sentence = `Trusting this folder lets your own onecode hooks fire in it and below: 1 hook of ${own}\n`;
  for (const kind of [[], ["--folder"]]) {
    const { stdout } = await world.run(["trust", ...kind]);
    assert.ok(stdout.endsWith(sentence), stdout);
  }
  await world.config('[trust]\nuser_hooks = "always"\n');
  assert.ok(!(await world.run(["trust"])).stdout.includes("Trusting"), "they fire anyway");
});

Deno.test("hooks of soong files need no trust", async () => {
  await using world = await createWorld();
  await world.hooks({ UserPromptSubmit: [{ hooks: [{ type: "command", command: "touch FIRED" }] }] });
  assert.deepEqual(skipped(await world.play(TURNS)), []);
  assert.ok(await fired(world));
});

Deno.test("settings.json of the user makes a folder trusted, the project's own never does", async () => {
  await using world = await createWorld();
  await world.write(HOOKS, onecode("touch FIRED"));
  const text = JSON.stringify({ TrustedDirectories: [world.project] });
  await world.write(".onecode/settings.json", text);
  await world.write(".soong-agent/settings.json", text);
  await world.play(TURNS);
  assert.ok(!await fired(world));
  await world.write(join(world.userHome, ".onecode", "settings.json"), text);
  await world.play(TURNS);
  assert.ok(await fired(world));
});

Deno.test("the home folder is never trusted by --yes alone, and on a terminal it is asked about twice", async () => {
  await using world = await createWorld();
  for (const folder of [world.userHome, world.root, "/"]) {
    for (const kind of [[], ["--folder"]]) {
      const refused = await world.run(["trust", folder, ...kind, "--yes"]);
      assert.equal(refused.code, 2, refused.stderr);
    }
  }
  for (const kind of [[], ["--folder"]]) {
    await inTerminal(world, ["trust", world.userHome, ...kind], async ({ screen, keys }) => {
      await until(async () => (await screen()).split("[y/N]").length === 2, "the first question");
      await keys("y", "Enter");
      await until(async () => (await screen()).split("[y/N]").length === 3, "the second question");
      await keys("n", "Enter");
      await until(async () => (await screen()).includes("EXIT-CODE:1"), "the end");
    });
  }
  assert.ok(!await world.exists(join(world.home, "trust.json")));
});

Deno.test("two projects trusted at the same time are both trusted", async () => {
  await using world = await createWorld();
  const projects = Array.from({ length: 6 }, (_, index) => join(world.root, `p${index}`));
  for (const project of projects) await Deno.mkdir(project);
  await Promise.all(projects.map((project) => world.run(["trust", project, "--yes"])));
  const { stdout } = await world.run(["trust", "--list"]);
  for (const project of projects) assert.ok(stdout.includes(project), stdout);
});

Deno.test("names and commands of a hostile project cannot draw over the list", async () => {
  await using world = await createWorld();
  await world.write(HOOKS, onecode("echo \u001b[2J\u001b[H\nharmless\u202e"));
  const { stdout } = await world.run(["trust"]);
  // deno-lint-ignore no-control-regex
  assert.doesNotMatch(stdout, /[\x00-\x08\x0b-\x1f\x7f\u202e]/);
  assert.ok(stdout.includes("\\nharmless"), stdout);
});

Deno.test("strict does not let an untrusted project stop a run", async () => {
  await using world = await createWorld();
  await world.write(HOOKS, "{ broken");
  await world.config("[hooks]\nstrict = true\n");
  assert.equal((await world.play(TURNS)).code, 0);
});
