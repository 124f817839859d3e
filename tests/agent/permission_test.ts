import assert from "node:assert/strict";
import { decidePermission, type PermissionRules } from "../../src/agent/mod.ts";
import type { ToolCall } from "../../src/protocol/mod.ts";

const never = new AbortController().signal;

function call(tier: ToolCall["tier"]): ToolCall {
  return { id: "c", name: "T", input: {}, tier, tags: [tier] };
}

function rules(given: Partial<PermissionRules>): PermissionRules {
  return {
    mode: "ask",
    protectedBy: () => undefined,
    deniedBy: () => undefined,
    sensitiveBy: () => undefined,
    allowedBy: () => undefined,
    ...given,
  };
}

const yes = { ask: () => Promise.resolve({ decision: "allow" as const }) };
const no = { ask: () => Promise.resolve({ decision: "deny" as const, message: "not today" }) };
const specific = { allowedBy: () => ({ rule: "T(x)", specific: true }) };
const broad = { allowedBy: () => ({ rule: "T", specific: false }) };
const guarded = { protectedBy: () => "it is a hook file" };
const denied = { deniedBy: () => "T" };
const sensitive = { sensitiveBy: () => ".env" };

const TABLE: readonly (readonly [string, Partial<PermissionRules>, ToolCall["tier"], string])[] = [
  ["readonly runs in mode ask without a question", {}, "readonly", "allow mode"],
  ["write with nobody to ask is a deny", {}, "write", "deny mode"],
  ["write asks, yes", yes, "write", "allow prompt"],
  ["write asks, no", no, "write", "deny prompt"],
  ["accept-edits lets write run", { mode: "accept-edits" }, "write", "allow mode"],
  ["accept-edits asks before dangerous", { mode: "accept-edits", ...no }, "dangerous", "deny prompt"],
  ["read-only denies write without a question", { mode: "read-only", ...yes }, "write", "deny mode"],
  ["full lets dangerous run", { mode: "full" }, "dangerous", "allow mode"],
  ["an allow rule spares the question", { ...broad, ...no }, "dangerous", "allow rule"],
  ["an allow rule lifts read-only for its calls", { mode: "read-only", ...broad }, "write", "allow rule"],
  ["deny wins over allow", { ...denied, ...specific, mode: "full" }, "readonly", "deny rule"],
  ["protected wins over everything", { ...guarded, ...specific, mode: "full", ...yes }, "write", "deny protected"],
  ["sensitive asks in mode full, nobody there", { ...sensitive, mode: "full" }, "readonly", "deny sensitive"],
  ["sensitive asks in mode full, yes", { ...sensitive, mode: "full", ...yes }, "readonly", "allow prompt"],
  ["a broad allow rule does not lift sensitive", { ...sensitive, ...broad, ...no }, "readonly", "deny prompt"],
  ["an allow rule that names the path lifts sensitive", { ...sensitive, ...specific }, "readonly", "allow rule"],
  ["a failing question is a deny", { ask: () => Promise.reject(new Error("tty gone")) }, "write", "deny prompt"],
];

for (const [title, given, tier, expected] of TABLE) {
  Deno.test(`permission: ${title}`, async () => {
    const decision = await decidePermission(rules(given), call(tier), { hook_notes: [], approved: false }, never);
    assert.equal(`${decision.decision} ${decision.by}`, expected);
  });
}

Deno.test("permission: the user's word reaches the decision, and the question shows what hooks said", async () => {
  let notes: readonly string[] = [];
  const ask: PermissionRules["ask"] = (question) => {
    notes = question.hook_notes;
    return Promise.resolve({ decision: "deny", message: "not today" });
  };
  const decision = await decidePermission(rules({ ask }), call("write"), {
    hook_notes: ["h1: allow fine"],
    approved: false,
  }, never);
  assert.deepEqual(notes, ["h1: allow fine"]);
  assert.match(decision.detail, /not today/);
});
