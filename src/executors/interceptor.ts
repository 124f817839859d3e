/**
 * Calls a function of this process that speaks agent-hooks/0.1. Its promise is bounded by the hook's timeout and by the
 * signal; what comes after either is dropped. (A function that never gives the event loop back cannot be bounded.)
 */
import type { HookRequest } from "../hooks/mod.ts";
import type { Ending, HookRun } from "../protocol/mod.ts";

/** The executor of type `interceptor`. A throw becomes an ending that names the error's type only: its text may quote the target. */
export async function runInterceptor(request: HookRequest): Promise<HookRun> {
  const { executor, timeout_ms: timeoutMs } = request.registration;
  if (executor.type !== "interceptor") throw new TypeError(`Cannot call a ${executor.type} hook as an interceptor`);
  const started = performance.now();
  const outcome = await firstOf(() => executor.intercept(request.context), timeoutMs, request.signal);
  return {
    ...outcome,
    stdout: new Uint8Array(0),
    stdout_truncated: false,
    stderr: "",
    duration_ms: Math.round(performance.now() - started),
  };
}

type Outcome = { readonly ending: Ending; readonly value?: unknown };

/** The longest time a timer can hold; more would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

function firstOf(call: () => unknown, timeoutMs: number, signal: AbortSignal): Promise<Outcome> {
  if (signal.aborted) return Promise.resolve({ ending: { kind: "cancelled" } });
  const limit = Math.min(MAX_TIMER_MS, Math.max(1, Math.ceil(timeoutMs)));
  return new Promise((resolve) => {
    const finish = (outcome: Outcome) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      resolve(outcome);
    };
    const onAbort = () => finish({ ending: { kind: "cancelled" } });
    const timer = setTimeout(() => finish({ ending: { kind: "timed_out", limit_ms: limit } }), limit);
    signal.addEventListener("abort", onAbort, { once: true });
    new Promise((settle) => settle(call())).then(
      (value) => finish({ ending: { kind: "returned" }, value }),
      (error) => finish({ ending: { kind: "transport_failed", reason: `threw ${typeName(error)}` } }),
    );
  });
}

function typeName(error: unknown): string {
  return error instanceof Error ? error.constructor.name : typeof error;
}
