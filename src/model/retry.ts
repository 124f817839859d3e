/** Tries of one request: which failures are worth another try, how long to wait, and the stream over all tries. */
import type { ModelAnswer } from "../protocol/mod.ts";
import type { ModelEvent, ModelFailure } from "./port.ts";

/** A failed try. */
export interface TryFailure {
  readonly failure: ModelFailure;
  /** True when the same request may succeed a little later. */
  readonly transient: boolean;
  /** How long the server asks to wait. */
  readonly retry_after_ms?: number;
}

/** What one try yields. The last event is `finish` or `failed`. */
export type TryEvent =
  | { readonly type: "text_delta"; readonly text: string }
  | { readonly type: "finish"; readonly answer: ModelAnswer }
  | { readonly type: "failed"; readonly outcome: TryFailure };

/** How often and with which waits a request is tried again. */
export interface RetryPolicy {
  /** Tries after the first. */
  readonly max_retries: number;
  readonly random: () => number;
  readonly sleep: (duration_ms: number, signal: AbortSignal) => Promise<void>;
}

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 16_000;
/** A server that asks for more than this gets no further try: a user would take the silence for a hang. */
const LONGEST_REQUESTED_DELAY_MS = 60_000;

/** True for the statuses that go away by themselves: too many requests, request timeout, faults of the server. */
export function isTransientStatus(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && status <= 599);
}

/** Runs tries until one finishes, one fails for good, or the retries are used up. */
export async function* streamWithRetries(
  runTry: () => AsyncIterable<TryEvent>,
  policy: RetryPolicy,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  for (let attempt = 1;; attempt++) {
    if (signal.aborted) return yield cancelled();
    const last = yield* passDeltas(runTry());
    if (last.type === "finish") return yield last;
    if (signal.aborted) return yield cancelled();

    const { outcome } = last;
    const delay = outcome.retry_after_ms ?? backOff(attempt, policy.random);
    const again = outcome.transient && attempt <= policy.max_retries && delay <= LONGEST_REQUESTED_DELAY_MS;
    if (!again) return yield { type: "failure", failure: finalFailure(outcome, attempt, delay) };
    yield { type: "retry", attempt: attempt + 1, delay_ms: delay, reason: outcome.failure.message };
    await policy.sleep(delay, signal);
  }
}

async function* passDeltas(
  events: AsyncIterable<TryEvent>,
): AsyncGenerator<ModelEvent, Exclude<TryEvent, { type: "text_delta" }>> {
  for await (const event of events) {
    if (event.type !== "text_delta") return event;
    yield event;
  }
  throw new Error("A try ended without a last event");
}

/** The end of a request that the user called off. */
export function cancelled(): ModelEvent & { type: "failure" } {
  return { type: "failure", failure: { kind: "cancelled", message: "The model request was cancelled" } };
}

/** Doubles from half a second to 16 s, up to half of it left to chance: many agents must not come back together. */
function backOff(attempt: number, random: () => number): number {
  const full = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1));
  return Math.round(full / 2 + (full / 2) * random());
}

function finalFailure(outcome: TryFailure, attempt: number, delay: number): ModelFailure {
  const { failure } = outcome;
  if (outcome.transient && delay > LONGEST_REQUESTED_DELAY_MS) {
    const seconds = Math.ceil(delay / 1000);
    return { ...failure, message: `${failure.message} (the server asks to wait ${seconds} s)` };
  }
  return attempt === 1 ? failure : { ...failure, message: `${failure.message} (tried ${attempt} times)` };
}

/**
 * The wait that a response asks for: `retry-after-ms`, or `retry-after` in seconds or as an HTTP date (RFC
 * 9110, 10.2.3). A date is measured from the response's own `date`, so that a wrong local clock does no harm.
 */
export function requestedDelay(headers: Headers): number | undefined {
  const milliseconds = headers.get("retry-after-ms");
  if (milliseconds !== null && DECIMAL.test(milliseconds.trim())) return Math.ceil(Number(milliseconds));
  const value = headers.get("retry-after")?.trim();
  if (value === undefined) return undefined;
  if (DECIMAL.test(value)) return Math.ceil(Number(value) * 1000);
  const difference = Date.parse(value) - Date.parse(headers.get("date") ?? "");
  return Number.isNaN(difference) ? undefined : Math.max(0, difference);
}

const DECIMAL = /^\d+(\.\d+)?$/;

/** A timer that ends early, without an error, when the signal aborts. */
export function sleepFor(duration_ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, Math.min(duration_ms, 2 ** 31 - 1));
    signal.addEventListener("abort", done);
  });
}
