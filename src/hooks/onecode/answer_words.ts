/** The words of a onecode answer, and what hooks of other products write where onecode has a word of its own. */
import { nearest } from "../../protocol/mod.ts";

/** What to print to deny. */
export const DENY_FORM = '{"blockingError":{"error":"…"}} (or exit with code 2 and the reason on stderr)';

/** Keys of an answer, in lower case: their case does not matter. */
export const ANSWER_KEYS = [
  "blockingerror",
  "additionalcontext",
  "message",
  "systemmessage",
  "outcome",
] as const;

/** A key of an answer. */
export type AnswerKey = typeof ANSWER_KEYS[number];

/** The key that is meant, whatever its case. */
export function answerKey(key: string): AnswerKey | undefined {
  const folded = key.toLowerCase();
  return ANSWER_KEYS.find((known) => known === folded);
}

/** Whether a key marks an answer wherever it stands: a key of this dialect, or one that says "verdict" in others. */
export function marksAnswer(key: string): boolean {
  return answerKey(key) !== undefined || DECISION_KEYS.has(key.toLowerCase());
}

const DECISION_KEYS: ReadonlySet<string> = new Set(["decision", "permissiondecision", "hookspecificoutput"]);

/** What to write instead of a key that would be a verdict elsewhere, or a misspelt one; undefined for any other key. */
export function hintForKey(key: string): string | undefined {
  const folded = key.toLowerCase();
  if (VERDICT_KEYS.has(folded)) return `to deny, print ${DENY_FORM}; to let it pass, print nothing`;
  const near = nearest(folded, [...ANSWER_KEYS, "decision"]);
  if (near === undefined) return undefined;
  const spelling = SPELLING.get(near);
  return spelling === undefined ? `to deny, print ${DENY_FORM}` : `did you mean "${spelling}" instead of "${key}"?`;
}

/** Keys that decide in other dialects and products. */
const VERDICT_KEYS: ReadonlySet<string> = new Set([
  ...DECISION_KEYS,
  ...["permission", "action", "verdict"],
  ...["continue", "cancel", "block", "blocked", "deny", "denied", "allow", "allowed", "approve", "approved"],
]);

const SPELLING: ReadonlyMap<string, string> = new Map([
  ["blockingerror", "blockingError"],
  ["additionalcontext", "additionalContext"],
  ["message", "message"],
  ["systemmessage", "systemMessage"],
  ["outcome", "outcome"],
]);
