/**
 * Notices when files may have changed, whatever way they are saved in.
 *
 * Every file is looked at many times a second by its name: what it is, its time and size, and where its links lead. That never
 * says what changed; it only says "look again", and whoever looks compares contents. So a save by rename, a link that
 * leads elsewhere and a folder that comes later are all the same case. A slower poll compares contents as well, for
 * what a file system does not show in times and sizes.
 *
 * No watch of the system: Deno's opens whatever appears in a watched folder, and a pipe that nobody writes to then
 * holds its thread, and the process, for ever. Nor does one see network file systems, or folders further up that move.
 */
import { type ReadFile, readHookFile, sha256Of } from "./hook_file.ts";

/** What a watcher is made with. */
export interface WatcherOptions {
  /** Absolute paths of files, whether they exist or not; asked at each poll. */
  readonly paths: () => readonly string[];
  /** Called once for all that happened since the look before, never twice at a time; perhaps nothing has changed. */
  readonly look: () => Promise<void>;
  /** Quiet time after a change before the look; default 500. */
  readonly debounce_ms?: number;
  /** From the first change to the look, however many follow; default 4 × `debounce_ms`. */
  readonly longest_wait_ms?: number;
  /** Time between two polls; default 200. Contents are compared at each tenth. */
  readonly poll_ms?: number;
}

/** A watcher. It holds no process open. */
export interface Watcher {
  /** Takes down how the files are now. A change after that is noticed. */
  start(): Promise<void>;
  /** Looks without waiting for a change. */
  lookNow(): Promise<void>;
  /** Ends everything and waits for a look that has begun. */
  close(): Promise<void>;
}

/** Each so many polls the contents are compared. */
const POLLS_TO_CONTENTS = 10;

/** Makes a watcher that does not watch yet. */
export function createWatcher(options: WatcherOptions): Watcher {
  const debounceMs = options.debounce_ms ?? 500;
  const longestWaitMs = options.longest_wait_ms ?? 4 * debounceMs;
  const pollMs = options.poll_ms ?? 200;
  let looks: ReadonlyMap<string, string> = new Map();
  let contents: ReadonlyMap<string, string> = new Map();
  let polls = 0;
  let closed = false;
  let turns: Promise<void> = Promise.resolve();

  /** One after another: a look never meets another one. */
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const turn = turns.then(() => closed ? undefined : work());
    turns = turn.catch(() => undefined);
    return turn;
  };

  const takeDown = async () => {
    looks = await ofEach(options.paths(), outsideOf);
    contents = await ofEach(options.paths(), contentOf);
  };
  const look = async () => {
    settleTimer.clear();
    longestTimer.clear();
    await takeDown();
    if (!closed) await options.look();
  };
  const poll = async () => {
    const now = await ofEach(options.paths(), outsideOf);
    const differs = !isSame(looks, now) ||
      ++polls % POLLS_TO_CONTENTS === 0 && !isSame(contents, await ofEach(options.paths(), contentOf));
    looks = now;
    if (differs) lookSoon();
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

  return {
    start: () =>
      inTurn(async () => {
        await takeDown();
        pollTimer.set(pollMs);
      }),
    lookNow: () => inTurn(look),
    async close() {
      closed = true;
      for (const timer of [settleTimer, longestTimer, pollTimer]) timer.clear();
      await turns;
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

/** A text for each path, that differs when anything about it does. */
async function ofEach(
  paths: readonly string[],
  describe: (path: string) => Promise<string>,
): Promise<ReadonlyMap<string, string>> {
  const unique = [...new Set(paths)];
  return new Map(await Promise.all(unique.map(async (path) => [path, await describe(path)] as const)));
}

/** How a file looks without being opened. */
async function outsideOf(path: string): Promise<string> {
  try {
    const { dev, ino, size, mode, mtime, ctime } = await Deno.stat(path);
    return [await Deno.realPath(path), dev, ino, size, mode, mtime?.getTime(), ctime?.getTime()].join(" ");
  } catch (error) {
    const link = await Deno.readLink(path).catch(() => "");
    return `${error instanceof Error ? error.name : ""} ${link}`;
  }
}

/** Two paths that become one file are a change too, so the identity counts beside the content. */
async function contentOf(path: string): Promise<string> {
  const file: ReadFile = await readHookFile(path);
  switch (file.status) {
    case "not_found":
      return "not_found";
    case "failed":
      return `failed: ${file.diagnostic.message}`;
    case "read":
      return `${await sha256Of(file.bytes)} ${file.identities.join(" ")}`;
  }
}

function isSame(left: ReadonlyMap<string, string>, right: ReadonlyMap<string, string>): boolean {
  return left.size === right.size && [...left].every(([path, text]) => right.get(path) === text);
}
