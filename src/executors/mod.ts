/**
 * executors/ — run one hook each and return facts.
 *
 * In: a hook request of the engine (the registration, the payload, extra environment, an abort signal). Out: a `HookRun`: how
 * it ended, what it said, how long it took. What the facts mean is the dialect's work, what they cause is the engine's.
 * Nothing here throws for anything a hook does: a missing program, a timeout or a throwing interceptor is an ending.
 */
export { createExecutors, type ExecutorParts } from "./create.ts";
export type { NotificationChannel } from "./providers/channel.ts";
export { createProviders, type NotificationProviders, type ProviderSources } from "./providers/registry.ts";
export { createSecretSource, type SecretSourceParts } from "./secret_source.ts";
export { type SecretSource, type SecretValue } from "./secrets.ts";
