/** The vocabulary of onecode hook files: points, retired and internal names, and the shape of a file. */
import { eventName, nearest, type Point, POINT_TABLE, POINTS } from "../../protocol/mod.ts";

/** The points that onecode files can name. */
export const ONECODE_POINTS: readonly Point[] = POINTS.filter((point) => eventName(point, "onecode") !== undefined);

/** The shape of a group, and of a file. */
export const GROUP_SHAPE = '{ "matcher": "Bash", "hooks": [ { "type": "command", "command": "…" } ] }';
export const ONECODE_SHAPE = `{ "pre_tool_call": [ ${GROUP_SHAPE} ] }`;

/** What a root key means: a point, or why none and what to do. */
export type KeyMeaning =
  | { readonly point: Point; readonly exact: boolean }
  | { readonly point?: undefined; readonly code: string; readonly message: string; readonly hint: string };

/** Reads a root key; case and outer spaces do not matter. */
export function meaningOfKey(key: string): KeyMeaning {
  const folded = foldKey(key);
  const point = ONECODE_POINTS.find((known) => known === folded);
  if (point !== undefined) return { point, exact: point === key };
  return ELSEWHERE.get(folded)?.(key) ?? {
    code: "unknown-point",
    message: `unknown point ${JSON.stringify(key)}`,
    hint: hintForPoint(folded),
  };
}

/** Whether a root key says that a file has the onecode form. */
export function isOnecodeKey(key: string): boolean {
  const folded = foldKey(key);
  return ONECODE_POINTS.some((point) => point === folded) || ONECODE_MARKS.has(folded);
}

/** Names of fields, points and types, as they are compared. */
export function foldKey(key: string): string {
  return key.trim().toLowerCase();
}

/** Names that OneCode gave up for a point. */
const MOVED = { PreToolUse: "pre_tool_call", PostToolUse: "post_tool_call", UserPromptSubmit: "input" } as const;

/** Names that OneCode gave up, for which soong has an event. */
const IN_SOONG = { SessionStart: "agent_startup", SessionEnd: "agent_shutdown", Stop: "stop" } as const;

/** Names that OneCode gave up, for which nothing is asked anywhere. */
const GONE = {
  StopFailure: "soong-agent reports a failed run itself: its exit code, an error event in the session",
  PreCompact: "soong-agent compacts the conversation by itself",
  PostCompact: "soong-agent compacts the conversation by itself",
  Notification:
    'soong-agent asks for permission by itself; to send messages, write a hook of type "notification" at a point',
  GoalStageInvoke: "there are no goals in soong-agent",
} as const;

/** Points that no onecode file may name. */
const INTERNAL = ["agent_startup", "agent_shutdown"] as const satisfies readonly Point[];

type Refusal = (key: string) => KeyMeaning;

/** What keys mean that are no point here, by their folded name. */
const ELSEWHERE: ReadonlyMap<string, Refusal> = new Map<string, Refusal>([
  ...Object.entries(MOVED).map(([name, point]): [string, Refusal] => [
    name.toLowerCase(),
    (key) => ({
      code: "retired-event",
      message: `${JSON.stringify(key)} is the old name of the point "${point}"`,
      hint: `write "${point}"`,
    }),
  ]),
  ...Object.entries(IN_SOONG).map(([name, point]): [string, Refusal] => [
    name.toLowerCase(),
    (key) => ({
      code: "retired-event",
      message: `${JSON.stringify(key)} is no hook point of onecode files`,
      hint: hintForSoong(point),
    }),
  ]),
  ...Object.entries(GONE).map(([name, hint]): [string, Refusal] => [
    name.toLowerCase(),
    (key) => ({ code: "retired-event", message: `${JSON.stringify(key)} is no hook point of onecode files`, hint }),
  ]),
  ...INTERNAL.map((point): [string, Refusal] => [
    point,
    (key) => ({
      code: "internal-point",
      message: `${JSON.stringify(key)} is an internal point, which onecode files cannot name`,
      hint: hintForSoong(point),
    }),
  ]),
  ...["version", "hooks", "rules"].map((name): [string, Refusal] => [
    name,
    (key) => ({
      code: "unknown-point",
      message: `${JSON.stringify(key)} belongs to soong hook files; here points stand at the root`,
      hint: `the shape is ${ONECODE_SHAPE}`,
    }),
  ]),
]);

/** Retired and internal names: with a point they make a file a onecode file. */
const ONECODE_MARKS: ReadonlySet<string> = new Set(
  [...Object.keys(MOVED), ...Object.keys(IN_SOONG), ...Object.keys(GONE), ...INTERNAL].map((name) =>
    name.toLowerCase()
  ),
);

function hintForSoong(point: Point): string {
  const { name, since } = POINT_TABLE[point].events.soong;
  return `in a soong hook file the event "${name}"${since === 1 ? "" : " (version 2)"} is asked there`;
}

function hintForPoint(folded: string): string {
  const near = nearest(folded, ONECODE_POINTS);
  return near === undefined ? `points: ${ONECODE_POINTS.join(", ")}` : `did you mean "${near}"?`;
}
