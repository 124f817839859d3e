/**
 * Writes the parts of the documents that come from tables in the code, between `<!-- NAME:begin -->` and `<!-- NAME:end -->`.
 *
 *     deno task docs            writes them
 *     deno task docs --check    only says which are out of date, and exits 1
 */
import { join } from "node:path";
import { type DenyEffect, eventName, POINT_TABLE, POINTS } from "../src/protocol/mod.ts";

const DENY_WORDS = {
  block: "what was about to happen does not happen",
  discard: "what was produced is withheld",
  send_back: "the model is sent back to work",
  tell: "the model is told the reason",
  observe: "nothing: it is recorded, with a warning",
  closed: "",
} as const satisfies Record<DenyEffect, string>;

/** The generated parts: file, name of the marker, content. */
export const PARTS = [
  { file: "docs/hooks.md", name: "points", content: pointTable },
  { file: "docs/onecode.md", name: "onecode-points", content: onecodeTable },
] as const;

/** The points that soong version 1 opens, in the order of a run. */
function pointTable(): string {
  const rows = POINTS.filter((point) => POINT_TABLE[point].events.soong.since === 1).map((point) => {
    const { events, deny, when } = POINT_TABLE[point];
    return `| \`${events.soong.name}\` | \`${point}\` | ${when} | ${DENY_WORDS[deny["soong/1"]]} |`;
  });
  return ["| event | point | when | what a deny does |", "|---|---|---|---|", ...rows].join("\n");
}

/** The points of onecode files, in the order of a run. */
function onecodeTable(): string {
  const rows = POINTS.flatMap((point) => {
    const { deny, when, subject } = POINT_TABLE[point];
    if (eventName(point, "onecode") === undefined) return [];
    return [`| \`${point}\` | ${when} | ${SUBJECT_WORDS[subject]} | ${DENY_WORDS[deny.onecode]} |`];
  });
  return ["| point | when | matcher | what a deny does |", "|---|---|---|---|", ...rows].join("\n");
}

const SUBJECT_WORDS = { tool_name: "tool name", model_id: "model id", none: "none" } as const;

/** The text of a document with the part between its markers replaced. Throws when the markers are not there. */
export function withPart(document: string, name: string, content: string): string {
  const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`];
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`Cannot find the markers ${begin} and ${end}`);
  return `${document.slice(0, from + begin.length)}\n${content}\n${document.slice(to)}`;
}

/** Parts that are not as the code says, by file and name; with `write` they are brought up to date. */
export async function staleParts(root: string, write: boolean): Promise<readonly string[]> {
  const stale: string[] = [];
  for (const { file, name, content } of PARTS) {
    const path = join(root, file);
    const document = await Deno.readTextFile(path);
    const fresh = withPart(document, name, content());
    if (fresh === document) continue;
    stale.push(`${file}: ${name}`);
    if (write) await Deno.writeTextFile(path, fresh);
  }
  return stale;
}

if (import.meta.main) {
  const check = Deno.args.includes("--check");
  const stale = await staleParts(join(import.meta.dirname ?? ".", ".."), !check);
  for (const part of stale) console.error(check ? `${part} is out of date: run deno task docs` : `${part} written`);
  Deno.exit(check && stale.length > 0 ? 1 : 0);
}
