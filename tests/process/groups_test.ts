import assert from "node:assert/strict";
import { endAllGroups, liveGroups, runCommand } from "../../src/process/mod.ts";
import { assertNothingLeft, marked, markedEnv, newMark, program, request, until } from "./children.ts";

function start(command: string | readonly [string, ...string[]], mark: string) {
  return runCommand(request(command, { env: markedEnv(mark), kill_grace_ms: 30_000 }));
}

Deno.test("endAllGroups ends every live tree and resolves when all are gone; the runs name the signal", async () => {
  const mark = newMark();
  const runs = ["sleep 297 & sleep 297", "sleep 297", "setsid sleep 297 & sleep 297"].map((command) =>
    start(command, mark)
  );
  await until(() => marked(mark).filter((line) => /^\d+ sleep 297/.test(line)).length >= 5, 5000);
  assert.equal(liveGroups().length, 3);
  await endAllGroups({ grace_ms: 2000 });
  await assertNothingLeft(mark);
  assert.deepEqual(liveGroups(), []);
  const endings = (await Promise.all(runs)).map((result) => result.ending);
  assert.deepEqual(endings, Array(3).fill({ kind: "signalled", signal: "SIGTERM" }));
});

Deno.test("endAllGroups kills what ignores TERM: after the grace, and with grace 0 at once", async () => {
  for (const grace_ms of [500, 0]) {
    const mark = newMark();
    const running = start([program("process_ignores_term.sh")], mark);
    await until(() => marked(mark).length >= 4, 5000);
    const started = performance.now();
    await endAllGroups({ grace_ms });
    assert.ok(performance.now() - started < grace_ms + 3000);
    await assertNothingLeft(mark);
    assert.deepEqual((await running).ending, { kind: "signalled", signal: "SIGKILL" });
  }
});

Deno.test("a second, harder end overtakes the first", async () => {
  const mark = newMark();
  const running = start([program("process_ignores_term.sh")], mark);
  await until(() => marked(mark).length >= 4, 5000);
  const gentle = endAllGroups({ grace_ms: 20_000 });
  await endAllGroups({ grace_ms: 0 });
  await assertNothingLeft(mark);
  await Promise.all([gentle, running]);
  assert.deepEqual(liveGroups(), []);
});

Deno.test("an abort and endAllGroups at the same moment send TERM once and agree on the end", async () => {
  const mark = newMark();
  const controller = new AbortController();
  const command = "trap 'echo term' TERM; echo up; while :; do sleep 0.05; done";
  const running = runCommand(
    request(command, { env: markedEnv(mark), signal: controller.signal, kill_grace_ms: 400 }),
  );
  await until(() => marked(mark).some((line) => /^\d+ sleep 0.05/.test(line)), 5000);
  controller.abort();
  await endAllGroups({ grace_ms: 400 });
  const result = await running;
  assert.deepEqual(result.ending, { kind: "cancelled" });
  assert.equal(new TextDecoder().decode(result.stdout.bytes), "up\nterm\n");
  await assertNothingLeft(mark);
});

Deno.test("endAllGroups with nothing alive does nothing", async () => {
  await endAllGroups({ grace_ms: 1000 });
  assert.deepEqual(liveGroups(), []);
});
