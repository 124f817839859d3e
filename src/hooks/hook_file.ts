/** Reads the bytes of a hook file, and knows which paths are one file. */
import type { Diagnostic } from "../protocol/mod.ts";

/** Larger files are refused: no hook file comes near it. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;

/** The content of a file, or why there is none. */
export type ReadFile =
  | { readonly status: "not_found" }
  | { readonly status: "failed"; readonly diagnostic: Diagnostic }
  /**
   * `identities` are equal for two paths of one file: its real path, and where the system has them its device and
   * inode.
   */
  | { readonly status: "read"; readonly bytes: Uint8Array; readonly identities: readonly string[] };

/** Reads a regular file; a pipe or a device is refused, not waited for. Never throws. */
export async function readHookFile(path: string): Promise<ReadFile> {
  try {
    const stat = await Deno.stat(path);
    if (!stat.isFile) return failed(path, "it is no regular file");
    if (stat.size > MAX_FILE_BYTES) return failed(path, `it has more than ${MAX_FILE_BYTES / 1024 / 1024} MiB`);
    const identities = [await Deno.realPath(path)];
    if (stat.ino !== null && stat.ino !== 0) identities.push(`${stat.dev}:${stat.ino}`);
    return { status: "read", bytes: await Deno.readFile(path), identities };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      const target = await linkTarget(path);
      return target === undefined
        ? { status: "not_found" }
        : failed(path, `it is a link to ${target}, which is not there`);
    }
    return failed(path, error instanceof Error ? error.message : String(error));
  }
}

/** Where a link points to; undefined for anything else. A link without its target is a file that was lost, not none. */
async function linkTarget(path: string): Promise<string | undefined> {
  return await Deno.readLink(path).catch(() => undefined);
}

/** SHA-256 of a content, in hex. */
export async function sha256Of(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function failed(file: string, why: string): ReadFile {
  return {
    status: "failed",
    diagnostic: {
      file,
      line: 1,
      column: 1,
      severity: "error",
      code: "unreadable-file",
      message: `this file cannot be read: ${why}`,
      hint: "no hook of it is loaded",
    },
  };
}
