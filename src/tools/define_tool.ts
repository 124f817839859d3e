import type { JsonObject, Tier } from "../protocol/mod.ts";
import { type ArgumentsSchema, parametersOf, validateArguments } from "./arguments.ts";
import type { Tool, ToolCallContext, ToolOutcome } from "./port.ts";

/** What a built-in tool is made of. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly tier: Tier;
  /** Without the tier and what it brings along. */
  readonly tags: readonly string[];
  readonly arguments: ArgumentsSchema;
  readonly target?: (input: JsonObject) => Promise<string | undefined>;
  readonly run: (input: JsonObject, context: ToolCallContext) => Promise<ToolOutcome>;
}

/** Makes a tool of its definition. */
export function defineTool(definition: ToolDefinition): Tool {
  const { name, description, tier, arguments: schema, run } = definition;
  return {
    name,
    description,
    tier,
    tags: [...definition.tags, ...TIER_TAGS[tier]],
    parameters: parametersOf(schema),
    validate: (input) => validateArguments(schema, input),
    target: definition.target ?? (() => Promise.resolve(undefined)),
    run,
  };
}

/** Every tier is a tag, and what is dangerous writes as well. */
const TIER_TAGS = {
  readonly: ["readonly"],
  write: ["write"],
  dangerous: ["write", "dangerous"],
} as const satisfies Record<Tier, readonly string[]>;
