import assert from "node:assert/strict";
import { type HookFile, loadHookFiles } from "../../src/hooks/mod.ts";
import { codesOf, inFolder, loadedOf, loadText, rule, rules, textsOf } from "./hook_files.ts";

function user(path: string): HookFile {
  return { path, source: "user", dialect: "by_content", base_priority: 100 };
}

function load(files: readonly HookFile[], project_dir = "/") {
  return loadHookFiles({ files, project_dir, default_timeout_ms: 60_000 });
}

Deno.test("a missing file is normal, and so is a folder that is not there", async () => {
  await inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/file`, "");
    for (const path of [`${folder}/hooks.json`, `${folder}/no/hooks.json`, `${folder}/file/hooks.json`]) {
      assert.deepEqual(await load([user(path)]), {
        registrations: [],
        diagnostics: [],
        files: [{ path, source: "user", hook_count: 0, diagnostics: [], status: "not_found" }],
      });
    }
  });
});

Deno.test("what is no regular file is refused, not waited for", async () => {
  await inFolder(async (folder) => {
    const made = await new Deno.Command("mkfifo", { args: [`${folder}/pipe`] }).output();
    assert.ok(made.success);
    for (const path of [folder, `${folder}/pipe`, "/dev/zero"]) {
      const { files, registrations } = await load([user(path)]);
      assert.deepEqual(registrations, []);
      assert.equal(files[0]!.status, "failed");
      assert.equal(files[0]!.diagnostics[0]!.message, "this file cannot be read: it is no regular file");
    }
  });
});

Deno.test("a link whose target is gone is a file that was lost, not a missing one", async () => {
  await inFolder(async (folder) => {
    await Deno.symlink("/no/such/file", `${folder}/hooks.json`);
    const { files } = await load([user(`${folder}/hooks.json`)]);
    assert.equal(files[0]!.status, "failed");
    assert.match(files[0]!.diagnostics[0]!.message, /a link to \/no\/such\/file, which is not there/);
  });
});

Deno.test("a broken file contributes nothing, and the other files load", async () => {
  await inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/a.json`, '{ "version": 1, "hooks": { "PreToolUse": [');
    await Deno.writeTextFile(`${folder}/b.json`, JSON.stringify(rules(rule("Bash", "kept"))));
    const loaded = await load([user(`${folder}/a.json`), user(`${folder}/b.json`)]);
    assert.deepEqual(loadedOf(loaded), ["pre_tool_call: kept"]);
    assert.deepEqual(loaded.files.map(({ status, hook_count }) => [status, hook_count]), [["failed", 0], [
      "loaded",
      1,
    ]]);
    assert.deepEqual(textsOf(loaded), [
      'a.json:1:43: error[invalid-json]: the file ends too early\n  hint: the "[" at 1:42 is still open',
    ]);
  });
});

Deno.test("a byte-order mark and CRLF change nothing, and lines stay right", async () => {
  const loaded = await loadText(
    '\uFEFF{\r\n"version": 1,\r\n"hooks": {\r\n' +
      '"Stop": [{ "hooks": [{ "type": "command", "command": "x" }] }],\r\n"Stopp": []\r\n}\r\n}',
  );
  assert.deepEqual(loadedOf(loaded), ["stop: x"]);
  assert.deepEqual(textsOf(loaded), [
    'hooks.json:5:1: error[unknown-event]: unknown event "Stopp"; its hooks are skipped\n  hint: did you mean "Stop"?',
  ]);
});

Deno.test("a UTF-16 file is refused by name and left as it is", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/hooks.json`;
    const text = JSON.stringify(rules(rule("Bash")));
    const bytes = Uint8Array.of(0xff, 0xfe, ...Array.from(text, (letter) => [letter.charCodeAt(0), 0]).flat());
    await Deno.writeFile(path, bytes);
    assert.deepEqual(textsOf(await load([user(path)])), [
      "hooks.json:1:1: error[utf-16]: this file is UTF-16, which is not read\n  hint: save it as UTF-8",
    ]);
    assert.deepEqual(await Deno.readFile(path), bytes);
  });
});

Deno.test("a file reached twice is loaded once, as the user's, whatever its paths and their order", async () => {
  await inFolder(async (home) => {
    const path = `${home}/hooks.json`;
    await Deno.writeTextFile(path, JSON.stringify(rules(rule("Bash"))));
    await Deno.symlink(home, `${home}/as-link`);
    await Deno.link(path, `${home}/hard.json`);
    const spellings = [path, `${home}/./hooks.json`, `${home}/as-link/hooks.json`, `${home}/hard.json`];
    for (const other of spellings) {
      const project: HookFile = { path: other, source: "project", dialect: "soong", base_priority: 200 };
      for (const files of [[user(path), project], [project, user(path)]]) {
        const loaded = await load(files);
        assert.deepEqual(loaded.registrations.map(({ source, priority }) => [source, priority]), [["user", 100]]);
        const copy = loaded.files.find(({ source }) => source === "project")!;
        assert.deepEqual([copy.status, copy.hook_count, copy.same_as], ["loaded", 0, path]);
      }
    }
  });
});

const FORMS: readonly (readonly [content: unknown, status: string, codes: readonly string[]])[] = [
  [{ version: 1 }, "loaded", ["warning[no-hooks] at $"]],
  [{ hooks: {} }, "loaded", ["hint[missing-version] at $"]],
  [{ rules: [] }, "loaded", ["hint[missing-version] at $"]],
  [{}, "loaded", ["hint[no-hooks] at $"]],
  [{ $schema: "x" }, "loaded", ["hint[no-hooks] at $"]],
  [{ pre_tool_call: [] }, "loaded", []],
  [{ " Pre_Tool_Call ": [] }, "loaded", ['hint[key-style] at [" Pre_Tool_Call "]']],
  [{ GoalStageInvoke: [], x: 1 }, "loaded", ["error[retired-event] at GoalStageInvoke", "error[unknown-point] at x"]],
  [{ PreToolUse: [] }, "loaded", ["error[retired-event] at PreToolUse"]],
  [{ agent_startup: [] }, "loaded", ["error[internal-point] at agent_startup"]],
  [{ servers: [] }, "failed", ["error[unknown-form] at $"]],
  [[], "failed", ["error[root-not-an-object] at $"]],
  ["null", "failed", ["error[root-not-an-object] at $"]],
  ['"hooks"', "failed", ["error[root-not-an-object] at $"]],
  [{ version: 1, hooks: null }, "loaded", ["error[wrong-type] at hooks"]],
  [{ version: 1, hooks: {}, hookz: {} }, "loaded", ["error[unknown-key] at hookz"]],
];

for (const [content, status, codes] of FORMS) {
  Deno.test(`a file with ${JSON.stringify(content)} is ${status}: ${codes.join(", ")}`, async () => {
    const loaded = await loadText(content);
    assert.equal(loaded.files[0]!.status, status);
    assert.deepEqual(codesOf(loaded), codes);
  });
}

Deno.test("a file of a form that is not read shows the form that is", async () => {
  assert.deepEqual(textsOf(await loadText({ hooks: {} }, { dialect: "claude" })), [
    "hooks.json:1:1: error[unsupported-form]: this file has the claude form, which this soong-agent does not read; " +
    "no hook of it is loaded\n" +
    '  hint: the shape is { "version": 1, "hooks": { "PreToolUse": [ { "matcher": { "tool_name": "Bash" }, ' +
    '"hooks": [ { "type": "command", "command": "…" } ] } ] } }',
  ]);
});

Deno.test("a known path fixes the dialect, whatever the content", async () => {
  assert.deepEqual(
    codesOf(await loadText({ pre_tool_call: [], version: 1 }, { dialect: "soong" })),
    [
      "error[unknown-key] at pre_tool_call",
      "warning[no-hooks] at $",
    ].toSorted((left) => left.endsWith("$") ? -1 : 1),
  );
  assert.deepEqual(codesOf(await loadText(rules(), { dialect: "onecode" })), [
    "error[unknown-point] at version",
    "error[unknown-point] at hooks",
  ]);
});

Deno.test("a registration says what runs, for how long, in which order, and where it is declared", async () => {
  const loaded = await loadText(
    '{ "version": 1, "hooks": { "PreToolUse": [\n  { "matcher": "Bash", "hooks": [\n' +
      '    { "type": "command", "command": ["a", "b"], "timeout": 5, "working_dir": "sub" },\n' +
      '    { "type": "command", "command": "c" }\n  ] } ] } }',
  );
  const [first, second] = loaded.registrations.map(({ matcher, ...registration }) => ({
    ...registration,
    matcher: matcher.text,
  }));
  const file = loaded.files[0]!.path;
  assert.match(first!.id, /^config:pre_tool_call:Command:[0-9a-f]{6}$/);
  assert.deepEqual(first, {
    id: first!.id,
    point: "pre_tool_call",
    speech: "soong/1",
    source: "user",
    priority: 100,
    order: 0,
    matcher: "Bash",
    executor: { type: "command", command: ["a", "b"], working_dir: "sub" },
    timeout_ms: 5000,
    mode: "enforce",
    declared: { file, line: 3, column: 5, path: "hooks.PreToolUse[0].hooks[0]" },
  });
  assert.deepEqual([second!.order, second!.timeout_ms, second!.declared!.line], [1, 60_000, 4]);
});

Deno.test("ids stay with their entry: over layout, neighbours and key order; twins are numbered", async () => {
  const ids = async (content: unknown) => (await loadText(content)).registrations.map(({ id }) => id);
  const [plain] = await ids(rules(rule("Bash", "x")));
  const moved = await ids(
    `{ "hooks": { // moved
      "Stop": [{ "hooks": [{ "type": "command", "command": "x" }] }],
      "PreToolUse": [{ "hooks": [{ "command": "x", "type": "command" }], "matcher": { "tool_name": "Bash" } }] } }`,
  );
  assert.equal(moved[1], plain);
  assert.match(moved[0]!, /^config:stop:Command:/);
  assert.notEqual(moved[0]!.slice(-6), plain!.slice(-6));
  assert.deepEqual(await ids(rules(rule("Bash", "x"), rule("Read", "x"), rule("Bash", "x"), rule("Bash", "x"))), [
    plain,
    (await ids(rules(rule("Read", "x"))))[0],
    `${plain}-2`,
    `${plain}-3`,
  ]);
  assert.match(
    (await ids(rules({ hooks: [{ decision: "deny", reason: "no" }] })))[0]!,
    /^config:pre_tool_call:Static:/,
  );
  assert.notEqual((await ids(rules(rule("Bash", "x", { timeout: 5 }))))[0], plain);
});

Deno.test("loading works with read permission only", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/hooks.json`;
    await Deno.writeTextFile(path, JSON.stringify(rules(rule({ path_prefix: "src/" }), rule("bash"))));
    const program = `
      import { lintHooks, loadHookFiles } from ${
      JSON.stringify(new URL("../../src/hooks/mod.ts", import.meta.url).href)
    };
      const files = [{ path: ${JSON.stringify(path)}, source: "user", dialect: "by_content", base_priority: 100 }];
      const loaded = await loadHookFiles({ files, project_dir: ${
      JSON.stringify(folder)
    }, default_timeout_ms: 1, tools: [] });
      const options = { loaded, project_dir: ${
      JSON.stringify(folder)
    }, path: "/usr/bin:/bin", variables: {}, windows: false };
      console.log(loaded.registrations.length, (await lintHooks(options)).length);`;
    const run = async (...permissions: string[]) => {
      const child = new Deno.Command(Deno.execPath(), {
        args: ["run", "--no-prompt", "--no-check", ...permissions, "-"],
        cwd: new URL("../..", import.meta.url),
        stdin: "piped",
        stdout: "piped",
        stderr: "piped",
      }).spawn();
      const writer = child.stdin.getWriter();
      await writer.write(new TextEncoder().encode(program));
      await writer.close();
      const { stdout, stderr } = await child.output();
      return new TextDecoder().decode(stdout).trim() || new TextDecoder().decode(stderr);
    };
    assert.match(await run("--allow-read"), /^2 \d+$/);
    assert.match(await run(`--allow-read=${path}`), /^2 \d+$/, "what may not be looked at is not judged");
    assert.match(await run(), /^0 0$/, "a refused file is a finding, not a crash");
  });
});
