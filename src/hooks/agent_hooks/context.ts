/** The `AgentContext` of agent-hooks/0.1 (section 4) for an occasion. `stop` is no point of the standard and has none. */
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type Message,
  type Moment,
  type Occasion,
  parseJson,
  type Point,
  type RequestedCall,
  type RunScope,
  type ToolCall,
  type ToolResult,
} from "../../protocol/mod.ts";
import type { PayloadFacts } from "../dialect.ts";

/** Version of the standard that the contexts follow. */
export const SPEC = "agent-hooks/0.1";

/** Builds the context. Throws for `stop`, where no hook of this protocol can be registered. */
export function agentContext(
  occasion: Occasion,
  scope: RunScope,
  moment: Moment,
  facts: Pick<PayloadFacts, "generation" | "timestamp" | "sequence">,
): JsonObject {
  const { sequence } = facts;
  if (sequence === undefined) throw new TypeError(`Cannot build an AgentContext at ${occasion.point}`);
  return {
    spec: SPEC,
    interception_point: occasion.point,
    timestamp: facts.timestamp.toISOString(),
    sequence,
    agent: { id: scope.agent?.type ?? "soong-agent", framework: "soong-agent" },
    session: { id: scope.session_id, started_at: scope.session_started_at, turn: moment.turn },
    ...pointFields(occasion),
    budgets: {
      tool_call_count: moment.tool_call_count,
      token_count: moment.usage.input_tokens + moment.usage.output_tokens,
      elapsed_seconds: moment.elapsed_ms / 1000,
    },
    extensions: {
      soong_agent: {
        generation: facts.generation,
        run_id: scope.run_id,
        project_dir: scope.project_dir,
        permission_mode: scope.permission_mode,
      },
    },
  };
}

/** Members that a context of each point must have beside the core (section 4.2). */
export const CONDITIONAL_FIELDS = {
  agent_startup: ["agent_init"],
  input: ["input"],
  pre_model_call: ["model", "messages"],
  post_model_call: ["model", "response"],
  pre_tool_call: ["tool_call"],
  post_tool_call: ["tool_call", "tool_result"],
  output: ["output"],
  agent_shutdown: ["summary"],
} as const satisfies Record<Exclude<Point, "stop">, readonly string[]>;

/** The conditional members and the target (sections 4.2 and 4.3). */
function pointFields(occasion: Occasion): JsonObject {
  switch (occasion.point) {
    case "agent_startup": {
      const agent_init = { tools_registered: [...occasion.tools] };
      return { agent_init, target: agent_init };
    }
    case "input": {
      const input = { content: occasion.prompt, role: "user" };
      return { input, target: input };
    }
    case "pre_model_call": {
      const messages = occasion.messages.map(messageFields);
      return { model: { id: occasion.model_id }, messages, target: messages };
    }
    case "post_model_call": {
      const { answer } = occasion;
      const response = {
        content: answer.text === "" && answer.tool_calls.length > 0 ? null : answer.text,
        tool_calls: answer.tool_calls.map(requestedFields),
        finish_reason: occasion.finish_reason ?? answer.finish_reason,
      };
      const usage = { prompt_tokens: answer.usage.input_tokens, completion_tokens: answer.usage.output_tokens };
      return { model: { id: occasion.model_id }, response, usage, target: response };
    }
    case "pre_tool_call":
      return { tool_call: callFields(occasion.call), target: occasion.call.input };
    case "post_tool_call": {
      const tool_result = resultFields(occasion.result);
      return { tool_call: callFields(occasion.call), tool_result, target: tool_result["value"] ?? null };
    }
    case "output": {
      const output = { content: occasion.text };
      return { output, target: output };
    }
    case "agent_shutdown": {
      const summary = { reason: occasion.reason };
      return { summary, target: summary };
    }
    case "stop":
      throw new TypeError("Cannot build an AgentContext at stop");
  }
}

function messageFields(message: Message): JsonObject {
  switch (message.role) {
    case "user":
      return { role: "user", content: message.text };
    case "assistant": {
      const calls = message.tool_calls.map(requestedFields);
      return { role: "assistant", content: message.text, ...(calls.length > 0 && { tool_calls: calls }) };
    }
    case "tool":
      return { role: "tool", content: message.content, tool_call_id: message.call_id, name: message.name };
  }
}

/** `args` is an object in the standard; text that is no JSON object is shown as it came. */
function requestedFields(call: RequestedCall): JsonObject {
  return { id: call.id, name: call.name, args: parsedArguments(call.arguments_text) };
}

function parsedArguments(text: string): JsonObject {
  let value: Json | undefined;
  try {
    value = parseJson(text);
  } catch {
    value = undefined;
  }
  return isJsonObject(value) ? value : { raw_arguments: text };
}

function callFields(call: ToolCall): JsonObject {
  return { id: call.id, name: call.name, args: call.input };
}

function resultFields(result: ToolResult): JsonObject {
  return {
    value: result.artifact_ref === undefined
      ? result.value ?? result.content
      : { summary: result.content, artifact_ref: result.artifact_ref },
    is_error: result.is_error,
    ...(result.duration_ms !== undefined && { duration_ms: result.duration_ms }),
  };
}
