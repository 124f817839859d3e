import { Buffer } from "node:buffer";
import type { JsonObject } from "../../protocol/mod.ts";
import type { ToolOutcome } from "../port.ts";
import { writeAtomically } from "./atomic_write.ts";
import { locate, type Place } from "./boundary.ts";
import type { FileToolHost } from "./host.ts";
import { nearestText } from "./nearest_text.ts";
import { headOf, type OpenFile, openForReading, openIfExists, readWhole } from "./open_file.ts";
import { Refusal } from "./refusal.ts";
import { replaceText } from "./replace_text.ts";
import { binaryKind, BYTE_ORDER_MARK, hasByteOrderMark } from "./text_file.ts";
import { shownChange } from "./unified_diff.ts";

/** Replaces text in a file: exactly one place, or all of them. Every untouched byte stays. */
export async function edit(input: JsonObject, host: FileToolHost, signal: AbortSignal): Promise<ToolOutcome> {
  const { file_path, old_string, new_string, replace_all = false } = input as unknown as EditInput;
  const place = await locate(host.boundary, file_path);
  if (old_string === "") throw new Refusal(await emptyOldText(place));
  if (old_string === new_string) {
    throw new Refusal(`old_string and new_string are the same; ${place.shown} stays as it is`);
  }
  return await host.changes.run(place.real, async () => {
    const file = await openForReading(place);
    const before = await contentOf(place, file, signal).finally(() => file.handle.close());
    if (await host.seen.compare(place.real, file.version, before) === "changed") {
      throw new Refusal(`${place.shown} has changed on disk since it was last read; nothing was edited: Read it again`);
    }
    const mark = hasByteOrderMark(before) ? BYTE_ORDER_MARK.length : 0;
    const replaced = replaceText(
      asByteString(before.subarray(mark)),
      asByteString(withoutMark(old_string)),
      asByteString(mark > 0 ? withoutMark(new_string) : new_string),
      replace_all,
    );
    if (replaced.kind !== "replaced") throw new Refusal(explain(replaced, place, before.subarray(mark), old_string));
    const after = Buffer.concat([before.subarray(0, mark), Buffer.from(replaced.text, "latin1")]);
    const version = await writeAtomically(place, after, file);
    await host.seen.note(place.real, version, after);
    const change = await shownChange(place.shown, before, after);
    return {
      is_error: false,
      content: `Edited ${place.shown}: ${counted(replaced.lines.length, "replacement")} (${lineList(replaced.lines)})`,
      metadata: { path: place.real, replacements: replaced.lines.length, ...change },
    };
  });
}

interface EditInput {
  readonly file_path: string;
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean;
}

const MAX_BYTES = 64 * 1024 * 1024;

async function contentOf(place: Place, file: OpenFile, signal: AbortSignal): Promise<Uint8Array> {
  const kind = binaryKind(await headOf(file));
  if (kind !== undefined) {
    throw new Refusal(`${place.shown} is a binary file (${kind}, ${file.size} bytes); Edit works on text only`);
  }
  return await readWhole(place, file, MAX_BYTES, signal);
}

async function emptyOldText(place: Place): Promise<string> {
  const file = await openIfExists(place);
  await file?.handle.close();
  return file
    ? `old_string is empty; give the text in ${place.shown} to replace, with some lines around it`
    : `old_string is empty and ${place.shown} does not exist; use Write to make a new file`;
}

/** One character a byte, so that text in any encoding is compared and kept byte for byte. */
function asByteString(content: string | Uint8Array): string {
  if (typeof content === "string") return Buffer.from(content, "utf8").toString("latin1");
  return Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString("latin1");
}

function withoutMark(text: string): string {
  return text.startsWith("\ufeff") && text.length > 1 ? text.slice(1) : text;
}

type NotReplaced = Exclude<ReturnType<typeof replaceText>, { kind: "replaced" }>;

function explain(problem: NotReplaced, place: Place, content: Uint8Array, oldText: string): string {
  switch (problem.kind) {
    case "absent":
      return `old_string is not in ${place.shown}; nothing was edited. ` +
        nearestText(new TextDecoder().decode(content), oldText);
    case "ambiguous":
      return `old_string is in ${place.shown} ${problem.count} times (${
        lineList(problem.lines)
      }); nothing was edited: ` +
        "add lines around it until it is unique, or set replace_all";
    case "line_ends_only":
      return "old_string and new_string differ in line ends only, and Edit keeps those of a file; nothing was edited";
  }
}

function lineList(lines: readonly number[]): string {
  const shown = lines.slice(0, 20).join(", ");
  const rest = lines.length > 20 ? ` and ${lines.length - 20} more` : "";
  return `${lines.length === 1 ? "line" : "lines"} ${shown}${rest}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
