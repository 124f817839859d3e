/**
 * The life of one tool call: resolve → validate → pre_tool_call → permission → execute → artifact → post_tool_call → result.
 *
 * Exactly one result leaves this function for each call, whatever happens; it enters the history through `release`.
 */
import {
  type AgentEvent,
  type BatchRule,
  isJsonObject,
  isTooDeep,
  type Json,
  type JsonObject,
  MAX_NESTING,
  parseJson,
  type RequestedCall,
  type ToolCall,
  type ToolResult,
  writeJson,
} from "../protocol/mod.ts";
import type { EmissionResult } from "../hooks/mod.ts";
import type { Tool, ToolOutcome } from "../tools/mod.ts";
import { askHooks, reasonsOf, rewrittenAt } from "./ask.ts";
import { decidePermission } from "./permission.ts";
import type { AgentParts } from "./ports.ts";
import { release } from "./release.ts";
import { type AgentState, eventOf } from "./state.ts";
import * as wording from "./wording.ts";

/** A requested call, looked at before anything is asked. */
export type PreparedCall =
  | { readonly kind: "valid"; readonly requested: RequestedCall; readonly tool: Tool; readonly input: JsonObject }
  | { readonly kind: "invalid"; readonly requested: RequestedCall; readonly name: string; readonly problem: string };

/** How the life of a call ended, for the batch. */
export type CallEnd =
  | { readonly kind: "finished"; readonly failed: boolean }
  | { readonly kind: "denied"; readonly rule: BatchRule; readonly tier: ToolCall["tier"] }
  /** The turn was interrupted; nothing was released for this call yet. */
  | { readonly kind: "interrupted"; readonly started: boolean; readonly output: string };

/** Resolves the tool and validates the arguments. */
export function prepareCall(parts: AgentParts, requested: RequestedCall): PreparedCall {
  const tool = parts.tools.resolve(requested.name);
  if (!tool) {
    const names = parts.tools.tools.map((known) => parts.tools.wireName(known));
    return invalid(requested, requested.name, wording.unknownTool(requested, names));
  }
  const parsed = parseArguments(requested.arguments_text);
  if (!parsed.ok) return invalid(requested, tool.name, wording.brokenArguments(requested, parsed.problem));
  const validated = tool.validate(parsed.input);
  if (!validated.ok) return invalid(requested, tool.name, wording.invalidArguments(requested, validated.problems));
  return { kind: "valid", requested, tool, input: validated.input };
}

/** Runs one prepared call to its end. Never throws for anything a model, a hook or a tool does. */
export async function* runCall(
  parts: AgentParts,
  state: AgentState,
  prepared: PreparedCall,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, CallEnd> {
  const { requested } = prepared;
  if (prepared.kind === "invalid") {
    yield eventOf(state, callEvent(requested, prepared.name, shownArguments(requested.arguments_text)));
    yield release(state, { type: "tool_result", ...errorResult(requested.id, prepared.name, prepared.problem) });
    return { kind: "finished", failed: true };
  }

  const original = await toolCall(prepared);
  yield eventOf(state, { ...callEvent(requested, original.name, original.input), tier: original.tier });
  const judged = yield* askHooks(parts, state, { point: "pre_tool_call", call: original }, signal);
  if (judged.cancelled || signal.aborted) return { kind: "interrupted", started: false, output: "" };
  if (judged.effect === "block") return yield* denyByHook(state, original, judged);

  const rewritten = rewrittenAt(judged, "pre_tool_call")?.call.input;
  const call = rewritten === undefined ? original : yield* takeRewritten(state, prepared, original, rewritten);
  if (call === undefined) return { kind: "finished", failed: true };
  const permission = await decidePermission(parts.permission, call, {
    hook_notes: notesOf(judged),
    approved: judged.approved === true,
  }, signal);
  if (signal.aborted) return { kind: "interrupted", started: false, output: "" };
  yield eventOf(state, {
    type: "permission_decision",
    call_id: call.id,
    name: call.name,
    decision: permission.decision,
    by: permission.by,
    detail: permission.detail,
  });
  if (permission.decision === "deny") {
    yield eventOf(state, {
      type: "tool_denied",
      call_id: call.id,
      name: call.name,
      by: permission.by === "protected" ? "protected" : "permission",
      reason: permission.detail,
      ...(permission.cause && { cause: permission.cause }),
    });
    yield release(state, {
      type: "tool_result",
      ...errorResult(call.id, call.name, wording.deniedByPermission(permission)),
    });
    return { kind: "denied", rule: "by_tier", tier: call.tier };
  }

  yield eventOf(state, { type: "tool_started", call_id: call.id, name: call.name });
  state.tool_call_count += 1;
  const begun = parts.clock();
  const outcome = await execute(prepared.tool, call, signal);
  if (signal.aborted && outcome.is_error) {
    return { kind: "interrupted", started: true, output: keepLarge(parts, call, outcome).content };
  }
  const result: ToolResult = {
    call_id: call.id,
    name: call.name,
    is_error: outcome.is_error,
    ...keepLarge(parts, call, outcome),
    ...smallValue(parts, outcome),
    duration_ms: Math.round(parts.clock() - begun),
    ...(outcome.metadata && { metadata: outcome.metadata }),
  };
  return yield* judgeResult(parts, state, { call, result, rewritten: call !== original }, signal);
}

/** Validates arguments that hooks have rewritten like those of the model, and looks up again what they are about. */
async function* takeRewritten(
  state: AgentState,
  prepared: Extract<PreparedCall, { kind: "valid" }>,
  original: ToolCall,
  input: JsonObject,
): AsyncGenerator<AgentEvent, ToolCall | undefined> {
  const { id, name } = original;
  yield eventOf(state, {
    type: "hook_transformed",
    point: "pre_tool_call",
    tool_call_id: id,
    input: original.input,
    rewritten_input: input,
  });
  const validated = prepared.tool.validate(input);
  if (validated.ok) return await toolCall({ ...prepared, input: validated.input });
  const content = wording.invalidRewrite(name, validated.problems);
  yield release(state, { type: "tool_result", ...errorResult(id, name, content) });
  return undefined;
}

/** A call that has run, with the arguments that it ran with. */
interface FinishedCall {
  readonly call: ToolCall;
  readonly result: ToolResult;
  /** Hooks had changed the arguments. */
  readonly rewritten: boolean;
}

/** Asks the post hooks, then releases the result, or says that it is withheld. */
async function* judgeResult(
  parts: AgentParts,
  state: AgentState,
  { call, result: own, rewritten }: FinishedCall,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, CallEnd> {
  const judged = yield* askHooks(parts, state, { point: "post_tool_call", call, result: own }, signal);
  const changed = rewrittenAt(judged, "post_tool_call")?.result;
  if (changed) yield eventOf(state, { type: "hook_transformed", point: "post_tool_call", tool_call_id: call.id });
  const result = changed ?? own;
  const unjudged = judged.cancelled && parts.hooks.hasBlocking("post_tool_call");
  if (judged.effect === "discard" || unjudged) {
    if (own.artifact_ref !== undefined) parts.artifacts.discard(own.artifact_ref);
    const reasons = unjudged ? ["the turn was interrupted before the hook could judge it"] : reasonsOf(judged);
    yield release(state, {
      type: "tool_result",
      ...errorResult(call.id, call.name, wording.withheldResult(reasons)),
    });
    return { kind: "finished", failed: true };
  }
  if (changed && own.artifact_ref !== undefined) parts.artifacts.discard(own.artifact_ref);
  const { value: _, ...kept } = result;
  const content = rewritten ? wording.whatRan(call, result.content) : result.content;
  yield release(state, { type: "tool_result", ...kept, content });
  const told = judged.effect === "tell" ? reasonsOf(judged) : [];
  if (told.length > 0 && judged.verdict.decision === "deny") {
    yield release(state, {
      type: "hook_context",
      origin: "post_tool_call",
      text: wording.hookContext(judged.verdict.hook_ids.join(", "), told.join("\n")),
      hook_ids: judged.verdict.hook_ids,
    });
  }
  return { kind: "finished", failed: result.is_error };
}

function* denyByHook(state: AgentState, call: ToolCall, judged: EmissionResult): Generator<AgentEvent, CallEnd> {
  const reasons = reasonsOf(judged);
  const denied = judged.verdict.decision === "deny" ? judged.verdict : undefined;
  const cause = denied?.cause ?? "engine_fault";
  yield eventOf(state, {
    type: "tool_denied",
    call_id: call.id,
    name: call.name,
    by: "hook",
    reason: reasons.join("\n"),
    cause,
  });
  const content = wording.deniedByHook(reasons, denied?.hook_ids ?? [], cause);
  yield release(state, { type: "tool_result", ...errorResult(call.id, call.name, content) });
  return { kind: "denied", rule: judged.batch_rule, tier: call.tier };
}

/** The result of a call that never ran or failed before it could. */
export function errorResult(callId: string, name: string, content: string): ToolResult {
  return { call_id: callId, name, is_error: true, content: bounded(content) };
}

/** What is told about a call may quote the model, who may write without end. */
function bounded(content: string): string {
  if (content.length <= MAX_TOLD) return content;
  return `${content.slice(0, MAX_TOLD)}… (${content.length} characters)`.toWellFormed();
}

/** Longest text that is told about a call which did not run, in UTF-16 units. */
const MAX_TOLD = 16_000;

async function toolCall(prepared: Extract<PreparedCall, { kind: "valid" }>): Promise<ToolCall> {
  const { requested, tool, input } = prepared;
  const path = await tool.target(input);
  return {
    id: requested.id,
    name: tool.name,
    input,
    tier: tool.tier,
    tags: tool.tags,
    ...(path !== undefined && { path }),
  };
}

async function execute(tool: Tool, call: ToolCall, signal: AbortSignal): Promise<ToolOutcome> {
  try {
    const judged = call.path === undefined ? {} : { judged_path: call.path };
    return await tool.run(call.input, { signal, call_id: call.id, ...judged });
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    return { is_error: true, content: `${call.name} failed: ${what}` };
  }
}

/** A value that is larger than what the model may read is not carried beside its text. */
function smallValue({ artifacts }: AgentParts, { value }: ToolOutcome): { readonly value?: Json } {
  return value === undefined || writeJson(value).length > artifacts.limit_bytes ? {} : { value };
}

function keepLarge(
  parts: AgentParts,
  call: ToolCall,
  outcome: ToolOutcome,
): { readonly content: string; readonly artifact_ref?: string } {
  const { content } = outcome;
  const limit = parts.artifacts.limit_bytes;
  if (content.length <= limit / 3 || new TextEncoder().encode(content).length <= limit) return { content };
  const kept = parts.artifacts.keep(call, content);
  return { content: kept.summary, artifact_ref: kept.ref };
}

function parseArguments(
  text: string,
): { readonly ok: true; readonly input: JsonObject } | { readonly ok: false; readonly problem: string } {
  if (isTooDeep(text)) return { ok: false, problem: `they are nested deeper than ${MAX_NESTING} levels` };
  let value: Json;
  try {
    value = parseJson(text);
  } catch (error) {
    const what = text.trim() === "" ? "they are empty" : error instanceof Error ? error.message : String(error);
    return { ok: false, problem: what };
  }
  if (isJsonObject(value)) return { ok: true, input: value };
  return {
    ok: false,
    problem: `they are ${Array.isArray(value) ? "an array" : value === null ? "null" : typeof value}`,
  };
}

function shownArguments(text: string): Json {
  if (isTooDeep(text)) return text;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

function notesOf(judged: EmissionResult): readonly string[] {
  return judged.reports.flatMap((report) => {
    const note = report.reason ?? report.message;
    const metadata = report.metadata === undefined ? "" : ` ${JSON.stringify(report.metadata)}`;
    return note === undefined && metadata === ""
      ? []
      : [`${report.hook_id}: ${report.outcome} ${note ?? ""}${metadata}`];
  });
}

function callEvent(requested: RequestedCall, name: string, input: Json) {
  return { type: "tool_call", call_id: requested.id, name, input } as const;
}

function invalid(requested: RequestedCall, name: string, problem: string): PreparedCall {
  return { kind: "invalid", requested, name, problem };
}
