import assert from "node:assert/strict";
import { join } from "node:path";
import type { ExecutorSettings } from "../../src/hooks/mod.ts";
import { inPlace, requestFor, stdoutOf } from "./support.ts";

const command = (text: string | readonly [string, ...string[]], working_dir?: string): ExecutorSettings => ({
  type: "command",
  command: text,
  ...(working_dir !== undefined && { working_dir }),
});

Deno.test("a hook command is given the payload as one line on stdin and runs in the project", () =>
  inPlace(async ({ project, executors }) => {
    const run = await executors.command(requestFor(command("cat; pwd")));
    assert.deepEqual(run.ending, { kind: "exited", code: 0 });
    assert.equal(stdoutOf(run), `{"event":"PreToolUse"}\n${project}\n`);
    assert.equal(run.stderr, "");
    assert.equal(run.stdout_truncated, false);
    assert.ok(run.duration_ms > 0);
  }));

Deno.test("its environment is the allowed one, the four names of the agent and its mark, nothing else", () =>
  inPlace(async ({ project, home, executors }) => {
    Deno.env.set("SOONG_TEST_SECRET", "secret");
    try {
      const run = await executors.command(requestFor(command(["env"])));
      const names = stdoutOf(run).trim().split("\n").sort();
      assert.deepEqual(names.filter((line) => !line.startsWith("PATH=")), [
        `SOONG_AGENT_HOME=${home}`,
        names.find((line) => line.startsWith("SOONG_AGENT_PROCESS=")),
        "SOONG_HOOK_EVENT=PreToolUse",
        `SOONG_PROJECT_DIR=${project}`,
        "SOONG_SESSION_ID=s1",
      ]);
    } finally {
      Deno.env.delete("SOONG_TEST_SECRET");
    }
  }));

Deno.test("working_dir is relative to the project and must lie inside it, links resolved", () =>
  inPlace(async ({ project, home, executors }) => {
    await Deno.mkdir(join(project, "sub"));
    await Deno.symlink(home, join(project, "link"));
    const inside = await executors.command(requestFor(command("pwd", "sub")));
    assert.equal(stdoutOf(inside), `${join(project, "sub")}\n`);
    for (const outside of ["link", "..", home, "missing"]) {
      const run = await executors.command(requestFor(command("pwd", outside)));
      assert.equal(run.ending.kind, "not_started", outside);
      assert.equal(stdoutOf(run), "");
    }
  }));

Deno.test("every way to end is mapped: exit code, signal, timeout, cancel, a missing program", () =>
  inPlace(async ({ executors }) => {
    const exited = await executors.command(requestFor(command("echo out; echo err >&2; exit 3")));
    assert.deepEqual(exited.ending, { kind: "exited", code: 3 });
    assert.deepEqual([stdoutOf(exited), exited.stderr], ["out\n", "err\n"]);

    const signalled = await executors.command(requestFor(command("kill -SEGV $$")));
    assert.deepEqual(signalled.ending, { kind: "signalled", signal: "SIGSEGV" });

    const late = await executors.command(requestFor(command("echo early; sleep 30"), { timeout_ms: 200 }));
    assert.deepEqual(late.ending, { kind: "timed_out", limit_ms: 200 });
    assert.equal(stdoutOf(late), "early\n");

    const controller = new AbortController();
    const running = executors.command(requestFor(command("sleep 30"), { signal: controller.signal }));
    controller.abort();
    assert.deepEqual((await running).ending, { kind: "cancelled" });

    const missing = await executors.command(requestFor(command(["./no-such-program"])));
    assert.equal(missing.ending.kind, "not_started");
  }));

Deno.test("a hook that never reads a payload of 2 MB is judged by its exit code alone (case 08)", () =>
  inPlace(async ({ executors }) => {
    const payload = new TextEncoder().encode("x".repeat(2_000_000) + "\n");
    const deaf = await executors.command(requestFor(command("exit 0"), { payload }));
    assert.deepEqual(deaf.ending, { kind: "exited", code: 0 });
    const counting = await executors.command(requestFor(command("wc -c"), { payload }));
    assert.equal(stdoutOf(counting).trim(), "2000001");
  }));

Deno.test("output beyond the limit is cut and says so", () =>
  inPlace(async ({ executors }) => {
    const run = await executors.command(requestFor(command("head -c 100000 /dev/zero | tr '\\0' x")));
    assert.equal(run.stdout_truncated, true);
    assert.ok(run.stdout.length <= 1000);
  }, { max_output_bytes: 1000 }));

Deno.test("bytes on stderr that are no UTF-8 become replacement marks", () =>
  inPlace(async ({ executors }) => {
    const run = await executors.command(requestFor(command("printf 'a\\377b' >&2")));
    assert.equal(run.stderr, "a\ufffdb");
  }));

Deno.test("a hook runs from the agent's home when the project folder is gone, and can still deny (case 46)", () =>
  inPlace(async ({ project, home, executors }) => {
    await Deno.remove(project);
    const deny = `pwd >&2; echo '{"decision":"deny","reason":"guarded"}'`;
    const run = await executors.command(requestFor(command(deny)));
    assert.deepEqual(run.ending, { kind: "exited", code: 0 });
    assert.equal(stdoutOf(run), '{"decision":"deny","reason":"guarded"}\n');
    assert.equal(run.stderr, `the project folder ${project} is gone; the hook ran in ${home}\n${home}\n`);
    await Deno.remove(home);
    const nowhere = await executors.command(requestFor(command(deny)));
    assert.ok(nowhere.ending.kind === "not_started" && nowhere.ending.reason.includes(`${project} is gone`));
    await Deno.mkdir(home);
  }));
