/** `--output text`: the answer on stdout, everything else on stderr, so that pipes work. */
import { type AgentEvent, isJsonObject, type Json, type JsonObject, type Point, writeJson } from "../protocol/mod.ts";
import { cutBytes, terminalSafe, visibleText } from "../text/mod.ts";
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
  const told: Told = { ended: new Set(), rewritten: new Set() };
  const tell = (line: string) => rendering.on_stdout ? output.out(`${line}\n`) : output.err(`${line}\n`);
  return {
    async show(event) {
      for (const line of linesOf(event, rendering, paint, told)) await tell(line);
      if (event.type === "assistant_message" && event.final) await output.out(`${terminalSafe(event.text)}\n`);
    },
    async end(summary) {
      for (const line of endLines(summary, paint)) await tell(line);
    },
  };
}

type Paint = (style: "dim" | "red" | "yellow" | "green" | "bold", text: string) => string;

/** What the lines so far have said about calls that have no result yet, by their ids. */
interface Told {
  /** A line has said that the call did not run. */
  readonly ended: Set<string>;
  /** Hooks have changed the arguments. */
  readonly rewritten: Set<string>;
}

function linesOf(event: AgentEvent, rendering: TextRendering, paint: Paint, told: Told): readonly string[] {
  switch (event.type) {
    case "session_started":
      return event.hooks_enabled ? [] : [paint("yellow", "hooks are off for this run: nothing is checked by hooks")];
    case "assistant_message":
      return event.final || event.text === "" ? [] : [paint("dim", short(event.text, 2000))];
    case "tool_call":
      return [`${paint("bold", one(event.name))} ${one(argumentLine(event.input))}`];
    case "hook_finished": {
      const noteworthy = NOTEWORTHY.has(event.outcome) || event.warnings !== undefined;
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
    case "hook_transformed":
      if (event.tool_call_id !== undefined && event.rewritten_input !== undefined) {
        told.rewritten.add(event.tool_call_id);
      }
      return [`  ${paint("yellow", "changed")} ${changeOf(event)}`];
    case "interception": {
      const { verdict, resolved_by: resolvedBy } = event.record;
      const isLifted = resolvedBy === "approval" && verdict["decision"] !== "deny";
      return isLifted ? [`  ${paint("green", "lifted")} by a person: the deny does not count`] : [];
    }
    case "tool_denied":
      told.ended.add(event.call_id);
      return [`  ${paint("red", "denied")} by ${event.by}: ${one(event.reason)}`];
    case "tool_skipped":
      told.ended.add(event.call_id);
      return [`  ${paint("yellow", "not run")} ${one(event.name)}: ${one(event.reason)}`];
    case "tool_result":
      return resultLines(event, paint, told);
    case "permission_decision":
      return event.decision === "deny" || event.by !== "sensitive" ? [] : [`  allowed: ${one(event.detail ?? "")}`];
    case "stop_hook_prevented":
      return [`${paint("yellow", "sent back")} by a Stop hook: ${event.reasons.map(one).join("; ")}`];
    case "aborted_tools":
      return [paint("yellow", `interrupted: ${event.call_ids.length} call(s) ended`)];
    case "warning":
      // The line at the start of the session has said it.
      if (event.code === "hooks_off") return [];
      return [`${paint("yellow", "warning")}: ${one(event.message)}`];
    case "error":
      return [`${paint("red", "error")}: ${short(event.message, 2000)}`];
    case "config_reloaded":
      return [paint("dim", `hooks reloaded: generation ${event.generation}`)];
    default:
      return [];
  }
}

/** Outcomes of hooks that are always told. */
const NOTEWORTHY: ReadonlySet<string> = new Set(["deny", "undecided", "transform"]);

function resultLines(
  event: Extract<AgentEvent, { type: "tool_result" }>,
  paint: Paint,
  { ended, rewritten }: Told,
): readonly string[] {
  const { call_id: id, content, duration_ms: duration } = event;
  const isRewritten = rewritten.delete(id);
  const isTold = ended.delete(id) || event.aborted === true;
  if (!event.is_error) return [`  ${paint("green", "ok")} ${paint("dim", `${duration ?? 0} ms`)}`];
  const failed = paint("red", "failed");
  if (duration !== undefined) return [`  ${failed} ${one(isRewritten ? withoutWhatRan(content) : content)}`];
  return isTold ? [] : [`  ${failed} ${one(onOneLine(content))}`];
}

/** The tool's own words, without the line for the model that says what ran. */
function withoutWhatRan(content: string): string {
  return content.startsWith("[A hook changed the arguments.") ? content.slice(content.indexOf("\n") + 1) : content;
}

/** A sentence with a list below it, as this program writes why nothing ran, on one line. */
function onOneLine(text: string): string {
  return terminalSafe(text).trim().replace(/:\n(?:- )?/g, ": ").replace(/\n(?:- )?/g, "; ");
}

function changeOf(event: Extract<AgentEvent, { type: "hook_transformed" }>): string {
  const { input: before, rewritten_input: after } = event;
  if (after === undefined) return CHANGED[event.point] ?? `what ${event.point} is about`;
  if (!isJsonObject(before) || !isJsonObject(after)) return `the arguments: ${difference(before, after)}`;
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changes = names.filter((name) => shown(before[name]) !== shown(after[name])).map((name) =>
    `${brief(visibleLine(name), 0)}: ${difference(before[name], after[name])}`
  );
  const more = changes.length > MAX_CHANGES ? `, and ${changes.length - MAX_CHANGES} more` : "";
  return changes.slice(0, MAX_CHANGES).join(", ") + more;
}

/** Changed arguments that are shown of one call. */
const MAX_CHANGES = 4;

/** What hooks have rewritten where the event does not hold it. */
const CHANGED: Partial<Record<Point, string>> = {
  input: "the prompt",
  pre_model_call: "the request to the model",
  post_model_call: "the answer of the model",
  post_tool_call: "the result of the call",
  output: "the answer",
};

/** Both values in short, from a little before the first difference. */
function difference(before: Json | undefined, after: Json | undefined): string {
  const [old, now] = [shown(before), shown(after)];
  let same = 0;
  while (same < old.length && old[same] === now[same]) same++;
  const from = same <= CONTEXT * 2 ? 0 : same - CONTEXT;
  return `${brief(old, from)} → ${brief(now, from)}`;
}

/** Characters that are shown before a difference, and of one value at most. */
const [CONTEXT, MAX_SHOWN] = [20, 120];

function brief(text: string, from: number): string {
  const end = from + MAX_SHOWN;
  return `${from > 0 ? "…" : ""}${text.slice(from, end)}${end < text.length ? "…" : ""}`.toWellFormed();
}

function shown(value: Json | undefined): string {
  return value === undefined ? "(none)" : visibleLine(writeJson(value));
}

/** On one line, and with everything in it to be seen. */
function visibleLine(value: string): string {
  return visibleText(value).replace(/\n/g, "\\n").replace(/\t/g, "\\t");
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
