import { cutBytes } from "../../text/mod.ts";

/** What a change of a file looks like. */
export interface ShownChange {
  /** Unified diff, cut; empty when the change is too large to compare. */
  readonly diff: string;
  readonly added_lines?: number;
  readonly removed_lines?: number;
}

/** Compares two contents of a file. The name stands in the head of the diff. */
export async function shownChange(name: string, before: Uint8Array, after: Uint8Array): Promise<ShownChange> {
  if (before.length + after.length > MAX_COMPARED_BYTES) return { diff: "" };
  const { createTwoFilesPatch } = await import("diff");
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  const settings = { context: 3, maxEditLength: MAX_EDIT_LENGTH };
  const patch = createTwoFilesPatch(name, name, decode(before), decode(after), undefined, undefined, settings);
  if (patch === undefined) return { diff: "" };
  const body = patch.slice(patch.indexOf("---"));
  const rows = body.split("\n").slice(2);
  return {
    diff: cutBytes(body, MAX_DIFF_BYTES, "head").text,
    added_lines: rows.filter((row) => row.startsWith("+")).length,
    removed_lines: rows.filter((row) => row.startsWith("-")).length,
  };
}

const MAX_COMPARED_BYTES = 2 * 1024 * 1024;
/** Bounds the time of the comparison, which grows with the number of changed lines. */
const MAX_EDIT_LENGTH = 2000;
const MAX_DIFF_BYTES = 8 * 1024;
