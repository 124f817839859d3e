/** Reads one group of a onecode file: a matcher and its hooks. */
import { nearest, type Point, POINT_TABLE, type SubjectKind } from "../../protocol/mod.ts";
import { entryText, fingerprintOf } from "../hook_ids.ts";
import type { HookDraft, KnownTool, LoaderContext } from "../dialect_loader.ts";
import { type DocumentNode, type ObjectNode, toJson } from "../document.ts";
import { type Findings, kindOf } from "../findings.ts";
import { fieldOf, type FieldRules, readFields, reportWrongType } from "./fields.ts";
import { HOOK_KEYS, readHook } from "./hook.ts";
import { alternativesOf, compileMatcher, namesOf } from "./matcher.ts";
import { foldKey, GROUP_SHAPE } from "./words.ts";

/** The hooks of a group. A hook of another shape costs itself only. */
export function readGroup(node: DocumentNode, point: Point, context: LoaderContext): readonly HookDraft[] {
  const { findings } = context;
  if (node.type !== "object") {
    const message = `a group is ${kindOf(node)}; it must be an object; it is skipped`;
    reportWrongType(node, findings, message, `the shape of a group is ${GROUP_SHAPE}`);
    return [];
  }
  if (isFlat(node)) {
    reportFlat(node, findings);
    return [];
  }
  const fields = readFields(node, GROUP_RULES, findings);
  if (fields === undefined) return [];
  const hooks = fields.get("hooks")?.value;
  if (hooks?.type !== "array") {
    reportMissingHooks(hooks, node, findings);
    return [];
  }
  const written = readMatcher(fieldOf(fields, "matcher"), point, context);
  if (written === undefined) return [];
  if (hooks.items.length === 0) {
    const message = "this group has no hooks, so it does nothing";
    findings.about(hooks, { severity: "warning", code: "no-hooks", message });
  }
  const matcher = compileMatcher(written);
  return hooks.items.flatMap((item): readonly HookDraft[] => {
    const hook = readHook(item, findings);
    if (hook === undefined) return [];
    const entry = { matcher: matcher.text, hook: toJson(item) };
    return [{
      point,
      speech: "onecode",
      matcher,
      mode: "enforce",
      fingerprint: fingerprintOf(entry),
      node: item,
      ...hook,
      ...(hook.once && { entry: entryText(entry) }),
    }];
  });
}

const GROUP_RULES: FieldRules = {
  known: ["matcher", "hooks"],
  what: "the group",
  essential: (name, has) => name === "matcher" || !has("hooks"),
};

/** A hook that stands where a group should. */
function isFlat(node: ObjectNode): boolean {
  const keys = new Set(node.members.map(({ key }) => foldKey(key)));
  return !keys.has("hooks") && HOOK_MARKS.some((key) => keys.has(foldKey(key)));
}

const HOOK_MARKS = ["type", "command", "url", "provider", "webhookUrl"] as const;

/** Longest hint that shows the user's own hook. */
const MAX_HINT_LENGTH = 500;

function reportFlat(node: ObjectNode, findings: Findings): void {
  const own = Object.fromEntries(
    node.members.filter(({ key }) => HOOK_KEYS.some((known) => foldKey(known) === foldKey(key)))
      .map(({ key, value }) => [key, SHOWN_KEYS.has(foldKey(key)) ? toJson(value) : "…"]),
  );
  const grouped = entryText({ hooks: [own] });
  findings.about(node, {
    severity: "error",
    code: "flat-form",
    message: "a hook stands where a group should; this flat form is no longer read, and the hook is skipped",
    hint: `put it into a group: ${grouped.length > MAX_HINT_LENGTH ? GROUP_SHAPE : grouped}`,
  });
}

/** Fields whose values may be shown: the others can hold secrets. */
const SHOWN_KEYS: ReadonlySet<string> = new Set([
  "type",
  "command",
  "timeout",
  "once",
  "priority",
  "provider",
  "method",
]);

function reportMissingHooks(hooks: DocumentNode | undefined, group: ObjectNode, findings: Findings): void {
  if (hooks !== undefined) {
    const message = `"hooks" is ${kindOf(hooks)}; it must be a list of hooks; the group is skipped`;
    const hint = hooks.type === "object" ? "put [ ] around it" : `the shape of a group is ${GROUP_SHAPE}`;
    reportWrongType(hooks, findings, message, hint);
    return;
  }
  findings.about(group, {
    severity: "error",
    code: "missing-hooks",
    message: 'this group has no "hooks"; it is skipped',
    hint: `the shape of a group is ${GROUP_SHAPE}`,
  });
}

/** The text of the matcher; undefined, with a finding, when the group must be skipped. */
function readMatcher(node: DocumentNode | undefined, point: Point, context: LoaderContext): string | undefined {
  const { findings } = context;
  if (node === undefined) return "";
  if (node.type !== "string") {
    const message = `"matcher" is ${kindOf(node)}; it must be a string; the group is skipped`;
    const hint = 'write for example "matcher": "Bash" or "matcher": "Write|Edit"';
    reportWrongType(node, findings, message, hint);
    return undefined;
  }
  const text = String(node.value).trim();
  const dead = whyDead(text, point);
  if (dead !== undefined) {
    findings.about(node, {
      severity: "error",
      code: "matcher-never-matches",
      message: `${dead.why}, so this matcher can never match; the group is skipped`,
      hint: dead.hint,
    });
    return undefined;
  }
  if (text !== "" && text !== "*") remarkOn(node, text, point, context);
  return text;
}

/** Why a matcher can match nothing at this point: the guard would be dead. */
function whyDead(text: string, point: Point): { readonly why: string; readonly hint: string } | undefined {
  if (text === "" || text === "*") return undefined;
  if (POINT_TABLE[point].subject === "none") {
    return { why: `at "${point}" there is nothing to match`, hint: 'leave the matcher out, or write ""' };
  }
  if (alternativesOf(text).some((alternative) => alternative !== "")) return undefined;
  return { why: `${JSON.stringify(text)} has no alternative with a name`, hint: 'to match everything, write "*"' };
}

function remarkOn(node: DocumentNode, text: string, point: Point, { findings, tools }: LoaderContext): void {
  const warn = (code: string, message: string, hint: string) =>
    findings.about(node, { severity: "warning", code, message, hint });
  const alternatives = alternativesOf(text);
  if (alternatives.includes("")) {
    const message = `an empty alternative in ${JSON.stringify(text)} matches nothing`;
    warn("empty-alternative", message, 'take the extra "|" away; to match everything, write "*"');
  }
  const { subject } = POINT_TABLE[point];
  const pattern = alternatives.find((alternative) => REGULAR_EXPRESSION[subject].test(alternative));
  if (pattern !== undefined) {
    const message = `${
      JSON.stringify(pattern)
    } looks like a regular expression, but only "*" and "|" have a meaning here`;
    warn("not-a-pattern", message, 'a "*" stands for any characters: "Bash", "mcp__github__*", "Write|Edit"');
    return;
  }
  if (subject !== "tool_name" || tools === undefined) return;
  for (const name of alternatives) {
    if (name === "" || name.includes("*") || isKnownTool(name, tools)) continue;
    warn("unknown-tool", `no known tool is called ${JSON.stringify(name)}`, hintForTool(name, tools));
  }
}

/** What makes a matcher look like a regular expression; model ids hold dots. */
const REGULAR_EXPRESSION = {
  tool_name: /[\^$()[\]\\+?]|\.\*/,
  model_id: /[\^$()[\]\\]|^\.\*/,
  none: /$^/,
} as const satisfies Record<SubjectKind, RegExp>;

function isKnownTool(name: string, tools: readonly KnownTool[]): boolean {
  if (/^mcp__.+?__./i.test(name)) return true;
  const matches = compileMatcher(name);
  return tools.some((tool) => matches.admits?.(tool.name));
}

function hintForTool(name: string, tools: readonly KnownTool[]): string {
  const names = tools.flatMap((tool) => namesOf(tool.name));
  if (/^mcp__/i.test(name)) return `an MCP tool is mcp__<server>__<tool>; for all of a server write "${name}__*"`;
  const near = nearest(name, names);
  return near === undefined ? `known tools: ${names.join(", ")}` : `did you mean "${near}"?`;
}
