/**
 * Hot reload: watches the files that settings come from while the agent works, and swaps what came out of them.
 *
 * Each source reads first and swaps later: reading may take its time and may fail, swapping is one step in which nothing
 * else can happen. So the event that announces a swap is in the queue before any hook of it can be asked. A fault of one
 * source keeps what that source had, and holds up no other.
 */
import type { EventBody } from "../protocol/mod.ts";
import { createWatcher } from "./reload_watcher.ts";

/** Something that comes out of files and can be read again. */
export interface ReloadSource {
  /** What it is, for the `error` event: `the hooks`. */
  readonly name: string;
  /** The files it depends on, absolute, whether they exist or not; asked at each look. */
  readonly paths: () => readonly string[];
  /**
   * Reads, and changes nothing. The function that it gives swaps at once what was read, and says what is different now:
   * nothing when nothing is. A throw of either is a fault: the source keeps what it had.
   */
  readonly read: () => Promise<Swap>;
}

/** Puts into force what was read; gives the events that say so. */
export type Swap = () => readonly EventBody[];

/** What a reloader is made with. */
export interface ReloaderOptions {
  /** Read in this order, all of them at each change: one may depend on the files of another. */
  readonly sources: readonly ReloadSource[];
  /** Files that sources depend on beside their own: trust and settings. */
  readonly extra_paths?: () => readonly string[];
  /** See `WatcherOptions`. */
  readonly debounce_ms?: number;
  readonly longest_wait_ms?: number;
  readonly poll_ms?: number;
}

/** Keeps sources up to date from `start` to `close`. Never throws for anything in a file. */
export interface Reloader {
  /** Begins to watch, and reads once more what may have changed since the sources were loaded. */
  start(): Promise<void>;
  /** Reads now, without waiting for an event. */
  reload(): Promise<void>;
  /** What happened since it was asked last, in order; the loop puts it into the session. */
  drain(): readonly EventBody[];
  /** Ends everything: no watch, no timer, no read is left. What is in force stays. */
  close(): Promise<void>;
}

/** Makes a reloader that does not watch yet. */
export function createReloader(options: ReloaderOptions): Reloader {
  const { sources, extra_paths: extraPaths = () => [], ...watching } = options;
  let pending: EventBody[] = [];

  const reload = async () => {
    const swaps = await Promise.all(sources.map(readSource));
    for (const swap of swaps) pending.push(...swap());
  };
  const watcher = createWatcher({
    ...watching,
    paths: () => [...sources.flatMap(pathsOf), ...extraPaths()],
    look: reload,
  });
  return {
    async start() {
      await watcher.start();
      await watcher.lookNow();
    },
    reload: () => watcher.lookNow(),
    drain() {
      const drained = pending;
      pending = [];
      return drained;
    },
    close: () => watcher.close(),
  };
}

function pathsOf(source: ReloadSource): readonly string[] {
  return source.paths();
}

/** Reads one source into a swap that never throws. */
async function readSource(source: ReloadSource): Promise<Swap> {
  try {
    const swap = await source.read();
    return () => {
      try {
        return swap();
      } catch (error) {
        return [faultOf(source, error)];
      }
    };
  } catch (error) {
    return () => [faultOf(source, error)];
  }
}

function faultOf({ name }: ReloadSource, error: unknown): EventBody {
  const what = error instanceof Error ? error.message : String(error);
  const message = `A reload of ${name} failed, and those from before stay in force: ${what}`;
  return { type: "error", code: "reload_failed", message };
}
