/**
 * The lane of agent-hooks/0.1: asks the interceptors by the profile that the host has declared, and makes one verdict
 * (section 7). Every interceptor gets a context of its own; what it does to it stays with it.
 *
 * | profile | who is asked, and with what |
 * |---|---|
 * | `sequential/first_deny` | one after another, each with the target as rewritten so far, up to the first deny |
 * | `sequential/run_all` | the same, all of them; the severest verdict wins |
 * | `parallel/strictest` | all of them with the same context; the severest verdict wins |
 * | `parallel/unanimous` | the same; anything but allow from every one is a disagreement |
 */
import { type JsonObject, laneOf, type Speech, type Verdict, type Warning } from "../../protocol/mod.ts";
import { askHook } from "../ask_hook.ts";
import type { Vote } from "../compose.ts";
import type { Emission, MatchedHook } from "../emission.ts";
import { consult, type Resolution } from "./approval.ts";
import type { Profile } from "./composition.ts";
import { contextIdentity } from "./identity.ts";
import { rewriteOccasion } from "./rewrite.ts";
import { transformContext } from "./transform.ts";

/** What the lane came to, with what the record has to say about it. */
export interface StandardOutcome {
  /** The combined verdict; `index` is null where nobody's verdict decided. */
  readonly combined: Vote;
  /** The context as the enforced action will see it; the first one when nothing was rewritten. */
  readonly context: JsonObject;
  readonly enforced_identity: string | null;
  /** Absent when the approval seam was not consulted. */
  readonly resolved_by?: "approval" | "rejection";
  /** The seam has permitted exactly the context that is enforced; a rewrite after it takes that away. */
  readonly is_approved: boolean;
  /** The denies whose reasons are to be told; empty when nothing is denied. */
  readonly denies: readonly Vote[];
}

const SPEECH: Speech = "agent-hooks/0.1";

/** The engine speaking in the lane's name. */
export function laneVote(verdict: Verdict, decider?: Vote): Vote {
  return {
    hook_id: decider?.hook_id ?? SPEECH,
    hook_name: decider?.hook_name ?? SPEECH,
    speech: SPEECH,
    lane: laneOf(SPEECH),
    index: decider?.index ?? null,
    verdict,
  };
}

/** A deny of the host itself, in one of the reserved words (section 11). */
export function hostDeny(reason: string, more: { readonly message?: string; readonly approval?: JsonObject } = {}) {
  return { decision: "deny", reason: `host_error:${reason}`, cause: "hook_failure", ...more, warnings: [] } as const;
}

/** Asks the hooks of the lane. `context` is valid and has the identity `input`. */
export async function runStandardLane(
  emission: Emission,
  hooks: readonly MatchedHook[],
  context: JsonObject,
  input: string | null,
): Promise<StandardOutcome> {
  const asking = createAsking(emission, hooks, context);
  const state = await PROFILE_TABLE[emission.options.standard.composition.profile](asking);
  const combined = withUnions(state, asking.votes, state.resolution);
  const finished = await finish(emission, state, combined, context, input);
  const { verdict } = finished.combined;
  return {
    ...finished,
    ...(state.resolved_by && { resolved_by: state.resolved_by }),
    is_approved: state.approved !== undefined && state.approved === finished.context,
    denies: verdict.decision !== "deny" ? [] : [
      finished.combined,
      ...asking.votes.filter((vote) => vote.verdict.decision === "deny" && vote.index !== finished.combined.index),
    ],
  };
}

/** What a profile came to. */
interface LaneState {
  readonly verdict: Verdict;
  readonly decider?: Vote;
  readonly context: JsonObject;
  readonly resolved_by?: "approval" | "rejection";
  readonly resolution?: Verdict;
  /** The context that the seam has permitted last. */
  readonly approved?: JsonObject;
}

interface Asking {
  readonly hooks: readonly MatchedHook[];
  readonly base: JsonObject;
  readonly votes: Vote[];
  readonly knobs: Emission["options"]["standard"]["composition"];
  readonly ask: (hook: MatchedHook, context: JsonObject) => Promise<Vote>;
  /** The context with a transform applied, or the deny that stands for one that does not fit. */
  readonly apply: (context: JsonObject, verdict: Transform) => JsonObject | undefined;
  /** Undefined where the seam must not be consulted, or nobody can be. */
  readonly consult: (context: JsonObject, denied: Deny) => Promise<Resolution | undefined>;
  readonly isCancelled: () => boolean;
}

type Transform = Extract<Verdict, { decision: "transform" }>;
type Deny = Extract<Verdict, { decision: "deny" }>;

function createAsking(emission: Emission, hooks: readonly MatchedHook[], base: JsonObject): Asking {
  const { options, signal, gathered, occasion } = emission;
  const { approval, redactor, identity_provider: identityProvider, composition } = options.standard;
  const mayConsult = approval !== undefined && options.mode === "enforce" && occasion.point !== "agent_shutdown";
  const votes: Vote[] = [];
  return {
    hooks,
    base,
    votes,
    knobs: composition,
    async ask(hook, context) {
      const vote = await askHook(emission, hook, context);
      votes.push(vote);
      return vote;
    },
    // Where nothing is enforced a transform is checked and not applied.
    apply: (context, { path, value }) => {
      const next = transformContext(context, path, value);
      if (next === undefined || rewriteOccasion(occasion, next) === undefined) return undefined;
      return options.mode === "enforce" ? next : context;
    },
    consult: (context, denied) =>
      mayConsult
        ? consult({ resolver: approval, redactor, identity_provider: identityProvider, signal }, context, denied)
        : Promise.resolve(undefined),
    isCancelled() {
      if (signal.aborted) gathered.cancelled = true;
      return gathered.cancelled;
    },
  };
}

const ALLOW: Verdict = { decision: "allow", warnings: [] };

const PROFILE_TABLE = {
  "sequential/first_deny": firstDeny,
  "sequential/run_all": runAll,
  "parallel/strictest": strictest,
  "parallel/unanimous": unanimous,
} as const satisfies Record<Profile, (asking: Asking) => Promise<LaneState>>;

async function firstDeny(asking: Asking): Promise<LaneState> {
  let state: LaneState = { verdict: ALLOW, context: asking.base };
  for (const hook of asking.hooks) {
    if (asking.isCancelled()) break;
    const vote = await asking.ask(hook, state.context);
    const { verdict } = vote;
    if (verdict.decision === "transform") {
      state = foldTransform(asking, state, verdict, vote);
      if (state.verdict.decision === "deny") return state;
      continue;
    }
    if (verdict.decision === "allow") continue;
    const resolution = verdict.approval === undefined ? undefined : await asking.consult(state.context, verdict);
    if (resolution === undefined) return { ...state, verdict, decider: vote };
    state = substitute(asking, state, resolution, vote);
    if (state.verdict.decision === "deny" || asking.knobs.on_approval !== "resume") return state;
  }
  return state;
}

async function runAll(asking: Asking): Promise<LaneState> {
  let state: LaneState = { verdict: ALLOW, context: asking.base };
  for (const hook of asking.hooks) {
    if (asking.isCancelled()) break;
    const vote = await asking.ask(hook, state.context);
    if (vote.verdict.decision !== "transform") continue;
    state = foldTransform(asking, state, vote.verdict, vote);
    if (state.verdict.decision === "deny") return state;
  }
  const denied = firstBlock(asking.votes);
  return denied === undefined ? state : await liftOrStand(asking, state, denied);
}

async function strictest(asking: Asking): Promise<LaneState> {
  const state: LaneState = { verdict: ALLOW, context: asking.base };
  await askAllAlike(asking);
  const denied = firstBlock(asking.votes);
  if (denied !== undefined) return await liftOrStand(asking, state, denied);
  const transforms = asking.votes.filter(({ verdict }) => verdict.decision === "transform");
  const [only, another] = transforms;
  if (only === undefined) return state;
  if (another === undefined) return foldTransform(asking, state, only.verdict as Transform, only);
  return await synthesize(asking, state, "transform_conflict", asking.knobs.on_transform_conflict);
}

async function unanimous(asking: Asking): Promise<LaneState> {
  const state: LaneState = { verdict: ALLOW, context: asking.base };
  await askAllAlike(asking);
  if (asking.votes.every(({ verdict }) => verdict.decision === "allow")) return state;
  return await synthesize(asking, state, "composition_disagreement", asking.knobs.on_disagreement);
}

/** All with the same context. "Parallel" is about what they see; they are asked one after another. */
async function askAllAlike(asking: Asking): Promise<void> {
  for (const hook of asking.hooks) {
    if (asking.isCancelled()) return;
    await asking.ask(hook, asking.base);
  }
}

function foldTransform(asking: Asking, state: LaneState, verdict: Transform, decider: Vote): LaneState {
  const context = asking.apply(state.context, verdict);
  if (context === undefined) return { ...withoutDecider(state), verdict: hostDeny("transform_invalid") };
  return { ...state, verdict, decider, context };
}

/** Puts a resolution in the place of the deny it was asked about. */
function substitute(asking: Asking, state: LaneState, { lifted, verdict }: Resolution, decider: Vote): LaneState {
  const resolved = { ...state, decider, resolution: verdict, resolved_by: lifted ? "approval" : "rejection" } as const;
  if (verdict.decision === "transform") {
    const folded = foldTransform(asking, resolved, verdict, decider);
    return folded.verdict.decision === "deny" ? folded : { ...folded, approved: folded.context };
  }
  if (verdict.decision === "deny") return { ...resolved, verdict };
  // An allow in the place of a deny leaves the transform that was folded before it the last word.
  const keeps = verdict.decision === "allow" && state.verdict.decision === "transform" &&
    asking.knobs.on_approval === "resume" && asking.knobs.profile === "sequential/first_deny";
  return { ...resolved, verdict: keeps ? state.verdict : verdict, approved: state.context };
}

/** The severest deny stands, unless every deny can be lifted and the one consultation lifts them all. */
async function liftOrStand(asking: Asking, state: LaneState, denied: Vote): Promise<LaneState> {
  const verdict = denied.verdict as Deny;
  const isLiftable = asking.votes.every(({ verdict: one }) => one.decision !== "deny" || one.approval !== undefined);
  const resolution = isLiftable ? await asking.consult(state.context, verdict) : undefined;
  if (resolution === undefined) return { ...state, verdict, decider: denied };
  return substitute(asking, state, resolution, denied);
}

/** What no single interceptor said: a conflict or a disagreement. */
async function synthesize(
  asking: Asking,
  state: LaneState,
  reason: string,
  knob: "deny" | "approval" | undefined,
): Promise<LaneState> {
  const denied = hostDeny(reason, knob === "approval" ? { approval: {} } : {});
  const resolution = knob === "approval" ? await asking.consult(state.context, denied) : undefined;
  if (resolution === undefined) return { ...state, verdict: denied };
  return withoutDecider(substitute(asking, state, resolution, laneVote(denied)));
}

function withoutDecider({ decider: _, ...state }: LaneState): LaneState {
  return state;
}

/** A plain deny before a liftable one, the first before later ones. */
function firstBlock(votes: readonly Vote[]): Vote | undefined {
  const denies = votes.filter(({ verdict }) => verdict.decision === "deny");
  return denies.find(({ verdict }) => (verdict as Deny).approval === undefined) ?? denies[0];
}

/** Warnings of everyone; labels of everyone who permits, and none where nothing proceeds (section 7.3). */
function withUnions({ verdict, decider }: LaneState, votes: readonly Vote[], resolution?: Verdict): Vote {
  const verdicts = [...votes.map((vote) => vote.verdict), ...(resolution ? [resolution] : [])];
  const warnings = uniqueWarnings(verdicts.flatMap((one) => one.warnings));
  const permits = verdicts.filter(({ decision }) => decision !== "deny");
  const labels = verdict.decision === "deny" ? [] : [...new Set(permits.flatMap((one) => one.result_labels ?? []))];
  const { result_labels: _, ...rest } = verdict;
  return laneVote({ ...rest, warnings, ...(labels.length > 0 && { result_labels: labels }) } as Verdict, decider);
}

/** In the order of their first appearance; equal when reason and message are. */
function uniqueWarnings(warnings: readonly Warning[]): readonly Warning[] {
  const seen = new Map<string, Warning>();
  for (const warning of warnings) {
    const key = JSON.stringify([warning.reason, warning.message ?? null]);
    if (!seen.has(key)) seen.set(key, warning);
  }
  return [...seen.values()];
}

/** The identity of what will be done; a rewritten context that has none is refused. */
async function finish(
  { options }: Emission,
  { context }: LaneState,
  combined: Vote,
  base: JsonObject,
  input: string | null,
): Promise<Pick<StandardOutcome, "combined" | "context" | "enforced_identity">> {
  if (context === base) return { combined, context, enforced_identity: input };
  const identity = await contextIdentity(context, options.standard.identity_provider);
  if (identity.ok) return { combined, context, enforced_identity: identity.identity };
  const refusal = hostDeny("context_invalid", { message: identity.problem });
  return {
    combined: laneVote({ ...refusal, warnings: combined.verdict.warnings }),
    context: base,
    enforced_identity: null,
  };
}
