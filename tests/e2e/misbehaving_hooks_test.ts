import assert from "node:assert/strict";
import { createWorld, of } from "../support/world.ts";

const CALL = [{ tool_calls: [{ name: "Bash", id: "c1", input: { command: "touch MARK" } }] }, { text: "ok" }];

interface Row {
  readonly title: string;
  readonly command: string | string[];
  readonly timeout?: number;
  readonly ran: boolean;
  readonly outcome: string;
  readonly cause?: string;
  /** Must be part of the reason, the stderr or the warnings. */
  readonly says?: RegExp;
  readonly mode644?: string;
}

const DENY = `{"decision":"deny","reason":"said so"}`;
const TABLE: readonly Row[] = [
  { title: "exits 1", command: "echo oops >&2; exit 1", ran: true, outcome: "undecided", cause: "exit", says: /oops/ },
  {
    title: "exits 2 without a word",
    command: "exit 2",
    ran: true,
    outcome: "undecided",
    cause: "exit",
    says: /exit (code )?2/i,
  },
  { title: "exits 127", command: "./no-such-guard", ran: true, outcome: "undecided", cause: "exit", says: /127/ },
  { title: "is not executable", command: "./noexec.sh", ran: true, outcome: "undecided", cause: "exit", says: /126/ },
  { title: "dies by a signal", command: "kill -SEGV $$", ran: true, outcome: "undecided", cause: "exit", says: /SEGV/ },
  {
    title: "is a program that is not there",
    command: ["./no-such-guard"],
    ran: true,
    outcome: "undecided",
    cause: "not_started",
  },
  {
    title: "times out",
    command: "sleep 300",
    timeout: 1,
    ran: true,
    outcome: "undecided",
    cause: "timeout",
    says: /1000 ms/,
  },
  {
    title: "prints rubbish",
    command: "echo rubbish",
    ran: true,
    outcome: "undecided",
    cause: "output",
    says: /rubbish/,
  },
  { title: "prints two documents", command: `echo '{}'; echo '{}'`, ran: true, outcome: "undecided", cause: "output" },
  {
    title: "prints an unknown word",
    command: `echo '{"decision":"Deny","reason":"x"}'`,
    ran: true,
    outcome: "undecided",
    cause: "output",
  },
  {
    title: "prints a misspelt key",
    command: `echo '{"decison":"deny"}'`,
    ran: true,
    outcome: "undecided",
    cause: "output",
  },
  { title: "prints 50 MB", command: "head -c 50000000 /dev/zero", ran: true, outcome: "undecided", cause: "output" },
  { title: "prints bad UTF-8", command: `printf '\\377\\376'`, ran: true, outcome: "undecided", cause: "output" },
  { title: "prints a banner before a deny", command: `echo hello there; echo '${DENY}'`, ran: false, outcome: "deny" },
  { title: "prints a deny and exits 3", command: `echo '${DENY}'; exit 3`, ran: false, outcome: "deny" },
  {
    title: "prints a deny and then hangs",
    command: `echo '${DENY}'; sleep 300`,
    timeout: 1,
    ran: false,
    outcome: "deny",
  },
  {
    title: "prints an allow and exits 1",
    command: `echo '{"decision":"allow"}'; exit 1`,
    ran: true,
    outcome: "undecided",
    cause: "exit",
  },
  { title: "says nothing and exits 0", command: "exit 0", ran: true, outcome: "allow" },
  { title: "answers an empty object", command: "echo '{}'", ran: true, outcome: "allow" },
  {
    title: "answers with CRLF, blank lines and noise on stderr",
    command: `echo noise >&2; printf '\\r\\n${DENY}\\r\\n\\r\\n'`,
    ran: false,
    outcome: "deny",
  },
  { title: "answers after a byte-order mark", command: `printf '\\357\\273\\277${DENY}'`, ran: false, outcome: "deny" },
  { title: "leaves a child with stdout open", command: `sleep 300 & echo '${DENY}'`, ran: false, outcome: "deny" },
  { title: "leaves a child with stderr open", command: "(sleep 300 >/dev/null) & exit 0", ran: true, outcome: "allow" },
  {
    title: "leaves a child with another descriptor open",
    command: "exec 3>&1; (sleep 300 >/dev/null 2>&1) & exit 0",
    ran: true,
    outcome: "allow",
  },
  {
    title: "ignores TERM with a grandchild",
    command: `trap '' TERM; (trap '' TERM; sleep 300) & sleep 300`,
    timeout: 1,
    ran: true,
    outcome: "undecided",
    cause: "timeout",
  },
  {
    title: "leaves its session with a grandchild",
    command: "setsid sleep 300 & wait",
    timeout: 1,
    ran: true,
    outcome: "undecided",
    cause: "timeout",
  },
];

for (const row of TABLE) {
  Deno.test(`a hook that ${row.title}: ${row.outcome}${row.cause ? ` (${row.cause})` : ""}, and no process is left`, async () => {
    await using world = await createWorld();
    await world.write("noexec.sh", "#!/bin/sh\nexit 0\n", 0o644);
    await world.hooks({
      PreToolUse: [{
        matcher: { tool_name: "Bash" },
        hooks: [{ type: "command", command: row.command, timeout: row.timeout ?? 20 }],
      }],
    });
    const { code, events } = await world.play(CALL);
    assert.equal(code, 0);
    assert.equal(await world.exists("MARK"), row.ran);
    const [finished, ...others] = of(events, "hook_finished");
    assert.deepEqual(others, []);
    assert.equal(finished?.outcome, row.outcome);
    if (row.outcome === "undecided") assert.equal(finished?.cause, row.cause);
    const limit = (row.timeout ?? 20) * 1000 + 3000;
    assert.ok(finished!.duration_ms < limit, `took ${finished!.duration_ms} ms`);
    if (row.outcome === "undecided") {
      const said = of(events, "warning").map((event) => event.message).join("\n");
      assert.ok(said.includes(finished!.hook_id), `no warning names the hook: ${said}`);
      if (row.says) assert.match(said, row.says);
    }
    if (row.outcome === "deny") assert.ok(of(events, "tool_result")[0]?.content.includes("said so"));
  });
}

for (
  const [title, command, ran] of [
    ["exits at once without reading 2 MB of stdin", `echo '${DENY}'; exit 0`, false],
    ["closes its stdin and lives on", `exec 0<&-; sleep 1; echo '${DENY}'`, false],
    ["reads all 2 MB", "wc -c > LEN; exit 0", true],
  ] as const
) {
  Deno.test(`a hook that ${title} is judged by its answer alone`, async () => {
    await using world = await createWorld();
    await world.hooks({ PreToolUse: [{ matcher: "Write", hooks: [{ type: "command", command, timeout: 20 }] }] });
    const { code, events } = await world.play([
      { tool_calls: [{ name: "Write", id: "c1", input: { file_path: "big.txt", content: "ü".repeat(1_000_000) } }] },
      { text: "ok" },
    ]);
    assert.equal(code, 0);
    assert.deepEqual(of(events, "hook_finished").map((event) => event.outcome), [ran ? "allow" : "deny"]);
    assert.equal(await world.exists("big.txt"), ran);
    if (ran) assert.ok(Number(await world.read("LEN")) > 2_000_000);
  });
}

Deno.test("the same failing hook warns once a session and is in the log each time", async () => {
  await using world = await createWorld();
  await world.hooks({ PreToolUse: [{ hooks: [{ type: "command", command: "echo broken >&2; exit 9" }] }] });
  const turns = ["a", "b", "c"].map((name) => ({
    tool_calls: [{ name: "Bash", input: { command: `touch ${name}` } }],
  }));
  const { events } = await world.play([...turns, { text: "ok" }]);
  assert.equal(of(events, "hook_finished").length, 3);
  const warnings = of(events, "warning").filter((event) => event.message.includes("broken"));
  assert.equal(warnings.length, 1);
  assert.match(warnings[0]!.message, /9/);
});

Deno.test("with hooks.on_failure = deny a hook that cannot decide is a deny with cause hook_failure", async () => {
  await using world = await createWorld();
  await world.config('[hooks]\non_failure = "deny"\n');
  await world.hooks({ PreToolUse: [{ hooks: [{ type: "command", command: "exit 1" }] }] });
  const { events } = await world.play(CALL);
  assert.equal(await world.exists("MARK"), false);
  assert.deepEqual(of(events, "hook_denied").map((event) => event.cause), ["hook_failure"]);
});

Deno.test("a shell of a hook reads no start-up file", async () => {
  await using world = await createWorld();
  for (const name of [".profile", ".bashrc", ".zshrc"]) {
    await Deno.writeTextFile(`${world.userHome}/${name}`, "echo welcome\n");
  }
  await world.hooks({ PreToolUse: [{ hooks: [{ type: "command", command: `echo '${DENY}'` }] }] });
  const { events } = await world.play(CALL, [], {
    env: { ENV: `${world.userHome}/.bashrc`, BASH_ENV: `${world.userHome}/.bashrc` },
  });
  const [finished] = of(events, "hook_finished");
  assert.equal(finished?.outcome, "deny");
  assert.equal(finished?.warnings, undefined);
});

Deno.test("a hook sees the allow-listed environment and no key", async () => {
  await using world = await createWorld();
  await world.hooks({ PreToolUse: [{ hooks: [{ type: "command", command: "env > ENV; pwd > CWD" }] }] });
  await world.play(CALL, [], { env: { OPENAI_API_KEY: "sk-secret", SOONG_HOOK_SECRET: "s", LC_ALL: "C.UTF-8" } });
  const seen = await world.read("ENV");
  assert.doesNotMatch(seen, /secret|SOONG_HOOK_SECRET/i);
  for (
    const name of [
      "PATH=",
      "HOME=",
      "LC_ALL=",
      "SOONG_AGENT_HOME=",
      "SOONG_PROJECT_DIR=",
      "SOONG_SESSION_ID=",
      "SOONG_HOOK_EVENT=PreToolUse",
    ]
  ) {
    assert.ok(seen.includes(name), name);
  }
  assert.equal((await world.read("CWD")).trim(), world.project);
});

Deno.test("when the project folder is gone a guard still decides, and says which folder is missing", async () => {
  await using world = await createWorld();
  const worktree = `${world.root}/wt`;
  await Deno.mkdir(worktree);
  await world.write("keep.txt", "kept\n");
  await world.hooks({
    PreToolUse: [{
      matcher: "Bash",
      hooks: [{ type: "command", command: `grep -q OTHER && echo '${DENY}'; exit 0` }],
    }],
  });
  const { code, events } = await world.play([
    { tool_calls: [{ name: "Bash", id: "c1", input: { command: 'rm -rf "$PWD"' } }] },
    { tool_calls: [{ name: "Bash", id: "c2", input: { command: `touch ${world.root}/OTHER` } }] },
    { tool_calls: [{ name: "Bash", id: "c3", input: { command: "true" } }] },
    { text: "still here" },
  ], ["--project", worktree]);
  assert.equal(code, 0);
  assert.equal(await world.exists(`${world.root}/OTHER`), false);
  const results = of(events, "tool_result");
  assert.ok(results[1]?.is_error);
  assert.match(results[2]!.content, /does not exist|is gone/);
  assert.equal(of(events, "session_finished")[0]?.reason, "completed");
});

Deno.test("a project folder that is gone is not made anew when its guard went with it", async () => {
  await using world = await createWorld();
  const worktree = `${world.root}/wt`;
  await world.write(`${worktree}/guard.sh`, `#!/bin/sh\necho '${DENY}'\n`, 0o755);
  await world.hooks({ PreToolUse: [{ matcher: "Write", hooks: [{ type: "command", command: "./guard.sh" }] }] });
  const { code, events } = await world.play([
    { tool_calls: [{ name: "Bash", id: "c1", input: { command: 'rm -rf "$PWD"' } }] },
    { tool_calls: [{ name: "Write", id: "c2", input: { file_path: "x", content: "y" } }] },
    { text: "done" },
  ], ["--project", worktree]);
  assert.equal(code, 0);
  assert.match(of(events, "tool_result")[1]!.content, /does not exist any more/);
  assert.equal(await world.exists(worktree), false);
});
