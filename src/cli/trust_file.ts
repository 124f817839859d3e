/** Changes `trust.json`: one change at a time over all processes, whole or not at all, for the user only. */
import { join } from "node:path";
import { EMPTY_TRUST, formatTrustStore, parseTrustStore, trustFile, type TrustStore } from "../config/mod.ts";
import { formatDiagnostic } from "../protocol/mod.ts";
import { readRegularFile } from "./regular_file.ts";
import { sha256Hex } from "./trust_setup.ts";

/** Nothing, or why the file was left as it is. */
export type StoreChange = { readonly ok: true } | { readonly ok: false; readonly problem: string };

/** A content and its SHA-256 in hex. */
export interface KeptContent {
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

/**
 * Reads, changes and writes the store under a lock. `contents` are kept beside it, so that a later change of them can be
 * shown; what no project is trusted with any longer is removed.
 */
export async function changeTrust(
  home: string,
  change: (store: TrustStore) => TrustStore,
  contents: readonly KeptContent[] = [],
): Promise<StoreChange> {
  const path = trustFile(home);
  try {
    await Deno.mkdir(home, { recursive: true, mode: 0o700 });
    using lock = await Deno.open(`${path}.lock`, { write: true, create: true, mode: 0o600 });
    await lock.lock(true);
    const before = readStore(path);
    if (!before.ok) return before;
    const store = change(before.store);
    await Deno.mkdir(contentFolder(home), { recursive: true, mode: 0o700 });
    for (const { sha256, bytes } of contents) await writePrivately(join(contentFolder(home), sha256), bytes);
    await writePrivately(path, new TextEncoder().encode(formatTrustStore(store)));
    await removeUnused(home, store);
    return { ok: true };
  } catch (error) {
    return { ok: false, problem: `cannot write ${path}: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** A content that was kept; undefined when it is no longer there, or no longer what it was. */
export async function keptContent(home: string, sha256: string): Promise<Uint8Array | undefined> {
  try {
    const bytes = readRegularFile(join(contentFolder(home), sha256));
    return await sha256Hex(bytes) === sha256 ? bytes : undefined;
  } catch {
    return undefined;
  }
}

function contentFolder(home: string): string {
  return join(home, "trust");
}

/** Writes a whole file or none, in place of what may be there. */
async function writePrivately(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.${crypto.randomUUID()}.new`;
  try {
    using file = await Deno.open(temporary, { write: true, createNew: true, mode: 0o600 });
    for (let written = 0; written < bytes.length;) written += await file.write(bytes.subarray(written));
    await file.sync();
    await Deno.rename(temporary, path);
  } catch (error) {
    await Deno.remove(temporary).catch(() => {});
    throw error;
  }
}

/** Removes contents that nothing refers to. The lock is held: nobody has just written one. */
async function removeUnused(home: string, { projects }: TrustStore): Promise<void> {
  const used = new Set(Object.values(projects).flatMap(({ files }) => Object.values(files)));
  for await (const { name } of Deno.readDir(contentFolder(home))) {
    if (!used.has(name)) await Deno.remove(join(contentFolder(home), name)).catch(() => {});
  }
}

function readStore(
  path: string,
): { readonly ok: true; readonly store: TrustStore } | Extract<StoreChange, { ok: false }> {
  let bytes: Uint8Array;
  try {
    bytes = readRegularFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return { ok: true, store: EMPTY_TRUST };
    throw error;
  }
  const { store, diagnostics: [problem] } = parseTrustStore(path, bytes);
  if (problem === undefined) return { ok: true, store };
  return { ok: false, problem: `${formatDiagnostic(problem)}\n  hint: repair the file, or delete it` };
}
