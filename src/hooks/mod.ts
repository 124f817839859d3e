/**
 * hooks/ — from hook files to registrations, from an emission to one combined verdict and its effect.
 *
 * In: hook files (read here, and nowhere else), registrations from code, occasions from the loop, executors.
 * Out: registrations with diagnostics; an immutable registry snapshot with a generation; for each emission one
 * `EmissionResult`. A bad entry of a file costs only itself and is a diagnostic with its place; a file that is not JSON
 * contributes nothing and says so; nothing in a hook file throws. What a hook does is a slot, never an exception.
 */
export type * from "./port.ts";
export type { Classified, DialectModule, HookExtras, PayloadFacts } from "./dialect.ts";
export { createRegistry, type MatchedRegistration, type Registry, type RegistrySnapshot } from "./registry.ts";
export type { HookFile, KnownTool } from "./dialect_loader.ts";
export { type FileReport, type LoadedHooks, loadHookFiles, type LoadOptions } from "./load.ts";
export { type CodeHook, hookFromCode } from "./from_code.ts";
export { lintHooks, type LintOptions, projectHookFile } from "./lint.ts";
export type { HookCommand, KnownVariables } from "./command_words.ts";
export {
  filesNamedByHook,
  missingScriptOfHook,
  type NamedFiles,
  scriptOfHook,
  type ScriptPlace,
} from "./hook_script.ts";
export { createHookEngine, type SnapshotSource } from "./engine.ts";
export type { DialectTable } from "./emission.ts";
export { DIALECTS } from "./dialects.ts";
export { HTTP_METHODS, type HttpMethod } from "./http_methods.ts";
export { type ReadFile, readHookFile } from "./hook_file.ts";
export type * from "./provider_definition.ts";
export { loadProviderFile, type ProviderFile } from "./provider_file.ts";
export { createReloader, type Reloader, type ReloaderOptions, type ReloadSource, type Swap } from "./reload.ts";
export { createReloadableHooks, type HookReloadOptions, type ReloadableHooks } from "./reload_hooks.ts";
export {
  createReloadableProviders,
  type ProviderPath,
  type ProviderReloadOptions,
  type ReloadableProviders,
  type ReloadedProviderFile,
} from "./reload_providers.ts";
export type { ApprovalRequest, ApprovalResolver } from "./agent_hooks/approval.ts";
export { type Composition, type Profile, PROFILES } from "./agent_hooks/composition.ts";
export { checkProviderName, contextIdentity, type IdentityProvider, JCS_SHA256 } from "./agent_hooks/identity.ts";
export { transformContext } from "./agent_hooks/transform.ts";
export { DEFAULT_STANDARD } from "./standard.ts";
