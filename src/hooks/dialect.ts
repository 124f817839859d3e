/** What a dialect adds to the one engine; a new dialect is one new module and one new row in `dialects.ts`. */
import type { HookRun, Json, JsonObject, Moment, Occasion, Point, RunScope, Slot, Speech } from "../protocol/mod.ts";
import type { ExecutorSettings, Registration } from "./port.ts";

/** What the engine knows about one hook at one emission, beside the occasion. */
export interface PayloadFacts {
  readonly registration: Registration;
  /** Generation of the snapshot this emission began with. */
  readonly generation: number;
  readonly timestamp: Date;
  /** The tool name the matcher matched by, when that is not the canonical one (`MatchResult.alias`). */
  readonly alias?: string;
  /** Place of the emission among those at points of the agent-hooks standard in this session, from 0; absent at `stop`. */
  readonly sequence?: number;
}

/** What a run said beside its decision, for reports, notices and the conversation. */
export interface HookExtras {
  /** For `hook_finished` only. */
  readonly message?: string;
  readonly logs?: readonly Json[];
  readonly metadata?: Json;
  /** Text the hook wants in the conversation; the engine decides whether its point and speech may. */
  readonly additional_context?: string;
  /** What was odd about the run, said once a hook and code; never changes the slot. */
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

/** What a run meant. */
export interface Classified {
  readonly slot: Slot;
  readonly extras: HookExtras;
}

/** One way of speaking with hooks. Both functions are pure. */
export interface DialectModule {
  readonly speech: Speech;
  /** The payload of one emission for one hook; the engine writes it as one JSON line. */
  payload(occasion: Occasion, scope: RunScope, moment: Moment, facts: PayloadFacts): JsonObject;
  /** What a run of an executor of this type meant at this point. */
  classify(run: HookRun, point: Point, executor: ExecutorSettings["type"]): Classified;
}
