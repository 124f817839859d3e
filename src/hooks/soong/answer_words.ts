/** The words of a version 1 answer, and what other products write where soong has a word of its own. */
import { type JsonObject, nearest } from "../../protocol/mod.ts";

/** Keys that decide or explain. `message` and `systemMessage` are diagnostics in every dialect. */
export const ANSWER_KEYS: readonly string[] = ["decision", "reason", "metadata", "logs", "message", "systemMessage"];

/** Keys of other versions and products that would change something; version 1 only blocks, so they are ignored, aloud. */
export const CHANGE_KEYS: ReadonlySet<string> = new Set([
  "transform",
  "updatedInput",
  "updated_input",
  "updatedToolOutput",
  "updatedMCPToolOutput",
  "modifiedInput",
  "modified_input",
  "replacement",
  "additionalContext",
  "additional_context",
]);

/** What to print to deny and to let pass. */
export const DENY_FORM = '{"decision":"deny","reason":"…"}';
const ALLOW_FORM = '{"decision":"allow"}';

/** What to write instead of a `decision` that is neither "deny" nor "allow". */
export function hintForDecision(decision: unknown): string {
  if (typeof decision !== "string") return 'decision is "deny" or "allow"';
  const word = decision.trim().toLowerCase();
  if (DENY_WORDS.has(word)) return `to deny, print ${DENY_FORM} with exactly "deny"`;
  if (ALLOW_WORDS.has(word)) return `to let it pass, print ${ALLOW_FORM} with exactly "allow", or nothing`;
  const near = nearest(word, ["deny", "allow"]);
  return near === undefined ? 'version 1 knows "deny" and "allow" only' : `did you mean "${near}"?`;
}

/** What to write instead of an object without a `decision` that has keys version 1 does not know. */
export function hintForKeys(answer: JsonObject): string {
  for (const key of Object.keys(answer)) {
    const hint = FOREIGN_KEYS.get(key);
    if (hint !== undefined) return hint;
  }
  for (const key of Object.keys(answer)) {
    const near = nearest(key, ANSWER_KEYS);
    if (near !== undefined && !ANSWER_KEYS.includes(key)) return `did you mean "${near}" instead of "${key}"?`;
  }
  return `to deny, print ${DENY_FORM}; to let it pass, print nothing`;
}

const DENY_WORDS: ReadonlySet<string> = new Set([
  "deny",
  "denied",
  "block",
  "blocked",
  "reject",
  "rejected",
  "refuse",
  "forbid",
  "disallow",
  "cancel",
  "abort",
  "stop",
  "no",
]);

const ALLOW_WORDS: ReadonlySet<string> = new Set([
  "allow",
  "allowed",
  "approve",
  "approved",
  "accept",
  "permit",
  "pass",
  "continue",
  "proceed",
  "ok",
  "yes",
]);

const DENY_INSTEAD = `here a deny is ${DENY_FORM}`;

const FOREIGN_KEYS: ReadonlyMap<string, string> = new Map([
  ["permissionDecision", `"permissionDecision" is Claude Code's word: ${DENY_INSTEAD}`],
  ["hookSpecificOutput", `"hookSpecificOutput" is Claude Code's answer: ${DENY_INSTEAD}`],
  ["continue", `"continue" is not read in version 1: ${DENY_INSTEAD}`],
  ["cancel", `"cancel" is Cline's word: ${DENY_INSTEAD}`],
  ["permission", `"permission" is Cursor's word: ${DENY_INSTEAD}`],
  ["blockingError", `"blockingError" belongs to onecode hooks: ${DENY_INSTEAD}`],
  ["action", `"action" is not read in an answer: ${DENY_INSTEAD}`],
  ["block", DENY_INSTEAD],
  ["blocked", DENY_INSTEAD],
  ["allow", DENY_INSTEAD],
  ["allowed", DENY_INSTEAD],
  ["approve", DENY_INSTEAD],
  ["approved", DENY_INSTEAD],
]);
