/** Walking a folder: every file below it in a stable order, without following links, whatever its depth. */
import { join } from "node:path";
import type { Boundary, Place } from "./boundary.ts";
import { chainInside, IgnoreChain } from "./ignore_files.ts";
import type { LeftOut } from "./left_out.ts";
import type { NamedPlaces } from "./named_places.ts";
import { Refusal, systemReason } from "./refusal.ts";

/** A file or link that was found. */
export interface FoundEntry {
  /** Absolute. */
  readonly path: string;
  /** Relative to the folder of the walk, with `/`. */
  readonly relative: string;
  readonly name: string;
  readonly isFile: boolean;
  readonly isSymlink: boolean;
}

/** What a walk is to look at. */
export interface WalkRequest {
  readonly boundary: Boundary;
  /** The folder to begin in. */
  readonly base: Place;
  /** Hidden and ignored entries that are wanted all the same. */
  readonly named: NamedPlaces;
  /** Whether a file at this relative path is of interest. */
  readonly wantsFile: (relative: string) => boolean;
  /** Whether something below this relative folder can be of interest. */
  readonly wantsBelow: (relative: string) => boolean;
  /** Takes the entries of interest that are left out. */
  readonly leftOut: LeftOut;
  readonly signal: AbortSignal;
}

/** Entries sorted by path, segment by segment. Ends early, without an error, when the signal aborts. */
export async function* walk(request: WalkRequest): AsyncGenerator<FoundEntry> {
  const { boundary, base, signal } = request;
  const chain = await chainInside(boundary, base.root, base.real, signal);
  const open: (FoundEntry | Folder)[] = await entriesOf(request, { path: base.real, relative: "", chain });
  while (open.length > 0 && !signal.aborted) {
    const next = open.pop()!;
    if ("name" in next) yield next;
    else {
      const inner = await next.chain.entering(boundary, next.path, signal);
      for (const entry of await entriesOf(request, { ...next, chain: inner })) open.push(entry);
    }
  }
}

/** The names in a folder, sorted. Throws `Refusal` when it cannot be listed. */
export async function sortedEntries(path: string, shown: string): Promise<Deno.DirEntry[]> {
  try {
    const entries = await Array.fromAsync(Deno.readDir(path));
    return entries.sort((left, right) => (left.name < right.name ? -1 : left.name > right.name ? 1 : 0));
  } catch (error) {
    const reason = systemReason(error);
    if (reason === undefined) throw error;
    throw new Refusal(`cannot list ${shown}: ${reason}`);
  }
}

/** Version control keeps its own files here; they are passed over without a word unless they are named. */
export const UNMENTIONED: ReadonlySet<string> = new Set([".git"]);

interface Folder {
  readonly path: string;
  readonly relative: string;
  readonly chain: IgnoreChain;
}

/** What is of interest in one folder, last first. */
async function entriesOf(request: WalkRequest, folder: Folder): Promise<(FoundEntry | Folder)[]> {
  const wanted: (FoundEntry | Folder)[] = [];
  let entries: Deno.DirEntry[];
  try {
    entries = await sortedEntries(folder.path, folder.path);
  } catch (error) {
    if (!(error instanceof Refusal) || folder.relative === "") throw error;
    request.leftOut.add("unreadable", folder.relative + "/");
    return [];
  }
  for (const entry of entries) {
    const path = join(folder.path, entry.name);
    const local = folder.relative === "" ? entry.name : `${folder.relative}/${entry.name}`;
    const interesting = entry.isDirectory ? request.wantsBelow(local) : request.wantsFile(local);
    if (!interesting) continue;
    const shown = entry.isDirectory ? `${local}/` : local;
    const reason = reasonToLeaveOut(request, folder.chain, entry, path);
    if (reason === "unmentioned") continue;
    if (reason !== undefined) request.leftOut.add(reason, shown);
    else if (!entry.isDirectory) {
      wanted.push({ path, relative: local, name: entry.name, isFile: entry.isFile, isSymlink: entry.isSymlink });
    } else wanted.push({ path, relative: local, chain: chainBelow(request, folder.chain, entry, path) });
  }
  return wanted.reverse();
}

function reasonToLeaveOut(request: WalkRequest, chain: IgnoreChain, entry: Deno.DirEntry, path: string) {
  if (entry.name.startsWith(".") && !request.named.hidden(entry.name)) {
    return UNMENTIONED.has(entry.name) ? "unmentioned" : "hidden";
  }
  return chain.ignores(path, entry.isDirectory) && !request.named.ignored(entry.name) ? "ignored" : undefined;
}

/** In an ignored folder that was named, the ignore files above have no say. */
function chainBelow(request: WalkRequest, chain: IgnoreChain, entry: Deno.DirEntry, path: string): IgnoreChain {
  return chain.ignores(path, true) && request.named.ignored(entry.name) ? IgnoreChain.empty : chain;
}
