import type { JsonObject } from "../../protocol/mod.ts";
import type { ToolOutcome } from "../port.ts";
import { writeAtomically } from "./atomic_write.ts";
import { locate, type Place } from "./boundary.ts";
import type { FileToolHost } from "./host.ts";
import { type OpenFile, openIfExists, readWhole } from "./open_file.ts";
import { Refusal } from "./refusal.ts";
import { BYTE_ORDER_MARK, countLineEnds, hasByteOrderMark } from "./text_file.ts";
import { shownChange } from "./unified_diff.ts";

/** Makes a file, or replaces one that was read and has not changed since. */
export async function write(input: JsonObject, host: FileToolHost, signal: AbortSignal): Promise<ToolOutcome> {
  const { file_path, content } = input as { file_path: string; content: string };
  const place = await locate(host.boundary, file_path);
  return await host.changes.run(place.real, async () => {
    const file = await openIfExists(place);
    const encoded = new TextEncoder().encode(content);
    if (!file) {
      await host.seen.note(place.real, await writeAtomically(place, encoded), encoded);
      return await outcome(place, new Uint8Array(), encoded, [`Created ${place.shown} (${encoded.length} bytes)`]);
    }
    const before = await readWhole(place, file, MAX_BYTES, signal).finally(() => file.handle.close());
    await refuseUnseen(host, place, file, before);
    const { bytes, notes } = inStyleOf(before, content);
    if (same(before, bytes)) return { is_error: false, content: `${place.shown} already has this content` };
    await host.seen.note(place.real, await writeAtomically(place, bytes, file), bytes);
    return await outcome(place, before, bytes, [`Wrote ${place.shown} (${bytes.length} bytes)`, ...notes]);
  });
}

const MAX_BYTES = 64 * 1024 * 1024;

async function refuseUnseen(host: FileToolHost, place: Place, file: OpenFile, before: Uint8Array): Promise<void> {
  if (before.length === 0) return;
  const known = await host.seen.compare(place.real, file.version, before);
  if (known === "unseen") {
    throw new Refusal(
      `${place.shown} exists (${before.length} bytes) and was not read in this session; nothing was written: ` +
        "Read it first, or change a part of it with Edit",
    );
  }
  if (known === "changed") {
    throw new Refusal(`${place.shown} has changed on disk since it was last read; nothing was written: Read it again`);
  }
}

/** The model is shown text without byte-order mark and carriage returns, so what it sends back gets them again. */
function inStyleOf(
  before: Uint8Array,
  content: string,
): { readonly bytes: Uint8Array; readonly notes: readonly string[] } {
  const ends = countLineEnds(before);
  const toCrlf = ends.crlf > 0 && ends.lf === 0 && !content.includes("\r");
  const text = toCrlf ? content.replaceAll("\n", "\r\n") : content;
  const encoded = new TextEncoder().encode(text);
  const addMark = hasByteOrderMark(before) && !hasByteOrderMark(encoded);
  return {
    bytes: addMark ? new Uint8Array([...BYTE_ORDER_MARK, ...encoded]) : encoded,
    notes: [...(toCrlf ? ["its CRLF line ends were kept"] : []), ...(addMark ? ["its byte-order mark was kept"] : [])],
  };
}

async function outcome(
  place: Place,
  before: Uint8Array,
  after: Uint8Array,
  sentences: readonly string[],
): Promise<ToolOutcome> {
  const change = await shownChange(place.shown, before, after);
  return { is_error: false, content: sentences.join("; "), metadata: { path: place.real, ...change } };
}

function same(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}
