/** Asks one hook: payload → run → classify → slot → verdict. A throw of its executor is an undecided of this hook alone. */
import { type HookRun, type JsonObject, laneOf, type Point, type Speech, writeAsciiJson } from "../protocol/mod.ts";
import { capText } from "./cap.ts";
import type { Vote } from "./compose.ts";
import type { Classified, DialectModule } from "./dialect.ts";
import type { Emission, MatchedHook } from "./emission.ts";
import type { ExecutorSettings, HookEngineOptions, HookRequest } from "./port.ts";
import { isDone } from "./once.ts";
import { eventOf, nameOf, noticesOf, reportOf } from "./report.ts";
import { isBlocking, observeWhere, settle, standingOf } from "./settle.ts";
import { templateFields } from "./template_values.ts";

/**
 * Runs the hook and gathers what it came to; `context` stands in the place of the payload that the occasion gives. Throws
 * only for a fault of the engine.
 */
export async function askHook(emission: Emission, hook: MatchedHook, context?: JsonObject): Promise<Vote> {
  const { registration } = hook;
  const { point, speech } = registration;
  const { options, gathered } = emission;
  const dialect = emission.dialects[speech];
  if (dialect === undefined) throw new TypeError(`no dialect speaks ${speech}, which hook ${registration.id} needs`);

  const run = await runHook(emission, requestFor(emission, hook, dialect, context));
  const classified = withWarningsOf(run, dialect.classify(run, point, registration.executor.type));
  const standing = standingOf(registration);
  const slot = observeWhere(classified.slot, standing);
  const verdict = settle(slot, {
    speech,
    point,
    standing,
    blocking: isBlocking(registration),
    on_failure: registration.on_failure ?? options.on_failure,
    own_on_failure: registration.on_failure !== undefined,
  });
  const vote: Vote = {
    hook_id: registration.id,
    hook_name: nameOf(registration),
    speech,
    lane: laneOf(speech),
    index: hook.index,
    verdict,
  };

  if (isDone(slot)) emission.once.spend(registration);
  const settled = { registration, run, classified, slot, vote, mode: options.mode };
  gathered.votes.push(vote);
  gathered.reports.push(reportOf(settled));
  gathered.notices.push(...noticesOf(settled));
  const { additional_context: text } = classified.extras;
  if (text !== undefined && text.trim() !== "" && CONTEXT_POINTS[speech].includes(point)) {
    gathered.contexts.push({ hook_id: registration.id, text: capText(text) });
  }
  if (run.ending.kind === "cancelled") gathered.cancelled = true;
  return vote;
}

function withWarningsOf({ warnings = [] }: HookRun, { slot, extras }: Classified): Classified {
  return { slot, extras: { ...extras, warnings: [...warnings, ...extras.warnings] } };
}

/** Where the `additional_context` of a speech enters the conversation (design.md, sections 5.1 to 5.4). */
const CONTEXT_POINTS = {
  "soong/1": [],
  "soong/2": ["input", "agent_startup"],
  onecode: ["input"],
  claude: ["input", "agent_startup"],
  "agent-hooks/0.1": [],
} as const satisfies Record<Speech, readonly Point[]> as Record<Speech, readonly Point[]>;

/** In what form an executor is given the payload; what it does not need is not built. */
const PAYLOAD_FORM = {
  command: () => "line",
  static: () => "nothing",
  interceptor: () => "value",
  http: (settings) => settings.sends_payload && settings.body === undefined ? "line" : "nothing",
  notification: () => "nothing",
} as const satisfies {
  readonly [Type in ExecutorSettings["type"]]: (settings: Extract<ExecutorSettings, { type: Type }>) => PayloadForm;
};

type PayloadForm = "line" | "value" | "nothing";

function payloadForm(settings: ExecutorSettings): PayloadForm {
  return (PAYLOAD_FORM[settings.type] as (settings: ExecutorSettings) => PayloadForm)(settings);
}

const NO_BYTES = new Uint8Array(0);

function requestFor(
  emission: Emission,
  hook: MatchedHook,
  dialect: DialectModule,
  context: JsonObject | undefined,
): HookRequest {
  const { registration, alias } = hook;
  const { occasion, moment, options, sequence } = emission;
  const form = payloadForm(registration.executor);
  const payload = form === "nothing" ? undefined : context ?? dialect.payload(occasion, options.scope, moment, {
    registration,
    generation: emission.generation,
    timestamp: emission.timestamp,
    ...(alias !== undefined && { alias }),
    ...(sequence !== undefined && { sequence }),
  });
  return {
    registration,
    payload: form === "line" ? new TextEncoder().encode(writeAsciiJson(payload) + "\n") : NO_BYTES,
    ...(form === "value" && { context: structuredClone(payload) }),
    env: {
      SOONG_SESSION_ID: options.scope.session_id,
      SOONG_HOOK_EVENT: eventOf(registration.point, registration.speech),
    },
    fields: lazily(() => templateFields(occasion, options.scope, emission.timestamp)),
    signal: emission.signal,
  };
}

function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

async function runHook(emission: Emission, request: HookRequest): Promise<HookRun> {
  const executors: Partial<HookEngineOptions["executors"]> = emission.options.executors;
  const { type } = request.registration.executor;
  const execute = executors[type];
  if (execute === undefined) return endedBy({ kind: "not_started", reason: `nothing here runs hooks of type ${type}` });
  try {
    return await execute(request);
  } catch (error) {
    const what = (error instanceof Error ? error.message : String(error)).slice(0, 400);
    return endedBy({ kind: "transport_failed", reason: `its executor broke: ${what}` });
  }
}

function endedBy(ending: HookRun["ending"]): HookRun {
  return { ending, stdout: NO_BYTES, stdout_truncated: false, stderr: "", duration_ms: 0 };
}
