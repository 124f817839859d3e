/**
 * What a soong version 1 hook said (design.md, section 5.1): a recognisable deny always counts, an allow must be clean.
 *
 * | output | ending | slot |
 * |---|---|---|
 * | a deny object: all of it, some of its lines, or its end | any, before the deadline | deny |
 * | anything else | exit code not 0, signal, timeout, not started | undecided with that cause |
 * | nothing, or one object of known keys without a decision | exit 0 | allow |
 * | one object with `"decision": "allow"` | exit 0 | allow; unknown keys are a warning |
 * | anything else | exit 0 | undecided `output` |
 */
import { type HookRun, isJsonObject, type JsonObject, type Slot } from "../../protocol/mod.ts";
import {
  type Answer,
  asText,
  decidingObjects,
  isClean,
  listed,
  readAnswer,
  type Reading,
  shown,
  warning,
} from "../answer.ts";
import { failedEnding } from "../classify_ending.ts";
import type { Classified, HookExtras } from "../dialect.ts";
import { ANSWER_KEYS, CHANGE_KEYS, DENY_FORM, hintForDecision, hintForKeys } from "./answer_words.ts";

/** Reads one run. Pure; linear in the size of stdout. */
export function classifySoongOne(run: HookRun): Classified {
  const output = readAnswer(run, (key) => key === "decision");
  const { reading } = output;
  const failure = failedEnding(run);
  const deny = denyOf(reading);
  if (deny !== undefined) {
    const oddity = failure?.detail ?? (isClean(output) ? undefined : reading.problem);
    const warnings = oddity === undefined ? [] : [warning("unclean_deny", `its deny counts although it ${oddity}`)];
    return classified(deny.slot, deny.answer, warnings);
  }
  if (failure !== undefined) {
    const exitTwo = run.ending.kind === "exited" && run.ending.code === 2;
    const warnings = exitTwo
      ? [warning("exit_2", `exit code 2 is no deny in soong version 1: to deny, print ${DENY_FORM} on stdout`)]
      : [];
    return classified({ kind: "undecided", ...failure }, undefined, warnings);
  }
  return classifyClean(output);
}

/** The deny in a reading: the reasons of all deny objects, and the first of them for its other fields. */
function denyOf(reading: Reading): { readonly slot: Slot; readonly answer: JsonObject } | undefined {
  const answers = decidingObjects(reading, ({ watched }) => watched.some(({ text }) => text === "deny"));
  const [answer] = answers;
  if (answer === undefined) return undefined;
  const reasons = new Set(answers.map((one) => asText(one["reason"])).filter((reason) => reason.trim() !== ""));
  const reason = [...reasons].join("\n");
  return {
    slot: { kind: "verdict", verdict: { decision: "deny", reason, cause: "policy", warnings: [] } },
    answer,
  };
}

function classifyClean(output: Answer): Classified {
  const { reading } = output;
  if (output.problem !== undefined) return unreadable(output.text, output.problem);
  if (reading.kind === "empty") return classified(ALLOW, undefined, []);
  if (reading.problem !== undefined) return unreadable(output.text, reading.problem);
  const { value: answer } = reading;
  if (!isJsonObject(answer)) return unreadable(output.text, reading.kind);

  const foreign = Object.keys(answer).filter((key) => !ANSWER_KEYS.includes(key) && !CHANGE_KEYS.has(key));
  if (!Object.hasOwn(answer, "decision")) {
    if (foreign.length > 0) {
      return unreadable(output.text, 'printed an object without "decision"', hintForKeys(answer));
    }
    return classified(ALLOW, answer, []);
  }
  if (answer["decision"] !== "allow") {
    const what = `printed the unknown decision ${shown(asText(answer["decision"]))}`;
    return unreadable(output.text, what, hintForDecision(answer["decision"]));
  }
  const reason = asText(answer["reason"]);
  const verdict = { decision: "allow", ...(reason !== "" && { reason }), warnings: [] } as const;
  return classified({ kind: "verdict", verdict }, answer, []);
}

function unreadable(text: string, problem: string, hint?: string): Classified {
  const detail = `${problem}; its output begins with ${shown(text.trimStart())}${hint ? ` — ${hint}` : ""}`;
  return classified({ kind: "undecided", cause: "output", detail }, undefined, []);
}

function classified(slot: Slot, answer: JsonObject | undefined, warnings: HookExtras["warnings"]): Classified {
  if (answer === undefined) return { slot, extras: { warnings } };
  const keys = Object.keys(answer);
  const changes = keys.filter((key) => CHANGE_KEYS.has(key));
  const foreign = keys.filter((key) => !ANSWER_KEYS.includes(key) && !CHANGE_KEYS.has(key));
  const message = asText(answer["message"]) || asText(answer["systemMessage"]);
  const { logs, metadata } = answer;
  return {
    slot,
    extras: {
      ...(message !== "" && { message }),
      ...(logs !== undefined && { logs: Array.isArray(logs) ? logs : [logs] }),
      ...(metadata !== undefined && { metadata }),
      warnings: [
        ...warnings,
        ...(changes.length > 0
          ? [warning("change_ignored", `${listed(changes)} ignored: version 1 can only block, not change anything`)]
          : []),
        ...(foreign.length > 0 ? [warning("unknown_key", `${listed(foreign)} ignored: unknown in an answer`)] : []),
      ],
    },
  };
}

const ALLOW: Slot = { kind: "verdict", verdict: { decision: "allow", warnings: [] } };
