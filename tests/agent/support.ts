/** Ports as literals: a model that plays answers, tools that note their runs, hooks that answer by a function. */
import type { AgentParts } from "../../src/agent/mod.ts";
import type { EmissionResult, HookEngine } from "../../src/hooks/mod.ts";
import type { Model, ModelEvent, ModelRequest } from "../../src/model/mod.ts";
import type { AgentEvent, ModelAnswer, Occasion, Point, Tier } from "../../src/protocol/mod.ts";
import type { Tool } from "../../src/tools/mod.ts";

export interface Played extends Partial<Omit<ModelAnswer, "tool_calls">> {
  readonly calls?: readonly { id: string; name: string; arguments_text?: string }[];
}

export function playModel(answers: readonly (Played | ModelEvent[])[]): { model: Model; requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  const model: Model = {
    id: "m-1",
    provider: "fake",
    async *stream(request) {
      requests.push({ ...request, messages: [...request.messages] });
      const next = answers[requests.length - 1] ?? answers.at(-1)!;
      if (Array.isArray(next)) {
        yield* next;
        return;
      }
      const played = next as Played;
      if (played.text) yield { type: "text_delta", text: played.text };
      yield {
        type: "finish",
        answer: {
          text: played.text ?? "",
          tool_calls: (played.calls ?? []).map((call) => ({ arguments_text: "{}", ...call })),
          finish_reason: played.finish_reason ?? (played.calls ? "tool_calls" : "stop"),
          usage: played.usage ?? { input_tokens: 10, output_tokens: 5 },
        },
      };
    },
  };
  return { model, requests };
}

export function quietResult(point: Point): EmissionResult {
  return {
    point,
    generation: 1,
    effect: "proceed",
    verdict: { decision: "allow" },
    reports: [],
    batch_rule: "by_tier",
    contexts: [],
    notices: [],
    cancelled: false,
  };
}

export function deny(point: Point, effect: EmissionResult["effect"], ...reasons: string[]): EmissionResult {
  return {
    ...quietResult(point),
    effect,
    verdict: {
      decision: "deny",
      reasons,
      cause: "policy",
      hook_ids: reasons.map((_, index) => `h${index + 1}`),
      liftable: false,
      lane: "soong",
    },
  };
}

export function hookPort(
  answer: (occasion: Occasion) => EmissionResult | undefined,
  blocking: readonly Point[] = [],
): { hooks: HookEngine; asked: Occasion[] } {
  const asked: Occasion[] = [];
  const hooks: HookEngine = {
    emit(occasion) {
      asked.push(structuredClone(occasion));
      return Promise.resolve(answer(occasion) ?? quietResult(occasion.point));
    },
    hasActive: () => true,
    hasBlocking: (point) => blocking.includes(point),
    generation: 1,
    registrations: [],
  };
  return { hooks, asked };
}

export function noteTool(name: string, tier: Tier, ran: string[], content = `${name} ran`): Tool {
  return {
    name,
    description: name,
    tier,
    tags: [tier],
    parameters: { type: "object" },
    validate: (input) => "bad" in input ? { ok: false, problems: ["bad: not a field"] } : { ok: true, input },
    target: () => Promise.resolve(undefined),
    run(_input, { call_id }) {
      ran.push(call_id);
      return Promise.resolve({ is_error: false, content });
    },
  };
}

export function partsOf(
  given: Partial<AgentParts> & Pick<AgentParts, "model">,
  tools: readonly Tool[] = [],
): AgentParts {
  return {
    tools: { tools, resolve: (name) => tools.find((tool) => tool.name === name), wireName: (tool) => tool.name },
    hooks: hookPort(() => undefined).hooks,
    permission: {
      mode: "full",
      protectedBy: () => undefined,
      deniedBy: () => undefined,
      sensitiveBy: () => undefined,
      allowedBy: () => undefined,
    },
    artifacts: {
      limit_bytes: 32 * 1024,
      keep: (call, content) => ({ summary: `summary of ${content.length}`, ref: `artifacts/s/${call.id}` }),
      discard: () => {},
    },
    limits: { max_turns: 50, max_stop_denials: 8, max_repeated_failures: 5 },
    system: "system",
    history: [],
    turn: 0,
    clock: () => performance.now(),
    ...given,
  };
}

export async function collect<Result>(
  generator: AsyncGenerator<AgentEvent, Result>,
): Promise<{ events: AgentEvent[]; result: Result }> {
  const events: AgentEvent[] = [];
  for (;;) {
    const next = await generator.next();
    if (next.done) return { events, result: next.value };
    events.push(next.value);
  }
}

export function of<Type extends AgentEvent["type"]>(
  events: readonly AgentEvent[],
  type: Type,
): Extract<AgentEvent, { type: Type }>[] {
  return events.filter((event): event is Extract<AgentEvent, { type: Type }> => event.type === type);
}
