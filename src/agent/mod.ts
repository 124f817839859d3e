/**
 * agent/ — the loop and the life of one tool call.
 *
 * In: parts (model, tools, hooks, permission, artifacts, limits) and prompts. Out: async generators of events with a return
 * value; the caller logs and shows each event before it asks for the next one, so an event stands in the log before what it
 * announces happens. Failures of models, hooks and tools are events and reasons, never throws. Order of a run:
 *
 *     agent_startup → input → [ pre_model_call → model → post_model_call → tool calls … ]* → stop → output → agent_shutdown
 *
 * Nothing enters the history, the log or the page but through `release.ts`.
 */
export { type Agent, type AgentStart, createAgent } from "./agent.ts";
export type {
  AgentLimits,
  AgentParts,
  ArtifactPort,
  PermissionAnswer,
  PermissionQuestion,
  PermissionRules,
} from "./ports.ts";
export { decidePermission, type PermissionDecision } from "./permission.ts";
export { messageOf, type ReleasedBody } from "./release.ts";
export { systemPrompt, type SystemPromptParts } from "./system_prompt.ts";
export type { TurnOutcome } from "./turn.ts";
