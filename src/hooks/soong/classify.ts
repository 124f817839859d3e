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
import {
  type HookRun,
  isJsonObject,
  type Json,
  type JsonObject,
  parseJson,
  type Slot,
  writeJson,
} from "../../protocol/mod.ts";
import { quoteName } from "../../text/mod.ts";
import { failedEnding } from "../classify_ending.ts";
import type { Classified, HookExtras } from "../dialect.ts";
import { ANSWER_KEYS, CHANGE_KEYS, DENY_FORM, hintForDecision, hintForKeys } from "./answer_words.ts";
import { completeObjects, type FoundObject } from "./json_objects.ts";

/** Reads one run. Pure; linear in the size of stdout. */
export function classifySoongOne(run: HookRun): Classified {
  const output = decode(run);
  const reading = read(output);
  const failure = failedEnding(run);
  const deny = denyOf(reading);
  if (deny !== undefined) {
    const oddity = failure?.detail ?? (isClean(output, reading) ? undefined : reading.problem);
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
  return classifyClean(output, reading);
}

interface Output {
  readonly text: string;
  /** Why the bytes as a whole cannot be a document; undefined when they can. */
  readonly problem?: string;
}

/** What stdout holds: nothing, one document, or something that is not one document. */
type Reading =
  | { readonly kind: "empty"; readonly problem?: undefined; readonly objects: readonly FoundObject[] }
  | {
    readonly kind: "document";
    readonly value: Json;
    readonly problem: string | undefined;
    readonly objects: readonly FoundObject[];
  }
  | { readonly kind: "mixed"; readonly problem: string; readonly objects: readonly FoundObject[] };

function decode(run: HookRun): Output {
  const problem = run.stdout_truncated ? "printed more than is kept of its output" : undefined;
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(run.stdout), ...(problem && { problem }) };
  } catch {
    const wide = wideEncoding(run.stdout);
    const text = new TextDecoder(wide ?? "utf-8").decode(run.stdout);
    const what = wide === undefined ? "printed bytes that are not UTF-8" : "printed UTF-16, not UTF-8";
    return { text, problem: problem ?? what };
  }
}

function wideEncoding(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return undefined;
}

function read({ text, problem }: Output): Reading {
  if (JSON_BLANK.test(text)) return { kind: "empty", objects: [] };
  const value = document(text);
  const objects = completeObjects(text);
  if (value === undefined) return { kind: "mixed", problem: problem ?? mixedProblem(text, objects), objects };
  return { kind: "document", value, problem: problem ?? documentProblem(value, objects), objects };
}

function documentProblem(value: Json, objects: readonly FoundObject[]): string | undefined {
  if (!isJsonObject(value)) return "printed JSON that is no object";
  const repeated = objects.some(({ nested, decisions }) => !nested && decisions.length > 1);
  return repeated ? 'printed an object with two "decision" keys' : undefined;
}

function document(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function mixedProblem(text: string, objects: readonly FoundObject[]): string {
  const [first, second] = objects.filter(({ nested }) => !nested);
  if (first === undefined) return "printed something that is not JSON";
  if (second !== undefined) return "printed more than one JSON document";
  return text.trimStart().startsWith(first.text)
    ? "printed text after its JSON document"
    : "printed text before its JSON document";
}

function isClean(output: Output, reading: Reading): boolean {
  return output.problem === undefined && reading.problem === undefined;
}

/**
 * The deny in a reading: the reasons of all deny objects, and the first of them for its other fields. A document that is
 * one object speaks for itself: what stands inside it is no answer.
 */
function denyOf(reading: Reading): { readonly slot: Slot; readonly answer: JsonObject } | undefined {
  const speaksForItself = reading.kind === "document" && isJsonObject(reading.value);
  const candidates = reading.objects.filter(({ decisions, nested }) =>
    decisions.includes("deny") && !(nested && speaksForItself)
  );
  const answers = outermost(candidates).map(({ text }) => {
    const answer = document(text);
    return isJsonObject(answer) ? answer : {};
  });
  const [answer] = answers;
  if (answer === undefined) return undefined;
  const reasons = new Set(answers.map((one) => asText(one["reason"])).filter((reason) => reason.trim() !== ""));
  const reason = [...reasons].join("\n");
  return {
    slot: { kind: "verdict", verdict: { decision: "deny", reason, cause: "policy", warnings: [] } },
    answer,
  };
}

/** Those that lie in no other: each character is parsed once. They come in order of their ends. */
function outermost(objects: readonly FoundObject[]): readonly FoundObject[] {
  const kept: FoundObject[] = [];
  for (const object of objects.toReversed()) {
    if (object.start < (kept.at(-1)?.start ?? Infinity)) kept.push(object);
  }
  return kept.reverse();
}

function classifyClean(output: Output, reading: Reading): Classified {
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

/** Whitespace of JSON only; other blank characters are no empty answer. */
const JSON_BLANK = /^[ \t\r\n]*$/;

const SHOWN_CHARACTERS = 80;
const LISTED_KEYS = 5;

function shown(text: string): string {
  return quoteName(text.length > SHOWN_CHARACTERS ? text.slice(0, SHOWN_CHARACTERS) + "…" : text);
}

function listed(keys: readonly string[]): string {
  const names = keys.slice(0, LISTED_KEYS).map(shown).join(", ");
  return `${names}${keys.length > LISTED_KEYS ? ", …" : ""} ${keys.length === 1 ? "is" : "are"}`;
}

function warning(code: string, message: string): HookExtras["warnings"][number] {
  return { code, message };
}

/** A field as text: strings as they are, nothing for an absent or null one, JSON for anything else. */
function asText(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  try {
    return writeJson(value);
  } catch {
    return "a value nested too deeply to be shown";
  }
}
