/** What is told about one hook at one emission: its report for `hook_finished`, and what the user hears of it once. */
import {
  eventName,
  type HookOutcome,
  type HookReport,
  type HookRun,
  type Point,
  type Slot,
  type Speech,
  type Verdict,
} from "../protocol/mod.ts";
import { capJson, capText } from "./cap.ts";
import { denyReason, type Vote } from "./compose.ts";
import type { Classified } from "./dialect.ts";
import type { Notice } from "./notices.ts";
import type { Registration } from "./port.ts";

/** One hook, asked and settled. */
export interface SettledHook {
  readonly registration: Registration;
  readonly run: HookRun;
  readonly classified: Classified;
  /** The slot as it stands at this point: observed where the hook cannot enforce. */
  readonly slot: Slot;
  readonly vote: Vote;
  readonly mode: "enforce" | "evaluate_only";
}

/** What a dialect calls the point. */
export function eventOf(point: Point, speech: Speech): string {
  const dialect = EVENT_DIALECT[speech];
  return (dialect && eventName(point, dialect)) ?? point;
}

/** How sentences name a hook: its id, and where it is declared. */
export function nameOf({ id, declared }: Registration): string {
  return declared ? `${id} (${declared.file}:${declared.line})` : id;
}

/** The account of one hook. */
export function reportOf(hook: SettledHook): HookReport {
  const { registration, run, classified, vote } = hook;
  const { extras } = classified;
  const warnings = [
    ...vote.verdict.warnings.map(({ reason }) => reason),
    ...(isHeldBack(hook) ? ["not_enforced"] : []),
    ...extras.warnings.map(({ message }) => message),
  ];
  return {
    hook_id: registration.id,
    point: registration.point,
    event: eventOf(registration.point, registration.speech),
    dialect: registration.speech,
    source: registration.source,
    ...decisionOf(hook),
    duration_ms: run.duration_ms,
    ...(run.ending.kind === "exited" && { exit_code: run.ending.code }),
    ...(extras.message !== undefined && { message: capText(extras.message) }),
    ...(extras.logs !== undefined && extras.logs.length > 0 && { logs: cappedLogs(extras.logs) }),
    ...(extras.metadata !== undefined && { metadata: capJson(extras.metadata) }),
    ...(run.stderr !== "" && { stderr: capText(run.stderr) }),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** What the user is told once a hook and cause. */
export function noticesOf(hook: SettledHook): readonly Notice[] {
  const { registration, classified, slot, vote } = hook;
  const { point, speech } = registration;
  const subject = `hook ${nameOf(registration)} at ${eventOf(point, speech)}`;
  const notice = (code: string, message: string): Notice => ({ hook_id: registration.id, code, message });
  const { warnings } = classified.extras;

  if (slot.kind === "undecided") {
    if (slot.cause === "cancelled") return [];
    const advice = warnings.map(({ message }) => `; ${message}`).join("");
    const consequence = vote.verdict.decision === "deny" ? "this counts as a deny" : "this counts as no objection";
    return [{
      ...notice("hook_undecided", `${subject} ${slot.detail}${advice}. By policy ${consequence}.`),
      cause: slot.cause,
    }];
  }
  const ignored = slot.kind === "observed" && vote.verdict.warnings.some(({ reason }) => reason === "deny_ignored");
  return [
    ...(ignored
      ? [notice("deny_ignored", `${subject} denied, but a ${speech} hook can only observe there: nothing was stopped.`)]
      : []),
    ...warnings.map(({ code, message }) => notice(`hook_${code}`, `${subject}: ${message}.`)),
  ];
}

const EVENT_DIALECT = {
  "soong/1": "soong",
  "soong/2": "soong",
  onecode: "onecode",
  claude: "claude",
  "agent-hooks/0.1": undefined,
} as const satisfies Record<Speech, "soong" | "onecode" | "claude" | undefined>;

/** Whether the whole engine only evaluates, so that this decision has no effect. */
function isHeldBack({ mode, vote, slot }: SettledHook): boolean {
  return mode === "evaluate_only" && slot.kind !== "observed" && vote.verdict.decision !== "allow";
}

function decisionOf(hook: SettledHook): Pick<HookReport, "outcome" | "cause" | "reason"> {
  const { slot, vote } = hook;
  if (slot.kind === "undecided" && vote.verdict.decision === "allow") {
    return { outcome: "undecided", cause: slot.cause, reason: capText(slot.detail) };
  }
  const verdict = slot.kind === "observed" ? slot.verdict : vote.verdict;
  const outcome: HookOutcome = slot.kind === "observed" || isHeldBack(hook) ? "observed" : verdict.decision;
  const reason = reasonOf(vote, verdict);
  return {
    outcome,
    ...(verdict.decision === "deny" && { cause: verdict.cause }),
    ...(reason !== undefined && reason !== "" && { reason: capText(reason) }),
  };
}

function reasonOf(vote: Vote, verdict: Verdict): string | undefined {
  return verdict.decision === "deny" ? denyReason({ ...vote, verdict }) : verdict.reason;
}

function cappedLogs(logs: NonNullable<HookReport["logs"]>): NonNullable<HookReport["logs"]> {
  const capped = capJson(logs);
  return Array.isArray(capped) ? capped : [capped];
}
