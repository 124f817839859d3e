/** A rule that denies by itself: the answer that a command would print, without a process. */
import type { HookRequest } from "../hooks/mod.ts";
import type { HookRun } from "../protocol/mod.ts";

/** The executor of type `static`. */
export function runStatic(request: HookRequest): Promise<HookRun> {
  const { executor } = request.registration;
  if (executor.type !== "static") throw new TypeError(`Cannot run a ${executor.type} hook as a static rule`);
  const answer = { decision: "deny", reason: executor.reason };
  return Promise.resolve({
    ending: { kind: "returned" },
    stdout: new TextEncoder().encode(JSON.stringify(answer)),
    stdout_truncated: false,
    stderr: "",
    duration_ms: 0,
  });
}
