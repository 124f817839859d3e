/** The hot reload of a run: the hooks, the notification providers, and the files that decide which of them count. */
import {
  createReloadableHooks,
  createReloadableProviders,
  createReloader,
  type HookReloadOptions,
  type ProviderReloadOptions,
  type ReloadableHooks,
  type ReloadableProviders,
  type Reloader,
} from "../hooks/mod.ts";

/** What is reloaded. */
export interface HotReloadParts extends Pick<HookReloadOptions, "registry" | "options" | "select"> {
  readonly providers: Pick<ProviderReloadOptions, "files" | "use">;
  /** Trust and settings files. */
  readonly extra_paths: () => readonly string[];
}

/** The sources, to be loaded before the run begins, and what keeps them up to date after that. */
export interface HotReload {
  readonly hooks: ReloadableHooks;
  readonly providers: ReloadableProviders;
  readonly reloader: Reloader;
}

/** Makes the hot reload; nothing is read and nothing watched yet. */
export function createHotReload({ providers, extra_paths, ...hooks }: HotReloadParts): HotReload {
  const now = () => new Date();
  const reloadableHooks = createReloadableHooks({ ...hooks, now });
  const reloadableProviders = createReloadableProviders({
    ...providers,
    generation: () => hooks.registry.snapshot().generation,
    now,
  });
  return {
    hooks: reloadableHooks,
    providers: reloadableProviders,
    reloader: createReloader({ sources: [reloadableProviders, reloadableHooks], extra_paths }),
  };
}
