/**
 * Calls a function of this process that speaks agent-hooks/0.1. Its promise is bounded by the hook's timeout and by the
 * signal; what comes after either is dropped. (A function that never gives the event loop back cannot be bounded.)
 */
import type { HookRequest } from "../hooks/mod.ts";
import type { Ending, HookRun } from "../protocol/mod.ts";
import { type Bounded, bounded } from "./bounded.ts";

/** The executor of type `interceptor`. A throw becomes an ending that names the error's type only: its text may quote the target. */
export async function runInterceptor(request: HookRequest): Promise<HookRun> {
  const { executor, timeout_ms: timeoutMs } = request.registration;
  if (executor.type !== "interceptor") throw new TypeError(`Cannot call a ${executor.type} hook as an interceptor`);
  const started = performance.now();
  const limits = { timeout_ms: timeoutMs, signal: request.signal };
  const outcome = await bounded(() => executor.intercept(request.context), limits);
  return {
    ending: endingOf(outcome),
    ...(outcome.kind === "value" && { value: outcome.value }),
    stdout: new Uint8Array(0),
    stdout_truncated: false,
    stderr: "",
    duration_ms: Math.round(performance.now() - started),
  };
}

function endingOf(outcome: Bounded<unknown>): Ending {
  switch (outcome.kind) {
    case "value":
      return { kind: "returned" };
    case "threw":
      return { kind: "transport_failed", reason: `threw ${typeName(outcome.error)}` };
    default:
      return outcome;
  }
}

function typeName(error: unknown): string {
  return error instanceof Error ? error.constructor.name : typeof error;
}
