/** The matcher of soong version 1: exact tool name, exact tag, path prefix; every condition must hold. */
import type { Occasion, ToolCall } from "../../protocol/mod.ts";
import type { Matcher, MatchResult } from "../port.ts";
import type { PathPrefix, PathPrefixes } from "../path_prefixes.ts";
import { toolsOfAlias } from "./aliases.ts";
import type { ConditionField } from "./words.ts";

/** One condition, with the key it was written under. */
export interface Condition {
  readonly key: string;
  readonly field: Exclude<ConditionField, "event">;
  readonly value: string;
}

/** A matcher out of its conditions; none matches everything. */
export function compileMatcher(conditions: readonly Condition[], prefixes: PathPrefixes): Matcher {
  if (conditions.length === 0) return { text: "*", matches: () => MATCHED };
  const tools = conditions.filter(({ field }) => field === "tool").map(compileTool);
  const tags = conditions.filter(({ field }) => field === "tag");
  const paths = conditions.filter(({ field }) => field === "path").map((condition) => ({
    condition,
    prefix: prefixes.prefix(condition.value),
  }));
  const compiled = { conditions, tools, tags, paths };
  const matcher: Matcher = {
    text: textOf(conditions),
    matches: (occasion) => matchCall(callOf(occasion), compiled),
    admits: (subject) => tools.every((tool) => tool.nameFor(subject) !== undefined),
  };
  if (paths.length === 0) return matcher;
  const refresh = (occasion: Occasion) => {
    const call = callOf(occasion);
    if (call?.path === undefined || !matchCall(call, { ...compiled, paths: [] }).matched) return;
    for (const { prefix } of paths) prefix.refresh(occasion);
  };
  return { ...matcher, refresh };
}

/** A lone tool name stands for itself, like the string it is short for. */
function textOf(conditions: readonly Condition[]): string {
  const [first] = conditions;
  if (conditions.length === 1 && first!.key === "tool_name") return shown(first!.value);
  return conditions.map(({ key, value }) => `${key}=${shown(value)}`).join(" ");
}

/** `*` in a list stands for a rule without a matcher; a written one is a character here. */
function shown(value: string): string {
  return /[*?|[]/.test(value) ? `${value} (literal)` : value;
}

interface CompiledConditions {
  readonly conditions: readonly Condition[];
  readonly tools: readonly CompiledTool[];
  readonly tags: readonly Condition[];
  readonly paths: readonly { readonly condition: Condition; readonly prefix: PathPrefix }[];
}

interface CompiledTool {
  readonly condition: Condition;
  /** The name that this condition and a canonical tool name share; undefined when it is another tool. */
  nameFor(tool: string): string | undefined;
}

const MATCHED: MatchResult = { matched: true };

function matchCall(call: ToolCall | undefined, { conditions, tools, tags, paths }: CompiledConditions): MatchResult {
  if (call === undefined) return missed(conditions[0]!, "");
  let alias: string | undefined;
  for (const { condition, nameFor } of tools) {
    const name = nameFor(call.name);
    if (name === undefined) return missed(condition, call.name);
    if (name !== call.name) alias ??= name;
  }
  for (const tag of tags) {
    if (!call.tags.includes(tag.value)) return missed(tag, call.tags.join(", "));
  }
  for (const { condition, prefix } of paths) {
    if (call.path === undefined || !prefix.holds(call.path)) return missed(condition, call.path ?? "");
  }
  return alias === undefined ? MATCHED : { matched: true, alias };
}

function missed({ key, value }: Condition, actual: string): MatchResult {
  return { matched: false, field: key, expected: value, actual };
}

function compileTool(condition: Condition): CompiledTool {
  const { value } = condition;
  const aliased = toolsOfAlias(value);
  return { condition, nameFor: (tool) => tool === value || aliased.includes(tool) ? value : undefined };
}

function callOf(occasion: Occasion): ToolCall | undefined {
  return "call" in occasion ? occasion.call : undefined;
}
