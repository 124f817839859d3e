/** What the session has seen of files: whether a file still is what was last read or written. */
import type { FileVersion } from "./open_file.ts";

/** What was seen of a file: the digest where the content was at hand and not too large. */
interface Sight {
  readonly version: FileVersion;
  readonly digest?: string;
}

/** Up to this size content is compared by its digest: a file that was saved without a change has not changed. */
export const MAX_DIGEST_BYTES = 1024 * 1024;

/** Remembers files by real path. */
export class SeenFiles {
  readonly #sights = new Map<string, Sight>();

  /** Notes that this content was read, or written. */
  async note(path: string, version: FileVersion, content?: Uint8Array): Promise<void> {
    const small = content !== undefined && content.length <= MAX_DIGEST_BYTES;
    this.#sights.set(path, small ? { version, digest: await digestOf(content) } : { version });
  }

  /** How the file as it is now relates to what was last seen of it. */
  async compare(path: string, version: FileVersion, content?: Uint8Array): Promise<"unseen" | "same" | "changed"> {
    const sight = this.#sights.get(path);
    if (!sight) return "unseen";
    if (sight.digest !== undefined && content !== undefined) {
      return content.length <= MAX_DIGEST_BYTES && await digestOf(content) === sight.digest ? "same" : "changed";
    }
    return sameVersion(sight.version, version) ? "same" : "changed";
  }
}

/** Whether nothing says that the file was touched between the two looks. */
export function sameVersion(left: FileVersion, right: FileVersion): boolean {
  return left.device === right.device && left.inode === right.inode && left.size === right.size &&
    left.modified_ns === right.modified_ns;
}

async function digestOf(content: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", content as Uint8Array<ArrayBuffer>));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
