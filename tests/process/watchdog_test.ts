import assert from "node:assert/strict";
import { runCommand, startWatchdog } from "../../src/process/mod.ts";
import { marked, newMark, program, request, until, waitUntilGone } from "./children.ts";

/** Starts the small agent with a marked child; its environment carries the agent's own mark. */
async function startAgent(command: string, agentMark: string, childMark: string) {
  const ready = Deno.makeTempFileSync();
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-check",
      "--allow-all",
      program("process_agent.ts"),
      `echo ready > ${ready}; ${command}`,
      ready,
      childMark,
    ],
    env: { SOONG_TEST_MARK: agentMark },
    stdout: "piped",
  }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  assert.equal((await reader.read()).value, "running\n");
  return {
    child,
    async end() {
      const { value } = await reader.read();
      await reader.cancel();
      Deno.removeSync(ready);
      return { last: value, status: await child.status };
    },
  };
}

/** The watchdog's shells that belong to an agent which is not this process. */
function watchdogs(): string[] {
  const table = new Deno.Command("ps", { args: ["-A", "-o", "args="] }).outputSync();
  return new TextDecoder().decode(table.stdout).split("\n").filter((line) =>
    line.includes("while read -r change number")
  );
}

Deno.test("kill -9 of the agent leaves no child: TERM for all, KILL for what ignores it", async () => {
  const childMark = newMark();
  const command = `sleep 297 & ${program("process_ignores_term.sh")} & sleep 297`;
  const agent = await startAgent(command, newMark(), childMark);
  await until(() => marked(childMark).length >= 5, 5000);
  Deno.kill(agent.child.pid, "SIGKILL");
  await agent.end();
  await waitUntilGone(childMark, 8000);
});

Deno.test("kill -9 of the agent ends a descendant that left its session, and a child whose start it has not told yet", async () => {
  const childMark = newMark();
  const agent = await startAgent("setsid sleep 297 & sleep 297", newMark(), childMark);
  await until(() => marked(childMark).length >= 3, 5000);
  Deno.kill(agent.child.pid, "SIGKILL");
  await agent.end();
  await waitUntilGone(childMark, 8000);
});

Deno.test("an agent that ends normally takes its watchdog along and is not kept alive by it", async () => {
  const [agentMark, childMark] = [newMark(), newMark()];
  const before = watchdogs().length;
  const agent = await startAgent("sleep 0.2", agentMark, childMark);
  assert.ok(watchdogs().length >= 1);
  const { last, status } = await agent.end();
  assert.equal(last, "done\n");
  assert.equal(status.code, 0);
  await waitUntilGone(agentMark, 5000);
  await waitUntilGone(childMark, 5000);
  await until(() => watchdogs().length <= before, 5000);
  assert.ok(watchdogs().length <= before, "the watchdog is left");
});

Deno.test({
  name: "a watchdog without a child and one with some both end at stop, and stop waits for it",
  sanitizeOps: true,
  sanitizeResources: true,
  async fn() {
    const idle = startWatchdog();
    await idle.stop();
    const watchdog = startWatchdog();
    const results = await Promise.all([1, 2, 3].map((code) => runCommand(request(`exit ${code}`))));
    assert.deepEqual(results.map((result) => result.ending), [1, 2, 3].map((code) => ({ kind: "exited", code })));
    await watchdog.stop();
  },
});
