/** The engine with real hook processes: the cases of the field, from the command to the effect. */
import assert from "node:assert/strict";
import type { EmissionResult } from "../../src/hooks/mod.ts";
import { inPlace, type Place } from "../executors/support.ts";
import { engineOf, MOMENT, NEVER, OCCASIONS, registration } from "./engine_support.ts";

function emit(place: Place, command: string, timeout_ms = 20_000): Promise<EmissionResult> {
  const hook = registration("guard", { executor: { type: "command", command }, timeout_ms });
  return engineOf([hook], place.executors).emit(OCCASIONS.pre_tool_call, MOMENT, NEVER);
}

const reasonsOf = ({ verdict }: EmissionResult) => verdict.decision === "deny" ? verdict.reasons : [];

interface Row {
  readonly title: string;
  readonly command: string;
  readonly timeout_ms?: number;
  readonly reasons?: readonly string[];
  readonly outcome: string;
  readonly cause?: string;
}

const ROWS: readonly Row[] = [
  { title: "exit 2 without a word (case 01)", command: "exit 2", outcome: "undecided", cause: "exit" },
  {
    title: "a deny on stdout with noise on stderr (case 03)",
    command: `echo looking >&2; printf '\\n{\\n "decision": "deny",\\n "reason": "禁止: \\\\"touch\\\\""\\n}\\n\\n'`,
    reasons: ['禁止: "touch"'],
    outcome: "deny",
  },
  {
    title: "a deny with CRLF (case 03)",
    command: `printf '{"decision":"deny",\\r\\n"reason":"crlf reason"}\\r\\n'`,
    reasons: ["crlf reason"],
    outcome: "deny",
  },
  { title: "a typo (case 05)", command: `echo '{"decison":"deny"}'`, outcome: "undecided", cause: "output" },
  { title: "an empty object (case 05)", command: "echo '{}'", outcome: "allow" },
  { title: "a file without execute bit (case 06)", command: "./noexec.sh", outcome: "undecided", cause: "exit" },
  { title: "a missing program (case 06)", command: "./no-such-guard", outcome: "undecided", cause: "exit" },
  { title: "a signal (case 06)", command: "kill -SEGV $$", outcome: "undecided", cause: "exit" },
  { title: "a syntax error (case 06)", command: "if then", outcome: "undecided", cause: "exit" },
  {
    title: "a banner before a deny (case 09)",
    command: `echo 'Shell ready on test'; echo '{"decision":"deny","reason":"no"}'`,
    reasons: ["no"],
    outcome: "deny",
  },
  {
    title: "a banner before an allow (case 09)",
    command: `echo 'Shell ready on test'; echo '{"decision":"allow"}'`,
    outcome: "undecided",
    cause: "output",
  },
  {
    title: "a reason that arrives byte by byte (case 10)",
    command: `for b in '{"decision":"deny","reason":"' '\\346' '\\213' '\\222' '"}'; do printf "$b"; sleep 0.03; done`,
    reasons: ["拒"],
    outcome: "deny",
  },
  {
    title: "20 MB on stdout (case 11)",
    command: "head -c 20000000 /dev/zero",
    outcome: "undecided",
    cause: "output",
  },
  {
    title: "20 MB on stdout and then a deny (case 11)",
    command: `head -c 20000000 /dev/zero; echo; echo '{"decision":"deny","reason":"late"}'`,
    reasons: ["late"],
    outcome: "deny",
  },
  {
    title: "a deny, then a background process with the pipe open (case 13)",
    command: `sleep 60 & echo '{"decision":"deny","reason":"said before leaving"}'`,
    reasons: ["said before leaving"],
    outcome: "deny",
  },
  {
    title: "a deny, then the timeout",
    command: `echo '{"decision":"deny","reason":"early"}'; sleep 60`,
    timeout_ms: 300,
    reasons: ["early"],
    outcome: "deny",
  },
  {
    title: "an allow, then the timeout",
    command: `echo '{"decision":"allow"}'; sleep 60`,
    timeout_ms: 300,
    outcome: "undecided",
    cause: "timeout",
  },
];

for (const { title, command, timeout_ms, reasons = [], outcome, cause } of ROWS) {
  Deno.test(`${title} comes to ${outcome}, and no process is left`, () =>
    inPlace(async (place) => {
      await Deno.writeTextFile(`${place.project}/noexec.sh`, "#!/bin/sh\n", { mode: 0o644 });
      const result = await emit(place, command, timeout_ms);
      assert.deepEqual(reasonsOf(result), reasons);
      assert.equal(result.effect, reasons.length > 0 ? "block" : "proceed");
      const [report] = result.reports;
      assert.equal(report?.outcome, outcome);
      if (cause !== undefined) assert.equal(report?.cause, cause);
    }));
}

Deno.test("a payload in Chinese reaches a hook in ASCII, one line, and can be read back (case 12)", () =>
  inPlace(async (place) => {
    const hook = registration("h", { executor: { type: "command", command: "cat > payload.json" } });
    const call = { ...OCCASIONS.pre_tool_call.call, input: { command: "echo 拒绝：禁止 ✅" } };
    await engineOf([hook], place.executors).emit({ point: "pre_tool_call", call }, MOMENT, NEVER);
    const text = await Deno.readTextFile(`${place.project}/payload.json`);
    assert.match(text, /^[\x20-\x7e]+\n$/);
    assert.equal(JSON.parse(text).tool_input.command, "echo 拒绝：禁止 ✅");
  }));

Deno.test("a guard still denies after the project folder was removed; a broken one is told with the cause (case 46)", () =>
  inPlace(async (place) => {
    await Deno.remove(place.project, { recursive: true });
    const denied = await emit(place, `grep -q MARK && echo '{"decision":"deny","reason":"guarded"}'`);
    assert.deepEqual(reasonsOf(denied), ["guarded"]);
    const broken = await emit(place, "./guard.sh");
    assert.match(broken.notices[0]!.message, /project folder .* is gone/);
  }));
