/** effect: what a deny does, over the whole table of points and speeches. */
import assert from "node:assert/strict";
import { type Effect, laneOf, type Point, POINTS, type Speech } from "../../src/protocol/mod.ts";
import { batchRule, effectAt } from "../../src/hooks/effect.ts";

const SPEECHES = ["soong/1", "soong/2", "onecode", "claude", "agent-hooks/0.1"] as const satisfies readonly Speech[];

/** The table of design.md, section 4, in the order of SPEECHES. */
const WANTED: Record<Point, readonly Effect[]> = {
  agent_startup: ["proceed", "proceed", "proceed", "proceed", "block"],
  input: ["proceed", "block", "block", "block", "block"],
  pre_model_call: ["proceed", "proceed", "proceed", "proceed", "block"],
  post_model_call: ["proceed", "proceed", "proceed", "proceed", "discard"],
  pre_tool_call: ["block", "block", "block", "block", "block"],
  post_tool_call: ["proceed", "proceed", "proceed", "tell", "discard"],
  stop: ["send_back", "send_back", "proceed", "send_back", "proceed"],
  output: ["proceed", "block", "block", "proceed", "block"],
  agent_shutdown: ["proceed", "proceed", "proceed", "proceed", "proceed"],
};

Deno.test("a deny does at each point what the table says for its speech, and no deny does nothing", () => {
  for (const point of POINTS) {
    assert.equal(effectAt(point, []), "proceed");
    for (const [index, speech] of SPEECHES.entries()) {
      assert.equal(effectAt(point, [{ speech }]), WANTED[point][index], `${point} ${speech}`);
    }
  }
});

Deno.test("denies of several speeches do the strongest of what each would do, in any order", () => {
  const order: readonly Effect[] = ["proceed", "tell", "send_back", "discard", "block"];
  for (const point of POINTS) {
    for (const [first, one] of SPEECHES.entries()) {
      for (const [second, other] of SPEECHES.entries()) {
        const wanted = Math.max(order.indexOf(WANTED[point][first]!), order.indexOf(WANTED[point][second]!));
        assert.equal(effectAt(point, [{ speech: one }, { speech: other }]), order[wanted], `${point} ${one} ${other}`);
      }
    }
  }
});

Deno.test("a batch goes on only when nobody but onecode denied", () => {
  const lanes = (...speeches: Speech[]) => speeches.map((speech) => ({ lane: laneOf(speech) }));
  assert.equal(batchRule(lanes("onecode")), "go_on");
  assert.equal(batchRule(lanes("onecode", "onecode")), "go_on");
  for (const speech of ["soong/1", "soong/2", "claude", "agent-hooks/0.1"] as const) {
    assert.equal(batchRule(lanes("onecode", speech)), "by_tier");
    assert.equal(batchRule(lanes(speech, "onecode")), "by_tier");
  }
  assert.equal(batchRule([]), "by_tier");
});
