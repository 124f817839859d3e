/**
 * From meaning to decision: the one place where "undecided" becomes something else, by a stated policy.
 *
 * | slot | becomes |
 * |---|---|
 * | verdict | itself |
 * | observed | allow, with the warning that says why its deny or transform counts for nothing |
 * | undecided, agent-hooks | the standard's reserved deny for that failure |
 * | undecided, `stop`, a user's cancel, or a hook that cannot block | allow with the warning `undecided:<cause>` |
 * | undecided, a hook that can block | what `on_failure` says |
 */
import {
  type DenyEffect,
  denyEffect,
  type Point,
  type Slot,
  type Speech,
  type UndecidedCause,
  type Verdict,
  type Warning,
} from "../protocol/mod.ts";
import type { OnFailure, Registration } from "./port.ts";

/** How far a hook's word reaches at a point. */
export type Standing =
  /** Its deny has an effect. */
  | "enforced"
  /** Its speech has no deny at this point. */
  | "speech_observes"
  /** It is in `mode: "observe"`. */
  | "mode_observes";

/** What settling needs to know about a hook and where it stands. */
export interface SettlePolicy {
  readonly speech: Speech;
  readonly point: Point;
  readonly standing: Standing;
  /** Whether the hook can block here (design: "Blocking hook"). */
  readonly blocking: boolean;
  /** The hook's own setting, else `hooks.on_failure`. */
  readonly on_failure: OnFailure;
  /** True when `on_failure` is the hook's own. */
  readonly own_on_failure?: boolean;
}

/** Turns a slot into a verdict. Pure. */
export function settle(slot: Slot, policy: SettlePolicy): Verdict {
  switch (slot.kind) {
    case "verdict":
      return slot.verdict;
    case "observed":
      return settleObserved(slot.verdict, policy);
    case "undecided":
      return settleUndecided(slot, policy);
  }
}

/** Marks a verdict that cannot have an effect where the hook stands. */
export function observeWhere(slot: Slot, standing: Standing): Slot {
  if (standing === "enforced" || slot.kind !== "verdict" || slot.verdict.decision === "allow") return slot;
  return { kind: "observed", verdict: slot.verdict };
}

/** How far this hook's word reaches at its point. */
export function standingOf(registration: Registration): Standing {
  if (registration.mode === "observe") return "mode_observes";
  // The standard records a deny as a deny also at agent_shutdown, where it has no effect (section 6.1a).
  if (registration.speech === "agent-hooks/0.1") return "enforced";
  return ENFORCEABLE[denyEffect(registration.point, registration.speech)] ? "enforced" : "speech_observes";
}

/** Whether a hook can block at its point: its speech can, its mode is enforce, and its executor can answer. */
export function isBlocking(registration: Registration): boolean {
  return registration.mode === "enforce" && BLOCKS[denyEffect(registration.point, registration.speech)] &&
    ANSWERS[registration.executor.type](registration.speech);
}

/** What undecided of this cause comes to, by one setting. */
export function onFailureFor(setting: OnFailure, cause: UndecidedCause): "allow" | "deny" | "ask" {
  return typeof setting === "string" ? setting : setting[cause] ?? "allow";
}

const BLOCKS = {
  block: true,
  discard: true,
  send_back: true,
  tell: false,
  observe: false,
  closed: false,
} as const satisfies Record<DenyEffect, boolean>;

/** Deny effects that do anything at all. */
const ENFORCEABLE = { ...BLOCKS, tell: true } as const satisfies Record<DenyEffect, boolean>;

/** Executors that can give a decision, by what the hook speaks. */
const ANSWERS = {
  command: () => true,
  static: () => true,
  interceptor: () => true,
  http: (speech) => speech === "agent-hooks/0.1",
  notification: () => false,
} as const satisfies Record<Registration["executor"]["type"], (speech: Speech) => boolean>;

const IGNORED = {
  enforced: "not_enforced",
  speech_observes: "deny_ignored",
  mode_observes: "not_enforced",
} as const satisfies Record<Standing, string>;

/** Reserved reasons of agent-hooks/0.1 (section 11) for interceptors that gave no usable verdict. */
const RESERVED_REASONS = {
  not_started: "host_error:interceptor_failed",
  timeout: "host_error:interceptor_timeout",
  exit: "host_error:interceptor_failed",
  output: "host_error:verdict_invalid",
  transport: "host_error:interceptor_failed",
  cancelled: "host_error:interceptor_failed",
} as const satisfies Record<UndecidedCause, string>;

type Undecided = Extract<Slot, { kind: "undecided" }>;

function settleObserved(verdict: Verdict, { standing }: SettlePolicy): Verdict {
  const word = verdict.decision === "transform" ? "transform_ignored" : IGNORED[standing];
  const warning: Warning = { reason: word, ...(verdict.reason !== undefined && { message: verdict.reason }) };
  return { decision: "allow", warnings: [...verdict.warnings, warning] };
}

function settleUndecided(slot: Undecided, policy: SettlePolicy): Verdict {
  const warning: Warning = { reason: `undecided:${slot.cause}`, message: slot.detail };
  if (slot.cause === "cancelled") return { decision: "allow", warnings: [warning] };
  if (policy.speech === "agent-hooks/0.1" && policy.standing === "enforced") {
    const reason = slot.reserved_reason ?? RESERVED_REASONS[slot.cause];
    return { decision: "deny", reason, message: slot.detail, cause: "hook_failure", warnings: [] };
  }
  const wanted = policy.blocking && policy.point !== "stop" ? onFailureFor(policy.on_failure, slot.cause) : "allow";
  if (wanted === "allow") return { decision: "allow", warnings: [warning] };
  const setting = policy.own_on_failure ? "its on_failure" : "hooks.on_failure in config.toml";
  return {
    decision: "deny",
    reason: `the hook gave no decision (${slot.detail}), and ${setting} is "${wanted}"`,
    cause: "hook_failure",
    ...(wanted === "ask" && { approval: {} }),
    warnings: [warning],
  };
}
