/** compose: the severest wins, no reason is lost, ties are settled by place. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { type Lane, laneOf, LANES, type Speech, type Verdict } from "../../src/protocol/mod.ts";
import { composeLane, composeLanes, denyReason, type Vote } from "../../src/hooks/compose.ts";

const SPEECH_OF: Record<Lane, Speech> = {
  claude: "claude",
  "agent-hooks": "agent-hooks/0.1",
  soong: "soong/1",
  onecode: "onecode",
};

const allow: Verdict = { decision: "allow", warnings: [] };
const transform: Verdict = { decision: "transform", path: "$target", value: 1, warnings: [] };
const deny = (reason: string, changes: Partial<Extract<Verdict, { decision: "deny" }>> = {}): Verdict => ({
  decision: "deny",
  reason,
  cause: "policy",
  warnings: [],
  ...changes,
});
const liftable = (reason: string): Verdict => deny(reason, { approval: {} });

function votes(lane: Lane, ...verdicts: Verdict[]): Vote[] {
  return verdicts.map((verdict, index) => ({
    hook_id: `${lane}-${index}`,
    hook_name: `${lane}-${index} (hooks.json:${index + 1})`,
    speech: SPEECH_OF[lane],
    lane,
    index,
    verdict,
  }));
}

function combined(...lanes: (readonly [Lane, ...Verdict[]])[]) {
  return composeLanes(
    lanes.map(([lane, ...verdicts]) => composeLane(lane, votes(lane, ...verdicts))),
  );
}

Deno.test("allows alone are an allow, and nobody decided it", () => {
  assert.deepEqual(combined(["soong", allow, allow]), { verdict: { decision: "allow" }, denies: [] });
  assert.deepEqual(composeLanes([]), { verdict: { decision: "allow" }, denies: [] });
});

Deno.test("an early allow never hides a later deny, and a later allow no earlier deny (case 04)", () => {
  for (const order of [[allow, deny("no")], [deny("no"), allow], [allow, deny("no"), allow]]) {
    const { verdict } = combined(["soong", ...order]);
    assert.equal(verdict.decision, "deny");
  }
});

Deno.test("two denies keep both reasons and both hooks, first first", () => {
  assert.deepEqual(combined(["soong", deny("first"), allow, deny("second")]).verdict, {
    decision: "deny",
    reasons: ["first", "second"],
    cause: "policy",
    hook_ids: ["soong-0", "soong-2"],
    liftable: false,
    lane: "soong",
  });
});

Deno.test("a plain deny outranks a liftable one; only denies that are all liftable can be lifted", () => {
  const mixed = combined(["agent-hooks", liftable("ask")], ["soong", deny("no", { cause: "hook_failure" })]);
  assert.equal(mixed.winner?.hook_id, "soong-0");
  assert.deepEqual(mixed.verdict, {
    decision: "deny",
    reasons: ["ask", "no"],
    cause: "hook_failure",
    hook_ids: ["agent-hooks-0", "soong-0"],
    liftable: false,
    lane: "soong",
  });
  const lifted = combined(["agent-hooks", liftable("a"), liftable("b")]).verdict;
  assert.ok(lifted.decision === "deny" && lifted.liftable);
});

Deno.test("a deny outranks a transform; the last transform of a sequential lane wins", () => {
  assert.equal(combined(["agent-hooks", transform], ["soong", deny("no")]).verdict.decision, "deny");
  const rewritten = composeLanes([composeLane("agent-hooks", votes("agent-hooks", transform, transform, allow))]);
  assert.deepEqual(rewritten.verdict, { decision: "transform" });
  assert.equal(rewritten.winner?.index, 1);
});

Deno.test("a reason is never empty: without one the sentence names the hook and where it is declared", () => {
  for (const reason of ["", "  \n"]) {
    const { verdict } = combined(["soong", deny(reason)]);
    assert.ok(verdict.decision === "deny");
    assert.match(verdict.reasons[0]!, /soong-0 \(hooks\.json:1\).*no reason/);
  }
});

Deno.test("a very long reason is cut to 10 000 characters with head, mark and tail", () => {
  const [vote] = votes("soong", deny("a".repeat(30_000) + "😀".repeat(20_000) + "z"));
  const reason = denyReason(vote!);
  assert.ok(reason.length <= 10_000);
  assert.match(reason, /^aaa[^]*characters left out[^]*😀z$/);
  assert.ok(reason.isWellFormed());
});

Deno.test("an agent-hooks reason is shown with its message", () => {
  const [vote] = votes("agent-hooks", deny("acme:rule", { message: "not on Fridays" }));
  assert.equal(denyReason(vote!), "acme:rule: not on Fridays");
});

Deno.test("any votes in any lanes: a deny if and only if one denied, all reasons in order, the winner a severest", () => {
  const verdict = fc.constantFrom(allow, transform, liftable("ask"), deny("no"), deny("never"));
  const lanes = fc.tuple(...LANES.map(() => fc.array(verdict, { maxLength: 4 })));
  const rank = (one: Verdict) =>
    one.decision === "deny" ? (one.approval ? 2 : 3) : one.decision === "transform" ? 1 : 0;
  fc.assert(fc.property(lanes, (verdicts) => {
    const all = verdicts.flat();
    const result = combined(...LANES.map((lane, index) => [lane, ...verdicts[index]!] as const));
    const top = Math.max(0, ...all.map(rank));
    assert.equal(result.winner === undefined ? 0 : rank(result.winner.verdict), top);
    assert.deepEqual(
      result.verdict.decision === "deny" ? result.verdict.reasons : [],
      all.flatMap((one) => one.decision === "deny" ? [one.reason] : []),
    );
    assert.equal(result.verdict.decision, top >= 2 ? "deny" : top === 1 ? "transform" : "allow");
    if (result.winner && top >= 2) {
      const first = LANES.flatMap((lane, index) => votes(lane, ...verdicts[index]!))
        .find((vote) => rank(vote.verdict) === top);
      assert.deepEqual(result.winner, first);
    }
  }));
});

Deno.test("every speech has its lane", () => {
  for (const lane of LANES) assert.equal(laneOf(SPEECH_OF[lane]), lane);
});
