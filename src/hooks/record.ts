/** The payload-free account of one emission (agent-hooks/0.1, section 10.3): a projection of what is known, nothing more. */
import type { InterceptionRecord, JsonObject, Warning } from "../protocol/mod.ts";
import type { StandardOutcome } from "./agent_hooks/lane.ts";
import { capBytes } from "./cap.ts";
import type { Combination, Vote } from "./compose.ts";

/** What a record is made of. */
export interface RecordFacts {
  readonly point: InterceptionRecord["interception_point"];
  readonly mode: InterceptionRecord["mode"];
  readonly session_id: string;
  readonly sequence: number;
  readonly timestamp: Date;
  readonly composition: JsonObject;
  readonly identity_provider: string | null;
  /** Identity of the context before dispatch; null when the context was refused. */
  readonly identity: string | null;
  /** What the lane of the standard came to; absent where it was not asked. */
  readonly standard?: StandardOutcome;
  readonly combination: Combination;
  /** Votes of the hooks that ran and of the engine, in order. */
  readonly votes: readonly Vote[];
  /** Hooks left after matching. */
  readonly registered: number;
}

/** Builds the record. Pure. */
export function recordOf(facts: RecordFacts): InterceptionRecord {
  const { combination, votes } = facts;
  const asked = votes.filter((vote) => vote.index !== null);
  const decided = combination.winner ?? facts.standard?.combined;
  return {
    interception_point: facts.point,
    mode: facts.mode,
    verdict: projection(decided, votes),
    input_identity: facts.identity,
    enforced_identity: facts.standard === undefined ? facts.identity : facts.standard.enforced_identity,
    identity_provider: facts.identity_provider,
    session_id: facts.session_id,
    sequence: facts.sequence,
    timestamp: facts.timestamp.toISOString(),
    decided_by: decided?.index ?? null,
    composition: facts.composition,
    verdicts: asked.map(summary),
    fold_truncated: asked.length < facts.registered,
    ...(facts.standard?.resolved_by && { resolved_by: facts.standard.resolved_by }),
    interceptors_registered: facts.registered,
  };
}

/** Largest message in a record. */
const MESSAGE_LIMIT_BYTES = 256;

function projection(winner: Vote | undefined, votes: readonly Vote[]): JsonObject {
  const said = [...votes.flatMap((vote) => vote.verdict.warnings), ...winner?.verdict.warnings ?? []];
  const warnings = unionOf(said).map((warning) => ({
    ...(warning.reason !== "" && { reason: warning.reason }),
    ...(warning.message !== undefined && { message: capBytes(warning.message, MESSAGE_LIMIT_BYTES) }),
  }));
  const told = { ...(warnings.length > 0 && { warnings }) };
  if (winner === undefined) return { decision: "allow", ...told };
  const { verdict } = winner;
  const message = messageOf(winner);
  return {
    decision: verdict.decision,
    ...reasonOf(winner),
    ...(message !== undefined && { message: capBytes(message, MESSAGE_LIMIT_BYTES) }),
    ...(verdict.decision === "deny" && verdict.approval !== undefined && { approval: {} }),
    ...(verdict.decision === "transform" && { transform: { path: verdict.path } }),
    ...(verdict.evidence !== undefined && { evidence: verdict.evidence }),
    ...(verdict.result_labels !== undefined && { result_labels: verdict.result_labels }),
    ...told,
  };
}

function summary(vote: Vote): JsonObject {
  return { index: vote.index, decision: vote.verdict.decision, ...reasonOf(vote), name: vote.hook_id };
}

/**
 * A machine identifier. Reasons of other dialects are sentences that may quote what they are about, so theirs is the
 * dialect with the cause.
 */
function reasonOf(vote: Vote): { readonly reason?: string } {
  const { verdict, lane } = vote;
  if (lane === "agent-hooks") return verdict.reason ? { reason: verdict.reason } : {};
  return verdict.decision === "deny" ? { reason: `${lane}:${verdict.cause}` } : {};
}

/** The message in an agent-hooks verdict; the reason of other dialects, which is a message in the words of the standard. */
function messageOf({ lane, verdict }: Vote): string | undefined {
  if (lane === "agent-hooks") return verdict.message;
  if (verdict.decision !== "deny") return undefined;
  return verdict.reason === "" ? undefined : verdict.reason;
}

/** In the order of their first appearance; equal when reason and message are. */
function unionOf(warnings: readonly Warning[]): readonly Warning[] {
  const seen = new Map<string, Warning>();
  for (const warning of warnings) {
    const key = JSON.stringify([warning.reason, warning.message ?? null]);
    if (!seen.has(key)) seen.set(key, warning);
  }
  return [...seen.values()];
}
