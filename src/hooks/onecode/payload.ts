/** What a onecode hook reads on stdin: camelCase, fields that have no meaning at a point are absent. */
import type { JsonObject, Message, Moment, Occasion, RunScope, ToolCall, ToolResult } from "../../protocol/mod.ts";
import type { PayloadFacts } from "../dialect.ts";

/** Fields of design.md, section 5.3. */
export function onecodePayload(
  occasion: Occasion,
  scope: RunScope,
  _moment: Moment,
  facts: PayloadFacts,
): JsonObject {
  return {
    point: occasion.point,
    sessionId: scope.session_id,
    cwd: scope.project_dir,
    ...fieldsOf(occasion),
    ...(scope.agent && { agentId: scope.agent.id, agentType: scope.agent.type }),
    timestamp: withOffset(facts.timestamp),
    generation: facts.generation,
  };
}

/** The dialect opens six points; at any other there is nothing beyond the common fields. */
function fieldsOf(occasion: Occasion): JsonObject {
  switch (occasion.point) {
    case "input":
      return { userMessage: occasion.prompt };
    case "pre_model_call":
      return { modelId: occasion.model_id, requestMessages: occasion.messages.map(messageOf) };
    case "post_model_call": {
      const { text, finish_reason: finishReason } = occasion.answer;
      return { modelId: occasion.model_id, modelResponse: text, finishReason };
    }
    case "pre_tool_call":
      return callFields(occasion.call);
    case "post_tool_call":
      return { ...callFields(occasion.call), ...resultFields(occasion.result) };
    case "output":
      return { outputText: occasion.text };
    default:
      return {};
  }
}

function messageOf(message: Message): JsonObject {
  return { role: message.role, text: message.role === "tool" ? message.content : message.text };
}

function callFields({ name, input, id }: ToolCall): JsonObject {
  return { toolName: name, toolInput: input, toolUseId: id };
}

function resultFields(
  { content, value = content, artifact_ref: artifactRef, is_error: isError }: ToolResult,
): JsonObject {
  return {
    toolResponse: artifactRef === undefined ? value : { summary: content, artifact_ref: artifactRef },
    ...(isError && { toolError: content }),
  };
}

/** ISO 8601 in UTC with the offset written out, as the origin of this dialect does. */
function withOffset(time: Date): string {
  return time.toISOString().replace("Z", "+00:00");
}
