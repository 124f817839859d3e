/** Reads one rule of soong version 1, in any of its shapes, into hooks. */
import { nearest, type Point, POINT_TABLE } from "../../protocol/mod.ts";
import { type DocumentNode, type ObjectNode, toJson, valueOf } from "../document.ts";
import { isNoteKey, kindOf, quoteKey } from "../findings.ts";
import type { HookDraft, LoaderContext } from "../dialect_loader.ts";
import { fingerprintOf } from "../hook_ids.ts";
import { matcherConditions, mergeConditions, readConditions, type WrittenCondition } from "./conditions.ts";
import { looksLikeHook, readHook } from "./hook.ts";
import { compileMatcher } from "./matcher.ts";
import { reportOldForm } from "./old_form.ts";
import {
  CONDITION_KEYS,
  conditionOfKey,
  HOOK_KEYS,
  meaningOfEvent,
  POINTS_OF_VERSION_1,
  RULE_KEYS,
  soongEvent,
} from "./words.ts";

/** A document that is being read. */
export interface Reading extends LoaderContext {
  /** Objects in which a key stands twice: what they mean is not known. */
  readonly doubled: ReadonlySet<DocumentNode>;
  /** Those and everything around them. */
  readonly tainted: ReadonlySet<DocumentNode>;
}

/** The shape of a version 1 file. */
export const SOONG_SHAPE = '{ "version": 1, "hooks": { "PreToolUse": [ { "matcher": { "tool_name": "Bash" }, ' +
  '"hooks": [ { "type": "command", "command": "…" } ] } ] } }';

/** The shape as a hint. */
export const SHAPE_HINT = `the shape is ${SOONG_SHAPE}`;

/** One rule. `point` is that of the event it stands under; undefined in a flat list. */
export function readRule(node: DocumentNode, point: Point | undefined, reading: Reading): readonly HookDraft[] {
  if (node.type !== "object") {
    reportWrongType(node, reading, `a rule is ${kindOf(node)}; it must be an object; it is skipped`, SHAPE_HINT);
    return [];
  }
  const matcher = valueOf(node, "matcher");
  if (reading.doubled.has(node) || (matcher?.type === "object" && reading.doubled.has(matcher))) return [];

  const hooks = valueOf(node, "hooks");
  const isHook = hooks === undefined && looksLikeHook(node);
  if (!isHook && !ruleKeysAreUsable(node, reading)) return [];
  const conditions = readConditions(node, reading);
  if (conditions === undefined) return [];
  if (isHook) return readHookOf(node, { point, conditions, rule: true }, reading);

  if (hooks?.type !== "array") {
    reportMissingHooks(hooks, node, reading);
    return [];
  }
  if (hooks.items.length === 0) {
    const message = "this rule has no hooks, so it does nothing";
    reading.findings.about(hooks, { severity: "warning", code: "no-hooks", message });
  }
  return hooks.items.flatMap((hook) => readHookOf(hook, { point, conditions, rule: false }, reading));
}

function reportMissingHooks(hooks: DocumentNode | undefined, rule: ObjectNode, reading: Reading): void {
  if (hooks !== undefined) {
    const message = `"hooks" is ${kindOf(hooks)}; it must be a list of hooks; the rule is skipped`;
    reportWrongType(hooks, reading, message, hooks.type === "object" ? "put [ ] around it" : SHAPE_HINT);
  } else {
    reading.findings.about(rule, {
      severity: "error",
      code: "missing-hooks",
      message: 'this rule has no "hooks"; it is skipped',
      hint: 'write { "matcher": …, "hooks": [ { "type": "command", "command": "…" } ] }',
    });
  }
}

/** False when a misspelt key hides what the rule matches or runs: matching everything instead would be another rule. */
function ruleKeysAreUsable(rule: ObjectNode, { findings }: Reading): boolean {
  let usable = true;
  for (const member of rule.members) {
    const { key } = member;
    if (KNOWN_KEYS.has(key) || isNoteKey(key)) continue;
    const near = nearest(key, [...KNOWN_KEYS]);
    const ofHook = (HOOK_KEYS as readonly string[]).includes(key);
    const costsRule = !ofHook && near !== undefined && changesMeaning(near, rule);
    if (costsRule) usable = false;
    findings.aboutKey(member, {
      severity: "error",
      code: "unknown-key",
      message: `unknown key ${quoteKey(key)}; ${costsRule ? "the rule is skipped" : "it has no effect"}`,
      hint: ofHook
        ? `"${key}" belongs inside "hooks"`
        : near === undefined
        ? `keys of a rule: ${RULE_KEYS.join(", ")}`
        : `did you mean "${near}"?`,
    });
  }
  return usable;
}

const KNOWN_KEYS: ReadonlySet<string> = new Set([...RULE_KEYS, ...Object.keys(CONDITION_KEYS)]);

/** Whether the rule cannot be understood without the key that was meant. */
function changesMeaning(meant: string, rule: ObjectNode): boolean {
  return meant === "matcher" || conditionOfKey(meant) !== undefined ||
    (meant === "hooks" && valueOf(rule, "hooks") === undefined);
}

interface RuleFacts {
  readonly point: Point | undefined;
  readonly conditions: readonly WrittenCondition[];
  /** True when the rule is itself the hook. */
  readonly rule: boolean;
}

function readHookOf(node: DocumentNode, facts: RuleFacts, reading: Reading): readonly HookDraft[] {
  if (node.type !== "object") {
    const hint = 'write { "type": "command", "command": "…" }';
    reportWrongType(node, reading, `a hook is ${kindOf(node)}; it must be an object; it is skipped`, hint);
    return [];
  }
  if (reading.tainted.has(node)) return [];
  const own = facts.rule ? [] : readConditions(node, reading);
  const hook = readHook(node, { ...reading, also_known: facts.rule ? RULE_KEYS : [] });
  if (own === undefined || hook === undefined) return [];

  const conditions = mergeConditions(facts.conditions, own);
  const points = pointsOf(node, facts.point, conditions, reading);
  const compiled = matcherConditions(conditions);
  const isOld = facts.rule || facts.point === undefined;
  if (points.length > 0 && (isOld || hook.executor.type === "static")) {
    reportOldForm(node, { points, conditions, isOld }, reading.findings);
  }
  const stated = compiled.map(({ field, value }) => [field, value]);
  const fingerprint = fingerprintOf({ conditions: stated, hook: toJson(node) });
  return points.map((point) => ({
    point,
    speech: "soong/1",
    matcher: compileMatcher(compiled, reading.prefixes),
    mode: "enforce",
    fingerprint,
    node,
    ...hook,
  }));
}

/**
 * The points a hook is asked at. In a flat list without an event that is, as in the public soong-agent, every point its
 * conditions can hold at. Conditions that can never hold are an error: the guard would be dead.
 */
function pointsOf(
  node: ObjectNode,
  group: Point | undefined,
  conditions: readonly WrittenCondition[],
  { findings }: Reading,
): readonly Point[] {
  const ofCall = conditions.find(({ field }) => field !== "event");
  const events = conditions.filter(({ field }) => field === "event");
  let points: readonly Point[] = group === undefined ? POINTS_OF_VERSION_1 : [group];
  for (const event of events) {
    const meaning = meaningOfEvent(event.value);
    if (meaning.point === undefined) {
      const { code, message, hint } = meaning;
      findings.about(event.node, { severity: "error", code, message: `${message}; the hook is skipped`, hint });
      return [];
    }
    points = points.filter((point) => point === meaning.point);
  }
  const alive = points.filter((point) => ofCall === undefined || POINT_TABLE[point].subject === "tool_name");
  if (alive.length > 0) return alive;
  const [point] = points;
  findings.about((point === undefined ? events.at(-1) : ofCall)?.node ?? node, {
    severity: "error",
    code: "matcher-never-matches",
    message: point === undefined
      ? `${quoteKey(events.at(-1)!.value)} can never be the event here; the hook is skipped`
      : `${soongEvent(point)} has no tool call, so this matcher can never match; the hook is skipped`,
    hint: point === undefined ? "move the rule under its event" : "leave the matcher out",
  });
  return [];
}

/** A node that is something else than it must be. */
export function reportWrongType(node: DocumentNode, { findings }: Reading, message: string, hint: string): void {
  findings.about(node, { severity: "error", code: "wrong-type", message, hint });
}
