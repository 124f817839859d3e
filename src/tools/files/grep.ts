import { basename } from "node:path";
import type { JsonObject } from "../../protocol/mod.ts";
import { globMatcher, type LinePattern, linePattern, quoteName } from "../../text/mod.ts";
import type { ToolOutcome } from "../port.ts";
import { locate, type Place, shownPath } from "./boundary.ts";
import { type GrepMode, GrepReport } from "./grep_report.ts";
import type { FileToolHost } from "./host.ts";
import { LeftOut } from "./left_out.ts";
import { NamedPlaces } from "./named_places.ts";
import { headOf, openForReading, piecesOf } from "./open_file.ts";
import { Refusal } from "./refusal.ts";
import { withinTime } from "./result_text.ts";
import { binaryKind } from "./text_file.ts";
import { textLinesOf } from "./text_lines.ts";
import { walk } from "./walk.ts";

/** Finds lines by a regular expression. */
export async function grep(input: JsonObject, host: FileToolHost, signal: AbortSignal): Promise<ToolOutcome> {
  const request = input as unknown as GrepInput;
  const pattern = compile(request);
  const base = await locate(host.boundary, request.path ?? ".");
  const leftOut = new LeftOut("path or glob");
  const report = new GrepReport(request.output_mode ?? "files_with_matches", request.head_limit ?? DEFAULT_LIMIT);
  const isFolder = await Deno.lstat(base.real).then((info) => info.isDirectory, () => false);
  const { timedOut } = await withinTime(TIME_LIMIT_MS, signal, async (limited) => {
    const search = { host, pattern, report, leftOut, signal: limited };
    if (isFolder) await searchFolder(search, base, request.glob);
    else await searchNamedFile(search, base);
  });
  if (signal.aborted) throw new Refusal("cancelled");
  return report.outcome(`No lines match ${quoteName(request.pattern)} in ${base.shown}`, leftOut, timedOut);
}

interface GrepInput {
  readonly pattern: string;
  readonly path?: string;
  readonly glob?: string;
  readonly output_mode?: GrepMode;
  readonly "-i"?: boolean;
  readonly head_limit?: number;
}

interface Search {
  readonly host: FileToolHost;
  readonly pattern: LinePattern;
  readonly report: GrepReport;
  readonly leftOut: LeftOut;
  readonly signal: AbortSignal;
}

const DEFAULT_LIMIT = 200;
const TIME_LIMIT_MS = 20_000;
/** Characters of a line that are searched; the rest of a longer line is not, and the result says so. */
const MAX_LINE = 64 * 1024;

function compile(request: GrepInput): LinePattern {
  const result = linePattern(request.pattern, { ignore_case: request["-i"] ?? false });
  if (result.ok) return result.pattern;
  throw new Refusal(
    `pattern is not a valid regular expression: ${result.message} (at character ${result.offset + 1} of ` +
      `${quoteName(request.pattern)})`,
  );
}

async function searchFolder(search: Search, base: Place, glob: string | undefined): Promise<void> {
  const { host, leftOut, signal } = search;
  const matcher = glob === undefined ? undefined : globMatcher(glob);
  const byName = glob !== undefined && !glob.includes("/");
  const searchesSensitive = host.sensitive.has(base.real);
  const found = walk({
    boundary: host.boundary,
    base,
    named: new NamedPlaces(glob === undefined ? [] : [glob]),
    wantsFile: (path) => matcher === undefined || matcher.matches(byName ? basename(path) : path),
    wantsBelow: (path) => matcher === undefined || byName || matcher.mayMatchBelow(path),
    leftOut,
    signal,
  });
  for await (const entry of found) {
    if (entry.isSymlink) {
      if (await Deno.stat(entry.path).then((info) => info.isDirectory, () => false)) {
        leftOut.add("linked", entry.relative);
      }
      continue;
    }
    if (!entry.isFile) continue;
    if (!searchesSensitive && host.sensitive.has(entry.path)) leftOut.add("sensitive", entry.relative);
    else await searchEntry(search, entry.path, entry.relative);
  }
}

/** A file that cannot be read costs only itself. */
async function searchEntry(search: Search, path: string, name: string): Promise<void> {
  try {
    const place = await locate(search.host.boundary, path);
    if (!await searchFile(search, place)) search.leftOut.add("binary", name);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (!search.signal.aborted) search.leftOut.add("unreadable", name);
  }
}

async function searchNamedFile(search: Search, place: Place): Promise<void> {
  try {
    if (await searchFile(search, place)) return;
  } catch (error) {
    if (!(error instanceof Refusal) || !search.signal.aborted) throw error;
    return;
  }
  throw new Refusal(`${place.shown} is a binary file; Grep searches text only`);
}

/** Searches one file; false when it is binary. */
async function searchFile(search: Search, place: Place): Promise<boolean> {
  const { pattern, report } = search;
  const file = await openForReading(place);
  try {
    if (binaryKind(await headOf(file)) !== undefined) return false;
    const shown = shownPath(search.host.boundary, place.real);
    for await (const { first, lines, cut } of textLinesOf(piecesOf(file, search.signal), MAX_LINE)) {
      report.addLongLines(cut);
      for (const [index, line] of lines.entries()) {
        if (pattern.matches(line) && !report.add(shown, first + index, line)) return true;
      }
    }
    return true;
  } finally {
    await file.handle.close();
  }
}
