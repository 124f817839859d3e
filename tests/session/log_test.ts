import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { createSession, SessionWriteError, verifySession } from "../../src/session/mod.ts";
import { answer, event, eventsOf, finished, linesOf, result, started, testHome, user, writtenLog } from "./support.ts";

const PROGRAM = new URL("../fixtures/programs/session_writer.ts", import.meta.url).pathname;

Deno.test("each event is one line: numbered from 1, stamped, chained to the line before", () => {
  using home = testHome();
  const log = home.create();
  const given = [started(), user("hello"), answer("hi"), finished()];
  const logged = given.map((one) => log.append(one));
  const lines = linesOf(log.path);
  assert.deepEqual(lines.map((line) => JSON.parse(line)), logged);
  assert.deepEqual(logged.map((one) => one.seq), [1, 2, 3, 4]);
  const hashes = lines.map((line) => createHash("sha256").update(line).digest("hex"));
  assert.deepEqual(logged.map((one) => one.prev), ["0".repeat(64), ...hashes.slice(0, -1)]);
  assert.equal(log.head, hashes.at(-1));
  for (const one of logged) {
    assert.equal(one.session_id, log.id);
    assert.match(one.ts, /^2026-01-02T03:04:05\.\d{3}Z$/);
  }
  const end = logged.at(-1)!;
  assert.ok(end.type === "session_finished");
  assert.equal(end.head, hashes.at(-2));
});

Deno.test("assistant_delta is stamped and not written, and leaves no gap in the numbers of the file", () => {
  using home = testHome();
  const log = home.create();
  log.append(started());
  const head = log.head;
  const delta = log.append(event({ type: "assistant_delta", text: "par" }));
  assert.deepEqual([delta.seq, delta.prev, delta.session_id, log.head], [1, head, log.id, head]);
  log.append(answer("part"));
  assert.deepEqual(eventsOf(log.path).map((one) => [one.seq, one.type]), [[1, "session_started"], [
    2,
    "assistant_message",
  ]]);
  assert.equal(verifySession(log.path).kind, "whole");
});

Deno.test("line ends, separators, lone surrogates and integers beyond 2^53 keep to one line and come back", () => {
  using home = testHome();
  const log = home.create();
  log.append(started());
  const text = "a\nb\r\u2028\u2029\0\ud800 ü 界";
  log.append(user(text));
  log.append(event({ type: "tool_call", call_id: "c", name: "T", input: { n: 9007199254740993n } }));
  const lines = linesOf(log.path);
  assert.equal(lines.length, 3);
  assert.equal(JSON.parse(lines[1]!).text, text);
  assert.match(lines[2]!, /"n":9007199254740993\b/);
  assert.equal(verifySession(log.path).kind, "whole");
});

Deno.test("the folder is for the user only, also when it was there with wider rights, and so is the file", () => {
  using home = testHome();
  Deno.mkdirSync(`${home.path}/sessions`, { mode: 0o755 });
  const log = home.create();
  assert.equal(Deno.statSync(`${home.path}/sessions`).mode! & 0o777, 0o700);
  assert.equal(Deno.statSync(log.path).mode! & 0o777, 0o600);
});

Deno.test("ids sort by time, and two sessions of one moment with one id do not share a file", () => {
  using home = testHome();
  let count = 0;
  const ids = ["same", "same", "other"];
  const moments = [new Date(0), new Date(1000)];
  const make = (moment: Date) =>
    createSession({ home: home.path, now: () => moment, new_id: () => ids[count++ % ids.length]! });
  const [first, second, later] = [make(moments[0]!), make(moments[0]!), make(moments[1]!)];
  for (const log of [first, second, later]) log.close();
  assert.equal(new Set([first.id, second.id, later.id]).size, 3);
  assert.ok(first.id < later.id && second.id < later.id);
  assert.match(first.id, /^19700101t000000000z-same0000$/);
});

Deno.test("an append after close is a bug and throws; closing twice is none", () => {
  using home = testHome();
  const log = home.create();
  log.close();
  log.close();
  assert.throws(() => log.append(started()), TypeError);
});

Deno.test("a home that cannot be written throws SessionWriteError with path and cause", () => {
  using home = testHome();
  const file = `${home.path}/file`;
  Deno.writeTextFileSync(file, "");
  for (const [bad, says] of [[file, /Not a directory/], ["/proc/no-home", /No such file/]] as const) {
    assert.throws(
      () => createSession({ home: bad, now: () => new Date(), new_id: () => "a" }),
      (error) => {
        assert.ok(error instanceof SessionWriteError);
        assert.equal(error.path, `${bad}/sessions`);
        assert.match(error.message, says);
        assert.doesNotMatch(error.message, /os error/);
        return true;
      },
    );
  }
});

Deno.test("a disk that takes half a line fails the append by name, and everything acknowledged is whole", async () => {
  using home = testHome();
  const limited = `trap '' XFSZ; ulimit -f 8; exec "$@"`;
  const child = new Deno.Command("/bin/sh", {
    args: [
      "-c",
      limited,
      "sh",
      Deno.execPath(),
      "run",
      "-A",
      "--no-check",
      "-q",
      PROGRAM,
      home.path,
      "new",
      "900",
      "50",
    ],
  });
  const { stdout, stderr, code } = await child.output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  const said = new TextDecoder().decode(stdout).trim().split("\n").map((line) => JSON.parse(line));
  const last = said.at(-1);
  assert.match(last.failed, /^cannot write the session log .*: File too large/);
  assert.equal(last.path, said[0].path);
  const acknowledged = said.flatMap((one) => one.seq ?? []);
  assert.ok(acknowledged.length >= 2 && acknowledged.length < 50);
  assert.deepEqual(eventsOf(said[0].path).map((one) => one.seq), acknowledged);
  const { log, warnings } = home.resume(said[0].id);
  assert.deepEqual(warnings, []);
  assert.equal(log.append(user("again")).seq, acknowledged.length + 1);
  assert.equal(verifySession(log.path).kind, "whole");
});

Deno.test("a log written and read back is the same log", () => {
  using home = testHome();
  const { path, head } = writtenLog(home, [result("stray", "x")]);
  assert.deepEqual(verifySession(path), { kind: "whole", lines: 9, head });
});
