import assert from "node:assert/strict";
import { createAgent } from "../../src/agent/mod.ts";
import type { EventBody } from "../../src/protocol/mod.ts";
import { collect, hookPort, noteTool, partsOf, playModel, quietResult } from "./support.ts";

const never = new AbortController().signal;

function reloaded(generation: number): EventBody {
  return { type: "config_reloaded", generation, changed: [] };
}

Deno.test("what happens beside the loop stands in the session before the emission that follows it", async () => {
  const { model } = playModel([{ calls: [{ id: "c1", name: "Read" }] }, { text: "done" }]);
  let pending: EventBody[] = [];
  let generation = 1;
  const { hooks } = hookPort(({ point }) => {
    // While this point is asked, a reload happens.
    pending.push(reloaded(++generation));
    const report = { hook_id: point, point, event: point, dialect: "soong/1", source: "user" } as const;
    return { ...quietResult(point), reports: [{ ...report, outcome: "allow", duration_ms: 1 }] };
  });
  const drain = () => {
    const drained = pending;
    pending = [];
    return drained;
  };
  const agent = createAgent(partsOf({ model, hooks, pending: drain }, [noteTool("Read", "readonly", [])]));
  pending.push(reloaded(1));
  const start = { version: "1", source: "startup", project_dir: "/p", hooks_enabled: true } as const;
  const events = [
    ...(await collect(agent.start(start, never))).events,
    ...(await collect(agent.prompt("go", never))).events,
    ...(await collect(agent.finish("completed", never))).events,
  ];
  const told = events.flatMap((event) =>
    event.type === "hook_finished"
      ? [event.point]
      : event.type === "config_reloaded"
      ? [`generation ${event.generation} in turn ${event.turn}`]
      : event.type === "session_started" || event.type === "session_finished"
      ? [event.type]
      : []
  );
  assert.deepEqual(told, [
    "session_started",
    "generation 1 in turn 0",
    "agent_startup",
    "generation 2 in turn 1",
    "input",
    "generation 3 in turn 1",
    "pre_model_call",
    "generation 4 in turn 1",
    "post_model_call",
    "generation 5 in turn 1",
    "pre_tool_call",
    "generation 6 in turn 1",
    "post_tool_call",
    "generation 7 in turn 1",
    "pre_model_call",
    "generation 8 in turn 1",
    "post_model_call",
    "generation 9 in turn 1",
    "stop",
    "generation 10 in turn 1",
    "output",
    "generation 11 in turn 1",
    "agent_shutdown",
    "generation 12 in turn 1",
    "session_finished",
  ]);
});

Deno.test("what happens while an event is given out comes before the emission too", async () => {
  const { model } = playModel([{ text: "done" }]);
  let pending: EventBody[] = [reloaded(2)];
  let asked = false;
  const { hooks } = hookPort(() => {
    asked = true;
    return undefined;
  });
  const drain = () => {
    const drained = pending;
    pending = [];
    return drained;
  };
  const events = createAgent(partsOf({ model, hooks, pending: drain })).prompt("go", never);
  for (const generation of [2, 3, 4]) {
    const { value } = await events.next();
    assert.deepEqual(value, { turn: 1, ...reloaded(generation) });
    assert.ok(!asked);
    if (generation < 4) pending.push(reloaded(generation + 1));
  }
  await collect(events);
  assert.ok(asked);
});
