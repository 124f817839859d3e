/**
 * From many verdicts to one. Inside a lane by its profile, over the lanes the severest wins (agent-hooks/0.1, section 7.3).
 *
 * Severity: deny > deny that an approval can lift > transform > allow. Ties between denies go to the first, between
 * transforms of one sequential lane to the last.
 */
import type { CombinedVerdict, Lane, Speech, Verdict } from "../protocol/mod.ts";
import { capText } from "./cap.ts";

/** The settled verdict of one hook at one emission. */
export interface Vote {
  readonly hook_id: string;
  /** How sentences name the hook: its id, and where it is declared. */
  readonly hook_name: string;
  readonly speech: Speech;
  readonly lane: Lane;
  /** Place among the matching hooks; null when the engine speaks for a whole lane. */
  readonly index: number | null;
  readonly verdict: Verdict;
}

/** What one lane came to. */
export interface LaneOutcome {
  readonly lane: Lane;
  /** The vote that decides; undefined for a lane in which everything was allowed. */
  readonly winner?: Vote;
  readonly denies: readonly Vote[];
}

/** What all lanes came to. */
export interface Combination {
  readonly verdict: CombinedVerdict;
  readonly winner?: Vote;
  /** Every vote that denied, first first, over all lanes. */
  readonly denies: readonly Vote[];
}

/** Combines the votes of a lane in which all hooks are asked, given in the order in which they ran. */
export function composeLane(lane: Lane, votes: readonly Vote[]): LaneOutcome {
  const winner = severest(votes);
  return { lane, ...(winner && { winner }), denies: votes.filter((vote) => vote.verdict.decision === "deny") };
}

/** Combines the lanes, given in their order. A deny in one lane hides no reason of another. */
export function composeLanes(outcomes: readonly LaneOutcome[]): Combination {
  const winner = severest(outcomes.flatMap((outcome) => outcome.winner ?? []));
  const denies = outcomes.flatMap((outcome) => outcome.denies);
  return { verdict: combinedVerdict(winner, denies), ...(winner && { winner }), denies };
}

/** What the model and the user are told about a deny; never empty, and bounded. */
export function denyReason(vote: Vote): string {
  const { verdict } = vote;
  if (verdict.decision !== "deny") return "";
  const words = vote.lane === "agent-hooks" && verdict.message
    ? joined(verdict.reason, verdict.message)
    : verdict.reason;
  return words.trim() === "" ? `the hook ${vote.hook_name} denied this and gave no reason` : capText(words);
}

/** The first of the severest; of transforms the last, because each saw the one before. */
function severest(votes: readonly Vote[]): Vote | undefined {
  let best: Vote | undefined;
  for (const vote of votes) {
    const rank = severity(vote.verdict);
    const bestRank = best ? severity(best.verdict) : SEVERITY.allow;
    if (rank > bestRank || (rank === SEVERITY.transform && rank === bestRank)) best = vote;
  }
  return best;
}

const SEVERITY = { allow: 0, transform: 1, liftable_deny: 2, deny: 3 } as const;

function severity(verdict: Verdict): number {
  return verdict.decision === "deny" && verdict.approval !== undefined
    ? SEVERITY.liftable_deny
    : SEVERITY[verdict.decision];
}

function combinedVerdict(
  winner: Vote | undefined,
  denies: readonly Vote[],
): CombinedVerdict {
  if (winner === undefined || winner.verdict.decision === "allow") return { decision: "allow" };
  if (winner.verdict.decision === "transform") return { decision: "transform" };
  return {
    decision: "deny",
    reasons: denies.map(denyReason),
    cause: winner.verdict.cause,
    hook_ids: denies.map((vote) => vote.hook_id),
    liftable: denies.every(({ verdict }) => verdict.decision === "deny" && verdict.approval !== undefined),
    lane: winner.lane,
  };
}

function joined(reason: string, message: string): string {
  return reason.trim() === "" ? message : `${reason}: ${message}`;
}
