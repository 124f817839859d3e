/** What a soong version 1 hook reads on stdin: snake_case, a superset of what hooks of Claude Code are sent. */
import { resolve } from "node:path";
import type { JsonObject, Moment, Occasion, RunScope, ToolCall, ToolResult } from "../../protocol/mod.ts";
import type { PayloadFacts } from "../dialect.ts";
import { argumentsForAlias } from "./aliases.ts";
import { soongEvent } from "./words.ts";

/** Fields of design.md, section 5.1; what has no meaning at a point is absent. */
export function soongPayload(occasion: Occasion, scope: RunScope, moment: Moment, facts: PayloadFacts): JsonObject {
  const event = soongEvent(occasion.point);
  return {
    version: 1,
    event,
    hook_event_name: event,
    event_type: event,
    session_id: scope.session_id,
    run_id: scope.run_id,
    turn: moment.turn,
    cwd: scope.project_dir,
    project_dir: scope.project_dir,
    transcript_path: scope.transcript_path,
    permission_mode: scope.permission_mode,
    mode: scope.mode,
    timestamp: facts.timestamp.toISOString(),
    generation: facts.generation,
    ...(scope.agent === undefined ? {} : { agent_id: scope.agent.id, agent_type: scope.agent.type }),
    ...fieldsOf(occasion, scope, facts),
    usage: {
      input_tokens: moment.usage.input_tokens,
      output_tokens: moment.usage.output_tokens,
      tool_calls: moment.tool_call_count,
      elapsed_seconds: moment.elapsed_ms / 1000,
    },
  };
}

/** Version 1 opens five points; at any other there is nothing beyond the common fields. */
function fieldsOf(occasion: Occasion, scope: RunScope, facts: PayloadFacts): JsonObject {
  switch (occasion.point) {
    case "agent_startup":
      return { source: occasion.source };
    case "input":
      return { prompt: occasion.prompt };
    case "pre_tool_call":
      return callFields(occasion.call, scope, facts);
    case "post_tool_call": {
      const response = responseOf(occasion.result);
      return { ...callFields(occasion.call, scope, facts), tool_response: response, result: response };
    }
    case "stop":
      return {
        stop_hook_active: occasion.stop_hook_active,
        last_assistant_message: occasion.last_assistant_message,
      };
    default:
      return {};
  }
}

function callFields(call: ToolCall, scope: RunScope, { alias }: PayloadFacts): JsonObject {
  const input = withAbsolutePaths(call, scope.project_dir);
  return {
    tool_name: alias ?? call.name,
    tool_use_id: call.id,
    tool_input: input,
    arguments: alias === undefined ? input : argumentsForAlias(alias, input, scope.project_dir),
    tool_tier: call.tier,
    tool_tags: [...call.tags],
    ...(call.path === undefined ? {} : { tool_path: call.path, ...givenPath(call) }),
  };
}

/** Arguments of the file tools that hold a path. */
const PATH_ARGUMENTS = ["file_path", "path"] as const;

/**
 * The input with absolute, cleaned paths, for calls that work on a path. A path with `..` is given as the call's
 * resolved path instead: `link/..` is not where the spelling says.
 */
function withAbsolutePaths(call: ToolCall, projectDir: string): JsonObject {
  const { input, path } = call;
  if (path === undefined) return input;
  const absolute: Record<string, string> = {};
  for (const name of PATH_ARGUMENTS) {
    const value = Object.hasOwn(input, name) ? input[name] : undefined;
    if (typeof value !== "string") continue;
    absolute[name] = value.split(/[/\\]/).includes("..") ? path : resolve(projectDir, value);
  }
  return { ...input, ...absolute };
}

/** The path as the model wrote it. */
function givenPath({ input }: ToolCall): JsonObject {
  const given = PATH_ARGUMENTS.map((name) => Object.hasOwn(input, name) ? input[name] : undefined).find((value) =>
    typeof value === "string"
  );
  return given === undefined ? {} : { tool_path_given: given };
}

function responseOf(result: ToolResult): JsonObject {
  return {
    ...(result.artifact_ref === undefined
      ? { content: result.content }
      : { summary: result.content, artifact_ref: result.artifact_ref }),
    is_error: result.is_error,
    ...(result.duration_ms === undefined ? {} : { duration_ms: result.duration_ms }),
    ...(result.metadata === undefined ? {} : { metadata: result.metadata }),
  };
}
