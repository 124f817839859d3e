/** A promise that is waited for until a time limit, and no longer than a signal allows. */

/** How the wait ended. */
export type Bounded<Value> =
  | { readonly kind: "value"; readonly value: Value }
  | { readonly kind: "threw"; readonly error: unknown }
  | { readonly kind: "timed_out"; readonly limit_ms: number }
  | { readonly kind: "cancelled" };

/**
 * Calls and waits. The signal that the call is given fires with the limit and with the caller's signal; what comes after
 * either is dropped.
 */
export function bounded<Value>(
  call: (signal: AbortSignal) => Value | Promise<Value>,
  { timeout_ms, signal }: { readonly timeout_ms: number; readonly signal: AbortSignal },
): Promise<Bounded<Value>> {
  if (signal.aborted) return Promise.resolve({ kind: "cancelled" });
  const limit = Math.min(MAX_TIMER_MS, Math.max(1, Math.ceil(timeout_ms)));
  const stop = new AbortController();
  return new Promise((resolve) => {
    const finish = (outcome: Bounded<Value>) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      resolve(outcome);
      stop.abort();
    };
    const onAbort = () => finish({ kind: "cancelled" });
    const timer = setTimeout(() => finish({ kind: "timed_out", limit_ms: limit }), limit);
    signal.addEventListener("abort", onAbort, { once: true });
    new Promise<Value>((settle) => settle(call(stop.signal))).then(
      (value) => finish({ kind: "value", value }),
      (error) => finish({ kind: "threw", error }),
    );
  });
}

/** The longest time a timer can hold; more would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;
