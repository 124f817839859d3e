/** Replacing a file in one step: a temporary file beside it, synced, then renamed. */
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Place } from "./boundary.ts";
import { type FileVersion, type OpenFile, openIfExists } from "./open_file.ts";
import { Refusal, systemReason } from "./refusal.ts";
import { sameVersion } from "./seen_files.ts";

/** What the new file takes over from the one it replaces. */
export type Replaced = Pick<OpenFile, "version" | "mode" | "owner" | "group">;

/**
 * Writes the content and returns the version of the new file. Missing folders are made. With `replaced` the mode and,
 * where the system lets us, the owner stay; the file must still be that version. Without it nothing may be at the
 * place. Throws `Refusal`; then the old content is still there and no temporary file is left.
 */
export async function writeAtomically(place: Place, content: Uint8Array, replaced?: Replaced): Promise<FileVersion> {
  if (replaced && (replaced.mode & 0o222) === 0) {
    throw new Refusal(`${place.shown} is read-only (mode ${replaced.mode.toString(8)}); nothing was written`);
  }
  const folder = dirname(place.real);
  const temporary = join(folder, `.soong-${crypto.randomUUID()}.tmp`);
  try {
    await refuseMissingRoot(place);
    await Deno.mkdir(folder, { recursive: true });
    if (await Deno.realPath(folder) !== folder) throw changedMeanwhile(place);
    const version = await writeTemporary(temporary, content, replaced);
    await refuseChange(place, replaced);
    await Deno.rename(temporary, place.real);
    await syncFolder(folder);
    return version;
  } catch (error) {
    await Deno.remove(temporary).catch(() => {});
    if (error instanceof Refusal) throw error;
    const reason = systemReason(error);
    if (reason === undefined) throw error;
    throw new Refusal(`cannot write ${place.shown}: ${reason}; nothing was changed`);
  }
}

/** A project that is gone is not made anew: its hooks and rules would judge a folder that is not the one they were written for. */
async function refuseMissingRoot(place: Place): Promise<void> {
  try {
    if ((await Deno.stat(place.root)).isDirectory) return;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  throw new Refusal(`the folder ${place.root} does not exist any more; nothing was written`);
}

const CREATE_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

async function writeTemporary(path: string, content: Uint8Array, replaced?: Replaced): Promise<FileVersion> {
  const handle = await open(path, CREATE_FLAGS, replaced ? 0o600 : 0o666);
  try {
    await handle.writeFile(content);
    if (replaced) await takeOver(handle, replaced);
    await handle.sync();
    const found = await handle.stat({ bigint: true });
    return { device: found.dev, inode: found.ino, size: found.size, modified_ns: found.mtimeNs };
  } finally {
    await handle.close();
  }
}

/** Owner before mode: a change of owner clears set-id bits. Only root may give files away, so that may fail. */
async function takeOver(handle: FileHandle, replaced: Replaced): Promise<void> {
  const own = await handle.stat();
  if (own.uid !== replaced.owner || own.gid !== replaced.group) {
    await handle.chown(replaced.owner, replaced.group).catch(() => {});
  }
  await handle.chmod(replaced.mode);
}

async function refuseChange(place: Place, replaced?: Replaced): Promise<void> {
  const now = await openIfExists(place);
  await now?.handle.close();
  const same = replaced ? now !== undefined && sameVersion(now.version, replaced.version) : now === undefined;
  if (!same) throw changedMeanwhile(place);
}

function changedMeanwhile(place: Place): Refusal {
  return new Refusal(`${place.shown} was changed by someone else at this moment; nothing was written: Read it again`);
}

/** So that the rename itself survives a power cut; not every file system can. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, constants.O_RDONLY);
    await handle.sync().finally(() => handle.close());
  } catch {
    return;
  }
}
