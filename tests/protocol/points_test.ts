import assert from "node:assert/strict";
import {
  denyEffect,
  eventName,
  laneOf,
  LANES,
  type Point,
  pointOfEvent,
  POINTS,
  type Speech,
} from "../../src/protocol/mod.ts";

/** The deny table of the contract, written a second time: rows by point, columns by speech. */
const COLUMNS: readonly Speech[] = ["soong/1", "soong/2", "onecode", "claude", "agent-hooks/0.1"];
const DENY: Readonly<Record<Point, string>> = {
  agent_startup: "observe observe closed observe block",
  input: "observe block block block block",
  pre_model_call: "closed observe observe closed block",
  post_model_call: "closed observe observe closed discard",
  pre_tool_call: "block block block block block",
  post_tool_call: "observe observe observe tell discard",
  stop: "send_back send_back closed send_back closed",
  output: "closed block block closed block",
  agent_shutdown: "closed observe closed observe observe",
};

for (const point of POINTS) {
  Deno.test(`a deny at ${point} comes to ${DENY[point]}`, () => {
    assert.equal(COLUMNS.map((speech) => denyEffect(point, speech)).join(" "), DENY[point]);
  });
}

Deno.test("event names lead to their points and back, in each dialect", () => {
  for (const point of POINTS) {
    for (const dialect of ["soong", "onecode", "claude"] as const) {
      const name = eventName(point, dialect);
      if (name !== undefined) assert.equal(pointOfEvent(dialect, name), point);
    }
  }
  assert.equal(pointOfEvent("soong", "pretooluse"), undefined);
  assert.equal(pointOfEvent("onecode", "PreToolUse"), undefined);
});

Deno.test("what can rewrite runs before what can only deny", () => {
  assert.deepEqual([...LANES], ["claude", "agent-hooks", "soong", "onecode"]);
  assert.deepEqual(COLUMNS.map(laneOf), ["soong", "soong", "onecode", "claude", "agent-hooks"]);
});
