/** Rewrites the target of a context (agent-hooks/0.1, section 5.2; the grammar of paths is `path-grammar.abnf`). */
import { isJsonObject, type Json, type JsonObject } from "../../protocol/mod.ts";
import { CONDITIONAL_FIELDS } from "./context.ts";

/** Where the target stands in a context beside `target`, by point. */
const HOMES = {
  agent_startup: ["agent_init"],
  input: ["input"],
  pre_model_call: ["messages"],
  post_model_call: ["response"],
  pre_tool_call: ["tool_call", "args"],
  post_tool_call: ["tool_result", "value"],
  output: ["output"],
  agent_shutdown: ["summary"],
} as const satisfies Record<keyof typeof CONDITIONAL_FIELDS, readonly [string, ...string[]]>;

/** The context with one place of its target replaced; undefined when the path leads nowhere. Shares what is unchanged. */
export function transformContext(context: JsonObject, path: string, value: Json): JsonObject | undefined {
  const target = replaceAt(context["target"] ?? null, segmentsOf(path), value);
  if (target === undefined) return undefined;
  const home = HOMES[context["interception_point"] as keyof typeof HOMES];
  const written = replaceAt(context, home, target);
  return isJsonObject(written) ? { ...written, target } : undefined;
}

/** The places that a path names below `$target`. */
function segmentsOf(path: string): readonly (string | number)[] {
  return [...path.matchAll(/\.([A-Za-z0-9_-]+)|\[(\d+)\]|\["([A-Za-z0-9_-]+)"\]/g)].map(([, member, index, quoted]) =>
    member ?? quoted ?? Number(index)
  );
}

/** The value with the place replaced, which has to be there already. */
function replaceAt(value: Json, [first, ...rest]: readonly (string | number)[], replacement: Json): Json | undefined {
  if (first === undefined) return replacement;
  if (typeof first === "number") {
    if (!Array.isArray(value) || first >= value.length) return undefined;
    const inner = replaceAt(value[first], rest, replacement);
    return inner === undefined ? undefined : value.map((item: Json, index) => index === first ? inner : item);
  }
  if (!isJsonObject(value) || !Object.hasOwn(value, first)) return undefined;
  const inner = replaceAt(value[first]!, rest, replacement);
  if (inner === undefined) return undefined;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, key === first ? inner : item]));
}
