import assert from "node:assert/strict";
import { findSession, listSessions, PROMPT_LENGTH, readSession } from "../../src/session/mod.ts";
import { answer, eventsOf, PROJECT, started, testHome, user, writtenLog } from "./support.ts";

Deno.test("sessions are listed newest first with start, project, first prompt, events and end", () => {
  using home = testHome();
  const first = writtenLog(home, [user("a second prompt", 2)]);
  const open = home.create();
  open.append(started("/other"));
  open.append(user(`many\n  words ${"界 ".repeat(100)}`));
  const events = eventsOf(first.path);
  const [newest, oldest] = listSessions(home.path);
  assert.deepEqual(oldest, {
    id: first.id,
    path: first.path,
    started_at: events[0]!.ts,
    last_at: events.at(-1)!.ts,
    project_dir: PROJECT,
    first_prompt: "list the files",
    event_count: 9,
    end: "completed",
  });
  assert.deepEqual([newest!.id, newest!.project_dir, newest!.event_count, newest!.end], [
    open.id,
    "/other",
    2,
    "unfinished",
  ]);
  assert.match(newest!.first_prompt!, /^many words 界 .*…$/);
  assert.equal([...newest!.first_prompt!].length, PROMPT_LENGTH);
});

Deno.test("damaged and empty files are listed as what they are, others passed over, and nothing is changed", () => {
  using home = testHome();
  const torn = writtenLog(home);
  const text = Deno.readTextFileSync(torn.path).slice(0, -30);
  Deno.writeTextFileSync(torn.path, text);
  const folder = `${home.path}/sessions`;
  Deno.writeTextFileSync(`${folder}/empty.jsonl`, "");
  Deno.writeTextFileSync(`${folder}/rubbish.jsonl`, "\0\x01\n\n");
  Deno.writeTextFileSync(`${folder}/${torn.id}.jsonl.torn-1`, "{");
  Deno.mkdirSync(`${folder}/folder.jsonl`);
  const listed = listSessions(home.path).map(({ id, event_count, end, problem }) => [id, event_count, end, problem]);
  assert.deepEqual(listed, [
    ["rubbish", 2, "unfinished", "the last line is damaged"],
    ["empty", 0, "unfinished", undefined],
    [torn.id, 7, "unfinished", "the last line is damaged"],
  ]);
  assert.equal(Deno.readTextFileSync(torn.path), text);
});

Deno.test("a home without sessions lists none", () => {
  using home = testHome();
  assert.deepEqual(listSessions(home.path), []);
});

Deno.test("readSession yields every line in order, damaged ones by number, and a missing file as unreadable", () => {
  using home = testHome();
  const log = home.create();
  for (const one of [started(), user("x".repeat(700_000)), answer("done")]) log.append(one);
  log.close();
  const [first, second, third] = Deno.readTextFileSync(log.path).split("\n") as [string, string, string];
  Deno.writeTextFileSync(log.path, [first, "rubbish", second, third.slice(0, 20)].join("\n"));
  const lines = [...readSession(log.path)];
  assert.deepEqual(lines, [
    { kind: "event", line: 1, event: JSON.parse(first) },
    { kind: "damaged", line: 2, torn: false, size_bytes: 7 },
    { kind: "event", line: 3, event: JSON.parse(second) },
    { kind: "damaged", line: 4, torn: true, size_bytes: 20 },
  ]);
  assert.deepEqual([...readSession(`${home.path}/none`)], [{
    kind: "unreadable",
    reason: "No such file or directory",
  }]);
});

Deno.test("readSession lets go of the file when its reader stops early", () => {
  using home = testHome();
  const { path } = writtenLog(home);
  const open = () => [...Deno.readDirSync("/proc/self/fd")].length;
  const before = open();
  for (let count = 0; count < 20; count++) {
    for (const line of readSession(path)) {
      assert.equal(line.kind, "event");
      break;
    }
  }
  assert.equal(open(), before);
});

Deno.test("findSession gives the path of an id and of last, without opening it for writing", () => {
  using home = testHome();
  const { id, path } = writtenLog(home);
  for (const wanted of [id, "last"]) {
    assert.deepEqual(findSession({ home: home.path, id: wanted, project_dir: PROJECT }), { kind: "found", id, path });
  }
});
