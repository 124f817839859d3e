/**
 * The vocabulary of soong hook files: events, keys, and what other products write where soong has a word of its own.
 */
import { eventName, nearest, type Point, POINT_TABLE, POINTS } from "../../protocol/mod.ts";

/** Points that version 1 files can name. */
export const POINTS_OF_VERSION_1: readonly Point[] = POINTS.filter((point) =>
  POINT_TABLE[point].events.soong.since === 1
);

/** Event names of version 1. */
export const EVENTS_OF_VERSION_1: readonly string[] = POINTS_OF_VERSION_1.map(soongEvent);

/** What soong calls a point. */
export function soongEvent(point: Point): string {
  return POINT_TABLE[point].events.soong.name;
}

/** Names of the public soong-agent for the same events; accepted, with a warning. */
export const OLD_EVENTS: ReadonlyMap<string, Point> = new Map<string, Point>([
  ["session_started", "agent_startup"],
  ["user_prompt_submitted", "input"],
  ["tool_started", "pre_tool_call"],
  ["tool_completed", "post_tool_call"],
  ["stop", "stop"],
]);

/** What an event name in a version 1 file means: a point, or why none. */
export type EventMeaning =
  | { readonly point: Point; readonly old: boolean }
  | { readonly point?: undefined; readonly code: string; readonly message: string; readonly hint: string };

/**
 * Reads an event name: exact for soong's own words, with a hint for a near miss and for the words of other products.
 */
export function meaningOfEvent(event: string): EventMeaning {
  const own = POINTS.find((point) => soongEvent(point) === event);
  if (own !== undefined && POINT_TABLE[own].events.soong.since === 1) return { point: own, old: false };
  if (own !== undefined) {
    const message = `${JSON.stringify(event)} is an event of version 2`;
    return { code: "needs-version-2", message, hint: `events of version 1: ${EVENTS_OF_VERSION_1.join(", ")}` };
  }
  const old = OLD_EVENTS.get(event);
  if (old !== undefined) return { point: old, old: true };
  return { code: "unknown-event", message: `unknown event ${JSON.stringify(event)}`, hint: hintForEvent(event) };
}

function hintForEvent(event: string): string {
  const folded = event.trim().toLowerCase();
  const sameLetters = EVENTS_OF_VERSION_1.find((name) => name.toLowerCase() === folded);
  if (sameLetters !== undefined) return `did you mean "${sameLetters}"? Event names are case-sensitive`;
  const foreign = FOREIGN_EVENTS.get(folded.replaceAll("_", ""));
  if (foreign !== undefined) return foreign;
  const near = nearest(event, EVENTS_OF_VERSION_1);
  if (near !== undefined) return `did you mean "${near}"?`;
  return `events of version 1: ${EVENTS_OF_VERSION_1.join(", ")}`;
}

/** Hints by the lower-case name without underscores. */
const FOREIGN_EVENTS: ReadonlyMap<string, string> = new Map([
  ...POINTS.map((point): [string, string] => [point.replaceAll("_", ""), hintForPoint(point)]),
  ...Object.entries(
    {
      pre_tool_call: ["BeforeTool", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile"],
      post_tool_call: ["AfterTool", "PostToolUseFailure", "afterShellExecution", "afterMCPExecution", "afterFileEdit"],
      input: ["BeforeAgent", "beforeSubmitPrompt"],
      stop: ["AfterAgent", "agentStop"],
      agent_startup: ["session_start"],
      pre_model_call: ["BeforeModel"],
      post_model_call: ["AfterModel", "afterAgentResponse"],
      agent_shutdown: ["session_end"],
    } satisfies { [P in Point]?: readonly string[] },
  ).flatMap(([point, names]) =>
    names.map((name): [string, string] => [name.toLowerCase().replaceAll("_", ""), hintForPoint(point as Point)])
  ),
  ...["SubagentStart", "SubagentStop", "StopFailure", "PreCompact", "PostCompact", "PreCompress", "GoalStageInvoke"]
    .map(
      (name): [string, string] => [name.toLowerCase(), "no hooks are asked there"],
    ),
  [
    "notification",
    'no hooks are asked there; messages are sent by hooks of type "notification" in an onecode file (~/.onecode/hooks.json)',
  ],
  ["permissionrequest", 'no hooks are asked there; "PreToolUse" is asked before permission'],
]);

function hintForPoint(point: Point): string {
  const { since } = POINT_TABLE[point].events.soong;
  return since === 1 ? `write "${eventName(point, "soong")}"` : `"${soongEvent(point)}" in version 2 is that event`;
}

/** Which condition a key of a matcher states. */
export const CONDITION_KEYS = {
  event_type: "event",
  event: "event",
  tool_name: "tool",
  canonical_tool_name: "tool",
  tool: "tool",
  tag: "tag",
  path_prefix: "path",
  path: "path",
} as const satisfies Record<string, ConditionField>;

/** What a condition compares. */
export type ConditionField = "event" | "tool" | "tag" | "path";

/** The condition a key states; undefined for any other key. */
export function conditionOfKey(key: string): ConditionField | undefined {
  return Object.hasOwn(CONDITION_KEYS, key) ? CONDITION_KEYS[key as keyof typeof CONDITION_KEYS] : undefined;
}

/** Keys of a rule, conditions aside. */
export const RULE_KEYS = ["matcher", "hooks"] as const;

/** Keys of a hook, conditions aside. */
export const HOOK_KEYS = [
  "type",
  "command",
  "timeout",
  "timeout_ms",
  "working_dir",
  "decision",
  "action",
  "reason",
] as const;

/**
 * What a key that version 1 cannot honour costs: the key alone, or the hook, which would do something else without
 * it.
 */
interface RefusedKey {
  readonly code: "needs-version-2" | "unknown-key";
  readonly costs: "key" | "hook";
  readonly hint: string;
}

/** Settings of version 2, and settings of other products that change what a hook does. */
export const REFUSED_HOOK_KEYS: ReadonlyMap<string, RefusedKey> = new Map(Object.entries({
  priority: versionTwo("key", "hooks of version 1 run in file order"),
  once: versionTwo("key", "this hook runs every time"),
  name: versionTwo("key", "hooks of version 1 have an id made from their content"),
  on_failure: versionTwo("key", "for all hooks together there is hooks.on_failure in config.toml"),
  mode: versionTwo(
    "key",
    'this hook enforces; for all hooks together there is hooks.mode = "evaluate_only" in config.toml',
  ),
  enabled: versionTwo("hook", "to switch a hook off in version 1, put it in a comment"),
  protocol: versionTwo("hook", "hooks of version 1 speak soong's own JSON"),
  persistent: versionTwo("key", "this hook is started for every event"),
  model: versionTwo("hook", "the conditions of version 1 are event_type, tool_name, tag and path_prefix"),
  args: { code: "unknown-key", costs: "hook", hint: 'write the command as a list: ["program", "argument"]' },
  if: { code: "unknown-key", costs: "hook", hint: "say in the matcher when the hook runs, or test it in the command" },
}));

/** What to do with a type that other files have. */
export const TYPES_ELSEWHERE: ReadonlyMap<string, string> = new Map([
  [
    "http",
    'version 1 runs hooks of type "command" only; "http" is read in version 2, for hooks of agent-hooks/0.1, ' +
    "and in files of the onecode form (~/.onecode/hooks.json)",
  ],
  [
    "notification",
    'version 1 runs hooks of type "command" only; hooks of type "notification" belong into an onecode file ' +
    "(~/.onecode/hooks.json)",
  ],
]);

function versionTwo(costs: RefusedKey["costs"], hint: string): RefusedKey {
  return { code: "needs-version-2", costs, hint };
}
