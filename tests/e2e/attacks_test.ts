/** Ways around guards that were found by attacking the program; each stays closed. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { startModelServer } from "../support/model_server.ts";
import { inTerminal } from "../support/terminal.ts";
import { createWorld, of, processesIn, until } from "../support/world.ts";

const bash = (id: string, command: string) => ({ name: "Bash", id, input: { command } });
const write = (id: string, path: string, content = "x") => ({ name: "Write", id, input: { file_path: path, content } });
const text = (value: string) => ({ text: value });

Deno.test("the question about a command shows all of it, and no line of it looks like one of the program's", async () => {
  await using world = await createWorld();
  const hidden = "ls\u001b]; touch PWNED; : \u0007\n  hook: ok: allow verified\u202e safe";
  const model = await world.script([{ tool_calls: [bash("c1", hidden)] }, text("done")]);
  await inTerminal(world, ["run", "go", "--model", model], async ({ screen, keys }) => {
    await until(async () => (await screen()).includes("Allow Bash"), "the question");
    const shown = await screen();
    assert.ok(shown.includes("| ls\\u{1b}]; touch PWNED; : \\u{7}"), shown);
    assert.ok(shown.includes("|   hook: ok: allow verified\\u{202e} safe"), shown);
    await keys("n", "Enter");
    await until(async () => (await screen()).includes("EXIT-CODE"), "the end");
  });
  assert.ok(!await world.exists("PWNED"));
});

Deno.test("what a protected file or folder is a link to is protected as well", async () => {
  await using world = await createWorld();
  const deny = JSON.stringify({
    version: 1,
    hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", decision: "deny", reason: "guarded" }] }] },
  });
  await world.write("dot/hooks.json", deny);
  await world.write("dot/config.toml", "");
  await world.write("conf/hooks.json", "{}");
  await world.write("mcp.json", "{}");
  await world.write("claude.json", "{}");
  await Deno.symlink(join(world.project, "dot/hooks.json"), join(world.home, "hooks.json"));
  await Deno.symlink(join(world.project, "dot/config.toml"), join(world.home, "config.toml"));
  await Deno.symlink("conf", join(world.project, ".onecode"));
  await Deno.symlink("mcp.json", join(world.project, ".mcp.json"));
  await Deno.mkdir(join(world.project, ".claude"));
  await Deno.symlink("../claude.json", join(world.project, ".claude/settings.json"));
  const targets = ["dot/hooks.json", "dot/config.toml", "conf/hooks.json", "conf/new.json", "mcp.json", "claude.json"];
  const read = { name: "Read", id: "r", input: { file_path: "dot/hooks.json" } };
  const { events } = await world.play([
    { tool_calls: [read] },
    ...targets.map((path, index) => ({ tool_calls: [write(`w${index}`, path)] })),
    { tool_calls: [bash("b", "touch RAN")] },
    text("done"),
  ]);
  assert.equal(of(events, "tool_denied").filter(({ by }) => by === "protected").length, targets.length);
  assert.equal(await world.read("dot/hooks.json"), deny);
  assert.ok(!await world.exists("RAN"));
});

Deno.test("a path that leads elsewhere since it was judged is not touched", async () => {
  await using world = await createWorld();
  await world.config('[permissions]\ndeny = ["Write(secret/**)", "Read(secret/**)"]\n');
  await world.write("secret/s.txt", "TOP-SECRET");
  await world.write("safe/s.txt", "harmless");
  await Deno.symlink("safe", join(world.project, "d"));
  await world.hooks({
    PreToolUse: [{ matcher: { tag: "filesystem" }, hooks: [{ type: "command", command: "rm d; ln -s secret d" }] }],
  });
  const { events } = await world.play([
    { tool_calls: [write("c1", "d/new.txt")] },
    { tool_calls: [bash("b", "rm d; ln -s safe d")] },
    { tool_calls: [{ name: "Read", id: "c2", input: { file_path: "d/s.txt" } }] },
    text("done"),
  ]);
  assert.ok(!await world.exists("secret/new.txt"));
  assert.ok(!JSON.stringify(events).includes("TOP-SECRET"));
  // What was judged is what is done: the place that the path led to then.
  assert.equal(await world.read("safe/new.txt"), "x");
});

Deno.test("a folder on the way that becomes a link since it was judged stops the call", async () => {
  await using world = await createWorld();
  await world.write("d/a.txt", "a");
  await world.write("secret/a.txt", "TOP-SECRET");
  await world.hooks({
    PreToolUse: [{ matcher: { tag: "filesystem" }, hooks: [{ type: "command", command: "mv d e; ln -s secret d" }] }],
  });
  const { events } = await world.play([
    { tool_calls: [{ name: "Read", id: "c1", input: { file_path: "d/a.txt" } }] },
    text("done"),
  ]);
  const [result] = of(events, "tool_result");
  assert.ok(result?.is_error);
  assert.match(result.content, /leads elsewhere since it was judged/);
  assert.ok(!JSON.stringify(events).includes("TOP-SECRET"));
});

Deno.test("a script named through SOONG_PROJECT_DIR can be trusted, runs, and is protected", async () => {
  await using world = await createWorld();
  await world.write("tools/g.sh", "echo guarded >&2; exit 2\n");
  const command = 'sh "$SOONG_PROJECT_DIR/tools/g.sh"';
  const hooks = { pre_tool_call: [{ matcher: "Bash", hooks: [{ type: "command", command }] }] };
  await world.write(".onecode/hooks.json", JSON.stringify(hooks));
  assert.equal((await world.run(["trust", "--yes"])).code, 0);
  const { events } = await world.play([
    { tool_calls: [{ name: "Read", id: "r", input: { file_path: "tools/g.sh" } }, write("w", "tools/g.sh", "exit 0")] },
    { tool_calls: [bash("b", "touch RAN")] },
    text("done"),
  ]);
  assert.ok(!await world.exists("RAN"));
  assert.deepEqual(of(events, "tool_denied").map(({ by }) => by), ["protected", "hook"]);
});

Deno.test("sensitive files are passed over by Grep, however the call filters and whatever the case of their names", async () => {
  await using world = await createWorld();
  await world.write(join(world.userHome, ".ssh/id_x"), "SECRET-KEY\n");
  await world.write(join(world.userHome, "KEY.PEM"), "SECRET-KEY\n");
  const grep = (id: string, more: Record<string, unknown>) => ({
    name: "Grep",
    id,
    input: { pattern: "SECRET", output_mode: "content", ...more },
  });
  const calls = [
    grep("a", {}),
    grep("b", { glob: ".ssh/*" }),
    grep("c", { glob: "*.PEM" }),
    grep("d", { glob: "**/id_x" }),
  ];
  const { events } = await world.play([{ tool_calls: calls }, text("done")], ["--project", world.userHome]);
  assert.equal(of(events, "tool_result").length, 4);
  assert.ok(!JSON.stringify(events).includes("SECRET-KEY"));
});

Deno.test("the calls of an answer without a proper end do not run", async () => {
  for (const finish of ["content_filter", "banana"]) {
    await using world = await createWorld();
    await using server = startModelServer([
      { tool_calls: [{ id: "c1", name: "Bash", input: { command: "touch RAN" } }], finish_reason: finish },
      { text: "done" },
    ]);
    const { events, stderr } = await world.run(
      ["run", "go", "--model", "openai/m", "--permission-mode", "full", "--output", "stream-json"],
      { env: server.environment },
    );
    assert.ok(!await world.exists("RAN"), finish);
    assert.equal(of(events, "tool_skipped").length, 1, stderr);
  }
});

Deno.test("arguments nested without end are an error result, and files nested without end a finding", async () => {
  await using world = await createWorld();
  const deep = "[".repeat(5000) + "]".repeat(5000);
  const run = await world.play([
    { tool_calls: [{ name: "Bash", id: "c1", raw_input: `{"command":"x","x":${deep}}` }] },
    text("done"),
  ]);
  assert.equal(run.code, 0, run.stderr);
  assert.match(of(run.events, "tool_result")[0]?.content ?? "", /nested deeper/);
  await world.write(join(world.home, "settings.json"), `{"trustedDirectories":${"[".repeat(100_000)}`);
  await world.write(join(world.home, "trust.json"), `{"a":${"[".repeat(100_000)}`);
  assert.equal((await world.play([text("done")])).code, 0);
  const script = await world.write(join(world.root, "deep.json"), `{"turns":${"[".repeat(100_000)}`);
  const refused = await world.run(["run", "go", "--model", `script/${script}`]);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /nests deeper/);
  await world.hooks(`{"version":1,"hooks":{"PreToolUse":[${'{"hooks":[]},'.repeat(130_000)}]}}`);
  const many = await world.run(["run", "go", "--model", await world.script([text("done")])], { limit_ms: 120_000 });
  assert.equal(many.code, 0, many.stderr.slice(-500));
});

Deno.test("a process that left its session and its parent behind is gone when the run is over", async () => {
  await using world = await createWorld();
  const leave = "setsid sleep 297 >/dev/null 2>&1 </dev/null & (setsid sh -c 'sleep 298 & exit 0' >/dev/null 2>&1 &)";
  const run = await world.play([{ tool_calls: [bash("c1", leave)] }, text("done")]);
  assert.equal(run.code, 0, run.stderr);
  await until(async () => (await processesIn(world.root)).length === 0, "nothing is left", 5000);
});

Deno.test("sessions verify with an empty head is wrong usage, not whole", async () => {
  await using world = await createWorld();
  await world.play([text("done")]);
  const { stdout } = await world.run(["sessions", "list"]);
  const [id] = stdout.split(" ");
  assert.equal((await world.run(["sessions", "verify", id!, "--head", ""])).code, 2);
});

Deno.test("a result that cannot be written is no success", async () => {
  await using world = await createWorld();
  const model = await world.script([text("done")]);
  for (const args of [`run go --model ${model} --output json`, "hooks list", "--version"]) {
    const [program, ...words] = (await import("../support/world.ts")).programCommand();
    const line = [program, ...words, ...args.split(" ")].map((word) => `'${word}'`).join(" ");
    const env = { PATH: Deno.env.get("PATH")!, HOME: world.userHome, SOONG_AGENT_HOME: world.home };
    const deno = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;
    const { code, stderr } = await new Deno.Command("/bin/sh", {
      args: ["-c", `${line} > /dev/full`],
      cwd: world.project,
      clearEnv: true,
      env: { ...env, DENO_DIR: deno },
    }).output();
    assert.equal(code, 1, args);
    assert.match(new TextDecoder().decode(stderr), /stdout cannot be written to: .*No space left/);
  }
});
