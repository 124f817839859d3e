import assert from "node:assert/strict";
import { lintHooks, type LintOptions, loadHookFiles } from "../../src/hooks/mod.ts";
import { findSecret } from "../../src/hooks/secret_patterns.ts";
import type { JsonObject } from "../../src/protocol/mod.ts";
import { inFolder, loadText, rule, rules } from "./hook_files.ts";

/** What is found about a hooks.json in a home of its own, with `$HOME` and `$PROJECT` for its folders in messages. */
function lint(
  content: unknown,
  prepare: (home: string, project: string) => Promise<unknown> = () => Promise.resolve(),
  more: Partial<LintOptions> = {},
): Promise<string[]> {
  return inFolder(async (folder) => {
    const [home, project] = [`${folder}/home`, `${folder}/project`];
    await Deno.mkdir(home, { mode: 0o700 });
    await Deno.mkdir(project, { mode: 0o700 });
    await Deno.writeTextFile(`${home}/hooks.json`, JSON.stringify(content), { mode: 0o600 });
    await prepare(home, project);
    const loaded = await loadHookFiles({
      files: [{ path: `${home}/hooks.json`, source: "user", dialect: "by_content", base_priority: 100 }],
      project_dir: project,
      default_timeout_ms: 1000,
    });
    const options = { loaded, project_dir: project, path: `${home}/bin`, variables: {}, windows: false, ...more };
    const found = await lintHooks(options);
    return found.map(({ severity, code, message, path }) =>
      `${severity}[${code}] ${path ?? "-"}: ${message}`.replaceAll(home, "$HOME").replaceAll(project, "$PROJECT")
    );
  });
}

async function script(path: string, mode = 0o700): Promise<void> {
  await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true, mode: 0o700 });
  await Deno.writeTextFile(path, "#!/bin/sh\n");
  await Deno.chmod(path, mode);
}

const at = "hooks.PreToolUse[0].hooks[0]";

const PROGRAMS: readonly (readonly [command: unknown, found: readonly string[]])[] = [
  ["guard --strict", []],
  ["nowhere", [`warning[command-not-found] ${at}: command not found: "nowhere"`]],
  [["nowhere", "x"], [`warning[command-not-found] ${at}: command not found: "nowhere"`]],
  ["FOO=1 nowhere", [`warning[command-not-found] ${at}: command not found: "nowhere"`]],
  ["flat", [`warning[command-not-executable] ${at}: "$HOME/bin/flat" cannot be executed`]],
  ["./check.sh", []],
  ["sub/missing.sh", [`warning[command-not-found] ${at}: command not found: "sub/missing.sh"`]],
  ["./plain.sh", [`warning[command-not-executable] ${at}: "$PROJECT/plain.sh" cannot be executed`]],
  ["cd sub && nowhere", []],
  ["[ -f x ] || exit 1", []],
  ["$GUARD x", []],
  ["~/x", []],
];

for (const [command, found] of PROGRAMS) {
  Deno.test(`the program of ${JSON.stringify(command)} is ${found.length === 0 ? "in order" : "missed"}`, async () => {
    const prepare = async (home: string, project: string) => {
      await script(`${home}/bin/guard`);
      await script(`${home}/bin/flat`, 0o600);
      await script(`${project}/check.sh`);
      await script(`${project}/plain.sh`, 0o600);
    };
    assert.deepEqual(await lint(rules(rule("Bash", command as string)), prepare), found);
  });
}

Deno.test("programs are not looked up without a PATH", async () => {
  assert.deepEqual(await lint(rules(rule("Bash", "nowhere")), undefined, { path: undefined }), []);
});

Deno.test("a hook file, a script or a folder that others can write is named", async () => {
  const content = rules(rule("Bash", "./check.sh"), rule("Read", "sh sub/other.sh"));
  const found = await lint(content, async (home, project) => {
    await script(`${project}/check.sh`, 0o777);
    await script(`${project}/sub/other.sh`);
    await Deno.chmod(`${project}/sub`, 0o777);
    await Deno.chmod(`${home}/hooks.json`, 0o666);
  }, { path: undefined });
  assert.deepEqual(found, [
    "warning[writable-by-others] -: $HOME/hooks.json can be written by all users, who then decide what is run",
    `warning[writable-by-others] ${at}: $PROJECT/check.sh can be written by all users, who then decide what is run`,
    "warning[writable-by-others] hooks.PreToolUse[1].hooks[0]: the folder of $PROJECT/sub/other.sh can be written by " +
    "all users, who can replace the file",
  ]);
  const sticky = await lint(rules(), (home) => Deno.chmod(home, 0o1777));
  assert.deepEqual(sticky, [], "in a sticky folder nobody can replace what is not theirs");
});

Deno.test("a project file that is never read is named, unless the project is the home", async () => {
  const projectFile = async (_home: string, project: string) => {
    await Deno.mkdir(`${project}/.soong-agent`, { mode: 0o700 });
    await Deno.writeTextFile(`${project}/.soong-agent/hooks.json`, "not even JSON");
  };
  assert.deepEqual(await lint(rules(), projectFile), [
    "warning[project-file-not-read] -: hooks of a project are never read from here",
  ]);
  const homeIsProject = async (home: string, project: string) => {
    await Deno.symlink(home, `${project}/.soong-agent`);
  };
  assert.deepEqual(await lint(rules(), homeIsProject), []);
});

Deno.test("a deny where nothing can be denied is named", async () => {
  const deny = [{ hooks: [{ decision: "deny", reason: "no" }] }];
  const events = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"];
  const content = { version: 1, hooks: Object.fromEntries(events.map((event) => [event, deny])) };
  assert.deepEqual(
    await lint(content),
    ["SessionStart", "UserPromptSubmit", "PostToolUse"].map((event) =>
      `warning[event-cannot-block] hooks.${event}[0].hooks[0]: ${event} cannot block: this deny is only recorded`
    ),
  );
});

Deno.test("the same hook twice is named with the place of the first", async () => {
  const content = rules(
    rule("Bash", "true"),
    rule({ tool_name: "Bash" }, "true", { timeout: 5 }),
    rule("Read", "true"),
  );
  const column = JSON.stringify(content).indexOf('{"type"') + 1;
  assert.deepEqual(await lint(content), [
    `warning[duplicate-hook] hooks.PreToolUse[1].hooks[0]: the same hook stands at 1:${column}; it runs twice`,
  ]);
});

const SECRETS: readonly (readonly [text: string, kind: string | undefined])[] = [
  ["curl -H 'Authorization: Bearer abcdefghij0123456789'", "a bearer token"],
  ["ANTHROPIC_API_KEY=sk-ant-api03-aaaaaaaaaaaaaaaaaaaaaaaa ./x", "an Anthropic or OpenAI key"],
  [`git push https://x:${"ghp_" + "a".repeat(36)}@github.com/x`, "a GitHub token"],
  ["aws --key AKIAABCDEFGHIJKLMNOP", "an AWS access key"],
  ["curl https://open.feishu.cn/open-apis/bot/v2/hook/01234567-89ab", "a chat webhook with its key"],
  ["curl 'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=01234567-89ab'", "a chat webhook with its key"],
  ["psql postgres://me:hunter2@db/x", "a password in a URL"],
  ["DB_PASSWORD=correct-horse ./x", "a secret"],
  ['TOKEN="$GITHUB_TOKEN" ./x', undefined],
  ["./x --token ${TOKEN}", undefined],
  ["python3 check_secrets.py", undefined],
  ["curl https://example.org/path?x=1", undefined],
];

for (const [text, kind] of SECRETS) {
  Deno.test(`in ${JSON.stringify(text)} there is ${kind ?? "no secret"}`, () => assert.equal(findSecret(text), kind));
}

Deno.test("a secret in a command is named and never shown", async () => {
  const found = await lint(rules(rule("Bash", "true DB_PASSWORD=correct-horse")));
  assert.deepEqual(found, [
    `warning[secret-in-plain-text] ${at}: this command seems to hold a secret in plain text`,
  ]);
});

const REQUESTS: readonly (readonly [hook: JsonObject, kind: string | undefined])[] = [
  [{ type: "http", url: "https://x.example/hook/abcdefgh12345678" }, "a chat webhook with its key"],
  [{ type: "http", url: "https://x", headers: { Authorization: "Bearer abcdefghijklmnop1234" } }, "a bearer token"],
  [{ type: "http", url: "https://x", headers: { "X-Api-Token": "abcdefgh1234" } }, "a secret"],
  [{ type: "http", url: "https://x/${KEY}", headers: { Authorization: "Bearer ${CI_TOKEN}" } }, undefined],
  [{ type: "notification", provider: "p", message: "m", secret: "your-sign-secret" }, "a secret"],
  [{ type: "notification", provider: "p", message: "m", secret: "${SIGN_SECRET}" }, undefined],
  [{ type: "notification", provider: "p", message: "m", secret: "file:/home/u/sign" }, undefined],
  [{ type: "notification", provider: "p", message: "m", webhookUrl: "${WEBHOOK}" }, undefined],
];

for (const [hook, kind] of REQUESTS) {
  Deno.test(`in the hook ${JSON.stringify(hook)} there is ${kind ?? "no secret"}, and it is never shown`, async () => {
    const loaded = await loadText({ output: [{ hooks: [hook] }] }, { dialect: "onecode" });
    const findings = (await lintHooks({ loaded, project_dir: "/", path: undefined, variables: {}, windows: false }))
      .filter(({ code }) => code === "secret-in-plain-text");
    const wanted = kind === undefined ? [] : [`this ${hook["type"]} hook seems to hold ${kind} in plain text`];
    assert.deepEqual(findings.map(({ message }) => message), wanted);
  });
}

Deno.test("looking for secrets takes no longer than the text is long", () => {
  for (const piece of ["a.", "https://", "token", "-", "x:", "Bearer ", "sk-", "a_"]) findSecret(piece.repeat(200_000));
});
