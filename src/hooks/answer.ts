/** What a hook printed, before a dialect says what it means: one JSON document, nothing, or something else. */
import { type HookRun, isJsonObject, type Json, type JsonObject, parseJson, writeJson } from "../protocol/mod.ts";
import { quoteName } from "../text/mod.ts";
import type { HookExtras } from "./dialect.ts";
import { completeObjects, type FoundObject } from "./json_objects.ts";

/** What stdout holds. `problem` is why it is no clean answer, as part of a sentence: "printed …". */
export type Reading =
  | { readonly kind: "empty"; readonly problem?: undefined; readonly objects: readonly FoundObject[] }
  | {
    readonly kind: "document";
    readonly value: Json;
    readonly problem?: string | undefined;
    readonly objects: readonly FoundObject[];
  }
  | { readonly kind: "mixed"; readonly problem: string; readonly objects: readonly FoundObject[] };

/** Stdout of a run: its text, and what it holds. */
export interface Answer {
  readonly text: string;
  /** Why the bytes as a whole cannot be a document (cut, not UTF-8); undefined when they can. */
  readonly problem?: string;
  readonly reading: Reading;
}

/** Reads stdout. Pure; linear in its size. `isWatched` names the keys that decide. */
export function readAnswer(run: HookRun, isWatched: (key: string) => boolean): Answer {
  const [first, ...others] = decode(run).map((output) => ({ ...output, reading: read(output, isWatched) }));
  // A mark at the beginning may lie about what follows: then the bytes are read the other way as well.
  return [first!, ...others].find(({ reading }) => reading.objects.length > 0) ?? first!;
}

/** Whether an answer is one clean JSON object, or nothing. */
export function isClean({ problem, reading }: Answer): boolean {
  return problem === undefined && reading.problem === undefined;
}

/**
 * The objects for which `decides` holds, as values. A document that is one object speaks for itself: what stands inside it
 * is no answer.
 */
export function decidingObjects(
  reading: Reading,
  decides: (object: FoundObject) => boolean,
): readonly JsonObject[] {
  const speaksForItself = reading.kind === "document" && isJsonObject(reading.value);
  const candidates = reading.objects.filter((object) => decides(object) && !(object.nested && speaksForItself));
  return outermost(candidates).map(({ text }) => {
    const value = document(text);
    return isJsonObject(value) ? value : {};
  });
}

/** The beginning of a text for a message: quoted, on one line. */
export function shown(text: string): string {
  return quoteName(text.length > SHOWN_CHARACTERS ? text.slice(0, SHOWN_CHARACTERS) + "…" : text);
}

/** Keys for a message, with the verb: `"a", "b" are`. */
export function listed(keys: readonly string[]): string {
  const names = keys.slice(0, LISTED_KEYS).map(shown).join(", ");
  return `${names}${keys.length > LISTED_KEYS ? ", …" : ""} ${keys.length === 1 ? "is" : "are"}`;
}

/** Something odd about a run. */
export function warning(code: string, message: string): HookExtras["warnings"][number] {
  return { code, message };
}

/** A field as text: strings as they are, nothing for an absent or null one, JSON for anything else. */
export function asText(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  try {
    return writeJson(value);
  } catch {
    return "a value nested too deeply to be shown";
  }
}

/** Whitespace of JSON only; other blank characters are no empty answer. */
const JSON_BLANK = /^[ \t\r\n]*$/;

const SHOWN_CHARACTERS = 80;
const LISTED_KEYS = 5;

/** The output as text, the likeliest reading first. */
function decode(run: HookRun): readonly { readonly text: string; readonly problem?: string }[] {
  const problem = run.stdout_truncated ? "printed more than is kept of its output" : undefined;
  try {
    return [{ text: new TextDecoder("utf-8", { fatal: true }).decode(run.stdout), ...(problem && { problem }) }];
  } catch {
    const wide = wideEncoding(run.stdout);
    const bytes = {
      text: new TextDecoder().decode(run.stdout),
      problem: problem ?? "printed bytes that are not UTF-8",
    };
    if (wide === undefined) return [bytes];
    const text = new TextDecoder(wide).decode(run.stdout);
    return [{ text, problem: problem ?? "printed UTF-16, not UTF-8" }, bytes];
  }
}

function wideEncoding(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return undefined;
}

function read(
  { text, problem }: { readonly text: string; readonly problem?: string },
  isWatched: (key: string) => boolean,
): Reading {
  if (JSON_BLANK.test(text)) return { kind: "empty", objects: [] };
  const value = document(text);
  const objects = completeObjects(text, isWatched);
  if (value === undefined) return { kind: "mixed", problem: problem ?? mixedProblem(text, objects), objects };
  return { kind: "document", value, problem: problem ?? documentProblem(value, objects), objects };
}

function documentProblem(value: Json, objects: readonly FoundObject[]): string | undefined {
  if (!isJsonObject(value)) return "printed JSON that is no object";
  const keys = objects.find(({ nested }) => !nested)?.watched.map(({ key }) => key.toLowerCase()) ?? [];
  const repeated = keys.find((key, index) => keys.indexOf(key) !== index);
  return repeated && `printed an object with two "${repeated}" keys`;
}

function document(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function mixedProblem(text: string, objects: readonly FoundObject[]): string {
  const [first, second] = objects.filter(({ nested }) => !nested);
  if (first === undefined) return "printed something that is not JSON";
  if (second !== undefined) return "printed more than one JSON document";
  return text.trimStart().startsWith(first.text)
    ? "printed text after its JSON document"
    : "printed text before its JSON document";
}

/** Those that lie in no other: each character is parsed once. They come in order of their ends. */
function outermost(objects: readonly FoundObject[]): readonly FoundObject[] {
  const kept: FoundObject[] = [];
  for (const object of objects.toReversed()) {
    if (object.start < (kept.at(-1)?.start ?? Infinity)) kept.push(object);
  }
  return kept.reverse();
}
