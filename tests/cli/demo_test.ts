import { deepEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { demoFiles, demoHookScripts, demoScript, prepareDemo } from "../../src/cli/demo/mod.ts";

interface Demo {
  readonly project: string;
  readonly home: string;
  /** Runs a hook script as the agent would: payload on stdin; gives its answer, undefined for none. */
  hook(name: string, payload: unknown): Promise<unknown>;
}

async function withDemo(work: (demo: Demo) => Promise<void>): Promise<void> {
  const root = await Deno.makeTempDir({ prefix: "soong demo 演示 " });
  const [project, home] = [join(root, "project"), join(root, "home")];
  try {
    await Deno.mkdir(project);
    await Deno.mkdir(home);
    await prepareDemo(project, home);
    await work({
      project,
      home,
      async hook(name, payload) {
        const child = new Deno.Command("/bin/sh", {
          args: ["-c", `sh "$SOONG_AGENT_HOME/hooks/${name}.sh"`],
          cwd: project,
          clearEnv: true,
          env: { PATH: "/usr/bin:/bin", SOONG_AGENT_HOME: home, SOONG_PROJECT_DIR: project },
          stdin: "piped",
          stdout: "piped",
          stderr: "piped",
        }).spawn();
        const writer = child.stdin.getWriter();
        await writer.write(new TextEncoder().encode(`${JSON.stringify(payload)}\n`)).catch(() => {});
        await writer.close().catch(() => {});
        const { code, stdout, stderr } = await child.output();
        deepEqual([code, new TextDecoder().decode(stderr)], [0, ""]);
        const text = new TextDecoder().decode(stdout);
        return text === "" ? undefined : JSON.parse(text);
      },
    });
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

const bash = (command: string) => ({
  event: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command },
  arguments: { command },
});

Deno.test("the demo's files are written, its scripts for the user only", () =>
  withDemo(async ({ project, home }) => {
    for (const [path, content] of Object.entries(demoFiles)) {
      equal(await Deno.readTextFile(join(project, path)), content);
    }
    for (const path of Object.keys(demoHookScripts)) equal((await Deno.stat(join(home, path))).mode! & 0o777, 0o700);
    equal(JSON.parse(await Deno.readTextFile(join(home, "hooks.json"))).version, 1);
  }));

Deno.test("the guard denies every spelling of a recursive rm, and nothing else", () =>
  withDemo(async ({ hook }) => {
    const denied = [
      "rm -rf notes",
      "rm -fr .",
      "cd /tmp && rm -r -f x",
      "true;rm -R x",
      "echo a\nrm -rf x",
      "sudo /bin/rm --recursive x",
      "rm -f -r x",
      'rm "-" -rf x',
      "rm x -rf",
    ];
    for (const command of denied) {
      deepEqual(
        await hook("refuse-rm", bash(command)),
        { decision: "deny", reason: "deleting whole folders is refused here" },
        command,
      );
    }
    const allowed = [
      "rm a.txt",
      "sh check.sh",
      "ls -R; echo rm",
      "git rm --cached a",
      "form -rf",
      'echo "\\"',
      "rm a; ls -r",
    ];
    for (const command of allowed) deepEqual(await hook("refuse-rm", bash(command)), { decision: "allow" }, command);
  }));

Deno.test("the Stop hook gives the check's words as its reason, as valid JSON whatever they are", () =>
  withDemo(async ({ hook, project }) => {
    deepEqual(await hook("require-check", { event: "Stop" }), {
      decision: "deny",
      reason: "the check fails: expected Hello, World! but got Helo, World",
    });
    await Deno.writeTextFile(join(project, "check.sh"), `printf 'a "b" \\\\ c\\n\\td\\033[1m'; exit 3\n`);
    deepEqual(await hook("require-check", { event: "Stop" }), {
      decision: "deny",
      reason: 'the check fails: a "b" \\ c  d[1m',
    });
    await Deno.writeTextFile(join(project, "check.sh"), "exit 0\n");
    deepEqual(await hook("require-check", { event: "Stop" }), { decision: "allow" });
  }));

Deno.test("the audit hook keeps each payload as a line and has no opinion", () =>
  withDemo(async ({ hook, home }) => {
    equal(await hook("audit", { call: 1 }), undefined);
    equal(await hook("audit", { call: 2 }), undefined);
    equal(await Deno.readTextFile(join(home, "audit.jsonl")), '{"call":1}\n{"call":2}\n');
  }));

Deno.test("the script's edits fit the files, and only the last one makes the check pass", () =>
  withDemo(async ({ project }) => {
    const check = async () => {
      const { code, stdout } = await new Deno.Command("sh", { args: ["check.sh"], cwd: project }).output();
      return [code, new TextDecoder().decode(stdout)] as const;
    };
    const edits = demoScript.turns.flatMap((turn) => "tool_calls" in turn ? [...turn.tool_calls] : [])
      .filter((call) => call.name === "Edit");
    equal(edits.length, 2);
    const outcomes = [];
    for (const { input } of edits) {
      const path = join(project, input.file_path);
      const before = await Deno.readTextFile(path);
      equal(before.split(input.old_string).length, 2);
      await Deno.writeTextFile(path, before.replace(input.old_string, () => input.new_string));
      outcomes.push(await check());
    }
    deepEqual(outcomes.map(([code]) => code), [1, 0]);
    match(outcomes[0]![1], /expected Hello, World! but got Hello, World\n/);
    ok(outcomes[1]![1].includes("the check passes"));
  }));
