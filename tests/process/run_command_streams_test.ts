import assert from "node:assert/strict";
import { program, run } from "./children.ts";

const BIG = new Uint8Array(2_000_000).fill(65);

Deno.test("a child that never reads its 2 MB of stdin ends as its exit code says, at once", async () => {
  for (const code of [0, 2]) {
    const { result } = await run(`exit ${code}`, { stdin: BIG });
    assert.deepEqual(result.ending, { kind: "exited", code });
    assert.ok(result.duration_ms < 5000);
  }
});

Deno.test("a child that closes stdin and lives on is neither cut short nor outwaited", async () => {
  const { result } = await run("exec 0<&-; sleep 0.5; exit 2", { stdin: BIG });
  assert.deepEqual(result.ending, { kind: "exited", code: 2 });
  assert.ok(result.duration_ms >= 450 && result.duration_ms < 10_000, `${result.duration_ms} ms`);
});

Deno.test("a child that reads gets all 2 MB, while it prints as much", async () => {
  const { stdout } = await run("wc -c", { stdin: BIG });
  assert.equal(Number(stdout), BIG.length);
  const { result } = await run("tee /dev/stderr", { stdin: BIG, max_output_bytes: 3_000_000 });
  assert.deepEqual(result.ending, { kind: "exited", code: 0 });
  assert.equal(result.stdout.total_bytes, BIG.length);
  assert.equal(result.stderr.total_bytes, BIG.length);
  assert.deepEqual(result.stdout.bytes, BIG);
});

Deno.test("a child that does not read its stdin is ended at the deadline, not waited for", async () => {
  const { result } = await run("sleep 57", { stdin: BIG, timeout_ms: 300 });
  assert.deepEqual(result.ending, { kind: "timed_out", limit_ms: 300 });
  assert.ok(result.duration_ms < 5000);
});

Deno.test("a background process that inherits an unread stdin does not hold the result back", async () => {
  const { result } = await run("exec 3<&0; sleep 57 <&3 >/dev/null 2>&1 & exit 4", { stdin: BIG });
  assert.deepEqual(result.ending, { kind: "exited", code: 4 });
  assert.ok(result.duration_ms < 5000);
  assert.equal(result.background_ended, 1);
});

Deno.test("without stdin a child reads an empty one, not the terminal", async () => {
  assert.deepEqual((await run("cat")).stdout, "");
  assert.equal((await run('read x; echo "got:$x"')).stdout, "got:\n");
  assert.deepEqual((await run("grep foo")).result.ending, { kind: "exited", code: 1 });
});

Deno.test("characters that arrive byte by byte are whole in the result, on both outputs", async () => {
  assert.equal((await run(`${program("process_dribble.sh")} 1`)).stdout, "拒绝 ✅");
  assert.equal((await run(`${program("process_dribble.sh")} 2`)).stderr, "拒绝 ✅");
});

Deno.test("bytes that are no UTF-8 arrive as they are", async () => {
  const { result } = await run("printf 'ok \\377\\376\\346\\213 end\\n'");
  assert.deepEqual([...result.stdout.bytes], [111, 107, 32, 255, 254, 230, 139, 32, 101, 110, 100, 10]);
});

Deno.test("a flood is read to its end, keeps first and last lines within the limit, and its exit code", async () => {
  const { result, stdout, stderr } = await run("seq 1 1000000; echo THE-END >&2; exit 7", { max_output_bytes: 4096 });
  assert.deepEqual(result.ending, { kind: "exited", code: 7 });
  assert.equal(stderr, "THE-END\n");
  assert.match(stdout, /^1\n2\n3\n[\s\S]*\n\[… \d+ bytes left out …\]\n[\s\S]*\n1000000\n$/);
  assert.equal(result.stdout.total_bytes, 6_888_896);
  assert.ok(result.stdout.truncated && result.stdout.bytes.length <= 4096);
});

Deno.test("output that is all there when the child exits is never lost, however large", async () => {
  const { result } = await run("head -c 50000000 /dev/zero; echo end >&2");
  assert.equal(result.stdout.total_bytes, 50_000_000);
});

Deno.test("an endless printer is ended at its deadline", async () => {
  const { result } = await run("yes", { timeout_ms: 500 });
  assert.deepEqual(result.ending, { kind: "timed_out", limit_ms: 500 });
  assert.ok(result.stdout.total_bytes > 1_000_000);
  assert.ok(result.stdout.bytes.length <= 1024 * 1024);
});

Deno.test("memory stays flat while a child prints 300 MB on stdout or 50 MB on stderr", async () => {
  const floods: [string, number, number][] = [
    ["head -c 300000000 /dev/zero", 300_000_000, 0],
    ["yes 0123456789 | head -c 50000000 >&2; exit 2", 0, 50_000_000],
  ];
  for (const [flood, stdout, stderr] of floods) {
    const child = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-check", "--allow-all", program("process_memory.ts"), flood],
    }).output();
    const seen = JSON.parse(new TextDecoder().decode(child.stdout));
    assert.deepEqual([seen.stdout, seen.stderr], [stdout, stderr]);
    assert.ok(seen.grown < 64, `the peak grew by ${seen.grown} MiB`);
  }
});
