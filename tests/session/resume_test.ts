import assert from "node:assert/strict";
import { resumeSession, verifySession } from "../../src/session/mod.ts";
import type { LoggedEvent } from "../../src/protocol/mod.ts";
import {
  answer,
  event,
  eventsOf,
  finished,
  linesOf,
  PROJECT,
  result,
  started,
  type TestHome,
  testHome,
  user,
  writtenLog,
} from "./support.ts";

const PROGRAM = new URL("../fixtures/programs/session_writer.ts", import.meta.url).pathname;

function refusal(home: TestHome, id: string, projectDir = PROJECT) {
  const outcome = resumeSession({ home: home.path, id, project_dir: projectDir, now: () => new Date() });
  assert.ok(outcome.kind === "refused", "the session was resumed");
  return outcome;
}

function numbers(path: string): number[] {
  return eventsOf(path).map((one) => one.seq);
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

Deno.test("a resumed session goes on in its file: number, chain, id, start and turn", () => {
  using home = testHome();
  const { path, id, head } = writtenLog(home);
  const { log, history, turn, repairs, warnings } = home.resume(id);
  assert.deepEqual([log.id, log.path, log.head, turn, repairs, warnings], [id, path, head, 1, [], []]);
  assert.equal(log.started_at, eventsOf(path)[0]!.ts);
  assert.equal(history.length, 4);
  assert.equal(log.append(user("more", 2)).seq, 9);
  assert.deepEqual(verifySession(path), { kind: "whole", lines: 9, head: log.head });
});

Deno.test("a last line torn at any byte costs only itself, and later records stand on lines of their own", () => {
  using home = testHome();
  const log = home.create();
  for (const one of [started(), user("first"), answer("été 界 😀")]) log.append(one);
  log.close();
  const whole = Deno.readFileSync(log.path);
  const start = whole.lastIndexOf(0x0a, whole.length - 2) + 1;
  let aside = 0;
  for (let size = start + 1; size < whole.length; size++) {
    Deno.writeFileSync(log.path, whole.subarray(0, size));
    const { log: again, history, warnings } = home.resume(log.id);
    if (size === whole.length - 1) {
      // Only the line end is missing: nothing is lost.
      assert.equal(history.length, 2);
      assert.match(warnings[0]!, /nothing of it was lost/);
    } else {
      assert.equal(history.length, 1);
      assert.match(warnings[0]!, /damaged and dropped.*after line 2/);
      assert.deepEqual(Deno.readFileSync(`${log.path}.torn-${++aside}`), whole.slice(start, size));
      assert.equal(Deno.statSync(`${log.path}.torn-${aside}`).mode! & 0o777, 0o600);
    }
    again.append(user("second", 2));
    again.close();
    const count = size === whole.length - 1 ? 4 : 3;
    assert.deepEqual(numbers(log.path), upTo(count), `cut at ${size}`);
    const third = home.resume(log.id);
    assert.deepEqual(third.warnings, []);
    assert.deepEqual(third.history.at(-1), { role: "user", text: "second" });
    third.log.close();
    assert.equal(verifySession(log.path).kind, "whole");
  }
});

Deno.test("a log that ends in a block of zeros, as after a power cut, resumes with what is whole", () => {
  using home = testHome();
  const { path, id } = writtenLog(home);
  const whole = Deno.readFileSync(path);
  Deno.writeFileSync(path, new Uint8Array([...whole, ...new Uint8Array(4096)]));
  const { log, warnings } = home.resume(id);
  assert.match(warnings[0]!, /4096 bytes after line 8/);
  log.append(user("again", 2));
  assert.deepEqual(numbers(path), upTo(9));
});

Deno.test("kill -9 while it writes: every acknowledged record is there, and the lock is free again", async () => {
  using home = testHome();
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "-q", PROGRAM, home.path, "new", "20000", "100000"],
    stdout: "piped",
  }).spawn();
  const said: string[] = [];
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    said.push(text);
    if (said.join("").split("\n").length > 20) break;
  }
  child.kill("SIGKILL");
  await child.status;
  const [opening, ...rest] = said.join("").split("\n").slice(0, -1).map((line) => JSON.parse(line));
  const { log } = home.resume(opening.id);
  log.append(user("after", 2));
  const kept = numbers(opening.path);
  assert.deepEqual(kept, upTo(kept.length));
  assert.ok(kept.length > rest.length, "an acknowledged record is lost");
  assert.equal(verifySession(opening.path).kind, "whole");
});

Deno.test("a second process on the same session is refused, and the first goes on", async () => {
  using home = testHome();
  const log = home.create();
  log.append(started());
  const run = async () => {
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", "-q", PROGRAM, home.path, log.id, "10", "1"],
    }).output();
    return new TextDecoder().decode(stdout).trim().split("\n").map((line) => JSON.parse(line));
  };
  const [refused] = await run();
  assert.equal(refused.refused, "busy");
  assert.match(refused.message, new RegExp(`${log.id} is in use by another soong-agent`));
  log.append(user("still here"));
  assert.deepEqual(numbers(log.path), [1, 2]);
  log.close();
  assert.deepEqual((await run())[1], { seq: 3 });
  assert.equal(verifySession(log.path).kind, "whole");
});

Deno.test("damage before the end is refused with its line, and the file is left as it is", () => {
  using home = testHome();
  const { path, id } = writtenLog(home);
  const lines = linesOf(path);
  const damaged: [string, string[], RegExp][] = [
    ["garbage in the middle", lines.with(3, "\0\0rubbish"), /line 4/],
    ["glued records", [...lines.slice(0, 3), lines[3]!.slice(0, 40) + lines[4]!, ...lines.slice(5)], /line 4/],
    ["an edited line", lines.with(1, lines[1]!.replace("list", "LIST")), /line 2 \(edit/],
    ["a line cut out", lines.toSpliced(3, 1), /line 4 \(cut/],
    ["two lines swapped", lines.with(3, lines[4]!).with(4, lines[3]!), /line 4 \(swap/],
    ["a first line cut out", lines.slice(1), /line 1 \(cut/],
  ];
  for (const [what, changed, says] of damaged) {
    const text = changed.join("\n") + "\n";
    Deno.writeTextFileSync(path, text);
    const { code, message } = refusal(home, id);
    assert.equal(code, "broken", what);
    assert.match(message, says, what);
    assert.match(message, new RegExp(`sessions show ${id}`));
    assert.equal(Deno.readTextFileSync(path), text, what);
    assert.deepEqual([...Deno.readDirSync(`${home.path}/sessions`)].length, 1);
  }
});

Deno.test("an empty log, and one with only half a first line, begin anew and say so", () => {
  using home = testHome();
  for (const text of ["", '{"seq":1,"ts"']) {
    const log = home.create();
    log.close();
    Deno.writeTextFileSync(log.path, text);
    const { log: again, history, turn, warnings } = home.resume(log.id);
    assert.deepEqual([history, turn, again.head], [[], 0, "0".repeat(64)]);
    assert.match(warnings.join(" "), /held no event/);
    assert.equal(again.append(started()).seq, 1);
    assert.equal(verifySession(log.path).kind, "whole");
  }
});

Deno.test("an unknown id names the nearest and how to list; an id is never a path", () => {
  using home = testHome();
  assert.match(refusal(home, "x").message, /no session yet/);
  const { id } = writtenLog(home);
  const near = refusal(home, id.slice(0, -1) + "Z");
  assert.equal(near.code, "unknown");
  assert.match(near.message, new RegExp(`did you mean ${id}\\?.*sessions list`));
  Deno.writeTextFileSync(`${home.path}/outside.jsonl`, "");
  for (const path of ["../outside", `${home.path}/outside`, "", ".", "..", id + ".jsonl", id + "\0"]) {
    assert.equal(refusal(home, path).code, "unknown", path);
  }
});

Deno.test("last is the session of this project that was worked on last, and says so when there is none", () => {
  using home = testHome();
  const make = (project: string, time: number) => {
    const log = home.create();
    log.append(started(project));
    log.close();
    Deno.utimeSync(log.path, time, time);
    return log;
  };
  const older = make(PROJECT, 1000);
  const newer = make(PROJECT, 2000);
  const other = make("/other", 3000);
  const empty = home.create();
  empty.close();
  const lastOf = (project: string) => {
    const outcome = resumeSession({ home: home.path, id: "last", project_dir: project, now: () => new Date() });
    assert.ok(outcome.kind === "resumed");
    outcome.session.log.close();
    return outcome.session.log.id;
  };
  assert.equal(lastOf(PROJECT), newer.id);
  assert.equal(lastOf("/other"), other.id);
  const resumed = home.resume(older.id);
  resumed.log.append(user("back to the older one", 2));
  resumed.log.close();
  assert.equal(lastOf(PROJECT), older.id);
  const none = refusal(home, "last", "/nowhere");
  assert.equal(none.code, "unknown");
  assert.match(none.message, /no session of the project \/nowhere.*sessions list/);
});

Deno.test("interrupted calls get a result, once, that says whether they had started", () => {
  using home = testHome();
  const log = home.create();
  const calls: LoggedEvent[] = [
    started(),
    user("go"),
    answer("", ["c1", "c2", "c3"]),
    event({ type: "tool_call", call_id: "c1", name: "Bash", input: {} }),
    event({ type: "tool_started", call_id: "c1", name: "Bash" }),
    result("c1", "done"),
    event({ type: "tool_call", call_id: "c2", name: "Bash", input: {} }),
    event({ type: "tool_started", call_id: "c2", name: "Bash" }),
  ].map((one) => log.append(one));
  log.close();
  const first = home.resume(log.id);
  assert.deepEqual(first.repairs.map((one) => one.type), ["aborted_tools", "tool_result", "tool_result"]);
  const [aborted, second, third] = first.repairs;
  assert.deepEqual(aborted, { turn: 1, type: "aborted_tools", call_ids: ["c2", "c3"] });
  assert.ok(second?.type === "tool_result" && third?.type === "tool_result");
  assert.deepEqual([second.call_id, second.is_error, second.aborted], ["c2", true, true]);
  assert.match(second.content, /interrupted after it had started and may have had effects/);
  assert.deepEqual([third.call_id, third.is_error, third.aborted], ["c3", true, true]);
  assert.match(third.content, /never started/);
  assert.deepEqual(
    first.history.map((message) => message.role === "tool" ? message.call_id : message.role),
    ["user", "assistant", "c1", "c2", "c3"],
  );
  assert.match(first.warnings[0]!, /2 calls without a result/);
  assert.equal(eventsOf(log.path).length, calls.length, "the caller appends the repairs, the resume does not");

  // The new process says hello before it appends the repairs; the pairs hold all the same.
  for (const one of [started(PROJECT, "resume"), user("and now", 2), ...first.repairs]) first.log.append(one);
  first.log.close();
  const next = home.resume(log.id);
  assert.deepEqual([next.repairs, next.warnings], [[], []]);
  assert.deepEqual(next.history, [...first.history, { role: "user", text: "and now" }]);
});

Deno.test("a torn record that was a tool result leaves the call paired", () => {
  using home = testHome();
  const log = home.create();
  for (const one of [started(), user("go"), answer("", ["c1"]), result("c1", "x".repeat(50))]) log.append(one);
  log.close();
  Deno.truncateSync(log.path, Deno.statSync(log.path).size - 40);
  const { history, repairs, warnings } = home.resume(log.id);
  assert.equal(history.at(-1)!.role, "tool");
  assert.deepEqual(repairs.map((one) => one.type), ["aborted_tools", "tool_result"]);
  assert.equal(warnings.length, 2);
});

Deno.test("a copy of a log under another name goes on as the session it is", () => {
  using home = testHome();
  const { path, id } = writtenLog(home);
  Deno.copyFileSync(path, `${home.path}/sessions/copy.jsonl`);
  const { log } = home.resume("copy");
  log.append(finished(2));
  assert.equal(log.id, id);
  assert.equal(verifySession(log.path).kind, "whole");
});

Deno.test("a session of 10 000 events resumes in full, in seconds at worst on a busy machine", () => {
  using home = testHome();
  const log = home.create();
  log.append(started());
  for (let turn = 1; turn <= 1666; turn++) {
    const id = `c${turn}`;
    log.append(user(`prompt ${turn} ${"word ".repeat(40)}`, turn));
    log.append(answer("Let me look. ".repeat(10), [id], turn));
    log.append(event({ type: "tool_call", call_id: id, name: "Bash", input: { command: "ls" } }, turn));
    log.append(event({ type: "tool_started", call_id: id, name: "Bash" }, turn));
    log.append(result(id, "line of output\n".repeat(40), turn));
    log.append(answer("Done. ".repeat(20), [], turn));
  }
  log.close();
  const begun = performance.now();
  const { history, turn } = home.resume(log.id);
  const took = performance.now() - begun;
  assert.deepEqual([history.length, turn], [1666 * 4, 1666]);
  assert.ok(took < 3000, `took ${Math.round(took)} ms`);
});
