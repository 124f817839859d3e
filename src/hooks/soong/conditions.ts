/** Reads the conditions of a rule or hook of soong version 1, and says which of them cannot hold. */
import { nearest } from "../../protocol/mod.ts";
import type { DocumentNode, Member, ObjectNode } from "../document.ts";
import { isNoteKey, kindOf, quoteKey } from "../findings.ts";
import type { KnownTool, LoaderContext } from "../dialect_loader.ts";
import { aliasNames, toolsOfAlias } from "./aliases.ts";
import type { Condition } from "./matcher.ts";
import { CONDITION_KEYS, type ConditionField, conditionOfKey } from "./words.ts";

/** A condition as written. */
export interface WrittenCondition {
  readonly key: string;
  readonly field: ConditionField;
  readonly value: string;
  readonly node: DocumentNode;
}

/**
 * The conditions that an object states: in its `matcher` and, as the public soong-agent writes them, beside it.
 * Undefined when one of them cannot be read: what it guards cannot be known then, so its rule is skipped.
 */
export function readConditions(owner: ObjectNode, context: LoaderContext): readonly WrittenCondition[] | undefined {
  const conditions: WrittenCondition[] = [];
  let readable = true;
  for (const member of owner.members) {
    const found = member.key === "matcher"
      ? readMatcher(member.value, context)
      : conditionOfKey(member.key) === undefined
      ? []
      : readCondition(member, context);
    if (found === undefined) readable = false;
    else conditions.push(...found);
  }
  if (!readable) return undefined;
  warnOfDeadTools(conditions, context);
  return conditions;
}

/** The conditions of a hook within its rule: a field that the hook states itself replaces the rule's. */
export function mergeConditions(
  rule: readonly WrittenCondition[],
  hook: readonly WrittenCondition[],
): readonly WrittenCondition[] {
  if (hook.length === 0) return rule;
  return [...rule.filter(({ field }) => !hook.some((own) => own.field === field)), ...hook];
}

/** What a matcher is compiled from: everything but the event, which the loader has settled. */
export function matcherConditions(conditions: readonly WrittenCondition[]): readonly Condition[] {
  return conditions.flatMap(({ key, field, value }) => field === "event" ? [] : [{ key, field, value }]);
}

function readMatcher(node: DocumentNode, context: LoaderContext): readonly WrittenCondition[] | undefined {
  if (node.type === "string") {
    if (node.value === "") return [];
    const condition = { key: "tool_name", field: "tool", value: String(node.value), node } as const;
    warnOfLiteral(condition, context);
    return [condition];
  }
  if (node.type !== "object") {
    context.findings.about(node, {
      severity: "error",
      code: "wrong-type",
      message: `"matcher" is ${kindOf(node)}; it must be a tool name or an object; the rule is skipped`,
      hint: 'write for example "matcher": { "tool_name": "Bash" }',
    });
    return undefined;
  }
  const conditions: WrittenCondition[] = [];
  let readable = true;
  for (const member of node.members) {
    if (isNoteKey(member.key)) continue;
    const found = conditionOfKey(member.key) === undefined
      ? unknownCondition(member, context)
      : readCondition(member, context);
    if (found === undefined) readable = false;
    else conditions.push(...found);
  }
  return readable ? conditions : undefined;
}

function unknownCondition(member: Member, { findings }: LoaderContext): undefined {
  const { key } = member;
  const near = nearest(key, Object.keys(CONDITION_KEYS));
  findings.aboutKey(member, {
    severity: "error",
    code: key === "model" ? "needs-version-2" : "unknown-key",
    message: key === "model"
      ? '"model" is a condition of version 2; the rule is skipped'
      : `unknown condition ${quoteKey(key)}; the rule is skipped`,
    hint: near === undefined ? "conditions are event_type, tool_name, tag and path_prefix" : `did you mean "${near}"?`,
  });
  return undefined;
}

function readCondition(member: Member, context: LoaderContext): readonly WrittenCondition[] | undefined {
  const { key, value: node } = member;
  const field = conditionOfKey(key)!;
  if (node.type !== "string") {
    context.findings.about(node, {
      severity: "error",
      code: "wrong-type",
      message: `${quoteKey(key)} is ${kindOf(node)}; it must be a string; the rule is skipped`,
      hint: node.type === "array" ? "write one rule for each of them" : undefined,
    });
    return undefined;
  }
  const value = String(node.value);
  if (value === "" && field !== "path") {
    context.findings.about(node, {
      severity: "error",
      code: "empty-condition",
      message: `${quoteKey(key)} is empty and can never match; the rule is skipped`,
      hint: "to match everything, leave it out",
    });
    return undefined;
  }
  const condition = { key, field, value, node };
  warnOfLiteral(condition, context);
  return [condition];
}

/** Version 1 has no glob, no alternatives and no `~`; a value that looks like one is taken as it stands. */
function warnOfLiteral({ field, value, node }: WrittenCondition, { findings }: LoaderContext): void {
  if (field === "event") return;
  const found = value.match(/[*?|[]/)?.[0];
  if (found !== undefined) {
    findings.about(node, {
      severity: "warning",
      code: "literal-wildcard",
      message: `${JSON.stringify(found)} in ${JSON.stringify(value)} is taken literally: wildcards, alternatives and ` +
        "regular expressions are not supported",
      hint: value === "*"
        ? "to match everything, leave the matcher out"
        : found === "|"
        ? "write one rule for each name"
        : 'match by "tag", or write one rule for each name',
    });
  } else if (field === "path" && value.startsWith("~")) {
    findings.about(node, {
      severity: "warning",
      code: "literal-tilde",
      message: `"~" in ${JSON.stringify(value)} is taken literally`,
      hint: "write the absolute path, or one relative to the project",
    });
  }
}

/** A guard that no known tool can set off looks the same as one with nothing to do; so it is named. */
function warnOfDeadTools(conditions: readonly WrittenCondition[], { findings, tools }: LoaderContext): void {
  if (tools === undefined) return;
  const named = conditions.filter(({ field }) => field === "tool");
  const tagged = conditions.filter(({ field }) => field === "tag");
  for (const { value, node } of named) {
    if (LITERAL.test(value) || isKnownTool(value, tools)) continue;
    findings.about(node, {
      severity: "warning",
      code: "unknown-tool",
      message: `no known tool is called ${JSON.stringify(value)}`,
      hint: hintForTool(value, tools),
    });
  }
  const tags = [...new Set(tools.flatMap((tool) => tool.tags))];
  for (const { value, node } of tagged) {
    if (LITERAL.test(value) || tags.includes(value) || value === "mcp") continue;
    const near = nearest(value, tags);
    findings.about(node, {
      severity: "warning",
      code: "unknown-tag",
      message: `no known tool has the tag ${JSON.stringify(value)}`,
      hint: near === undefined ? `known tags: ${tags.toSorted().join(", ")}` : `did you mean "${near}"?`,
    });
  }
  const [name] = named;
  const tool = tools.find((known) => named.length === 1 && isCalled(known, name!.value));
  const missing = tagged.find(({ value }) => tags.includes(value) && tool !== undefined && !tool.tags.includes(value));
  if (missing === undefined) return;
  findings.about(missing.node, {
    severity: "warning",
    code: "unknown-tool",
    message: `${tool!.name} does not have the tag ${
      JSON.stringify(missing.value)
    }, so this rule can match no known tool`,
    hint: `its tags: ${tool!.tags.join(", ")}`,
  });
}

const LITERAL = /[*?|[]/;

function isKnownTool(name: string, tools: readonly KnownTool[]): boolean {
  return /^mcp__.+?__./.test(name) || /^mcp\.[^.]+\../.test(name) || tools.some((tool) => isCalled(tool, name));
}

function isCalled(tool: KnownTool, name: string): boolean {
  return tool.name === name || toolsOfAlias(name).includes(tool.name);
}

function hintForTool(name: string, tools: readonly KnownTool[]): string {
  if (name.startsWith("mcp__") || name.startsWith("mcp.")) {
    return "names are exact: an MCP tool is mcp__<server>__<tool>; all of them have the tag mcp";
  }
  const names = tools.map((tool) => tool.name);
  const near = nearest(name, [...names, ...aliasNames()]);
  if (near === undefined) return `known tools: ${names.join(", ")}`;
  return near.toLowerCase() === name.toLowerCase()
    ? `did you mean "${near}"? Tool names are case-sensitive`
    : `did you mean "${near}"?`;
}
