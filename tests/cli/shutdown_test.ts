import assert from "node:assert/strict";
import { createShutdown, type EndCause, SHUTDOWN_LIMIT_MS, SHUTDOWN_TABLE } from "../../src/cli/shutdown.ts";

/** Parts that note what is asked of them; `exit` throws nothing and ends nothing. */
function notedParts(endsChildren = true) {
  const notes: string[] = [];
  return {
    notes,
    parts: {
      endChildren(graceMs: number) {
        notes.push(`end ${graceMs}`);
        return endsChildren ? Promise.resolve() : new Promise<void>(() => {});
      },
      exit: ((code: number) => void notes.push(`exit ${code}`)) as (code: number) => never,
    },
  };
}

for (const cause of Object.keys(SHUTDOWN_TABLE) as EndCause[]) {
  Deno.test({
    name: `${cause}: interrupts the turn, ends the children with its grace, and leaves the exit to the run`,
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      const { notes, parts } = notedParts();
      const shutdown = createShutdown(parts);
      assert.equal(shutdown.signal.aborted, false);
      shutdown.begin(cause);
      await Promise.resolve();
      assert.equal(shutdown.signal.aborted, true);
      assert.equal(shutdown.cause, cause);
      assert.deepEqual(notes, [`end ${SHUTDOWN_TABLE[cause].kill_grace_ms}`]);
      shutdown.begin("SIGINT");
      await new Promise((resolve) => setTimeout(resolve, 10));
      assert.deepEqual(notes.slice(1), ["end 0", `exit ${SHUTDOWN_TABLE[cause].exit_code}`]);
    },
  });
}

Deno.test({
  name: "whatever hangs, the program is gone when the limit is over",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const { notes, parts } = notedParts(false);
    createShutdown(parts).begin("SIGTERM");
    await new Promise((resolve) => setTimeout(resolve, SHUTDOWN_LIMIT_MS + 300));
    assert.ok(notes.includes("exit 143"), notes.join());
  },
});

Deno.test("the exit codes are those of the signals, and hooks never have more than a second", () => {
  assert.deepEqual(
    Object.entries(SHUTDOWN_TABLE).map(([cause, row]) => [cause, row.exit_code]),
    [["SIGINT", 130], ["SIGTERM", 143], ["SIGHUP", 129], ["stdout_closed", 1], ["crash", 1]],
  );
  for (const row of Object.values(SHUTDOWN_TABLE)) {
    assert.ok(row.hooks_ms <= 1000);
    assert.ok(row.kill_grace_ms + row.hooks_ms < SHUTDOWN_LIMIT_MS);
  }
});
