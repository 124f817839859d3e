/** What no output may ever do, against an oracle that shares no code with the classifier. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { Ending } from "../../src/protocol/mod.ts";
import { classifySoongOne } from "../../src/hooks/soong/classify.ts";
import { runOf } from "./engine_support.ts";

const PIECES = [
  '{"decision":"allow"}',
  '{"decision":"deny","reason":"no"}',
  '{"decision":"deny"}',
  '{"decision":"Deny"}',
  '{"decision":',
  '"deny"',
  '"allow"',
  '"decision"',
  "{",
  "}",
  "[",
  "]",
  ":",
  ",",
  '"',
  "\\",
  "\n",
  "\r\n",
  " ",
  "{}",
  '{"logs":[]}',
  '{"a":1}',
  '"reason":"x"',
  "hello",
  "\ufeff",
  "1",
];

const output = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }).map((pieces) => encode(pieces.join(""))),
  },
  { weight: 2, arbitrary: fc.json().map(encode) },
  { weight: 1, arbitrary: fc.string({ unit: "binary" }).map(encode) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }) },
  {
    weight: 2,
    arbitrary: fc.record({
      decision: fc.constantFrom("allow", "deny", "block", "ALLOW", " allow", 1, null),
      reason: fc.anything({ maxDepth: 1, withBigInt: false }),
      note: fc.boolean(),
    }, { requiredKeys: [] }).map((value) => encode(JSON.stringify(value))),
  },
);

const ending: fc.Arbitrary<Ending> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Ending>({ kind: "exited", code: 0 }) },
  fc.integer({ min: 1, max: 255 }).map((code): Ending => ({ kind: "exited", code })),
  fc.constantFrom<Ending>(
    { kind: "signalled", signal: "SIGKILL" },
    { kind: "timed_out", limit_ms: 5 },
    { kind: "cancelled" },
    { kind: "not_started", reason: "gone" },
    { kind: "transport_failed", reason: "gone" },
    { kind: "returned" },
  ),
);

Deno.test("soong/1: no output and no ending is ever an allow unless it is clean by the rules", () => {
  fc.assert(
    fc.property(output, ending, fc.constantFrom(false, false, false, true), (stdout, ended, truncated) => {
      const { slot } = classifySoongOne(runOf(stdout, { ending: ended, stdout_truncated: truncated }));
      const allowed = slot.kind === "verdict" && slot.verdict.decision === "allow";
      assert.equal(allowed, isCleanAllow(stdout, ended, truncated));
    }),
    { numRuns: 20_000 },
  );
});

Deno.test("soong/1: a deny that is the whole output, or a line or the end of a mess, always denies", () => {
  fc.assert(
    fc.property(output, ending, fc.constantFrom(false, false, false, true), (stdout, ended, truncated) => {
      if (!holdsDeny(stdout)) return;
      const { slot } = classifySoongOne(runOf(stdout, { ending: ended, stdout_truncated: truncated }));
      assert.equal(slot.kind === "verdict" && slot.verdict.decision, "deny");
    }),
    { numRuns: 20_000 },
  );
});

Deno.test("soong/1: a deny is never read out of output that does not hold the word", () => {
  fc.assert(
    fc.property(output, ending, (stdout, ended) => {
      const text = new TextDecoder().decode(stdout);
      if (text.includes("deny") || text.includes("\\u")) return;
      const { slot } = classifySoongOne(runOf(stdout, { ending: ended }));
      assert.ok(slot.kind === "undecided" || (slot.kind === "verdict" && slot.verdict.decision === "allow"));
    }),
    { numRuns: 5_000 },
  );
});

const KEYS = new Set([
  ...["decision", "reason", "metadata", "logs", "message", "systemMessage"],
  ...["transform", "updatedInput", "updated_input", "updatedToolOutput", "updatedMCPToolOutput"],
  ...["modifiedInput", "modified_input", "replacement", "additionalContext", "additional_context"],
]);

function isCleanAllow(stdout: Uint8Array, ended: Ending, truncated: boolean): boolean {
  const endedWell = ended.kind === "returned" || (ended.kind === "exited" && ended.code === 0);
  if (!endedWell || truncated) return false;
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(stdout);
  } catch {
    return false;
  }
  if (text.split("").every((unit) => " \t\r\n".includes(unit))) return true;
  const value = parsed(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  if (!Object.hasOwn(value, "decision")) return Object.keys(value).every((key) => KEYS.has(key));
  return (value as { decision: unknown }).decision === "allow" && !repeatsDecision(text);
}

/** The pieces make no nested object with a decision, so counting the key in the text counts the top level. */
function repeatsDecision(text: string): boolean {
  return text.split(/"decision"\s*:/).length > 2;
}

function holdsDeny(stdout: Uint8Array): boolean {
  const text = new TextDecoder().decode(stdout);
  const whole = parsed(text);
  if (isDeny(whole)) return true;
  if (typeof whole === "object" && whole !== null && !Array.isArray(whole)) return false;
  if (text.split(/[\r\n]/).some((line) => isDeny(parsed(line)))) return true;
  const end = text.trimEnd();
  for (let start = 0; start < end.length; start++) {
    if (end[start] === "{" && parsed(end.slice(start)) !== undefined) return isDeny(parsed(end.slice(start)));
  }
  return false;
}

function isDeny(value: unknown): boolean {
  return typeof value === "object" && value !== null && (value as { decision?: unknown }).decision === "deny";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
