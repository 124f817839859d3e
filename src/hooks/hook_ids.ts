/** Ids of hooks out of files: `config:<point>:<Type>:<six hex of the entry>`, stable across reloads and runs. */
import { type Json, writeJson } from "../protocol/mod.ts";
import type { HookDraft } from "./dialect_loader.ts";
import { CONFIG_PREFIX } from "./registry.ts";

/** One id for each draft; of equal entries (or equal digits) the second is `…:a1b2c3-2`, the third `…-3`. */
export function hookIds(drafts: readonly HookDraft[]): readonly string[] {
  const plain = drafts.map(({ point, executor, fingerprint }) => {
    const type = executor.type[0]!.toUpperCase() + executor.type.slice(1);
    return `${CONFIG_PREFIX}${point}:${type}:${fingerprint}`;
  });
  const counts = new Map<string, number>();
  return plain.map((id) => {
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return count === 1 ? id : `${id}-${count}`;
  });
}

/** Six hex digits of an entry: FNV-1a over its JSON, folded to 24 bits. It tells entries apart, it protects nothing. */
export function fingerprintOf(entry: Json): string {
  const text = entryText(entry);
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (((hash >>> 24) ^ hash) & 0xffffff).toString(16).padStart(6, "0");
}

/** An entry as canonical text: equal for entries that differ in layout only. */
export function entryText(entry: Json): string {
  return writeJson(sortKeys(entry));
}

/** The order of keys in a file is layout, not content. */
function sortKeys(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sortKeys);
  const fields = Object.entries(value as { readonly [key: string]: Json });
  return Object.fromEntries(
    fields.sort(([left], [right]) => left < right ? -1 : left > right ? 1 : 0).map((
      [key, item],
    ) => [key, sortKeys(item)]),
  );
}
