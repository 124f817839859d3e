/**
 * Notices when files may have changed, whatever way they are saved in.
 *
 * An event of the system is never taken to say what changed; it only says "look again", and whoever looks compares
 * contents. So a save by rename, a link that leads elsewhere and a folder that comes later are all the same case.
 * Before each look the watch is armed anew, so that a change during the look is an event again. Watches are on
 * folders, never on files: a watch on a file follows its inode and is dead after one save by rename.
 *
 * A slow poll compares contents as well, because no watch sees everything: a folder further up that is moved, a
 * network file system, an overflow of the system's queue, a machine that has no watches left.
 */
import { join } from "node:path";
import { type ReadFile, readHookFile, sha256Of } from "./hook_file.ts";
import { type Place, placesOf } from "./reload_places.ts";

/** What a watcher is made with. */
export interface WatcherOptions {
  /** Absolute paths of files, whether they exist or not; asked at each look. */
  readonly paths: () => readonly string[];
  /** Called once for all that happened since the look before, never twice at a time; perhaps nothing has changed. */
  readonly look: () => Promise<void>;
  /** Called when the system gives no watch: the poll goes on alone. Once, until a watch is to be had again. */
  readonly onWatchFailure: (why: string) => void;
  /** Quiet time after an event before the look; default 500. */
  readonly debounce_ms?: number;
  /** From the first event to the look, however many follow; default 4 × `debounce_ms`. */
  readonly longest_wait_ms?: number;
  /** Time between two polls; default 2000. */
  readonly poll_ms?: number;
  /** Watches folders, not what is below them; default `Deno.watchFs`. */
  readonly watchFolders?: WatchFolders;
}

/** Begins to watch folders; throws when it cannot. */
export type WatchFolders = (folders: string[]) => Deno.FsWatcher;

/** A watcher. It holds the process open until it is closed. */
export interface Watcher {
  /** Arms the watch. A change after that is noticed. */
  start(): Promise<void>;
  /** Looks without waiting for an event. */
  lookNow(): Promise<void>;
  /** Ends everything and waits for a look that has begun. */
  close(): Promise<void>;
}

/** Makes a watcher that does not watch yet. */
export function createWatcher(options: WatcherOptions): Watcher {
  const debounceMs = options.debounce_ms ?? 500;
  const longestWaitMs = options.longest_wait_ms ?? 4 * debounceMs;
  const pollMs = options.poll_ms ?? 2000;
  let contents: ReadonlyMap<string, string> = new Map();
  let closed = false;
  let turns: Promise<void> = Promise.resolve();

  /** One after another: a look never meets another one. */
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const turn = turns.then(() => closed ? undefined : work());
    turns = turn.catch(() => undefined);
    return turn;
  };

  const arm = async () => {
    await watch.arm(options.paths());
    contents = await readContents(options.paths());
  };
  const look = async () => {
    settleTimer.clear();
    longestTimer.clear();
    await arm();
    if (!closed) await options.look();
  };
  const poll = async () => {
    await watch.arm(options.paths());
    if (!sameContents(contents, await readContents(options.paths()))) lookSoon();
    if (!closed) pollTimer.set(pollMs);
  };
  const lookSoon = () => {
    if (closed) return;
    settleTimer.set(debounceMs);
    if (!longestTimer.isSet()) longestTimer.set(longestWaitMs);
  };

  const settleTimer = createTimer(() => void inTurn(look));
  const longestTimer = createTimer(() => void inTurn(look));
  const pollTimer = createTimer(() => void inTurn(poll));
  const watch = createFolderWatch(options, lookSoon);

  return {
    start: () =>
      inTurn(async () => {
        await arm();
        pollTimer.set(pollMs);
      }),
    lookNow: () => inTurn(look),
    async close() {
      closed = true;
      for (const timer of [settleTimer, longestTimer, pollTimer]) timer.clear();
      await turns;
      await watch.close();
    },
  };
}

interface Timer {
  set(ms: number): void;
  clear(): void;
  isSet(): boolean;
}

/** A timer that is set anew by each `set` and holds no process open. */
function createTimer(work: () => void): Timer {
  let id: ReturnType<typeof setTimeout> | undefined;
  const clear = () => {
    clearTimeout(id);
    id = undefined;
  };
  return {
    set(ms) {
      clear();
      const timer = setTimeout(() => {
        id = undefined;
        work();
      }, ms);
      Deno.unrefTimer(timer);
      id = timer;
    },
    clear,
    isSet: () => id !== undefined,
  };
}

/** What each file holds, as a text that differs when anything about it does. */
async function readContents(paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const unique = [...new Set(paths)];
  return new Map(await Promise.all(unique.map(async (path) => [path, await keyOf(await readHookFile(path))] as const)));
}

/** Two paths that become one file are a change too, so the identity counts beside the content. */
async function keyOf(file: ReadFile): Promise<string> {
  switch (file.status) {
    case "not_found":
      return "not_found";
    case "failed":
      return `failed: ${file.diagnostic.message}`;
    case "read":
      return `${await sha256Of(file.bytes)} ${file.identities.join(" ")}`;
  }
}

function sameContents(left: ReadonlyMap<string, string>, right: ReadonlyMap<string, string>): boolean {
  return left.size === right.size && [...left].every(([path, content]) => right.get(path) === content);
}

interface FolderWatch {
  /** Watches the folders that decide these paths now. */
  arm(paths: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

function createFolderWatch(
  { watchFolders = (folders) => Deno.watchFs(folders, { recursive: false }), onWatchFailure }: WatcherOptions,
  onEvent: () => void,
): FolderWatch {
  let current: { readonly watcher: Deno.FsWatcher; readonly ended: Promise<void>; readonly key: string } | undefined;
  let entries: ReadonlySet<string> = new Set();
  let folders: ReadonlySet<string> = new Set();
  let isStale = false;
  let isFailing = false;

  const follow = async (watcher: Deno.FsWatcher) => {
    try {
      for await (const event of watcher) {
        // Closing and reading are no changes; a look, which reads, would cause the next one.
        if (event.kind === "access") continue;
        if (event.paths.some((path) => folders.has(path))) isStale = true;
        if (event.paths.length === 0 || event.paths.some((path) => entries.has(path) || folders.has(path))) onEvent();
      }
    } catch {
      isStale = true;
      onEvent();
    }
  };
  const disarm = async () => {
    const old = current;
    current = undefined;
    old?.watcher.close();
    await old?.ended;
  };

  return {
    async arm(paths) {
      const places = (await Promise.all(paths.map(placesOf))).flat();
      const wanted = [...new Set(places.map(({ folder }) => folder))].sort();
      const key = (await Promise.all(wanted.map(identityOf))).join("\n");
      entries = new Set(places.map(({ folder, name }: Place) => join(folder, name)));
      folders = new Set(wanted);
      if (current !== undefined && current.key === key && !isStale) return;
      if (wanted.length === 0) return await disarm();
      // A folder that is deleted and made again may get the same inode, and the watch on it is dead all the same.
      isStale = false;
      // First the end of the old watch: it would take the new one on the same folder with it.
      await disarm();
      try {
        const watcher = watchFolders(wanted);
        current = { watcher, ended: follow(watcher), key };
        isFailing = false;
      } catch (error) {
        // A folder that went away since it was looked up is no lack of watches: the next look finds another one.
        if (error instanceof Deno.errors.NotFound) return onEvent();
        if (!isFailing) onWatchFailure(error instanceof Error ? error.message : String(error));
        isFailing = true;
      }
    },
    close: disarm,
  };
}

/** A folder in its present life. */
async function identityOf(folder: string): Promise<string> {
  try {
    const { dev, ino, birthtime } = await Deno.stat(folder);
    return `${folder} ${dev}:${ino} ${birthtime?.getTime()}`;
  } catch {
    return `${folder} is gone`;
  }
}
