import { join } from "node:path";
import type { JsonObject } from "../../protocol/mod.ts";
import { bareName } from "../../text/mod.ts";
import type { ToolOutcome } from "../port.ts";
import { locate, type Place } from "./boundary.ts";
import type { FileToolHost } from "./host.ts";
import { chainInside } from "./ignore_files.ts";
import { LeftOut } from "./left_out.ts";
import { otherKind } from "./open_file.ts";
import { Refusal, systemReason } from "./refusal.ts";
import { Rows } from "./result_text.ts";
import { sortedEntries, UNMENTIONED } from "./walk.ts";

/** Lists one folder: folders end in `/`, links show their target. */
export async function ls(input: JsonObject, host: FileToolHost, signal: AbortSignal): Promise<ToolOutcome> {
  const { path = "." } = input as { path?: string };
  const place = await locate(host.boundary, path);
  const info = await lookAt(place);
  if (!info.isDirectory) {
    const kind = otherKind(info) ?? `a file of ${info.size} bytes`;
    return { is_error: false, content: `${place.shown} is ${kind}, not a folder`, metadata: { count: 0 } };
  }
  const chain = await chainInside(host.boundary, place.root, place.real, signal);
  const leftOut = new LeftOut("path");
  const rows = new Rows(MAX_ROWS);
  let total = 0;
  for (const entry of await sortedEntries(place.real, place.shown)) {
    const name = entry.isDirectory ? `${entry.name}/` : entry.name;
    const entryPath = join(place.real, entry.name);
    if (UNMENTIONED.has(entry.name)) continue;
    if (entry.name.startsWith(".")) leftOut.add("hidden", name);
    else if (chain.ignores(entryPath, entry.isDirectory)) leftOut.add("ignored", name);
    else {
      total++;
      rows.add(await rowOf(entry, entryPath));
    }
  }
  const notes = [...(rows.cut ? [`showing the first ${rows.count} of ${total} entries`] : []), ...leftOut.notes()];
  return {
    is_error: false,
    content: rows.text(total === 0 ? `${place.shown} has no entries to show` : "", notes),
    metadata: { count: total, truncated: rows.cut, left_out: leftOut.counts() },
  };
}

const MAX_ROWS = 1000;

async function lookAt(place: Place): Promise<Deno.FileInfo> {
  try {
    return await Deno.lstat(place.real);
  } catch (error) {
    const reason = systemReason(error);
    if (reason === undefined) throw error;
    throw new Refusal(`cannot list ${place.shown}: ${reason}`);
  }
}

async function rowOf(entry: Deno.DirEntry, path: string): Promise<string> {
  if (entry.isDirectory) return `${bareName(entry.name)}/`;
  if (entry.isFile) return bareName(entry.name);
  if (!entry.isSymlink) return `${bareName(entry.name)} (not a regular file)`;
  const target = await Deno.readLink(path).catch(() => "?");
  return `${bareName(entry.name)} -> ${bareName(target)}`;
}
