/**
 * executors/ — run one hook each and return facts.
 *
 * In: a hook request of the engine (the registration, the payload, extra environment, an abort signal). Out: a `HookRun`: how
 * it ended, what it said, how long it took. What the facts mean is the dialect's work, what they cause is the engine's.
 * Nothing here throws for anything a hook does: a missing program, a timeout or a throwing interceptor is an ending.
 */
export { createExecutors, type ExecutorParts } from "./create.ts";
