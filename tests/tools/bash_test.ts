import assert from "node:assert/strict";
import { join } from "node:path";
import { projectTest } from "./temporary_project.ts";

projectTest("output, error output and exit code are in the result", async ({ call }) => {
  assert.deepEqual(await call("Bash", { command: "echo out; echo err >&2; exit 7" }), {
    is_error: true,
    content: "out\nstderr:\nerr\nExit code: 7",
    metadata: { exit_code: 7, signal: null, timed_out: false, background_ended: 0, truncated: false },
  });
  const quiet = await call("Bash", { command: "true", description: "nothing" });
  assert.deepEqual([quiet.is_error, quiet.content], [false, "(no output)\nExit code: 0"]);
});

projectTest("the command runs in the project with the given environment only", async ({ call, dir }) => {
  Deno.env.set("SOONG_TEST_SECRET", "s");
  const { content } = await call("Bash", { command: 'pwd; echo "[$SOONG_TEST_SECRET]"' });
  Deno.env.delete("SOONG_TEST_SECRET");
  assert.equal(content, `${dir}\n[]\nExit code: 0`);
});

for (const command of ["cat", 'read x; echo "got:$x"', "grep foo"]) {
  projectTest(`stdin is empty, so ${command} ends at once`, async ({ call }) => {
    assert.match((await call("Bash", { command })).content, /Exit code: [01]$/);
  });
}

const BACKGROUND = [
  "sleep 60 & echo started",
  "nohup sleep 60 >/dev/null 2>&1 & echo started",
  "(sleep 60; echo late) & echo started",
];

for (const command of BACKGROUND) {
  projectTest(
    `a background child does not hold the result, is ended, and the result says so: ${command}`,
    async (project) => {
      const outcome = await project.call("Bash", { command });
      assert.equal(outcome.is_error, false);
      assert.match(outcome.content, /^started\nExit code: 0\n\d+ background process/);
      assert.ok(Number(outcome.metadata?.background_ended) >= 1);
    },
  );
}

projectTest("the time limit ends the whole tree and keeps the output so far", async ({ call }) => {
  const outcome = await call("Bash", { command: "echo first; sleep 600 & sleep 600", timeout: 500 });
  assert.equal(outcome.is_error, true);
  assert.match(outcome.content, /^first\nThe command timed out after 500 ms and was ended with all its processes/);
  assert.deepEqual([outcome.metadata?.timed_out, outcome.metadata?.exit_code], [true, null]);
});

projectTest("a death by signal is named", async ({ call }) => {
  const outcome = await call("Bash", { command: "kill -9 $$" });
  assert.deepEqual([outcome.is_error, outcome.metadata?.signal], [true, "SIGKILL"]);
  assert.match(outcome.content, /ended by signal SIGKILL/);
});

projectTest("a flood keeps head, tail and exit code within the stated size", async ({ call }) => {
  const outcome = await call("Bash", { command: "seq 1 300000; echo THE-END >&2; exit 7" });
  assert.match(outcome.content, /^1\n2\n3\n/);
  assert.match(outcome.content, /\n299999\n300000\n/);
  assert.match(outcome.content, /THE-END/);
  assert.match(outcome.content, /stdout had 1988895 bytes/);
  assert.match(outcome.content, /Exit code: 7$/);
  assert.equal(outcome.metadata?.truncated, true);
  assert.ok(outcome.content.length < 70 * 1024);
});

projectTest("one line of 5 MB is cut inside the line", async ({ call }) => {
  const outcome = await call("Bash", { command: "head -c 5000000 /dev/zero | tr '\\0' x; echo END" });
  assert.ok(outcome.content.length < 70 * 1024);
  assert.match(outcome.content, /xEND\n/);
});

projectTest("bytes that are no UTF-8 are shown leniently and stay within the limit", async ({ call }) => {
  const outcome = await call("Bash", { command: "head -c 60000 /dev/zero | tr '\\0' '\\377'; printf 'é'" });
  assert.match(outcome.content, /^\ufffd+/);
  assert.ok(new TextEncoder().encode(outcome.content).length < 70 * 1024);
});

projectTest("terminal escapes are taken out and carriage returns become line breaks", async ({ call }) => {
  const { content } = await call("Bash", { command: "printf 'a\\rb\\033[31mred\\033[0m\\033]0;title\\007'" });
  assert.equal(content, "a\nbred\nExit code: 0");
});

projectTest("a deleted project folder is named, and nothing runs anywhere else", async ({ call, dir }) => {
  await Deno.remove(dir, { recursive: true });
  const outcome = await call("Bash", { command: "pwd" });
  assert.equal(outcome.is_error, true);
  assert.ok(outcome.content.includes(dir) && outcome.content.includes("does not exist"), outcome.content);
  assert.doesNotMatch(outcome.content, /\/bin\/sh/);
  await Deno.mkdir(dir);
});

projectTest("a cancelled command is ended and says so", async ({ call, dir }) => {
  const abort = new AbortController();
  const running = call("Bash", { command: "echo begun; touch begun; sleep 60; touch late" }, abort.signal);
  while (!await Deno.stat(join(dir, "begun")).then(() => true, () => false)) {
    await new Promise((go) => setTimeout(go, 20));
  }
  abort.abort();
  const outcome = await running;
  assert.match(outcome.content, /^begun\nThe command was cancelled/);
  assert.equal(outcome.is_error, true);
});

projectTest("a limit for calls without one comes from the environment", async ({ call }) => {
  assert.match((await call("Bash", { command: "sleep 60" })).content, /timed out after 300 ms/);
}, { bash_timeout_ms: 300 });
