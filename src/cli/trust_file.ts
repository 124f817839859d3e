/** Changes `trust.json`: one change at a time over all processes, whole or not at all, for the user only. */
import { join } from "node:path";
import { EMPTY_TRUST, formatTrustStore, parseTrustStore, trustFile, type TrustStore } from "../config/mod.ts";
import { formatDiagnostic } from "../protocol/mod.ts";
import { readRegularFile } from "./regular_file.ts";

/** Nothing, or why the file was left as it is. */
export type StoreChange = { readonly ok: true } | { readonly ok: false; readonly problem: string };

/** Reads, changes and writes the store under a lock. */
export async function changeTrust(home: string, change: (store: TrustStore) => TrustStore): Promise<StoreChange> {
  const path = trustFile(home);
  try {
    await Deno.mkdir(home, { recursive: true, mode: 0o700 });
    using lock = await Deno.open(`${path}.lock`, { write: true, create: true, mode: 0o600 });
    await lock.lock(true);
    const before = readStore(path);
    if (!before.ok) return before;
    const temporary = `${path}.${crypto.randomUUID()}.new`;
    await Deno.writeTextFile(temporary, formatTrustStore(change(before.store)), { createNew: true, mode: 0o600 });
    await Deno.rename(temporary, path);
    return { ok: true };
  } catch (error) {
    return { ok: false, problem: `cannot write ${path}: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Keeps a content that was trusted, so that a later change can be shown. Throws what the system says. */
export async function keepContent(home: string, sha256: string, bytes: Uint8Array): Promise<void> {
  const folder = join(home, "trust");
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  await Deno.writeFile(join(folder, sha256), bytes, { mode: 0o600 });
}

/** A content that was kept; undefined when it is no longer there. */
export function keptContent(home: string, sha256: string): Uint8Array | undefined {
  try {
    return readRegularFile(join(home, "trust", sha256));
  } catch {
    return undefined;
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
