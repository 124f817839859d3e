/** The provider files as a source of reloads: last good content for each file, like the hook files. */
import type { EventBody } from "../protocol/mod.ts";
import { readHookFile, sha256Of } from "./hook_file.ts";
import { type LastGood, readSettled, type SettledLayer, settleLayers } from "./last_good.ts";
import type { ProviderLayer } from "./provider_definition.ts";
import { loadProviderFile, type ProviderFile } from "./provider_file.ts";
import { fileEvents } from "./reload_events.ts";
import type { ReloadSource, Swap } from "./reload.ts";

/** A provider file with what reloads know of it. */
export interface ReloadedProviderFile extends ProviderFile {
  /** SHA-256 of the content on the disk, in hex; absent where nothing could be read. */
  readonly sha256?: string;
  /** The file failed at a reload; its definitions are those it had since then (ISO 8601). */
  readonly kept_since?: string;
  /** SHA-256 of the content that the definitions in force came out of, where that is not the one on the disk. */
  readonly in_force_sha256?: string;
}

/** What the source is made with. */
export interface ProviderReloadOptions {
  /** The files that count, the lower layer first; asked at each reading. */
  readonly files: () => readonly ProviderPath[] | Promise<readonly ProviderPath[]>;
  /** Puts what was read into force, at once. Called when a definition, a file or its status is another one. */
  readonly use: (files: readonly ReloadedProviderFile[]) => void;
  /** The generation of the hooks, for the event. */
  readonly generation: () => number;
  readonly now: () => Date;
  /** How long a file has to be missing before it counts as deleted; default 500. */
  readonly confirm_ms?: number;
}

/** A file that may hold providers. */
export interface ProviderPath {
  /** Absolute. */
  readonly path: string;
  readonly layer: ProviderLayer;
}

/** The providers of a run, loaded once and then again and again. */
export interface ReloadableProviders extends ReloadSource {
  /** Loads for the first time. Throws what `files` and `use` throw. */
  load(): Promise<readonly ReloadedProviderFile[]>;
  /** What is in force; for the overview. */
  readonly loaded: readonly ReloadedProviderFile[];
}

/** Makes the source; nothing is read yet. */
export function createReloadableProviders(options: ProviderReloadOptions): ReloadableProviders {
  let memory: LastGood<ReloadedProviderFile> = new Map();
  let loaded: readonly ReloadedProviderFile[] = [];
  let paths: readonly string[] = [];

  const read = async (): Promise<Swap> => {
    const wanted = await options.files();
    const readAll = () => Promise.all(wanted.map(readProviderFile));
    const fresh = await readSettled(readAll, factsOf, memory, options.confirm_ms ?? 500);
    const settled = settleLayers(fresh, factsOf, memory, options.now().toISOString());
    const next = settled.settled.map(inForce);
    return () => {
      const before = loaded;
      if (JSON.stringify(before) !== JSON.stringify(next)) options.use(next);
      paths = wanted.map(({ path }) => path);
      [memory, loaded] = [settled.memory, next];
      return eventsOf(before, next, options.generation());
    };
  };
  return {
    name: "the notification providers",
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

async function readProviderFile({ path, layer }: ProviderPath): Promise<ReloadedProviderFile> {
  const content = await readHookFile(path);
  const file = loadProviderFile(path, content, layer);
  return content.status === "read" ? { ...file, sha256: await sha256Of(content.bytes) } : file;
}

function factsOf({ path, layer, status, sha256 }: ReloadedProviderFile) {
  return { key: `${layer} ${path}`, status, ...(sha256 !== undefined && { sha256 }) };
}

function inForce({ fresh, kept }: SettledLayer<ReloadedProviderFile>): ReloadedProviderFile {
  if (kept === undefined) return fresh;
  const inForce = kept.sha256 === undefined ? {} : { in_force_sha256: kept.sha256 };
  return { ...fresh, definitions: kept.layer.definitions, kept_since: kept.since, ...inForce };
}

function eventsOf(
  before: readonly ReloadedProviderFile[],
  after: readonly ReloadedProviderFile[],
  generation: number,
): readonly EventBody[] {
  const { changed, events } = fileEvents(before, after);
  const definitionsOf = (files: readonly ReloadedProviderFile[]) =>
    new Map(files.map(({ path, definitions }) => [path, JSON.stringify(definitions)]));
  const [old, fresh] = [definitionsOf(before), definitionsOf(after)];
  const others = [...new Set([...old.keys(), ...fresh.keys()])]
    .filter((path) => (old.get(path) ?? NONE) !== (fresh.get(path) ?? NONE));
  const all = [...new Set([...changed, ...others])];
  return all.length === 0 ? events : [{ type: "config_reloaded", generation, changed: all }, ...events];
}

const NONE = "[]";
