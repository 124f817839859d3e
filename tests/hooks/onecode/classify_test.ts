/** The answers of onecode hooks: the exit codes of the format, its JSON, and the rows of the origin. */
import assert from "node:assert/strict";
import type { ExecutorSettings } from "../../../src/hooks/mod.ts";
import type { HookRun, Point, UndecidedCause } from "../../../src/protocol/mod.ts";
import { classifyOnecode } from "../../../src/hooks/onecode/classify.ts";
import { ended, runOf } from "../engine_support.ts";

interface Row {
  readonly title: string;
  readonly run: HookRun;
  readonly want:
    | { readonly allow: true }
    | { readonly deny: string }
    | { readonly undecided: UndecidedCause; readonly says?: string };
  readonly message?: string;
  readonly context?: string;
  readonly warnings?: readonly string[];
  readonly point?: Point;
  readonly executor?: ExecutorSettings["type"];
}

const ALLOW = { allow: true } as const;
const text = (value: unknown) => JSON.stringify(value);
const run = (value: unknown, more: Parameters<typeof runOf>[1] = {}) => runOf(text(value), more);
const bytes = (...parts: readonly (string | number)[]) =>
  Uint8Array.from(parts.flatMap((part) => typeof part === "string" ? [...new TextEncoder().encode(part)] : [part]));

const EXIT_CODES: readonly Row[] = [
  { title: "exit 0 and nothing", run: runOf(""), want: ALLOW },
  { title: "exit 0 and blank lines", run: runOf(" \r\n\n"), want: ALLOW },
  { title: "exit 0 and text", run: runOf("all is well\n"), want: ALLOW, message: "all is well" },
  { title: "exit 0 and a blockingError object", run: run({ blockingError: { error: "no" } }), want: { deny: "no" } },
  {
    title: "exit 0 and additionalContext",
    run: run({ additionalContext: "the branch is main" }),
    point: "input",
    want: ALLOW,
    context: "the branch is main",
  },
  { title: "exit 2 with stderr", run: runOf("", { code: 2, stderr: "  dangerous\n" }), want: { deny: "dangerous" } },
  {
    title: "exit 2 with stderr and a blockingError",
    run: run({ blockingError: { error: "from stdout" } }, { code: 2, stderr: "from stderr" }),
    want: { deny: "from stderr" },
  },
  {
    title: "exit 2 with a blank stderr and a blockingError",
    run: run({ blockingError: { error: "dangerous command", command: "check.py" } }, { code: 2, stderr: " \n" }),
    want: { deny: "dangerous command" },
  },
  { title: "exit 2 without a word (case 01)", run: runOf("", { code: 2 }), want: { deny: "" } },
  {
    title: "exit 2 and a clean allow",
    run: run({ message: "fine" }, { code: 2 }),
    want: { deny: "" },
    message: "fine",
  },
  { title: "exit 2 and broken JSON", run: runOf('{"blockingError": {', { code: 2 }), want: { deny: "" } },
  {
    title: "exit 1 with stderr",
    run: runOf("", { code: 1, stderr: "boom\nmore\n" }),
    want: { undecided: "exit", says: "exited with code 1: boom" },
    message: "boom\nmore",
  },
  {
    title: "exit 1 and a clean blockingError",
    run: run({ blockingError: { error: "no" } }, { code: 1, stderr: "x" }),
    want: { deny: "no" },
    warnings: ["unclean_deny"],
  },
  { title: "exit 126", run: runOf("", { code: 126 }), want: { undecided: "exit" }, message: "exited with code 126" },
  { title: "exit 127", run: runOf("", { code: 127 }), want: { undecided: "exit" }, message: "exited with code 127" },
  {
    title: "exit 3 with a message on stdout",
    run: run({ message: "m" }, { code: 3, stderr: "e" }),
    want: { undecided: "exit" },
    message: "e",
  },
  {
    title: "a signal",
    run: ended({ kind: "signalled", signal: "SIGSEGV" }),
    want: { undecided: "exit", says: "SIGSEGV" },
    message: "was ended by SIGSEGV",
  },
  {
    title: "a timeout",
    run: ended({ kind: "timed_out", limit_ms: 50 }),
    want: { undecided: "timeout", says: "timed out after 50 ms" },
    message: "timed out after 50 ms",
  },
  {
    title: "a timeout after a complete deny",
    run: ended({ kind: "timed_out", limit_ms: 50 }, '{"blockingError":"no"}'),
    want: { deny: "no" },
    warnings: ["unclean_deny"],
  },
  { title: "a cancel", run: ended({ kind: "cancelled" }), want: { undecided: "cancelled" } },
  {
    title: "a program that cannot start",
    run: ended({ kind: "not_started", reason: "gone" }),
    want: { undecided: "not_started", says: "gone" },
    message: "could not start: gone",
  },
];

const ANSWERS: readonly Row[] = [
  { title: "an empty object (case 05, line 7)", run: runOf("{}"), want: ALLOW },
  { title: "a blockingError that is a string", run: run({ blockingError: "no" }), want: { deny: "no" } },
  { title: "a blockingError without error", run: run({ blockingError: {} }), want: { deny: "" } },
  { title: "a blockingError that is empty", run: run({ blockingError: "" }), want: { deny: "" } },
  { title: "an error that is no string", run: run({ blockingError: { error: { a: 1 } } }), want: { deny: '{"a":1}' } },
  { title: "a blockingError that is null", run: run({ blockingError: null, message: "m" }), want: ALLOW, message: "m" },
  {
    title: "names in any case",
    run: run({ BLOCKINGERROR: { Error: "no" }, SystemMessage: "s" }),
    want: { deny: "no" },
    message: "s",
  },
  {
    title: "names in any case at input",
    run: run({ additionalcontext: "c", MESSAGE: "m" }),
    point: "input",
    want: ALLOW,
    message: "m",
    context: "c",
  },
  { title: "message before systemMessage", run: run({ systemMessage: "s", message: "m" }), want: ALLOW, message: "m" },
  { title: "only systemMessage (O-25)", run: run({ systemMessage: "s" }), want: ALLOW, message: "s" },
  { title: "a blank message", run: run({ systemMessage: "s", message: " " }), want: ALLOW, message: "s" },
  { title: "messages that are blank", run: run({ message: "" }), want: ALLOW },
  {
    title: "additionalContext at a tool point",
    run: run({ additionalContext: "c" }),
    want: ALLOW,
    context: "c",
    warnings: ["context_ignored"],
  },
  { title: "the outcome Success", run: run({ outcome: "Success" }), want: ALLOW },
  {
    title: "the outcome Blocking alone",
    run: run({ outcome: "Blocking" }),
    want: { undecided: "output", says: 'outcome "Blocking" without' },
  },
  {
    title: "a deny with an unknown key (case 05, line 6)",
    run: run({ blockingError: "x", note: "extra" }),
    want: { deny: "x" },
    warnings: ["unknown_key"],
  },
  {
    title: "a message with an unknown key",
    run: run({ message: "m", note: "extra" }),
    want: ALLOW,
    message: "m",
    warnings: ["unknown_key"],
  },
  { title: "true", run: run({ blockingError: true }), want: { undecided: "output", says: '"blockingError" that is' } },
  { title: "a misspelt key (case 05, line 1)", run: run({ decison: "deny" }), want: { undecided: "output" } },
  {
    title: "a misspelt blockingError",
    run: run({ blockingEror: { error: "no" } }),
    want: { undecided: "output", says: 'did you mean "blockingError"' },
  },
  {
    title: "soong's word (case 05, line 2)",
    run: run({ decision: "block", reason: "x" }),
    want: { undecided: "output" },
  },
  {
    title: "Claude Code's word (case 05, line 3)",
    run: run({ permissionDecision: "deny" }),
    want: { undecided: "output" },
  },
  { title: "Cline's word (case 05, line 4)", run: run({ cancel: true }), want: { undecided: "output" } },
  {
    title: "Claude Code's answer (case 05, line 5)",
    run: run({ hookSpecificOutput: { permissionDecision: "deny" } }),
    want: { undecided: "output", says: "to deny, print" },
  },
  {
    title: "another product's verdict beside a message",
    run: run({ message: "m", decision: "deny" }),
    want: { undecided: "output" },
  },
  { title: "an object of unknown keys", run: run({ checked: 3 }), want: { undecided: "output" } },
  { title: "a number", run: runOf("42"), want: ALLOW, message: "42" },
  { title: "a list", run: runOf("[1]"), want: ALLOW, message: "[1]" },
  { title: "a byte-order mark", run: runOf(bytes(0xef, 0xbb, 0xbf, '{"message":"m"}')), want: ALLOW, message: "m" },
  {
    title: "text that is not UTF-8",
    run: runOf(bytes("gr", 0xfc, "n")),
    want: ALLOW,
    message: "gr\ufffdn",
    warnings: ["odd_output"],
  },
];

const MESSES: readonly Row[] = [
  {
    title: "a banner before the deny (case 09)",
    run: runOf('checking…\n{"blockingError":{"error":"no"}}\n'),
    want: { deny: "no" },
    warnings: ["unclean_deny"],
  },
  {
    title: "a deny at the end of a line of text",
    run: runOf('done: {"blockingError":"no"}'),
    want: { deny: "no" },
    warnings: ["unclean_deny"],
  },
  {
    title: "two denies",
    run: runOf('{"blockingError":"one"}\n{"blockingError":{"error":"two"}}'),
    want: { deny: "one\ntwo" },
    warnings: ["unclean_deny"],
  },
  {
    title: "a repeated key of which one denies",
    run: runOf('{"blockingError":"no","blockingError":null}'),
    want: { deny: "" },
    warnings: ["unclean_deny"],
  },
  {
    title: "a deny in a cut output",
    run: runOf('{"blockingError":"no"}\n', { stdout_truncated: true }),
    want: { deny: "no" },
    warnings: ["unclean_deny"],
  },
  {
    title: "a deny inside a clean answer",
    run: run({ message: '{"blockingError":"x"}' }),
    want: ALLOW,
    message: '{"blockingError":"x"}',
  },
  {
    title: "half a deny",
    run: runOf('{"blockingError": {"error": "no"'),
    want: { undecided: "output", says: "not JSON" },
  },
  {
    title: "a banner before an answer that allows",
    run: runOf('checking…\n{"additionalContext":"x"}'),
    point: "input",
    want: { undecided: "output", says: "text before its JSON document" },
  },
  {
    title: "a banner before another product's deny (case 09)",
    run: runOf('checking…\n{"decision":"deny","reason":"no"}\n'),
    want: { undecided: "output", says: "text before its JSON document" },
  },
  {
    title: "lines of a JSON log",
    run: runOf('{"level":1}\n{"level":2}'),
    want: ALLOW,
    message: '{"level":1}\n{"level":2}',
  },
  {
    title: "more text than is kept",
    run: runOf("flood", { stdout_truncated: true }),
    want: { undecided: "output", says: "more than is kept" },
  },
  { title: "text with braces", run: runOf("{debug} looked"), want: ALLOW, message: "{debug} looked" },
];

const REQUEST_ENDINGS: readonly Omit<Row, "executor">[] = [
  { title: "a 2xx", run: ended({ kind: "returned", status: 204 }), want: ALLOW },
  {
    title: "a body that looks like a deny",
    run: ended({ kind: "returned", status: 200 }, '{"blockingError":"no"}'),
    want: ALLOW,
  },
  {
    title: "a refused status",
    run: ended({ kind: "transport_failed", reason: "status 500", status: 500 }, '{"blockingError":"no"}'),
    want: { undecided: "transport", says: "status 500" },
    message: "failed: status 500",
  },
  {
    title: "a missing url",
    run: ended({ kind: "not_started", reason: '"url" is missing' }),
    want: { undecided: "not_started", says: "url" },
    message: 'could not start: "url" is missing',
  },
  {
    title: "a service that does not answer",
    run: ended({ kind: "timed_out", limit_ms: 50 }),
    want: { undecided: "timeout", says: "timed out after 50 ms" },
    message: "timed out after 50 ms",
  },
];

const REQUESTS: readonly Row[] = (["http", "notification"] as const).flatMap((executor) =>
  REQUEST_ENDINGS.map((row) => ({ ...row, executor }))
);

const TABLES = { "exit codes": EXIT_CODES, answers: ANSWERS, messes: MESSES, requests: REQUESTS };
for (const [table, rows] of Object.entries(TABLES)) {
  for (const { title, run, want, message, context, warnings, point, executor } of rows) {
    const type = executor ?? "command";
    const wanted = "allow" in want ? "allows" : "deny" in want ? "denies" : `is undecided (${want.undecided})`;
    Deno.test(`onecode, ${table}: ${title} ${wanted}${executor ? `, ${executor}` : ""}`, () => {
      const { slot, extras } = classifyOnecode(run, point ?? "pre_tool_call", type);
      if ("allow" in want) {
        assert.deepEqual(slot, { kind: "verdict", verdict: { decision: "allow", warnings: [] } });
      } else if ("deny" in want) {
        const verdict = { decision: "deny", reason: want.deny, cause: "policy", warnings: [] };
        assert.deepEqual(slot, { kind: "verdict", verdict });
      } else {
        assert.ok(slot.kind === "undecided");
        assert.equal(slot.cause, want.undecided);
        assert.ok(slot.detail.includes(want.says ?? ""), slot.detail);
      }
      assert.equal(extras.message, message);
      assert.equal(extras.additional_context, context);
      assert.deepEqual(extras.warnings.map(({ code }) => code), warnings ?? []);
    });
  }
}

Deno.test("the command that a blockingError names is kept as metadata", () => {
  const { extras } = classifyOnecode(run({ blockingError: { error: "no", command: "check.py" } }), "input", "command");
  assert.deepEqual(extras.metadata, { command: "check.py" });
});
