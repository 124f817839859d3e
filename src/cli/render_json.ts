/** `--output json` (one object at the end) and `--output stream-json` (every event as one line). */
import { type AgentEvent, type JsonObject, writeJson } from "../protocol/mod.ts";
import { terminalSafe } from "../text/mod.ts";
import type { Output } from "./output.ts";
import type { Renderer } from "./renderer.ts";

/** One JSON object on stdout when the run is over; warnings and errors on stderr as well. */
export function createJsonRenderer(output: Output): Renderer {
  const seen: AgentEvent[] = [];
  return {
    async show(event) {
      if (KEPT.has(event.type)) seen.push(event);
      await sayAloud(event, output);
    },
    async end(summary) {
      await output.out(`${writeJson(reportOf(seen, { ...summary }))}\n`);
    },
  };
}

/** Every event on stdout, one JSON object a line, `assistant_delta` too; warnings and errors on stderr as well. */
export function createStreamJsonRenderer(output: Output): Renderer {
  return {
    async show(event) {
      await output.out(`${writeJson(event)}\n`);
      await sayAloud(event, output);
    },
    end: () => Promise.resolve(),
  };
}

async function sayAloud(event: AgentEvent, output: Output): Promise<void> {
  if (event.type !== "warning" && event.type !== "error") return;
  await output.err(`${event.type}: ${terminalSafe(event.message)}\n`);
}

const KEPT: ReadonlySet<AgentEvent["type"]> = new Set([
  "session_finished",
  "hook_denied",
  "tool_denied",
  "tool_skipped",
  "warning",
  "error",
]);

function reportOf(events: readonly AgentEvent[], summary: JsonObject): JsonObject {
  const all = <Type extends AgentEvent["type"]>(type: Type) =>
    events.filter((event): event is Extract<AgentEvent, { type: Type }> => event.type === type);
  const finished = all("session_finished").at(-1);
  return {
    ...summary,
    ...(finished && {
      usage: { ...finished.usage },
      tool_call_count: finished.tool_call_count,
      hook_count: finished.hook_count,
      hook_time_ms: finished.hook_time_ms,
      duration_ms: finished.duration_ms,
    }),
    denials: all("hook_denied").map(({ point, hook_ids, reasons, cause, tool_call_id }) => ({
      point,
      hook_ids,
      reasons,
      cause,
      ...(tool_call_id !== undefined && { tool_call_id }),
    })),
    denied_tools: all("tool_denied").map(({ call_id, name, by, reason }) => ({ call_id, name, by, reason })),
    warnings: all("warning").map(({ code, message }) => ({ code, message })),
    errors: all("error").map(({ code, message }) => ({ code, message })),
  };
}
