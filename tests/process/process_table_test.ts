import assert from "node:assert/strict";
import { descendants, type ProcessRow, readProcessTable } from "../../src/process/process_table.ts";

function row(pid: number, parent: number, group = pid, session = group, zombie = false): ProcessRow {
  return { pid, parent, group, session, zombie };
}

Deno.test("the table holds this process with its parent", async () => {
  const own = (await readProcessTable())?.find((found) => found.pid === Deno.pid);
  assert.equal(own?.parent, Deno.ppid);
  assert.equal(own?.zombie, false);
});

Deno.test("descendants are found by parent, group and session, however deep, and zombies are left out", () => {
  const agent = row(100, 1);
  const expected = [
    row(200, 100),
    row(201, 200, 200, 200),
    row(300, 201),
    row(301, 1, 300, 300),
    row(302, 1, 302, 200),
    row(400, 302, 400, 400),
  ];
  const others = [agent, row(1, 0), row(101, 1, 100, 100), row(202, 200, 200, 200, true), row(500, 1)];
  const found = descendants([...expected].reverse().concat(others), [200], agent.pid);
  assert.deepEqual(found.map((entry) => entry.pid).sort(), expected.map((entry) => entry.pid));
});

Deno.test("a child still in the agent's own group drags nothing else of that group along", () => {
  const table = [row(100, 1), row(101, 100, 100, 100), row(102, 100, 100, 100), row(103, 102, 100, 100)];
  assert.deepEqual(descendants(table, [102], 100).map((entry) => entry.pid), [102, 103]);
});
