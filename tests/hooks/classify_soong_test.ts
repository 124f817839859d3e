/** The answer rules of soong version 1: a recognisable deny always counts, an allow must be clean. */
import assert from "node:assert/strict";
import type { HookRun, UndecidedCause } from "../../src/protocol/mod.ts";
import { classifySoongOne } from "../../src/hooks/soong/classify.ts";
import { ended, runOf } from "./engine_support.ts";

type Wanted =
  | { readonly allow: true; readonly warnings?: readonly string[]; readonly reason?: string }
  | { readonly deny: string; readonly warnings?: readonly string[] }
  | { readonly undecided: UndecidedCause; readonly says?: readonly string[]; readonly warnings?: readonly string[] };

interface Row {
  readonly title: string;
  readonly run: HookRun;
  readonly want: Wanted;
}

const ALLOW = { allow: true } as const;
const UNCLEAN = ["unclean_deny"];
const deny = (reason: string): Wanted => ({ deny: reason });
const uncleanDeny = (reason: string): Wanted => ({ deny: reason, warnings: UNCLEAN });
const badOutput = (...says: string[]): Wanted => ({ undecided: "output", says });
const NO = '{"decision":"deny","reason":"no"}';
const YES = '{"decision":"allow"}';
const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => typeof part === "string" ? [...new TextEncoder().encode(part)] : part));
const utf16 = (text: string): Uint8Array => Uint8Array.from([0xff, 0xfe, ...new Uint8Array(units(text).buffer)]);
const units = (text: string) => Uint16Array.from(text, (unit) => unit.charCodeAt(0));

const ROWS: readonly Row[] = [
  // Clean answers.
  { title: "empty stdout and exit 0", run: runOf(""), want: ALLOW },
  { title: "blank lines only", run: runOf("\r\n \t\n"), want: ALLOW },
  { title: "a byte-order mark only", run: runOf(bytes([0xef, 0xbb, 0xbf])), want: ALLOW },
  { title: "an empty object (case 05, line 7)", run: runOf("{}"), want: ALLOW },
  { title: "only logs", run: runOf('{"logs":["looked"]}'), want: ALLOW },
  { title: "only a reason", run: runOf('{"reason":"fine"}'), want: ALLOW },
  { title: "only a message", run: runOf('{"message":"fine","systemMessage":"x"}'), want: ALLOW },
  { title: "an explicit allow", run: runOf(YES), want: ALLOW },
  {
    title: "an allow with a reason",
    run: runOf('{"decision":"allow","reason":"ok"}'),
    want: { allow: true, reason: "ok" },
  },
  { title: "an allow behind a byte-order mark", run: runOf(bytes([0xef, 0xbb, 0xbf], YES)), want: ALLOW },
  {
    title: "an allow between blank lines and CRLF",
    run: runOf(`\r\n\r\n{"decision":\r\n"allow"}\r\n\r\n`),
    want: ALLOW,
  },
  { title: "an allow with a log on stderr", run: runOf(YES, { stderr: "deny? no" }), want: ALLOW },
  { title: "a returned executor that says nothing", run: ended({ kind: "returned" }), want: ALLOW },
  {
    title: "an allow with an unknown key",
    run: runOf('{"decision":"allow","note":1}'),
    want: { allow: true, warnings: ["unknown_key"] },
  },
  {
    title: "an allow with a rewritten input",
    run: runOf('{"decision":"allow","updatedInput":{"command":"ls"}}'),
    want: { allow: true, warnings: ["change_ignored"] },
  },
  {
    title: "a rewritten input without a decision",
    run: runOf('{"transform":{"path":"$target"}}'),
    want: { allow: true, warnings: ["change_ignored"] },
  },
  // Denies.
  { title: "a deny with exit 0 (case 03)", run: runOf(NO), want: deny("no") },
  { title: "a deny with a log on stderr (case 03)", run: runOf(NO, { stderr: "debug: looking" }), want: deny("no") },
  {
    title: "a deny over several lines (case 03)",
    run: runOf('\n{\n  "decision": "deny",\n  "reason": "禁止: \\"touch\\" is not allowed"\n}\n\n'),
    want: deny('禁止: "touch" is not allowed'),
  },
  {
    title: "a deny with CRLF (case 03)",
    run: runOf('{"decision":"deny",\r\n"reason":"crlf reason"}\r\n'),
    want: deny("crlf reason"),
  },
  {
    title: "a deny in Chinese (case 10)",
    run: runOf('{"decision":"deny","reason":"拒绝：禁止删除 ✅"}\n'),
    want: deny("拒绝：禁止删除 ✅"),
  },
  { title: "a deny behind a byte-order mark", run: runOf(bytes([0xef, 0xbb, 0xbf], NO)), want: deny("no") },
  { title: "a deny without a reason", run: runOf('{"decision":"deny"}'), want: deny("") },
  { title: "a deny whose reason is null", run: runOf('{"decision":"deny","reason":null}'), want: deny("") },
  { title: "a deny whose reason is a number", run: runOf('{"decision":"deny","reason":42}'), want: deny("42") },
  {
    title: "a deny whose reason is an object",
    run: runOf('{"decision":"deny","reason":{"why":["a"]}}'),
    want: deny('{"why":["a"]}'),
  },
  {
    title: "a deny whose reason is an integer beyond 2^53",
    run: runOf('{"decision":"deny","reason":9007199254740993}'),
    want: deny("9007199254740993"),
  },
  {
    title: "a deny with an unknown key (case 05, line 6)",
    run: runOf('{"decision":"deny","reason":"x","note":"extra"}'),
    want: { deny: "x", warnings: ["unknown_key"] },
  },
  { title: "a deny spelled with an escape", run: runOf('{"deci\\u0073ion":"d\\u0065ny"}'), want: deny("") },
  { title: "a static rule", run: ended({ kind: "returned" }, NO), want: deny("no") },
  // A deny counts however the process ended.
  { title: "a deny and exit 1", run: runOf(NO, { code: 1 }), want: uncleanDeny("no") },
  { title: "a deny and exit 2 (case 01)", run: runOf(NO, { code: 2 }), want: uncleanDeny("no") },
  { title: "a deny, then a signal", run: ended({ kind: "signalled", signal: "SIGSEGV" }, NO), want: uncleanDeny("no") },
  { title: "a deny, then the timeout", run: ended({ kind: "timed_out", limit_ms: 9 }, NO), want: uncleanDeny("no") },
  // A deny counts whatever stands around it.
  { title: "a banner, then a deny (case 09)", run: runOf(`Shell ready on test\n${NO}\n`), want: uncleanDeny("no") },
  { title: "a banner on the line of the deny", run: runOf(`ready> ${NO}`), want: uncleanDeny("no") },
  { title: "a banner with a quote on the line of the deny", run: runOf(`5" disk> ${NO}`), want: uncleanDeny("no") },
  { title: "a deny, then chatter", run: runOf(`${NO}\nbye\n`), want: uncleanDeny("no") },
  { title: "a deny, then chatter on its line", run: runOf(`${NO} bye`), want: uncleanDeny("no") },
  { title: "an allow, then a deny", run: runOf(`${YES}\n${NO}`), want: uncleanDeny("no") },
  { title: "a deny, then an allow", run: runOf(`${NO}\n${YES}`), want: uncleanDeny("no") },
  { title: "an allow and a deny on one line", run: runOf(`${YES}${NO}`), want: uncleanDeny("no") },
  { title: "a deny and an allow on one line", run: runOf(`${NO} ${YES}`), want: uncleanDeny("no") },
  {
    title: "two denies keep both reasons",
    run: runOf(`${NO}\n{"decision":"deny","reason":"never"}`),
    want: uncleanDeny("no\nnever"),
  },
  {
    title: "a deny over several lines behind a banner",
    run: runOf('hello {\n{\n "decision": "deny",\n "reason": "}"\n}\n'),
    want: uncleanDeny("}"),
  },
  {
    title: "a deny over several lines, then chatter",
    run: runOf('{\n "decision": "deny",\n "reason": "no"\n}\nbye {'),
    want: uncleanDeny("no"),
  },
  { title: "an object that never ends, then a deny", run: runOf(`{"a": [1,\n${NO}`), want: uncleanDeny("no") },
  { title: "an open brace, then a deny", run: runOf(`{\n${NO}\n`), want: uncleanDeny("no") },
  { title: "an open string, then a deny", run: runOf(`{"a": "b\n${NO}\n`), want: uncleanDeny("no") },
  {
    title: "a deny as a line of another object in a mess",
    run: runOf(`x\n{"a":\n${NO}\n}\ny`),
    want: uncleanDeny("no"),
  },
  { title: "a deny line in a list", run: runOf(`[\n${NO}\n]`), want: uncleanDeny("no") },
  {
    title: "progress with carriage returns, then a deny",
    run: runOf(`10%\r50%\r${NO}\rdone`),
    want: uncleanDeny("no"),
  },
  { title: "a deny behind bytes that are no UTF-8", run: runOf(bytes([0xff, 0x0a], NO)), want: uncleanDeny("no") },
  { title: "a deny in UTF-16", run: runOf(utf16(NO)), want: uncleanDeny("no") },
  ...["\ufeff", "\f", "\v", "\0", "\u00a0", "\x1b[0m", "\x1b[1;31m "].map((lead) => ({
    title: `a deny behind ${JSON.stringify(lead)} on its line, with text after it`,
    run: runOf(`log\n${lead}${NO}\nmore`),
    want: uncleanDeny("no"),
  })),
  ...[[0xff, 0xfe], [0xfe, 0xff]].map((mark) => ({
    title: `a deny in UTF-8 behind the mark of UTF-16 (${mark})`,
    run: { ...runOf(""), stdout: new Uint8Array([...mark, ...new TextEncoder().encode(`\n${NO}\n`)]) },
    want: uncleanDeny("no"),
  })),
  {
    title: "a deny whose reason is no UTF-8",
    run: runOf(bytes('{"decision":"deny","reason":"', [0xe6, 0x8b], '"}')),
    want: uncleanDeny("\ufffd"),
  },
  {
    title: "a deny in the head of a flood (case 11)",
    run: runOf(`${NO}\nxxxx\n[… 99 bytes left out …]\nxxxx`, { stdout_truncated: true }),
    want: uncleanDeny("no"),
  },
  {
    title: "a deny in the tail of a flood (case 11)",
    run: runOf(`xxxx\n[… 99 bytes left out …]\nxxxx\n${NO}\n`, { stdout_truncated: true }),
    want: uncleanDeny("no"),
  },
  { title: "decision twice, deny last", run: runOf('{"decision":"allow","decision":"deny"}'), want: uncleanDeny("") },
  { title: "decision twice, deny first", run: runOf('{"decision":"deny","decision":"allow"}'), want: uncleanDeny("") },
  // What an object holds inside is no answer.
  { title: "a deny inside an allow", run: runOf(`{"decision":"allow","metadata":\n${NO}\n}`), want: ALLOW },
  { title: "a deny inside the logs", run: runOf(`{"logs":[${NO}]}`), want: ALLOW },
  {
    title: "the word deny in a text",
    run: runOf('this would say {"decision":"deny"} to you'),
    want: badOutput("not JSON"),
  },
  // Exit codes and other endings (case 06).
  {
    title: "exit 1 with words on stderr",
    run: runOf("", { code: 1, stderr: "\n  boom: x\nmore" }),
    want: { undecided: "exit", says: ["exited with code 1: boom: x"] },
  },
  { title: "exit 126", run: runOf("", { code: 126 }), want: { undecided: "exit", says: ["126"] } },
  { title: "exit 127", run: runOf("", { code: 127 }), want: { undecided: "exit", says: ["127"] } },
  {
    title: "exit 2 without a word (case 01)",
    run: runOf("", { code: 2 }),
    want: { undecided: "exit", says: ["exited with code 2"], warnings: ["exit_2"] },
  },
  {
    title: "exit 2 with an allow",
    run: runOf(YES, { code: 2 }),
    want: { undecided: "exit", warnings: ["exit_2"] },
  },
  { title: "exit 1 with an allow", run: runOf(YES, { code: 1 }), want: { undecided: "exit" } },
  {
    title: "a signal",
    run: ended({ kind: "signalled", signal: "SIGSEGV" }, YES),
    want: { undecided: "exit", says: ["SIGSEGV"] },
  },
  {
    title: "a timeout, with an allow printed",
    run: ended({ kind: "timed_out", limit_ms: 300 }, YES),
    want: { undecided: "timeout", says: ["timed out after 300 ms"] },
  },
  {
    title: "a program that does not exist",
    run: ended({ kind: "not_started", reason: "no such program" }),
    want: { undecided: "not_started", says: ["no such program"] },
  },
  {
    title: "a broken executor",
    run: ended({ kind: "transport_failed", reason: "its executor broke" }),
    want: { undecided: "transport", says: ["its executor broke"] },
  },
  { title: "a cancel", run: ended({ kind: "cancelled" }), want: { undecided: "cancelled" } },
  // Words and keys of others (case 05).
  { title: "a misspelt key (line 1)", run: runOf('{"decison":"deny"}'), want: badOutput('"decision"', "decison") },
  {
    title: "block (line 2)",
    run: runOf('{"decision":"block","reason":"x"}'),
    want: badOutput("block", '{"decision":"deny"'),
  },
  { title: "Claude's key (line 3)", run: runOf('{"permissionDecision":"deny"}'), want: badOutput("Claude Code") },
  { title: "Cline's key (line 4)", run: runOf('{"cancel":true}'), want: badOutput("Cline") },
  {
    title: "Claude's answer (line 5)",
    run: runOf('{"hookSpecificOutput":{"permissionDecision":"deny"}}'),
    want: badOutput("Claude Code", '{"decision":"deny"'),
  },
  { title: "a capital letter", run: runOf('{"decision":"Deny"}'), want: badOutput("Deny", 'exactly "deny"') },
  { title: "a space before allow", run: runOf('{"decision":" allow"}'), want: badOutput(" allow", 'exactly "allow"') },
  { title: "approve", run: runOf('{"decision":"approve"}'), want: badOutput('exactly "allow"') },
  { title: "a near miss", run: runOf('{"decision":"denyy"}'), want: badOutput('did you mean "deny"?') },
  { title: "ask", run: runOf('{"decision":"ask"}'), want: badOutput("version 1 knows") },
  { title: "a decision that is null", run: runOf('{"decision":null}'), want: badOutput() },
  { title: "a decision that is true", run: runOf('{"decision":true}'), want: badOutput('"true"') },
  { title: "continue", run: runOf('{"continue":false}'), want: badOutput('"continue"') },
  // Output that is not one clean document.
  { title: "a banner before an allow", run: runOf(`hi\n${YES}`), want: badOutput("before its JSON", '"hi\\n') },
  { title: "chatter after an allow", run: runOf(`${YES}\nbye`), want: badOutput("after its JSON") },
  { title: "two documents", run: runOf(`${YES}\n${YES}`), want: badOutput("more than one") },
  { title: "decision twice", run: runOf('{"decision":"allow","decision":"allow"}'), want: badOutput("two") },
  { title: "rubbish", run: runOf("all good"), want: badOutput("not JSON", "all good") },
  { title: "a list", run: runOf("[]"), want: badOutput("no object") },
  { title: "null", run: runOf("null"), want: badOutput("no object") },
  { title: "a string", run: runOf('"allow"'), want: badOutput("no object") },
  { title: "a trailing comma", run: runOf('{"decision":"allow",}'), want: badOutput("not JSON") },
  { title: "bytes that are no UTF-8 (case 10)", run: runOf(bytes(YES, [0xff])), want: badOutput("not UTF-8") },
  { title: "UTF-16", run: runOf(utf16(YES)), want: badOutput("UTF-16") },
  { title: "a NUL", run: runOf("\0"), want: badOutput("\\u0000") },
  {
    title: "a flood (case 11)",
    run: runOf(`${YES}\n[… 99 bytes left out …]\n`, { stdout_truncated: true }),
    want: badOutput("more than is kept"),
  },
  {
    title: "a deny larger than what is kept",
    run: runOf('{"decision":"deny","reason":"xx\n[… 99 bytes left out …]\nxx"}', { stdout_truncated: true }),
    want: badOutput("more than is kept"),
  },
];

for (const { title, run, want } of ROWS) {
  Deno.test(`soong/1: ${title} is ${"allow" in want ? "allow" : "deny" in want ? "deny" : "undecided"}`, () => {
    const { slot, extras } = classifySoongOne(run);
    if ("allow" in want) {
      const reason = want.reason === undefined ? {} : { reason: want.reason };
      assert.deepEqual(slot, { kind: "verdict", verdict: { decision: "allow", ...reason, warnings: [] } });
    } else if ("deny" in want) {
      const verdict = { decision: "deny", reason: want.deny, cause: "policy", warnings: [] };
      assert.deepEqual(slot, { kind: "verdict", verdict });
    } else {
      assert.ok(slot.kind === "undecided", `expected undecided, got ${JSON.stringify(slot)}`);
      assert.equal(slot.cause, want.undecided);
      for (const part of want.says ?? []) assert.ok(slot.detail.includes(part), `${slot.detail} lacks ${part}`);
    }
    assert.deepEqual(extras.warnings.map(({ code }) => code), want.warnings ?? []);
  });
}

Deno.test("soong/1: logs, metadata and message are kept beside a decision", () => {
  const answer = { decision: "deny", reason: "no", logs: ["a", { b: 1 }], metadata: { c: [true] }, message: "d" };
  assert.deepEqual(classifySoongOne(runOf(JSON.stringify(answer))).extras, {
    message: "d",
    logs: ["a", { b: 1 }],
    metadata: { c: [true] },
    warnings: [],
  });
});

Deno.test("soong/1: an undecided output shows only its first bytes, on one line", () => {
  const { slot } = classifySoongOne(runOf("\u001b[31m" + "x\n".repeat(5000)));
  assert.ok(slot.kind === "undecided");
  assert.ok(slot.detail.length < 400);
  // deno-lint-ignore no-control-regex
  assert.doesNotMatch(slot.detail, /[\x00-\x1f]/);
});

const SIZE = 1 << 20;
const FLOODS: readonly { readonly title: string; readonly text: string }[] = [
  { title: "open braces", text: "{".repeat(SIZE) },
  { title: "closing braces", text: "}".repeat(SIZE) },
  { title: "open braces on lines of their own", text: "{\n".repeat(SIZE / 2) },
  { title: "objects that never end, one in the other, one a line", text: '{"a":\n'.repeat(SIZE / 6) },
  { title: "open lists in an object", text: '{"a":' + "[\n".repeat(SIZE / 2) },
  { title: "quotes", text: '{"'.repeat(SIZE / 2) + "}" },
  { title: "backslashes", text: '{"' + "\\".repeat(SIZE) + '"}' },
  { title: "open strings, one a line", text: '{"a":"b\n'.repeat(SIZE / 8) },
  { title: "whitespace in an object", text: "{" + " ".repeat(SIZE) + "x}" },
  { title: "line ends", text: "x" + "\n".repeat(SIZE) + "x" },
];

for (const { title, text } of FLOODS) {
  Deno.test(`soong/1: 1 MiB of ${title} is read in linear time and is undecided`, () => {
    const started = performance.now();
    const { slot } = classifySoongOne(runOf(text));
    assert.ok(performance.now() - started < 5000);
    assert.equal(slot.kind === "undecided" && slot.cause, "output");
  });
}

Deno.test("soong/1: a deny behind 1 MiB of open braces still denies", () => {
  for (const between of ["\n", ""]) {
    const { slot } = classifySoongOne(runOf("{\n".repeat(SIZE / 2) + between + NO));
    assert.equal(slot.kind === "verdict" && slot.verdict.decision, "deny");
  }
});

Deno.test("soong/1: 1 MiB of denies, one in the other, is read in linear time and denies with the outermost reason", () => {
  const depth = SIZE / 50;
  const text = `x\n{"decision":"deny","reason":"outermost","a":\n${'{"decision":"deny","a":\n'.repeat(depth)}1${
    "}".repeat(depth + 1)
  }`;
  const started = performance.now();
  const { slot } = classifySoongOne(runOf(text));
  assert.ok(performance.now() - started < 5000);
  assert.equal(slot.kind === "verdict" && slot.verdict.reason, "outermost");
});

Deno.test("soong/1: a deny with metadata nested a hundred thousand levels deep still denies", () => {
  const metadata = "[".repeat(100_000) + "1234567890123456789" + "]".repeat(100_000);
  const { slot } = classifySoongOne(runOf(`{"decision":"deny","metadata":${metadata}}`));
  assert.equal(slot.kind === "verdict" && slot.verdict.decision, "deny");
});
