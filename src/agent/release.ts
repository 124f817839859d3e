/**
 * The only way into history, log and page.
 *
 * Model text, tool results, prompts and hook contexts are pending until the verdict that can withhold them is known; then
 * they go through here, and what does not go through here is nowhere.
 */
import type { AgentEvent, EventBody, Message } from "../protocol/mod.ts";
import { type AgentState, eventOf } from "./state.ts";

/** Events that carry part of the conversation. */
export type ReleasedBody = Extract<
  EventBody,
  { type: "user_message" | "hook_context" | "assistant_message" | "tool_result" }
>;

/** Adds the message of the event to the history and gives the event to be logged. */
export function release(state: AgentState, body: ReleasedBody): AgentEvent {
  state.history.push(messageOf(body));
  return eventOf(state, body);
}

/** The message that an event of the conversation stands for; the same for a live and a resumed session. */
export function messageOf(body: ReleasedBody): Message {
  switch (body.type) {
    case "user_message":
    case "hook_context":
      return { role: "user", text: body.text };
    case "assistant_message":
      return {
        role: "assistant",
        text: body.text,
        tool_calls: body.tool_calls,
        ...(body.provider_metadata && { provider_metadata: body.provider_metadata }),
      };
    case "tool_result":
      return {
        role: "tool",
        call_id: body.call_id,
        name: body.name,
        content: body.content,
        is_error: body.is_error,
      };
  }
}
