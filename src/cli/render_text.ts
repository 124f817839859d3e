/** `--output text`: the answer on stdout, everything else on stderr, so that pipes work. */
import type { AgentEvent, JsonObject } from "../protocol/mod.ts";
import { cutBytes, terminalSafe } from "../text/mod.ts";
import type { Output } from "./output.ts";
import type { Renderer, RunSummary } from "./renderer.ts";

/** How much is told. */
export interface TextRendering {
  /** Every hook with its time, not only those that decided or failed. */
  readonly all_hooks: boolean;
  /** Puts everything on stdout (the demo). */
  readonly on_stdout: boolean;
}

/** Renders for people. Whatever comes from a model, a tool, a hook or a file is made safe for the terminal first. */
export function createTextRenderer(output: Output, rendering: TextRendering): Renderer {
  const paint = painter(rendering.on_stdout ? output.color.out : output.color.err);
  const tell = (line: string) => rendering.on_stdout ? output.out(`${line}\n`) : output.err(`${line}\n`);
  return {
    async show(event) {
      for (const line of linesOf(event, rendering, paint)) await tell(line);
      if (event.type === "assistant_message" && event.final) await output.out(`${terminalSafe(event.text)}\n`);
    },
    async end(summary) {
      for (const line of endLines(summary, paint)) await tell(line);
    },
  };
}

type Paint = (style: "dim" | "red" | "yellow" | "green" | "bold", text: string) => string;

function linesOf(event: AgentEvent, rendering: TextRendering, paint: Paint): readonly string[] {
  switch (event.type) {
    case "session_started":
      return event.hooks_enabled ? [] : [paint("yellow", "hooks are off for this run: nothing is checked by hooks")];
    case "assistant_message":
      return event.final || event.text === "" ? [] : [paint("dim", short(event.text, 2000))];
    case "tool_call":
      return [`${paint("bold", one(event.name))} ${one(argumentLine(event.input))}`];
    case "hook_finished": {
      const noteworthy = event.outcome === "deny" || event.outcome === "undecided" || event.warnings !== undefined;
      if (!noteworthy && !rendering.all_hooks) return [];
      const style = event.outcome === "deny" ? "red" : event.outcome === "undecided" ? "yellow" : "dim";
      const why = event.reason ?? event.message;
      const what = event.outcome === "undecided" ? `undecided (${event.cause})` : event.outcome;
      const ignored = event.warnings?.includes("deny_ignored") ? ` (a deny is ignored at ${event.event})` : "";
      return [
        `  ${paint(style, "hook")} ${event.event} ${one(event.hook_id)}: ${paint(style, what)} ` +
        `${paint("dim", `${Math.round(event.duration_ms)} ms`)}${why ? ` - ${one(why)}` : ""}${ignored}`,
      ];
    }
    case "tool_denied":
      return [`  ${paint("red", "denied")} by ${event.by}: ${one(event.reason)}`];
    case "tool_skipped":
      return [`  ${paint("yellow", "not run")} ${one(event.name)}: ${one(event.reason)}`];
    case "tool_result": {
      if (!event.is_error) return [`  ${paint("green", "ok")} ${paint("dim", `${event.duration_ms ?? 0} ms`)}`];
      return event.duration_ms === undefined ? [] : [`  ${paint("red", "failed")} ${one(event.content)}`];
    }
    case "permission_decision":
      return event.decision === "deny" || event.by !== "sensitive" ? [] : [`  allowed: ${one(event.detail ?? "")}`];
    case "stop_hook_prevented":
      return [`${paint("yellow", "sent back")} by a Stop hook: ${event.reasons.map(one).join("; ")}`];
    case "aborted_tools":
      return [paint("yellow", `interrupted: ${event.call_ids.length} call(s) ended`)];
    case "warning":
      return [`${paint("yellow", "warning")}: ${one(event.message)}`];
    case "error":
      return [`${paint("red", "error")}: ${short(event.message, 2000)}`];
    case "config_reloaded":
      return [paint("dim", `hooks reloaded: generation ${event.generation}`)];
    default:
      return [];
  }
}

function endLines(summary: RunSummary, paint: Paint): readonly string[] {
  const ending = summary.reason === "completed" ? "completed" : `ended: ${summary.reason}`;
  return [paint("dim", `${ending} | session ${summary.session_id} | head ${summary.head}`)];
}

/** The argument a person wants to see. */
function argumentLine(input: unknown): string {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return String(input);
  const named = input as JsonObject;
  const main = named["command"] ?? named["file_path"] ?? named["pattern"] ?? named["path"];
  return typeof main === "string"
    ? main
    : JSON.stringify(input, (_key, value) => typeof value === "bigint" ? `${value}` : value);
}

function one(text: string): string {
  const safe = terminalSafe(text).trim();
  const line = safe.split("\n", 1)[0] ?? "";
  const cut = cutBytes(line, 300, "head").text;
  return line.length < safe.length && cut === line ? `${cut} …` : cut;
}

function short(text: string, bytes: number): string {
  return cutBytes(terminalSafe(text), bytes, "head_tail").text;
}

function painter(color: boolean): Paint {
  return (style, text) => color ? `\x1b[${STYLES[style]}m${text}\x1b[0m` : text;
}

const STYLES = { dim: 2, red: 31, yellow: 33, green: 32, bold: 1 } as const;
