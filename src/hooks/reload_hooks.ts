/**
 * The hooks out of files as a source of reloads: last good content for each file, one swap of the registry for all.
 *
 * A new generation is made only when the set of hooks that is in force differs from the one before, their places in the
 * files included; a touch, a save without a change or a broken file makes none.
 */
import type { EventBody } from "../protocol/mod.ts";
import { type LastGood, readSettled, type SettledLayer, settleLayers } from "./last_good.ts";
import {
  type FileReport,
  type HookLayer,
  hooksOfLayers,
  type LoadedHooks,
  loadHookLayers,
  type LoadOptions,
} from "./load.ts";
import type { Registration } from "./port.ts";
import type { Registry } from "./registry.ts";
import type { ReloadSource, Swap } from "./reload.ts";
import { fileEvents } from "./reload_events.ts";

/** What the source is made with. */
export interface HookReloadOptions {
  readonly registry: Registry;
  /** What to load; asked at each reading, because trust and settings may decide which files count. */
  readonly options: () => LoadOptions | Promise<LoadOptions>;
  /**
   * Which of the hooks count, for trust; default all. A hook names its file in `declared`, and the report of the file has
   * the SHA-256 of what is on the disk. A throw is a fault: the hooks from before stay.
   */
  readonly select?: (loaded: LoadedHooks) => readonly Registration[] | Promise<readonly Registration[]>;
  /** For the time since when a kept content is in force. */
  readonly now: () => Date;
  /** How long a file has to be missing before it counts as deleted; default 500. */
  readonly confirm_ms?: number;
}

/** The hooks of a run, loaded once and then again and again. */
export interface ReloadableHooks extends ReloadSource {
  /** Loads for the first time: generation 1. Throws what `options` and `select` throw. */
  load(): Promise<LoadedHooks>;
  /** All that is loaded, before `select`; for the overview. */
  readonly loaded: LoadedHooks;
}

/** Makes the source; nothing is read yet. */
export function createReloadableHooks(
  { registry, options, select, now, confirm_ms: confirmMs = 500 }: HookReloadOptions,
): ReloadableHooks {
  let memory: LastGood<HookLayer> = new Map();
  let loaded: LoadedHooks = { registrations: [], diagnostics: [], files: [] };
  let registered: readonly Registration[] = [];
  let paths: readonly string[] = [];

  const read = async (): Promise<Swap> => {
    const wanted = await options();
    const fresh = await readSettled(() => loadHookLayers(wanted), factsOf, memory, confirmMs);
    const settled = settleLayers(fresh, factsOf, memory, now().toISOString());
    const next = hooksOfLayers(settled.settled.map(inForce));
    const selected = select === undefined ? next.registrations : await select(next);
    return () => {
      const previous = registry.snapshot().generation;
      const change = compare(registered, selected);
      if (previous === 0 || !isEmpty(change)) registry.replaceConfig(selected);
      const events = eventsOf(change, previous, loaded.files, next.files);
      paths = wanted.files.map(({ path }) => path);
      [memory, loaded, registered] = [settled.memory, next, selected];
      return events;
    };
  };
  const eventsOf = (
    change: HookChange,
    previous: number,
    before: readonly FileReport[],
    after: readonly FileReport[],
  ): readonly EventBody[] => {
    const { changed, events } = fileEvents(before, after);
    const { files, ...hooks } = change;
    const all = [...new Set([...changed, ...files])];
    if (all.length === 0 && isEmpty(change)) return events;
    return [{
      type: "config_reloaded",
      generation: registry.snapshot().generation,
      previous_generation: previous,
      changed: all,
      hooks,
    }, ...events];
  };
  return {
    name: "the hooks",
    paths: () => paths,
    read,
    async load() {
      const swap = await read();
      swap();
      return loaded;
    },
    get loaded() {
      return loaded;
    },
  };
}

function factsOf({ report: { path, source, status, sha256 } }: HookLayer) {
  return { key: `${source} ${path}`, status, ...(sha256 !== undefined && { sha256 }) };
}

/** The hooks of a kept layer under the report of the file as it is. */
function inForce({ fresh, kept }: SettledLayer<HookLayer>): HookLayer {
  if (kept === undefined) return fresh;
  const { drafts } = kept.layer;
  const keptFacts = { kept_since: kept.since, ...(kept.sha256 !== undefined && { in_force_sha256: kept.sha256 }) };
  return { report: { ...fresh.report, hook_count: drafts.length, ...keptFacts }, drafts };
}

interface HookChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  /** The files of these hooks. */
  readonly files: readonly string[];
}

function compare(before: readonly Registration[], after: readonly Registration[]): HookChange {
  const old = new Map(before.map((hook) => [hook.id, hook]));
  const fresh = new Map(after.map((hook) => [hook.id, hook]));
  const added = after.filter(({ id }) => !old.has(id));
  const removed = before.filter(({ id }) => !fresh.has(id));
  const changed = after.filter((hook) => old.has(hook.id) && textOf(hook) !== textOf(old.get(hook.id)!));
  const files = [...added, ...removed, ...changed].flatMap(({ declared }) => declared?.file ?? []);
  return { added: added.map(idOf), removed: removed.map(idOf), changed: changed.map(idOf), files };
}

function isEmpty({ added, removed, changed }: HookChange): boolean {
  return added.length + removed.length + changed.length === 0;
}

function idOf({ id }: Registration): string {
  return id;
}

/** A hook as text; its id holds the digits of its whole entry, so the matcher is well told by its text. */
function textOf({ matcher, ...facts }: Registration): string {
  return JSON.stringify({ ...facts, matcher: matcher.text });
}
