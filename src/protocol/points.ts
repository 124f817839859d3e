/**
 * Interception points: which exist, what each dialect calls them, and what a deny does there.
 *
 * `POINTS` and `POINT_TABLE` are the one place where points and dialects differ; code loops over them.
 */

/** A hook file format. */
export type Dialect = "soong" | "onecode" | "claude";

/** How one hook speaks: its dialect, with the version where that matters. `agent-hooks/0.1` is a protocol of soong 2 hooks. */
export type Speech = "soong/1" | "soong/2" | "onecode" | "claude" | "agent-hooks/0.1";

/** Lanes in the order in which they run at one emission: what can rewrite comes before what can only deny. */
export const LANES = ["claude", "agent-hooks", "soong", "onecode"] as const;

/** One dialect's share of an emission; each lane yields one verdict. */
export type Lane = typeof LANES[number];

/** The lane in which a hook of this speech runs. */
export function laneOf(speech: Speech): Lane {
  return LANE_OF[speech];
}

const LANE_OF = {
  "soong/1": "soong",
  "soong/2": "soong",
  "onecode": "onecode",
  "claude": "claude",
  "agent-hooks/0.1": "agent-hooks",
} as const satisfies Record<Speech, Lane>;

/**
 * What a deny comes to at a point, for one speech.
 *
 * - `block`: what was about to happen does not happen
 * - `discard`: what was produced is withheld
 * - `send_back`: the model has to go on working
 * - `tell`: the reason goes to the model, nothing is withheld
 * - `observe`: recorded only
 * - `closed`: this speech has no hooks at this point
 */
export type DenyEffect = "block" | "discard" | "send_back" | "tell" | "observe" | "closed";

/** What a matcher of this point is compared with. */
export type SubjectKind = "tool_name" | "model_id" | "none";

interface PointRow {
  readonly subject: SubjectKind;
  /** False only for `stop`, which the agent-hooks standard does not have. */
  readonly standard: boolean;
  readonly events: {
    readonly soong: { readonly name: string; readonly since: 1 | 2 };
    readonly onecode?: string;
    readonly claude?: string;
  };
  readonly deny: Readonly<Record<Speech, DenyEffect>>;
  readonly when: string;
}

/** Every point in the order of a run. */
export const POINTS = [
  "agent_startup",
  "input",
  "pre_model_call",
  "post_model_call",
  "pre_tool_call",
  "post_tool_call",
  "stop",
  "output",
  "agent_shutdown",
] as const;

/** A place in the loop where hooks are asked. */
export type Point = typeof POINTS[number];

/** Everything that differs by point and dialect (design.md, section 4). */
export const POINT_TABLE = {
  agent_startup: {
    subject: "none",
    standard: true,
    events: { soong: { name: "SessionStart", since: 1 }, claude: "SessionStart" },
    deny: deny("observe", "observe", "closed", "observe", "block"),
    when: "once, before the first input",
  },
  input: {
    subject: "none",
    standard: true,
    events: { soong: { name: "UserPromptSubmit", since: 1 }, onecode: "input", claude: "UserPromptSubmit" },
    deny: deny("observe", "block", "block", "block", "block"),
    when: "a prompt arrives, before it enters the history",
  },
  pre_model_call: {
    subject: "model_id",
    standard: true,
    events: { soong: { name: "PreModelCall", since: 2 }, onecode: "pre_model_call" },
    deny: deny("closed", "observe", "observe", "closed", "block"),
    when: "before each model request",
  },
  post_model_call: {
    subject: "model_id",
    standard: true,
    events: { soong: { name: "PostModelCall", since: 2 }, onecode: "post_model_call" },
    deny: deny("closed", "observe", "observe", "closed", "discard"),
    when: "after each complete model answer, before its tool calls",
  },
  pre_tool_call: {
    subject: "tool_name",
    standard: true,
    events: { soong: { name: "PreToolUse", since: 1 }, onecode: "pre_tool_call", claude: "PreToolUse" },
    deny: deny("block", "block", "block", "block", "block"),
    when: "after the arguments are known to be valid, before permission and execution",
  },
  post_tool_call: {
    subject: "tool_name",
    standard: true,
    events: { soong: { name: "PostToolUse", since: 1 }, onecode: "post_tool_call", claude: "PostToolUse" },
    deny: deny("observe", "observe", "observe", "tell", "discard"),
    when: "after the tool returned or failed",
  },
  stop: {
    subject: "none",
    standard: false,
    events: { soong: { name: "Stop", since: 1 }, claude: "Stop" },
    deny: deny("send_back", "send_back", "closed", "send_back", "closed"),
    when: "the model wants to end the turn",
  },
  output: {
    subject: "none",
    standard: true,
    events: { soong: { name: "Output", since: 2 }, onecode: "output" },
    deny: deny("closed", "block", "block", "closed", "block"),
    when: "before the final answer is delivered and kept",
  },
  agent_shutdown: {
    subject: "none",
    standard: true,
    events: { soong: { name: "SessionEnd", since: 2 }, claude: "SessionEnd" },
    deny: deny("closed", "observe", "closed", "observe", "observe"),
    when: "once, at the end, also after failure",
  },
} as const satisfies Record<Point, PointRow>;

/** What a deny by a hook of this speech comes to at this point. */
export function denyEffect(point: Point, speech: Speech): DenyEffect {
  return POINT_TABLE[point].deny[speech];
}

/** The point that an event name of this dialect means; undefined for a name the dialect does not have. */
export function pointOfEvent(dialect: Dialect, event: string): Point | undefined {
  return POINTS.find((point) => eventName(point, dialect) === event);
}

/** What this dialect calls the point; undefined where the dialect does not have it. */
export function eventName(point: Point, dialect: Dialect): string | undefined {
  const events: PointRow["events"] = POINT_TABLE[point].events;
  return dialect === "soong" ? events.soong.name : events[dialect];
}

function deny(soong1: DenyEffect, soong2: DenyEffect, onecode: DenyEffect, claude: DenyEffect, standard: DenyEffect) {
  return { "soong/1": soong1, "soong/2": soong2, onecode, claude, "agent-hooks/0.1": standard } as const;
}
