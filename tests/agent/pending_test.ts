/** What happens beside the loop gets into the session between its steps. */
import assert from "node:assert/strict";
import { createAgent } from "../../src/agent/mod.ts";
import type { EventBody } from "../../src/protocol/mod.ts";
import { collect, hookPort, partsOf, playModel } from "./support.ts";

const never = new AbortController().signal;

Deno.test("a reload that ends before an emission stands in the session before that emission, with its turn", async () => {
  const queue: EventBody[] = [];
  const { model } = playModel([{ text: "ok" }]);
  const { hooks } = hookPort(({ point }) => {
    if (point === "input") queue.push(reloaded(2));
    return undefined;
  });
  const agent = createAgent(partsOf({ model, hooks, pending: () => queue.splice(0) }));
  const { events } = await collect(agent.prompt("go", never));
  const at = events.findIndex(({ type }) => type === "config_reloaded");
  assert.ok(at >= 0);
  assert.equal(events[at]!.turn, 1);
  assert.ok(at < events.findIndex(({ type }) => type === "assistant_message"));
  assert.ok(at > events.findIndex(({ type }) => type === "user_message"));
});

Deno.test("a reload that ends after the last step is in the session before session_finished, and each is there once", async () => {
  const queue: EventBody[] = [];
  const { model } = playModel([{ text: "ok" }]);
  const { hooks } = hookPort(({ point }) => {
    if (point === "agent_shutdown") queue.push(reloaded(2), reloaded(3));
    return undefined;
  });
  const agent = createAgent(partsOf({ model, hooks, pending: () => queue.splice(0) }));
  await collect(agent.prompt("go", never));
  const { events } = await collect(agent.finish("completed", never));
  const reloads = events.flatMap((event) => event.type === "config_reloaded" ? [event.generation] : []);
  assert.deepEqual(reloads, [2, 3]);
  assert.equal(events.at(-1)?.type, "session_finished");
});

function reloaded(generation: number): EventBody {
  return { type: "config_reloaded", generation, changed: ["/home/hooks.json"] };
}
