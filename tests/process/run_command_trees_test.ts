import assert from "node:assert/strict";
import { killMarked, marked, program, run, runUnchecked } from "./children.ts";

Deno.test("a background process is ended and counted, and never holds a result back, whatever it holds", async () => {
  const commands = [
    "sleep 57 & echo said",
    "(sleep 57 >/dev/null) & echo said",
    "(sleep 57 2>/dev/null) & echo said",
    "exec 3>&1; (sleep 57 >/dev/null 2>&1) & echo said",
    "sleep 57 >/dev/null 2>&1 & echo said",
    "nohup sleep 57 >/dev/null 2>&1 & echo said",
  ];
  for (const command of commands) {
    const { result, stdout } = await run(command, { timeout_ms: 20_000 });
    assert.deepEqual(result.ending, { kind: "exited", code: 0 }, command);
    assert.equal(stdout, "said\n", command);
    assert.ok(result.duration_ms < 5000, `${command}: ${result.duration_ms} ms`);
    assert.ok(result.background_ended >= 1, command);
    assert.equal(result.daemon_seen, undefined, command);
  }
});

Deno.test("every process left behind is counted", async () => {
  const { result } = await run("sleep 57 & sleep 57 & sleep 57 & exit 5");
  assert.deepEqual(result.ending, { kind: "exited", code: 5 });
  assert.equal(result.background_ended, 3);
});

Deno.test("background work that ends by itself within the drain is kept and not counted", async () => {
  const { result, stdout } = await run("(sleep 0.05; echo late) & echo early");
  assert.equal(stdout, "early\nlate\n");
  assert.equal(result.background_ended, 0);
});

Deno.test("what a background process prints after the drain is dropped", async () => {
  const { stdout } = await run("(trap '' TERM; sleep 0.4; echo late) & echo early");
  assert.equal(stdout, "early\n");
});

Deno.test("a background process that ignores TERM is killed without waiting for the usual grace", async () => {
  const { result } = await run("(trap '' TERM; while :; do sleep 1; done) & exit 0", { kill_grace_ms: 30_000 });
  assert.ok(result.duration_ms < 10_000, `${result.duration_ms} ms`);
  assert.ok(result.background_ended >= 1);
});

Deno.test("the deadline ends the whole tree: the shell, its children, and what a dead parent left", async () => {
  for (
    const command of ["sleep 297 & sleep 297", "(sleep 297 &); sleep 297", "sh -c 'sh -c \"sleep 297\" & sleep 297'"]
  ) {
    const { result } = await run(command, { timeout_ms: 300 });
    assert.deepEqual(result.ending, { kind: "timed_out", limit_ms: 300 }, command);
    assert.ok(result.duration_ms < 5000, command);
    assert.equal(result.background_ended, 0);
  }
});

Deno.test("a child and a grandchild that ignore TERM are killed after the grace, not before", async () => {
  const { result, stdout } = await run([program("process_ignores_term.sh")], { timeout_ms: 500, kill_grace_ms: 700 });
  assert.deepEqual(result.ending, { kind: "timed_out", limit_ms: 500 });
  assert.equal(stdout, "ready\n");
  assert.ok(result.duration_ms >= 1150 && result.duration_ms < 8000, `${result.duration_ms} ms`);
});

Deno.test("a grace of 0 kills at once", async () => {
  const { result } = await run([program("process_ignores_term.sh")], { timeout_ms: 300, kill_grace_ms: 0 });
  assert.deepEqual(result.ending, { kind: "timed_out", limit_ms: 300 });
});

Deno.test("descendants that left the group are ended at the deadline, with all that they started", async () => {
  const commands = [
    "setsid sleep 297 & sleep 297",
    "setsid sh -c 'sleep 297 & sleep 297' & sleep 297",
    "setsid sh -c 'trap \"\" TERM; setsid sleep 297 & wait; sleep 297' & sleep 297",
    "exec bash -c 'set -m; sleep 297 & (sleep 297 & ) ; sleep 297'",
  ];
  for (const command of commands) {
    const { result } = await run(command, { timeout_ms: 300, kill_grace_ms: 300 });
    assert.deepEqual(result.ending, { kind: "timed_out", limit_ms: 300 }, command);
    assert.ok(result.duration_ms < 8000, command);
  }
});

Deno.test("a descendant in a group of its own is ended with what a child leaves behind", async () => {
  const { result } = await run("sh -c 'setsid sleep 297 >/dev/null 2>&1 & sleep 297' & sleep 0.2; exit 0");
  assert.deepEqual(result.ending, { kind: "exited", code: 0 });
  assert.ok(result.background_ended >= 3, `${result.background_ended} ended`);
});

Deno.test("a daemon without any link to the run does not hold the result back, and is named", async () => {
  const { result, mark, stdout } = await runUnchecked("setsid sleep 57 & sleep 0.2; echo said");
  try {
    assert.deepEqual(result.ending, { kind: "exited", code: 0 });
    assert.equal(stdout, "said\n");
    assert.equal(result.daemon_seen, true);
    assert.ok(result.duration_ms < 5000);
    assert.equal(marked(mark).length, 1);
  } finally {
    killMarked(mark);
  }
});

Deno.test("a run that is ended leaves the other runs alone", async () => {
  const [quick, slow] = await Promise.all([
    runUnchecked("sleep 57", { timeout_ms: 200 }),
    run("sleep 0.8; echo alive"),
  ]);
  assert.deepEqual(quick.result.ending, { kind: "timed_out", limit_ms: 200 });
  assert.equal(slow.stdout, "alive\n");
});
