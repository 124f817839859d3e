import { join } from "node:path";
import type { JsonObject } from "../../protocol/mod.ts";
import { bareName, globMatcher, quoteName } from "../../text/mod.ts";
import type { ToolOutcome } from "../port.ts";
import { locate, type Place, shownPath } from "./boundary.ts";
import type { FileToolHost } from "./host.ts";
import { LeftOut } from "./left_out.ts";
import { NamedPlaces } from "./named_places.ts";
import { isMissing, Refusal } from "./refusal.ts";
import { Rows, TIME_IS_UP, withinTime } from "./result_text.ts";
import { walk } from "./walk.ts";

/** Finds files by the form of their path. */
export async function glob(input: JsonObject, host: FileToolHost, signal: AbortSignal): Promise<ToolOutcome> {
  const { pattern, path = "." } = input as { pattern: string; path?: string };
  const { folder, rest } = splitPattern(pattern);
  const base = await locate(host.boundary, folder.startsWith("/") ? folder : join(path, folder));
  const kind = await Deno.stat(base.real).then((info) => info.isDirectory ? "folder" : "file", missingOrRefusal(base));
  if (kind !== "folder") {
    const why = kind === "missing" ? "does not exist" : "is a file, not a folder";
    return { is_error: false, content: `No files found: ${base.shown} ${why}`, metadata: { count: 0 } };
  }
  return await search(base, rest, host, signal);
}

const MAX_ROWS = 1000;
const TIME_LIMIT_MS = 20_000;
const WILDCARD = /[*?[{\\]/;

/** Leading segments without wildcards say where to begin, so that a folder named there is found, hidden or not. */
function splitPattern(pattern: string): { readonly folder: string; readonly rest: string } {
  const whole = pattern.endsWith("/") ? `${pattern}**` : pattern;
  const segments = whole.split("/");
  const wild = segments.findIndex((segment) => WILDCARD.test(segment));
  const count = wild === -1 ? segments.length - 1 : wild;
  const rest = segments.slice(count).join("/");
  if (rest.split("/").includes("..")) throw new Refusal('".." can stand at the beginning of a pattern only');
  return { folder: count === 0 ? "." : segments.slice(0, count).join("/") || "/", rest };
}

async function search(base: Place, rest: string, host: FileToolHost, signal: AbortSignal): Promise<ToolOutcome> {
  const matcher = globMatcher(rest);
  const leftOut = new LeftOut("path or pattern");
  const rows = new Rows(MAX_ROWS);
  let total = 0;
  const { timedOut } = await withinTime(TIME_LIMIT_MS, signal, async (limited) => {
    const found = walk({
      boundary: host.boundary,
      base,
      named: new NamedPlaces([rest]),
      wantsFile: (path) => matcher.matches(path),
      wantsBelow: (path) => matcher.mayMatchBelow(path),
      leftOut,
      signal: limited,
    });
    for await (const entry of found) {
      total++;
      rows.add(shownPath(host.boundary, entry.path));
    }
  });
  if (signal.aborted) throw new Refusal("cancelled");
  const notes = [
    ...(rows.cut ? [`showing the first ${rows.count} of ${total} files; a narrower pattern shows the rest`] : []),
    ...(timedOut ? [TIME_IS_UP] : []),
    ...(await folderHint(base, rest)),
    ...leftOut.notes(),
  ];
  return {
    is_error: false,
    content: rows.text(`No files match ${quoteName(rest)} in ${base.shown}`, notes),
    metadata: { count: total, truncated: rows.cut || timedOut, left_out: leftOut.counts() },
  };
}

async function folderHint(base: Place, rest: string): Promise<readonly string[]> {
  if (WILDCARD.test(rest)) return [];
  const isFolder = await Deno.stat(join(base.real, rest)).then((info) => info.isDirectory, () => false);
  return isFolder ? [`${bareName(rest)} is a folder, and Glob finds files: use LS, or the pattern ${rest}/**`] : [];
}

function missingOrRefusal(base: Place): (error: unknown) => "missing" {
  return (error) => {
    if (isMissing(error)) return "missing";
    if (error instanceof Deno.errors.PermissionDenied) {
      throw new Refusal(`cannot look into ${base.shown}: permission denied`);
    }
    throw error;
  };
}
