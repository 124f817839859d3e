import assert from "node:assert/strict";
import { liveGroups, runCommand } from "../../src/process/mod.ts";
import { assertNothingLeft, markedEnv, newMark, program, request, run, until } from "./children.ts";

Deno.test("every ending has its name: exit codes, signals, missing commands of the shell", async () => {
  const endings: Record<string, unknown> = {
    "true": { kind: "exited", code: 0 },
    "exit 1": { kind: "exited", code: 1 },
    "exit 2": { kind: "exited", code: 2 },
    "exit 255": { kind: "exited", code: 255 },
    "exit 139": { kind: "exited", code: 139 },
    "./soong-no-such-guard": { kind: "exited", code: 127 },
    "if then": { kind: "exited", code: 2 },
    "kill -SEGV $$": { kind: "signalled", signal: "SIGSEGV" },
    "kill -KILL $$": { kind: "signalled", signal: "SIGKILL" },
    "kill -TERM $$": { kind: "signalled", signal: "SIGTERM" },
  };
  for (const [command, ending] of Object.entries(endings)) {
    assert.deepEqual((await run(command)).result.ending, ending, command);
  }
});

Deno.test({
  name: "death by a signal that Deno has no name for is named by its number",
  // Deno itself keeps the descriptor of such a child.
  sanitizeResources: false,
  async fn() {
    assert.deepEqual((await run("kill -40 $$")).result.ending, { kind: "signalled", signal: "signal 40" });
  },
});

Deno.test("the result has output, duration and no background of a plain run", async () => {
  const { result, stdout, stderr } = await run("echo out; echo err >&2; exit 7");
  assert.deepEqual({ stdout, stderr }, { stdout: "out\n", stderr: "err\n" });
  const { duration_ms, stdout: captured, stderr: _, ...rest } = result;
  assert.deepEqual(rest, { ending: { kind: "exited", code: 7 }, background_ended: 0 });
  assert.deepEqual({ ...captured, bytes: captured.bytes.length }, { bytes: 4, total_bytes: 4, truncated: false });
  assert.ok(duration_ms > 0 && duration_ms < 30_000);
});

Deno.test("the deadline ends a run, names its limit and keeps the output so far", async () => {
  const { result, stdout } = await run("echo first; sleep 57", { timeout_ms: 300 });
  assert.deepEqual(result.ending, { kind: "timed_out", limit_ms: 300 });
  assert.equal(stdout, "first\n");
  assert.ok(result.duration_ms >= 290 && result.duration_ms < 5000, `${result.duration_ms} ms`);
});

Deno.test("a child that answers TERM with exit 0 has still timed out, and its last words are kept", async () => {
  const command = "trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.05; done";
  const { result, stdout } = await run(command, { timeout_ms: 500 });
  assert.deepEqual(result.ending, { kind: "timed_out", limit_ms: 500 });
  assert.equal(stdout, "up\nbye\n");
});

Deno.test("a limit of 1 ms is obeyed, and a process just being started does not get away", async () => {
  for (let round = 0; round < 10; round++) {
    const { result } = await run("sleep 57 & sleep 57", { timeout_ms: 1, kill_grace_ms: 300 });
    assert.deepEqual(result.ending, { kind: "timed_out", limit_ms: 1 });
  }
});

Deno.test("a limit beyond what a timer holds is no instant timeout, and one below 1 ms is 1 ms", async () => {
  for (const timeout_ms of [3e9, Infinity, Number.NaN, 2 ** 31]) {
    assert.deepEqual((await run("sleep 0.05", { timeout_ms })).result.ending, { kind: "exited", code: 0 });
  }
  for (const timeout_ms of [0, -5, 0.2]) {
    assert.deepEqual((await run("sleep 57", { timeout_ms })).result.ending, { kind: "timed_out", limit_ms: 1 });
  }
});

Deno.test("a signal that is aborted already starts nothing", async () => {
  const witness = Deno.makeTempFileSync();
  const { result } = await run(`echo ran > ${witness}`, { signal: AbortSignal.abort() });
  assert.deepEqual(result.ending, { kind: "cancelled" });
  assert.equal(Deno.readTextFileSync(witness), "");
  Deno.removeSync(witness);
});

Deno.test("an abort in the middle of a run cancels it and ends the tree", async () => {
  const controller = new AbortController();
  const mark = newMark();
  const running = runCommand(
    request("echo up; sleep 57 & sleep 57", { env: markedEnv(mark), signal: controller.signal, timeout_ms: 20_000 }),
  );
  await until(() => liveGroups().length === 1, 5000);
  controller.abort();
  assert.deepEqual((await running).ending, { kind: "cancelled" });
  await assertNothingLeft(mark);
  assert.deepEqual(liveGroups(), []);
});

Deno.test("an abort after the end changes nothing, and no listener is left on the signal", async () => {
  const controller = new AbortController();
  let listeners = 0;
  const { signal } = controller;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...parameters: Parameters<typeof add>) => (listeners++, add(...parameters));
  signal.removeEventListener = (...parameters: Parameters<typeof remove>) => (listeners--, remove(...parameters));
  const { result } = await run("exit 3", { signal });
  controller.abort();
  assert.deepEqual(result.ending, { kind: "exited", code: 3 });
  assert.equal(listeners, 0);
});

Deno.test({
  name: "200 runs side by side each get their own output, and leave no process, descriptor, timer or group",
  sanitizeOps: true,
  sanitizeResources: true,
  async fn() {
    const mark = newMark();
    const descriptors = () => [...Deno.readDirSync("/proc/self/fd")].length;
    await runCommand(request("true"));
    const before = descriptors();
    const env = markedEnv(mark);
    const stdin = new TextEncoder().encode("payload\n");
    const results = await Promise.all(
      Array.from(
        { length: 200 },
        (_, index) => runCommand(request(`cat; echo ${index}; exit ${index}`, { env, stdin })),
      ),
    );
    const seen = results.map(({ ending, stdout }) => [ending, new TextDecoder().decode(stdout.bytes)]);
    const expected = results.map((_, index) => [{ kind: "exited", code: index }, `payload\n${index}\n`]);
    assert.deepEqual(seen, expected);
    await assertNothingLeft(mark);
    assert.deepEqual(liveGroups(), []);
    await until(() => descriptors() <= before, 2000);
    assert.ok(descriptors() <= before, `${descriptors()} descriptors after, ${before} before`);
  },
});

Deno.test("a fixture that is run by its path works like any program", async () => {
  assert.equal((await run([program("process_dribble.sh"), "1"])).stdout, "拒绝 ✅");
});
