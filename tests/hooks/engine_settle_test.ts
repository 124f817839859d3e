/** settle: what undecided, observed and decided come to, over every point, speech, setting and cause. */
import assert from "node:assert/strict";
import {
  denyEffect,
  type Point,
  POINTS,
  type Slot,
  type Speech,
  type UndecidedCause,
  type Verdict,
} from "../../src/protocol/mod.ts";
import type { OnFailure } from "../../src/hooks/mod.ts";
import { isBlocking, observeWhere, settle, type SettlePolicy, standingOf } from "../../src/hooks/settle.ts";
import { registration } from "./engine_support.ts";

const CAUSES: readonly UndecidedCause[] = ["not_started", "timeout", "exit", "output", "transport", "cancelled"];
const SPEECHES: readonly Speech[] = ["soong/1", "soong/2", "onecode", "claude"];
const SETTINGS: readonly OnFailure[] = ["allow", "deny", "ask", { exit: "deny" }, { timeout: "ask", output: "allow" }];
const BLOCKING = ["block", "discard", "send_back"];
const DENIED: Verdict = { decision: "deny", reason: "no", cause: "policy", warnings: [] };
const TRANSFORMED: Verdict = { decision: "transform", path: "$target", value: 1, warnings: [] };

function policyAt(point: Point, speech: Speech, on_failure: OnFailure, mode: "enforce" | "observe"): SettlePolicy {
  const hook = registration("h", { point, speech, mode });
  return { point, speech, on_failure, standing: standingOf(hook), blocking: isBlocking(hook) };
}

Deno.test("undecided is a deny only for a blocking hook, by its setting for the cause, never at stop and never for a cancel", () => {
  for (const point of POINTS) {
    for (const speech of SPEECHES) {
      for (const on_failure of SETTINGS) {
        for (const mode of ["enforce", "observe"] as const) {
          for (const cause of CAUSES) {
            const slot: Slot = { kind: "undecided", cause, detail: "broke" };
            const verdict = settle(slot, policyAt(point, speech, on_failure, mode));
            const setting = typeof on_failure === "string" ? on_failure : on_failure[cause] ?? "allow";
            const blocks = mode === "enforce" && BLOCKING.includes(denyEffect(point, speech)) && point !== "stop" &&
              cause !== "cancelled";
            const where = `${point} ${speech} ${JSON.stringify(on_failure)} ${mode} ${cause}`;
            assert.equal(verdict.decision, blocks && setting !== "allow" ? "deny" : "allow", where);
            assert.deepEqual(verdict.warnings, [{ reason: `undecided:${cause}`, message: "broke" }], where);
            if (verdict.decision !== "deny") continue;
            assert.equal(verdict.cause, "hook_failure", where);
            assert.deepEqual(verdict.approval, setting === "ask" ? {} : undefined, where);
            assert.ok(verdict.reason.includes("broke"), where);
          }
        }
      }
    }
  }
});

Deno.test("the reason of such a deny names the setting: the hook's own, or that of config.toml", () => {
  const slot: Slot = { kind: "undecided", cause: "exit", detail: "broke" };
  const policy = policyAt("pre_tool_call", "soong/1", "deny", "enforce");
  const reasonFor = (own_on_failure: boolean) => settle(slot, { ...policy, own_on_failure }).reason;
  assert.equal(reasonFor(false), 'the hook gave no decision (broke), and hooks.on_failure in config.toml is "deny"');
  assert.equal(reasonFor(true), 'the hook gave no decision (broke), and its on_failure is "deny"');
});

Deno.test("an agent-hooks hook without a verdict denies with the standard's reserved reason, whatever on_failure says", () => {
  const wanted = {
    not_started: "host_error:interceptor_failed",
    timeout: "host_error:interceptor_timeout",
    exit: "host_error:interceptor_failed",
    output: "host_error:verdict_invalid",
    transport: "host_error:interceptor_failed",
  } as const;
  for (const point of POINTS.filter((name) => name !== "stop")) {
    for (const [cause, reason] of Object.entries(wanted)) {
      const slot: Slot = { kind: "undecided", cause: cause as UndecidedCause, detail: "broke" };
      const verdict = settle(slot, policyAt(point, "agent-hooks/0.1", "allow", "enforce"));
      assert.deepEqual(verdict, { decision: "deny", reason, message: "broke", cause: "hook_failure", warnings: [] });
    }
    const slot: Slot = { kind: "undecided", cause: "output", detail: "x", reserved_reason: "host_error:other" };
    const verdict = settle(slot, policyAt(point, "agent-hooks/0.1", "allow", "enforce"));
    assert.equal(verdict.reason, "host_error:other");
  }
});

Deno.test("a user's cancel is no deny in any speech", () => {
  for (const speech of [...SPEECHES, "agent-hooks/0.1"] as const) {
    const slot: Slot = { kind: "undecided", cause: "cancelled", detail: "was cancelled" };
    assert.equal(settle(slot, policyAt("pre_tool_call", speech, "deny", "enforce")).decision, "allow");
  }
});

Deno.test("a deny where the speech only observes, or in mode observe, is an allow with the warning that says which", () => {
  const rows = [
    ["input", "soong/1", "enforce", "deny_ignored"],
    ["post_tool_call", "soong/1", "enforce", "deny_ignored"],
    ["agent_startup", "soong/1", "enforce", "deny_ignored"],
    ["pre_model_call", "onecode", "enforce", "deny_ignored"],
    ["pre_tool_call", "soong/2", "observe", "not_enforced"],
    ["stop", "soong/2", "observe", "not_enforced"],
  ] as const;
  for (const [point, speech, mode, word] of rows) {
    const policy = policyAt(point, speech, "deny", mode);
    const slot = observeWhere({ kind: "verdict", verdict: DENIED }, policy.standing);
    assert.deepEqual(slot, { kind: "observed", verdict: DENIED });
    assert.deepEqual(settle(slot, policy), { decision: "allow", warnings: [{ reason: word, message: "no" }] });
  }
});

Deno.test("a deny where it counts stays what it is", () => {
  for (const point of ["pre_tool_call", "stop"] as const) {
    const policy = policyAt(point, "soong/1", "allow", "enforce");
    const slot = observeWhere({ kind: "verdict", verdict: DENIED }, policy.standing);
    assert.equal(settle(slot, policy), DENIED);
  }
});

Deno.test("a transform of a hook that is enforced stays what it is", () => {
  const policy = policyAt("pre_tool_call", "agent-hooks/0.1", "allow", "enforce");
  assert.equal(settle({ kind: "verdict", verdict: TRANSFORMED }, policy), TRANSFORMED);
});

Deno.test("a hook blocks when its speech can at the point, and its mode is enforce", () => {
  for (const point of POINTS) {
    for (const speech of [...SPEECHES, "agent-hooks/0.1"] as const) {
      const can = BLOCKING.includes(denyEffect(point, speech));
      assert.equal(isBlocking(registration("h", { point, speech })), can);
      assert.equal(isBlocking(registration("h", { point, speech, mode: "observe" })), false);
    }
  }
});
