import assert from "node:assert/strict";
import { createWorld } from "../support/world.ts";

interface Row {
  readonly title: string;
  readonly file: string;
  /** `line:column` and a word of the message of the one diagnostic that must be there. */
  readonly at: string;
  readonly says: RegExp;
  readonly code: number;
}

const GOOD = `{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "true" }] }`;

const TABLE: readonly Row[] = [
  {
    title: "a missing comma",
    file: `{\n  "version": 1\n  "hooks": {}\n}\n`,
    at: "3:3",
    says: /comma/i,
    code: 4,
  },
  {
    title: "an unknown event",
    file: `{\n  "version": 1,\n  "hooks": {\n    "PreTolUse": [${GOOD}],\n    "PreToolUse": [${GOOD}]\n  }\n}\n`,
    at: "4:5",
    says: /PreTolUse[\s\S]*PreToolUse/,
    code: 4,
  },
  {
    title: "an unknown key",
    file:
      `{\n  "version": 1,\n  "hooks": {\n    "PreToolUse": [\n      { "hooks": [{ "type": "command", "command": "true", "timeot": 3 }] }\n    ]\n  }\n}\n`,
    at: "5:59",
    says: /timeot[\s\S]*timeout/,
    code: -1,
  },
  {
    title: "a wrong type",
    file:
      `{\n  "version": 1,\n  "hooks": {\n    "PreToolUse": [\n      ${GOOD},\n      { "hooks": [{ "type": "command", "command": 7 }] }\n    ]\n  }\n}\n`,
    at: "6:51",
    says: /command/,
    code: 4,
  },
  {
    title: "a duplicate key",
    file: `{\n  "version": 1,\n  "hooks": {\n    "Stop": [${GOOD}],\n    "Stop": []\n  }\n}\n`,
    at: "5:5",
    says: /Stop/,
    code: 4,
  },
  {
    title: "an unsupported type",
    file:
      `{\n  "version": 1,\n  "hooks": {\n    "PreToolUse": [\n      { "hooks": [{ "type": "prompt", "command": "x" }] },\n      ${GOOD}\n    ]\n  }\n}\n`,
    at: "5:29",
    says: /prompt/,
    code: 4,
  },
];

for (const row of TABLE) {
  Deno.test(`hooks validate names file, line and column for ${row.title}`, async () => {
    await using world = await createWorld();
    const path = await world.write("h.json", row.file);
    const { code, stdout, stderr } = await world.run(["hooks", "validate", path]);
    const text = stdout + stderr;
    assert.ok(text.includes(`${path}:${row.at}:`) || text.includes(`h.json:${row.at}:`), text);
    assert.match(text, row.says);
    if (row.code >= 0) assert.equal(code, row.code, text);
    assert.doesNotMatch(text, /\.ts:\d+/);

    const json = await world.run(["hooks", "validate", path, "--format", "json"]);
    const [line, column] = row.at.split(":").map(Number);
    const list = JSON.parse(json.stdout) as {
      line: number;
      column: number;
      file: string;
      code: string;
      severity: string;
    }[];
    assert.ok(
      list.some((one) => one.line === line && one.column === column && one.file.endsWith("h.json")),
      json.stdout,
    );
  });
}

Deno.test("hooks validate is content with a good file and says so; --strict makes warnings count", async () => {
  await using world = await createWorld();
  await world.hooks({ PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "true" }] }] });
  const good = await world.run(["hooks", "validate"]);
  assert.equal(good.code, 0, good.stdout + good.stderr);
  await world.hooks({ PreToolUse: [{ matcher: "Bash*", hooks: [{ type: "command", command: "true" }] }] });
  const warned = await world.run(["hooks", "validate"]);
  assert.equal(warned.code, 0);
  assert.match(warned.stdout + warned.stderr, /literal/);
  assert.equal((await world.run(["hooks", "validate", "--strict"])).code, 4);
  const missing = await world.run(["hooks", "validate", "nowhere.json"]);
  assert.notEqual(missing.code, 0);
  assert.match(missing.stdout + missing.stderr, /nowhere\.json/);
});

Deno.test("one bad entry costs only itself: the good hooks around it run, and every surface reports the bad one", async () => {
  await using world = await createWorld();
  await world.hooks(JSON.stringify({
    version: 1,
    hooks: {
      UserPromptSubmit: [{ hooks: [{ type: "command", command: "touch GOOD-1" }, { type: "command" }, 7] }, "x", {
        hooks: {},
      }],
      userpromptsubmit: [],
      input: [],
      Stop: [{ hooks: [{ type: "command", command: "touch GOOD-2" }] }],
    },
  }));
  const { code, stderr } = await world.run(["run", "go", "--model", await world.script([{ text: "ok" }])]);
  assert.equal(code, 0);
  assert.ok(await world.exists("GOOD-1"));
  assert.ok(await world.exists("GOOD-2"));
  assert.match(stderr, /hooks\.json:\d+:\d+/);
  const overview = await world.run(["hooks"]);
  assert.match(overview.stdout, /2/);
  assert.match(overview.stdout, /UserPromptSubmit/);
  const strict = "[hooks]\nstrict = true\n";
  await world.config(strict);
  assert.equal((await world.run(["run", "go", "--model", await world.script([{ text: "ok" }])])).code, 4);
});

Deno.test("files written by Windows tools: a byte-order mark and CRLF load, UTF-16 is refused by name", async () => {
  await using world = await createWorld();
  const text = JSON.stringify(
    { version: 1, hooks: { Stop: [{ hooks: [{ type: "command", command: "touch RAN" }] }] } },
    null,
    2,
  );
  await Deno.writeTextFile(`${world.home}/hooks.json`, "\ufeff" + text.replaceAll("\n", "\r\n"));
  await Deno.writeTextFile(`${world.home}/config.toml`, "\ufeff[hooks]\r\nenabled = true\r\n");
  const model = await world.script([{ text: "ok" }]);
  const first = await world.run(["run", "go", "--model", model]);
  assert.equal(first.code, 0, first.stderr);
  assert.ok(await world.exists("RAN"));
  const utf16 = new Uint8Array([0xff, 0xfe, ...[...text].flatMap((unit) => [unit.charCodeAt(0), 0])]);
  await Deno.writeFile(`${world.home}/hooks.json`, utf16);
  const second = await world.run(["hooks", "validate"]);
  assert.equal(second.code, 4);
  assert.match(second.stdout + second.stderr, /UTF-16.*UTF-8/s);
  assert.deepEqual(await Deno.readFile(`${world.home}/hooks.json`), utf16);
});

Deno.test("a bad config.toml ends a run with one clear place and exit code 4", async () => {
  for (
    const [text, says] of [
      ['[hooks]\nenabled = "false"\n', /config\.toml:2:\d+.*enabled/s],
      ["[hooks]\nenabled = true\nenabled = false\n", /config\.toml:3/],
      ["[hooks]\nenabled = true\n[hooks]\nstrict = true\n", /config\.toml:3/],
      ['[plan]\ndefault_dir = "C:\\Users\\x"\n', /config\.toml:2.*backslash/s],
      ["[hooks]\nenabled = true strict = true\n", /config\.toml:2/],
      ["[hooks]\nenabeld = true\n", /config\.toml:2:1.*enabeld.*enabled/s],
      ["[__proto__]\nx = 1\n", /config\.toml:1/],
    ] as const
  ) {
    await using world = await createWorld();
    await world.config(text);
    await world.hooks({ SessionStart: [{ hooks: [{ type: "command", command: "touch RAN" }] }] });
    const { code, stderr } = await world.run(["run", "go", "--model", await world.script([{ text: "ok" }])]);
    assert.equal(code, 4, `${text}\n${stderr}`);
    assert.match(stderr, says);
    assert.doesNotMatch(stderr, /\.ts:\d+/);
    assert.equal(await world.exists("RAN"), false);
  }
});

Deno.test("hooks validate needs neither net, run nor write permission", async () => {
  await using world = await createWorld();
  await world.hooks({ PreToolUse: [{ hooks: [{ type: "command", command: "./guard.sh" }] }] });
  const main = new URL("../../main.ts", import.meta.url).pathname;
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-check", "--no-prompt", "--allow-read", "--allow-env", main, "hooks", "validate"],
    cwd: world.project,
    env: { HOME: world.userHome, SOONG_AGENT_HOME: world.home, DENO_DIR: denoDir() },
  }).output();
  const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  assert.equal(code, 0, text);
  assert.match(text, /guard\.sh/);
});

function denoDir(): string {
  return Deno.env.get("DENO_DIR") ?? `${Deno.env.get("XDG_CACHE_HOME") ?? `${Deno.env.get("HOME")}/.cache`}/deno`;
}

Deno.test("every view of the hooks says when they are off, only evaluated, cannot run, or rest on a broken configuration", async () => {
  await using world = await createWorld();
  await world.hooks({
    PreToolUse: [{ hooks: [{ type: "command", command: "./nope.sh" }] }, {
      matcher: "*",
      hooks: [{ type: "command", command: "true" }],
    }],
  });
  for (const view of [["hooks"], ["hooks", "list"], ["hooks", "status"]]) {
    await world.config("[hooks]\nenabled = false\n");
    const off = await world.run(view);
    assert.match(off.stdout, /hooks\.enabled = false/, view.join(" "));
    await world.config('[hooks]\nmode = "evaluate_only"\n');
    assert.match((await world.run(view)).stdout, /evaluate_only/, view.join(" "));
    await world.config('[hooks]\nenabled = "false"\n');
    const broken = await world.run(view);
    assert.equal(broken.code, 4, view.join(" "));
    assert.match(broken.stderr, /config\.toml:2/);
    await world.config("");
    const plain = await world.run(view);
    assert.equal(plain.code, 0);
    if (view[1] !== "status") {
      assert.match(plain.stdout, /nope\.sh.*(not found|no such|does not exist)|command-not-found/, view.join(" "));
    }
    if (view[1] === "list") assert.match(plain.stdout, /matcher: \*\n[\s\S]*matcher: \* \(literal\)\n/);
  }
});

Deno.test("a hook file that cannot be used is loud: no hook of it is active, and the run goes on", async () => {
  await using world = await createWorld();
  await world.hooks('{ "version": 1, "hooks": {');
  const { code, stderr } = await world.run(["run", "go", "--model", await world.script([{ text: "ok" }])]);
  assert.equal(code, 0);
  assert.match(stderr, /hooks\.json cannot be used: NO hook of this file is active/);
  assert.match(stderr, /hooks\.json:1:\d+/);
});
