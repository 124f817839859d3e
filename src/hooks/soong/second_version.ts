/**
 * Soong hook files, version 2, as far as this program has it: hooks that speak agent-hooks/0.1 (design of the format:
 * `{ "version": 2, "hooks": { EVENT: [ { "matcher": GLOB, "hooks": [ … ] } ] } }`). A hook that speaks soong stands in a file of
 * version 1 until then.
 */
import { nearest, type Point, POINT_TABLE, POINTS, type SubjectKind } from "../../protocol/mod.ts";
import type { DialectLoader, HookDraft, LoaderContext } from "../dialect_loader.ts";
import { type DocumentNode, type Member, type ObjectNode, toJson, valueOf } from "../document.ts";
import { isNoteKey, kindOf, quoteKey, quoteNode } from "../findings.ts";
import { fingerprintOf } from "../hook_ids.ts";
import {
  BAD,
  type Bad,
  fieldOf,
  type FieldRules,
  type Fields,
  readFields,
  reportWrongType,
} from "../onecode/fields.ts";
import { HOOK_TYPES } from "../onecode/hook_types.ts";
import { compileMatcher } from "../onecode/matcher.ts";
import { readTimeout } from "./timeout.ts";
import { soongEvent } from "./words.ts";

/** The shape of a version 2 file. */
export const SECOND_SHAPE = '{ "version": 2, "hooks": { "PreToolUse": [ { "matcher": "Bash", "hooks": [ ' +
  '{ "type": "command", "protocol": "agent-hooks/0.1", "command": "…" } ] } ] } }';

/** Reads a file of version 2. */
export const loadSecondVersion: DialectLoader = (context) => {
  const { root, findings } = context;
  for (const member of root.members) {
    if (member.key === "hooks" || member.key === "version" || isNoteKey(member.key)) continue;
    const message = `unknown key ${quoteKey(member.key)}; it has no effect`;
    findings.aboutKey(member, {
      severity: "error",
      code: "unknown-key",
      message,
      hint: `the shape is ${SECOND_SHAPE}`,
    });
  }
  const hooks = valueOf(root, "hooks");
  if (hooks?.type !== "object") {
    const message = hooks === undefined ? 'there is no "hooks"' : `"hooks" is ${kindOf(hooks)}`;
    reportWrongType(
      hooks ?? root,
      findings,
      `${message}; it must be an object of events`,
      `the shape is ${SECOND_SHAPE}`,
    );
    return { usable: true, drafts: [] };
  }
  const drafts = hooks.members.flatMap((member) => isNoteKey(member.key) ? [] : readEvent(member, context));
  return { usable: true, drafts };
};

/** Points with an event name in this version; `stop` is no point of the standard. */
const EVENTS: ReadonlyMap<string, Point> = new Map(POINTS.map((point) => [soongEvent(point), point]));

/** Event names that hooks of the standard can stand under. */
const STANDARD_EVENTS: readonly string[] = POINTS.filter((point) => POINT_TABLE[point].standard).map(soongEvent);

function readEvent({ key, value, ...member }: Member, context: LoaderContext): readonly HookDraft[] {
  const { findings } = context;
  const point = EVENTS.get(key);
  if (point === undefined) {
    const near = nearest(key, STANDARD_EVENTS);
    findings.aboutKey({ key, value, ...member }, {
      severity: "error",
      code: "unknown-event",
      message: `unknown event ${quoteKey(key)}; its hooks are skipped`,
      hint: near === undefined ? `events: ${STANDARD_EVENTS.join(", ")}` : `did you mean "${near}"?`,
    });
    return [];
  }
  if (value.type !== "array") {
    reportWrongType(value, findings, `"${key}" is ${kindOf(value)}; it must be a list of rules; its hooks are skipped`);
    return [];
  }
  return value.items.flatMap((item) => readRule(item, point, context));
}

function readRule(node: DocumentNode, point: Point, context: LoaderContext): readonly HookDraft[] {
  const { findings } = context;
  if (node.type !== "object") {
    reportWrongType(node, findings, `a rule is ${kindOf(node)}; it must be an object; it is skipped`);
    return [];
  }
  const fields = readFields(node, RULE_RULES, findings);
  const hooks = fields?.get("hooks")?.value;
  if (fields === undefined) return [];
  if (hooks?.type !== "array") {
    const message = 'this rule has no list of "hooks"; it is skipped';
    findings.about(hooks ?? node, { severity: "error", code: "missing-hooks", message });
    return [];
  }
  const matcher = readMatcher(fields, point, findings);
  if (matcher === BAD || !mayMatch(matcher, point, fields, context)) return [];
  return hooks.items.flatMap((item) => readHook(item, { point, matcher: matcher ?? "" }, context));
}

function readMatcher(fields: Fields, point: Point, findings: LoaderContext["findings"]): string | undefined | Bad {
  const node = fieldOf(fields, "matcher");
  if (node === undefined || node.type === "string") return node && String(node.value);
  const message = `"matcher" is ${kindOf(node)}; it must be a string; the rule is skipped`;
  reportWrongType(node, findings, message, MATCHER_HINTS[POINT_TABLE[point].subject]);
  return BAD;
}

const MATCHER_HINTS = {
  tool_name: 'in version 2 a matcher is a glob over the tool name, for example "matcher": "Bash|Write"',
  model_id: 'in version 2 a matcher is a glob over the model id, for example "matcher": "gpt-*"',
  none: "leave the matcher out",
} as const satisfies Record<SubjectKind, string>;

const RULE_RULES: FieldRules = {
  known: ["matcher", "hooks"],
  what: "the rule",
  essential: (name, has) => name === "matcher" || !has("hooks"),
};

function mayMatch(matcher: string | undefined, point: Point, fields: Fields, { findings }: LoaderContext): boolean {
  const matchesAll = matcher === undefined || ["", "*"].includes(matcher.trim());
  if (matchesAll || POINT_TABLE[point].subject !== "none") return true;
  findings.about(fields.get("matcher")!.value, {
    severity: "error",
    code: "matcher-never-matches",
    message: `${soongEvent(point)} has nothing to match, so this matcher can never match; the rule is skipped`,
    hint: "leave the matcher out",
  });
  return false;
}

interface RuleFacts {
  readonly point: Point;
  readonly matcher: string;
}

function readHook(node: DocumentNode, { point, matcher }: RuleFacts, context: LoaderContext): readonly HookDraft[] {
  const { findings, default_timeout_ms: defaultMs } = context;
  if (node.type !== "object") {
    reportWrongType(node, findings, `a hook is ${kindOf(node)}; it must be an object; it is skipped`);
    return [];
  }
  const fields = readFields(node, HOOK_RULES, findings);
  if (fields === undefined || !speaksStandard(node, point, fields, context)) return [];
  const type = fieldOf(fields, "type");
  const name = type?.type === "string" ? String(type.value).toLowerCase() : "command";
  if (name !== "command" && name !== "http") {
    const message = `type ${
      type === undefined ? "" : quoteNode(findings.document, type)
    } gives no verdict; the hook is skipped`;
    findings.about(type ?? node, {
      severity: "error",
      code: "unknown-type",
      message,
      hint: "types here: command, http",
    });
    return [];
  }
  const executor = HOOK_TYPES[name].read({ node, fields, findings });
  if (executor === undefined) return [];
  const priority = fieldOf(fields, "priority");
  const rank = priority?.type === "number" && Number.isSafeInteger(priority.value) ? Number(priority.value) : undefined;
  if (priority !== undefined && rank === undefined) {
    findings.about(priority, { severity: "error", code: "bad-priority", message: '"priority" is no whole number' });
  }
  return [{
    point,
    speech: "agent-hooks/0.1",
    matcher: compileMatcher(matcher),
    mode: "enforce",
    fingerprint: fingerprintOf({ matcher, hook: toJson(node) }),
    node,
    executor: executor.type === "http" ? { ...executor, sends_payload: executor.body === undefined } : executor,
    timeout_ms: readTimeout(node, findings, Math.min(defaultMs, STANDARD_TIMEOUT_MS)),
    ...(rank !== undefined && { priority: rank }),
  }];
}

/** Recommended by the standard (section 7). */
const STANDARD_TIMEOUT_MS = 5000;

const HOOK_RULES: FieldRules = {
  known: ["type", "protocol", "command", "url", "method", "headers", "body", "timeout", "timeout_ms", "priority"],
  what: "the hook",
  essential: () => true,
  refused: new Map([
    ["on_failure", "hooks that speak agent-hooks/0.1 always fail closed: leave it out"],
  ]),
};

function speaksStandard(node: ObjectNode, point: Point, fields: Fields, { findings }: LoaderContext): boolean {
  const protocol = fieldOf(fields, "protocol");
  if (protocol?.type !== "string" || protocol.value !== "agent-hooks/0.1") {
    findings.about(protocol ?? node, {
      severity: "error",
      code: "not-in-this-version",
      message:
        'in files of version 2 this soong-agent reads hooks with "protocol": "agent-hooks/0.1" only; the hook is skipped',
      hint: protocol?.type === "string" && /^agent-hooks\b/i.test(String(protocol.value).trim())
        ? 'write "protocol": "agent-hooks/0.1"'
        : 'a hook that speaks soong belongs into a file with "version": 1',
    });
    return false;
  }
  if (POINT_TABLE[point].standard) return true;
  const message = `${soongEvent(point)} is no point of agent-hooks/0.1; the hook is skipped`;
  const hint = `events of agent-hooks/0.1: ${STANDARD_EVENTS.join(", ")}`;
  findings.about(protocol, { severity: "error", code: "no-standard-point", message, hint });
  return false;
}
