/** What no output of a onecode hook may ever do, against an oracle that shares no code with the classifier. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { Ending } from "../../../src/protocol/mod.ts";
import { classifyOnecode } from "../../../src/hooks/onecode/classify.ts";
import { runOf } from "../engine_support.ts";

const PIECES = [
  '{"blockingError":{"error":"no"}}',
  '{"blockingError":"no"}',
  '{"BlockingError":{}}',
  '{"blockingError":null}',
  '{"blockingError":true}',
  '{"blockingError":',
  '"blockingError"',
  '{"message":"m"}',
  '{"additionalContext":"c"}',
  '{"decision":"deny"}',
  "null",
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
  "hello",
  "\ufeff",
];

const output = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }).map((pieces) => encode(pieces.join(""))),
  },
  { weight: 1, arbitrary: fc.json().map(encode) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }) },
  {
    weight: 2,
    arbitrary: fc.record({
      blockingError: fc.oneof(fc.constantFrom(null, "", "no", true, 5), fc.record({ error: fc.string() })),
      message: fc.string(),
      outcome: fc.constantFrom("Success", "Blocking", "NonBlockingError"),
      note: fc.boolean(),
    }, { requiredKeys: [] }).map((value) => encode(JSON.stringify(value))),
  },
);

const ending: fc.Arbitrary<Ending> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Ending>({ kind: "exited", code: 0 }) },
  { weight: 2, arbitrary: fc.constant<Ending>({ kind: "exited", code: 2 }) },
  fc.integer({ min: 1, max: 255 }).map((code): Ending => ({ kind: "exited", code })),
  fc.constantFrom<Ending>(
    { kind: "signalled", signal: "SIGKILL" },
    { kind: "timed_out", limit_ms: 5 },
    { kind: "cancelled" },
    { kind: "not_started", reason: "gone" },
  ),
);

const cut = fc.constantFrom(false, false, false, true);

Deno.test("onecode: exit 2, and a blockingError that is the whole output, a line or the end of a mess, always deny", () => {
  fc.assert(
    fc.property(output, ending, cut, (stdout, ended, truncated) => {
      const isTwo = ended.kind === "exited" && ended.code === 2;
      if (!isTwo && !holdsDeny(stdout)) return;
      assert.equal(decisionOf(stdout, ended, truncated), "deny");
    }),
    { numRuns: 20_000 },
  );
});

Deno.test("onecode: a run that failed, was cut, or speaks of a blockingError is never an allow unless it is clean", () => {
  fc.assert(
    fc.property(output, ending, cut, (stdout, ended, truncated) => {
      if (decisionOf(stdout, ended, truncated) !== "allow") return;
      assert.deepEqual(ended, { kind: "exited", code: 0 });
      assert.equal(truncated, false);
      const text = new TextDecoder().decode(stdout);
      const value = parsed(text);
      if (/"blockingError"\s*:/i.test(text)) assert.ok(isObject(value), text);
      if (isObject(value)) {
        for (const [key, error] of Object.entries(value)) {
          if (key.toLowerCase() === "blockingerror") assert.equal(error, null);
        }
        assert.ok(!Object.keys(value).includes("decision"));
      }
    }),
    { numRuns: 20_000 },
  );
});

Deno.test("onecode: a deny is never read out of output that does not hold the word", () => {
  fc.assert(
    fc.property(output, ending, (stdout, ended) => {
      if (ended.kind === "exited" && ended.code === 2) return;
      const text = new TextDecoder().decode(stdout);
      if (/blockingError/i.test(text) || text.includes("\\u")) return;
      assert.notEqual(decisionOf(stdout, ended, false), "deny");
    }),
    { numRuns: 5_000 },
  );
});

Deno.test("onecode: what another side answered to a request or a message never denies", () => {
  fc.assert(
    fc.property(
      output,
      fc.integer({ min: 100, max: 599 }),
      fc.constantFrom("http", "notification"),
      (stdout, status, type) => {
        const { slot } = classifyOnecode(
          runOf(stdout, { ending: { kind: "returned", status } }),
          "pre_tool_call",
          type,
        );
        assert.deepEqual(slot, { kind: "verdict", verdict: { decision: "allow", warnings: [] } });
      },
    ),
    { numRuns: 2_000 },
  );
});

function decisionOf(stdout: Uint8Array, ended: Ending, truncated: boolean): string {
  const run = runOf(stdout, { ending: ended, stdout_truncated: truncated });
  const { slot } = classifyOnecode(run, "pre_tool_call", "command");
  return slot.kind === "verdict" ? slot.verdict.decision : slot.kind;
}

function holdsDeny(stdout: Uint8Array): boolean {
  const text = new TextDecoder().decode(stdout);
  const whole = parsed(text);
  if (isDeny(whole)) return true;
  if (isObject(whole)) return false;
  if (text.split(/[\r\n]/).some((line) => isDeny(parsed(line)))) return true;
  const end = text.trimEnd();
  for (let start = 0; start < end.length; start++) {
    if (end[start] === "{" && parsed(end.slice(start)) !== undefined) return isDeny(parsed(end.slice(start)));
  }
  return false;
}

function isDeny(value: unknown): boolean {
  return isObject(value) &&
    Object.entries(value).some(([key, error]) =>
      key.toLowerCase() === "blockingerror" && (typeof error === "string" || isObject(error))
    );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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
