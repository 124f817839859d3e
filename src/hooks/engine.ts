/**
 * The hook engine. One emission: snapshot → matching hooks → lanes (each hook: run → slot → verdict) → combined verdict →
 * effect. Without a matching hook nothing is built: no payload, no hash, no record, no reading of the clock.
 *
 * `emit` never throws. What goes wrong in one hook's executor is that hook's undecided; what goes wrong in the engine itself
 * blocks where something was about to happen, and changes nothing elsewhere.
 */
import { laneOf, LANES, type Moment, type Occasion, type Point, POINT_TABLE } from "../protocol/mod.ts";
import { resolvedComposition } from "./agent_hooks/composition.ts";
import { runStandardLane, type StandardOutcome } from "./agent_hooks/lane.ts";
import { rewriteOccasion } from "./agent_hooks/rewrite.ts";
import { composeLanes, type LaneOutcome } from "./compose.ts";
import { batchRule, effectAt } from "./effect.ts";
import type { DialectTable, Emission, Gathered, MatchedHook } from "./emission.ts";
import { runLane } from "./lanes.ts";
import { createNoticeMemory } from "./notices.ts";
import { createOnceMemory } from "./once.ts";
import type { EmissionResult, HookEngine, HookEngineOptions, Registration } from "./port.ts";
import { recordOf } from "./record.ts";
import type { MatchedRegistration, RegistrySnapshot } from "./registry.ts";
import { isBlocking } from "./settle.ts";
import { checkStandard, DEFAULT_STANDARD, type StandardCheck } from "./standard.ts";

/** Where an engine takes its hooks from; a `Registry` is one. */
export interface SnapshotSource {
  snapshot(): RegistrySnapshot;
}

/** Makes an engine. One engine serves one session: it counts its emissions and remembers what the user was told. */
export function createHookEngine(
  source: SnapshotSource,
  dialects: DialectTable,
  given: HookEngineOptions,
): HookEngine {
  const options = { standard: DEFAULT_STANDARD, ...given };
  const memory = createNoticeMemory();
  const once = createOnceMemory();
  let standardEmissions = 0;

  const isRefusedEmpty = (snapshot: RegistrySnapshot, point: Point) =>
    options.fail_closed_when_empty && POINT_TABLE[point].standard && snapshot.registrations.length === 0;

  async function emit(occasion: Occasion, moment: Moment, signal: AbortSignal): Promise<EmissionResult> {
    const { point } = occasion;
    const sequence = POINT_TABLE[point].standard ? standardEmissions++ : undefined;
    const gathered: Gathered = { reports: [], votes: [], notices: [], contexts: [], cancelled: false };
    let generation = 0;
    let matching: readonly MatchedRegistration[] = [];
    try {
      const snapshot = source.snapshot();
      ({ generation } = snapshot);
      matching = once.claim(audienceOf(occasion, snapshot.matching(occasion)));
      if (matching.length === 0 && !isRefusedEmpty(snapshot, point)) return quietResult(point, generation);
      const hooks = matching.map((matched, index) => ({ ...matched, index }));
      const timestamp = options.now();
      const emission = { occasion, moment, signal, generation, timestamp, sequence, dialects, options, gathered, once };
      const result = await askAll(emission, hooks);
      return { ...result, notices: memory.fresh(gathered.notices) };
    } catch (error) {
      const result = faultResult(point, generation, gathered, options, error);
      return { ...result, notices: memory.fresh(gathered.notices) };
    } finally {
      once.giveBack(matching);
    }
  }

  return {
    emit,
    hasActive(point, subject) {
      const snapshot = source.snapshot();
      return snapshot.candidates(point, subject).some((hook) => !once.isSpent(hook)) || isRefusedEmpty(snapshot, point);
    },
    hasBlocking(point, others) {
      if (options.mode === "evaluate_only") return false;
      const snapshot = source.snapshot();
      const counts = ({ speech }: Registration) => speech !== others?.besides;
      return snapshot.at(point).some((hook) => counts(hook) && isBlocking(hook) && !once.isSpent(hook)) ||
        isRefusedEmpty(snapshot, point);
    },
    get generation() {
      return source.snapshot().generation;
    },
    get registrations() {
      return source.snapshot().registrations;
    },
  };
}

/** Parts of a stream are for hooks of the standard; the others are told of the whole answer. */
function audienceOf(occasion: Occasion, matching: readonly MatchedRegistration[]): readonly MatchedRegistration[] {
  if (occasion.point !== "post_model_call" || occasion.finish_reason === undefined) return matching;
  return matching.filter(({ registration }) => registration.speech === "agent-hooks/0.1");
}

/** Points at which a fault of the engine stops what was about to happen. */
const FAULT_BLOCKS: ReadonlySet<Point> = new Set<Point>(["input", "pre_tool_call", "output"]);

type Unsaid = Omit<EmissionResult, "notices">;

async function askAll(emission: Emission, hooks: readonly MatchedHook[]): Promise<Unsaid> {
  const { occasion, options, gathered } = emission;
  const check = await standardCheck(emission, hooks);
  const outcomes: LaneOutcome[] = [];
  let standard: StandardOutcome | undefined;
  let rewritten: Occasion | undefined;
  for (const lane of LANES) {
    const own = hooks.filter(({ registration }) => laneOf(registration.speech) === lane);
    if (lane !== "agent-hooks") {
      if (own.length > 0) outcomes.push(await runLane({ ...emission, occasion: rewritten ?? occasion }, lane, own));
      continue;
    }
    if (check === undefined) continue;
    if (check.refusal !== undefined) {
      gathered.votes.push(check.refusal);
      outcomes.push({ lane, winner: check.refusal, denies: [check.refusal] });
      continue;
    }
    standard = await runStandardLane(emission, own, check.context, check.identity);
    const { combined, denies, context } = standard;
    outcomes.push({ lane, winner: combined, denies });
    if (combined.verdict.decision !== "deny" && context !== check.context) {
      rewritten = rewriteOccasion(occasion, context);
    }
  }

  const combination = composeLanes(outcomes);
  const enforced = options.mode === "enforce";
  const { verdict } = combination;
  const proceeds = enforced && verdict.decision !== "deny";
  return {
    point: occasion.point,
    generation: emission.generation,
    effect: enforced ? effectAt(occasion.point, combination.denies) : "proceed",
    verdict: enforced ? verdict : { decision: "allow" },
    reports: gathered.reports,
    batch_rule: batchRule(combination.denies),
    contexts: gathered.contexts,
    cancelled: gathered.cancelled,
    ...(proceeds && rewritten !== undefined && { rewritten }),
    ...(proceeds && standard?.is_approved === true && { approved: true }),
    ...lastMessage(gathered),
    ...(check !== undefined && {
      record: recordOf({
        ...check,
        ...(standard !== undefined && { standard }),
        point: check.point,
        mode: options.mode,
        session_id: options.scope.session_id,
        sequence: check.sequence,
        timestamp: emission.timestamp,
        composition: resolvedComposition(options.standard.composition),
        identity_provider: options.standard.identity_provider?.name ?? null,
        combination,
        votes: gathered.votes,
        registered: hooks.length,
      }),
    }),
  };
}

/** The last message that is not blank; the reports are in the order in which the hooks ran. */
function lastMessage({ reports }: Gathered): Pick<EmissionResult, "message"> {
  const message = reports.findLast((report) => report.dialect === "onecode" && report.message?.trim())?.message;
  return message === undefined ? {} : { message };
}

/** The checks of the standard, where it has the point and a hook speaks it, or where it is asked for. */
async function standardCheck(emission: Emission, hooks: readonly MatchedHook[]) {
  const { occasion: { point }, sequence, options } = emission;
  if (point === "stop" || sequence === undefined) return undefined;
  const spoken = hooks.some(({ registration }) => registration.speech === "agent-hooks/0.1");
  if (!spoken && !options.fail_closed_when_empty) return undefined;
  const check: StandardCheck = await checkStandard(emission, hooks.length === 0);
  return { ...check, point, sequence };
}

function quietResult(point: Point, generation: number): EmissionResult {
  return {
    point,
    generation,
    effect: "proceed",
    verdict: ALLOW,
    reports: NOTHING,
    batch_rule: "by_tier",
    contexts: NOTHING,
    notices: NOTHING,
    cancelled: false,
  };
}

const ALLOW = { decision: "allow" } as const;
const NOTHING = [] as const;

function faultResult(
  point: Point,
  generation: number,
  gathered: Gathered,
  options: HookEngineOptions,
  error: unknown,
): Unsaid {
  const what = error instanceof Error ? error.message : String(error);
  const fault = `The hook engine failed at ${point}: ${what}`;
  const blocks = FAULT_BLOCKS.has(point) && options.mode === "enforce";
  const denies = gathered.votes.filter(({ verdict }) => verdict.decision === "deny");
  return {
    point,
    generation,
    effect: blocks ? "block" : "proceed",
    verdict: blocks
      ? { decision: "deny", reasons: [fault], cause: "engine_fault", hook_ids: [], liftable: false, lane: "soong" }
      : ALLOW,
    reports: gathered.reports,
    batch_rule: denies.length === 0 ? "go_on" : batchRule(denies),
    contexts: NOTHING,
    cancelled: gathered.cancelled,
    fault,
  };
}
