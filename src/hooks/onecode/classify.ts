/**
 * What a onecode hook said (design.md, section 5.3).
 *
 * | run | slot |
 * |---|---|
 * | a command that exits with 2 | deny; the reason is stderr, else `blockingError.error`, else none |
 * | a command whose stdout holds a `blockingError` (a string or an object), however it ended | deny |
 * | any ending that is a failure | undecided with that cause |
 * | a request or a message that was sent | allow; what the other side answered is not read |
 * | exit 0 and nothing, or one object of known keys | allow |
 * | exit 0 and text, or JSON that is no object | allow; the text is the hook's message |
 * | exit 0 and an object that decides in other words, or half an answer | undecided `output` |
 *
 * Names of fields are read in any case.
 */
import { type HookRun, isJsonObject, type Json, type JsonObject, type Point, type Slot } from "../../protocol/mod.ts";
import { type Answer, asText, decidingObjects, isClean, listed, readAnswer, shown, warning } from "../answer.ts";
import { failedEnding } from "../classify_ending.ts";
import type { Classified, HookExtras } from "../dialect.ts";
import type { FoundObject } from "../json_objects.ts";
import type { ExecutorSettings } from "../port.ts";
import { type AnswerKey, answerKey, DENY_FORM, hintForKey, marksAnswer } from "./answer_words.ts";

/** Reads one run. Pure; linear in the size of stdout. */
export function classifyOnecode(run: HookRun, point: Point, executor: ExecutorSettings["type"]): Classified {
  const failure = failedEnding(run);
  const extrasOf = (answer: JsonObject | undefined, more: Partial<HookExtras>) => extras(answer, point, more);
  if (executor !== "command") {
    if (failure === undefined) return { slot: ALLOW, extras: { warnings: [] } };
    return {
      slot: { kind: "undecided", ...failure },
      extras: extrasOf(undefined, failureMessage(run, failure.detail)),
    };
  }

  const output = readAnswer(run, marksAnswer);
  const answers = decidingObjects(output.reading, denies);
  if (run.ending.kind === "exited" && run.ending.code === 2) {
    const reason = run.stderr.trim() || reasonOf(answers);
    return { slot: deny(reason), extras: extrasOf(answers[0] ?? cleanObject(output), {}) };
  }
  if (answers[0] !== undefined) {
    const oddity = failure?.detail ?? (isClean(output) ? undefined : output.reading.problem);
    const warnings = oddity === undefined ? [] : [warning("unclean_deny", `its deny counts although it ${oddity}`)];
    return { slot: deny(reasonOf(answers)), extras: extrasOf(answers[0], { warnings }) };
  }
  if (failure !== undefined) {
    return {
      slot: { kind: "undecided", ...failure },
      extras: extrasOf(undefined, failureMessage(run, failure.detail)),
    };
  }
  return classifySuccess(output, run.stdout_truncated, extrasOf);
}

const ALLOW: Slot = { kind: "verdict", verdict: { decision: "allow", warnings: [] } };

function deny(reason: string): Slot {
  return { kind: "verdict", verdict: { decision: "deny", reason, cause: "policy", warnings: [] } };
}

function denies({ watched }: FoundObject): boolean {
  return watched.some(({ key, type }) =>
    answerKey(key) === "blockingerror" && (type === "string" || type === "object")
  );
}

/** Every reason once, first first; empty when none is given. */
function reasonOf(answers: readonly JsonObject[]): string {
  const reasons = answers.flatMap((answer) =>
    fieldsOf(answer, "blockingerror").map((error) =>
      isJsonObject(error) ? asText(fieldOf(error, "error")) : asText(error)
    )
  );
  return [...new Set(reasons.map((reason) => reason.trim()).filter((reason) => reason !== ""))].join("\n");
}

function failureMessage(run: HookRun, detail: string): Partial<HookExtras> {
  if (run.ending.kind === "cancelled") return {};
  return { message: run.ending.kind === "exited" && run.stderr.trim() !== "" ? run.stderr.trim() : detail };
}

type ExtrasOf = (answer: JsonObject | undefined, more: Partial<HookExtras>) => HookExtras;

function classifySuccess(output: Answer, cut: boolean, extrasOf: ExtrasOf): Classified {
  const { text, problem, reading } = output;
  const unreadable = (what: string, hint?: string): Classified => ({
    slot: {
      kind: "undecided",
      cause: "output",
      detail: `${what}; its output begins with ${shown(text.trimStart())}${hint ? ` — ${hint}` : ""}`,
    },
    extras: { warnings: [] },
  });
  if (reading.kind === "empty" && !cut) return { slot: ALLOW, extras: { warnings: [] } };
  const answer = cleanObject(output);
  if (answer !== undefined) {
    const fault = faultOf(answer);
    if (fault !== undefined) return unreadable(fault.what, fault.hint);
    return { slot: ALLOW, extras: extrasOf(answer, {}) };
  }
  const halfAnswer = reading.objects.some(({ watched }) => watched.length > 0) || DENY_BEGUN.test(text);
  if (cut || halfAnswer) {
    return unreadable(reading.problem ?? problem ?? "printed half an answer", halfAnswer ? ONE_OBJECT : undefined);
  }
  const warnings = problem === undefined ? [] : [warning("odd_output", `it ${problem}`)];
  return { slot: ALLOW, extras: { message: text.trim(), warnings } };
}

const ONE_OBJECT = "to be read as an answer, stdout must be one JSON object and nothing else";
const DENY_BEGUN = /"blockingError"\s*:/i;

/** The answer, when stdout is one clean object. */
function cleanObject(output: Answer): JsonObject | undefined {
  const { reading } = output;
  return isClean(output) && reading.kind === "document" && isJsonObject(reading.value) ? reading.value : undefined;
}

/** Why an object is no onecode answer; undefined when it is one without a deny. */
function faultOf(answer: JsonObject): { readonly what: string; readonly hint: string } | undefined {
  const [blockingError] = fieldsOf(answer, "blockingerror");
  if (blockingError !== undefined && blockingError !== null) {
    return {
      what: `printed a "blockingError" that is ${shown(asText(blockingError))}`,
      hint: `to deny, print ${DENY_FORM}`,
    };
  }
  const outcome = asText(fieldsOf(answer, "outcome")[0]);
  if (outcome.toLowerCase() === "blocking") {
    return { what: 'printed the outcome "Blocking" without a "blockingError"', hint: `to deny, print ${DENY_FORM}` };
  }
  const keys = Object.keys(answer);
  const unknown = keys.filter((key) => answerKey(key) === undefined);
  if (unknown.length === 0) return undefined;
  const hint = unknown.map(hintForKey).find((found) => found !== undefined);
  if (hint === undefined && unknown.length < keys.length) return undefined;
  return {
    what: "printed an object that is no answer of a onecode hook",
    hint: hint ?? `to deny, print ${DENY_FORM}; to let it pass, print nothing`,
  };
}

function extras(answer: JsonObject | undefined, point: Point, more: Partial<HookExtras>): HookExtras {
  const given = { warnings: [], ...more };
  if (answer === undefined) return given;
  const text = (key: AnswerKey) => asText(fieldsOf(answer, key).at(-1));
  const message = firstNotBlank(text("message"), text("systemmessage"));
  const context = text("additionalcontext");
  const [error] = fieldsOf(answer, "blockingerror");
  const command = isJsonObject(error) ? fieldOf(error, "command") : undefined;
  const unknown = Object.keys(answer).filter((key) => answerKey(key) === undefined);
  return {
    ...given,
    ...(message !== undefined && { message }),
    ...(context.trim() !== "" && { additional_context: context }),
    ...(command !== undefined && command !== null && { metadata: { command } }),
    warnings: [
      ...given.warnings,
      ...(context.trim() !== "" && point !== "input"
        ? [warning("context_ignored", "its additionalContext is ignored: it is used at input only")]
        : []),
      ...(unknown.length > 0 ? [warning("unknown_key", `${listed(unknown)} ignored: unknown in an answer`)] : []),
    ],
  };
}

function firstNotBlank(...texts: readonly string[]): string | undefined {
  return texts.find((text) => text.trim() !== "");
}

/** The values of a field of an answer, whatever the case of its name. */
function fieldsOf(answer: JsonObject, key: AnswerKey): readonly Json[] {
  return Object.entries(answer).filter(([name]) => answerKey(name) === key).map(([, value]) => value);
}

/** The value of a field of an inner object, whatever the case of its name. */
function fieldOf(object: JsonObject, key: string): Json | undefined {
  return Object.entries(object).find(([name]) => name.toLowerCase() === key)?.[1];
}
