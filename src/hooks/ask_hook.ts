/** Asks one hook: payload → run → classify → slot → verdict. A throw of its executor is an undecided of this hook alone. */
import { type HookRun, laneOf, type Point, type Speech, writeAsciiJson } from "../protocol/mod.ts";
import { capText } from "./cap.ts";
import type { Vote } from "./compose.ts";
import type { DialectModule } from "./dialect.ts";
import type { Emission, MatchedHook } from "./emission.ts";
import type { ExecutorSettings, HookRequest } from "./port.ts";
import { eventOf, nameOf, noticesOf, reportOf } from "./report.ts";
import { isBlocking, observeWhere, settle, standingOf } from "./settle.ts";

/** Runs the hook and gathers what it came to. Throws only for a fault of the engine. */
export async function askHook(emission: Emission, hook: MatchedHook): Promise<Vote> {
  const { registration } = hook;
  const { point, speech } = registration;
  const { options, gathered } = emission;
  const dialect = emission.dialects[speech];
  if (dialect === undefined) throw new TypeError(`no dialect speaks ${speech}, which hook ${registration.id} needs`);

  const run = await runHook(emission, requestFor(emission, hook, dialect));
  const classified = dialect.classify(run, point);
  const standing = standingOf(registration);
  const slot = observeWhere(classified.slot, standing);
  const verdict = settle(slot, {
    speech,
    point,
    standing,
    blocking: isBlocking(registration),
    on_failure: registration.on_failure ?? options.on_failure,
    mode: options.mode,
  });
  const vote: Vote = {
    hook_id: registration.id,
    hook_name: nameOf(registration),
    speech,
    lane: laneOf(speech),
    index: hook.index,
    verdict,
  };

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
  command: "line",
  static: "nothing",
  interceptor: "value",
} as const satisfies Record<ExecutorSettings["type"], "line" | "value" | "nothing">;

const NO_BYTES = new Uint8Array(0);

function requestFor(emission: Emission, hook: MatchedHook, dialect: DialectModule): HookRequest {
  const { registration, alias } = hook;
  const { occasion, moment, options, sequence } = emission;
  const form = PAYLOAD_FORM[registration.executor.type];
  const payload = form === "nothing" ? undefined : dialect.payload(occasion, options.scope, moment, {
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
    signal: emission.signal,
  };
}

async function runHook(emission: Emission, request: HookRequest): Promise<HookRun> {
  const { executors } = emission.options;
  try {
    return await executors[request.registration.executor.type](request);
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    return {
      ending: { kind: "transport_failed", reason: `its executor broke: ${what}` },
      stdout: NO_BYTES,
      stdout_truncated: false,
      stderr: "",
      duration_ms: 0,
    };
  }
}
