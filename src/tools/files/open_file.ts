/** Opening regular files, and nothing else, without waiting and without following a link that appeared meanwhile. */
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { quoteName } from "../../text/mod.ts";
import type { Place } from "./boundary.ts";
import { isMissing, Refusal, systemReason } from "./refusal.ts";

/** What tells one content of a file from another without reading it. */
export interface FileVersion {
  readonly device: bigint;
  readonly inode: bigint;
  readonly size: bigint;
  readonly modified_ns: bigint;
}

/** An open regular file. The one who opened it closes `handle`. */
export interface OpenFile {
  readonly handle: FileHandle;
  readonly size: number;
  readonly version: FileVersion;
  readonly mode: number;
  readonly owner: number;
  readonly group: number;
}

/** Opens a file for reading; throws `Refusal` for what is missing, unreadable or no regular file. */
export async function openForReading(place: Place): Promise<OpenFile> {
  const file = await openIfExists(place);
  if (file) return file;
  const link = await Deno.lstat(place.absolute).catch(() => undefined);
  throw new Refusal(
    link?.isSymlink
      ? `${quoteName(place.absolute)} is a link whose target ${quoteName(place.real)} does not exist`
      : `${place.shown} does not exist`,
  );
}

/** The same, but undefined when nothing is there. */
export async function openIfExists(place: Place): Promise<OpenFile | undefined> {
  let handle: FileHandle | undefined;
  try {
    const before = await Deno.lstat(place.real);
    refuseOtherThanFile(place, before);
    handle = await open(place.real, READ_FLAGS);
    const found = await handle.stat({ bigint: true });
    const same = Number(found.dev) === before.dev && Number(found.ino) === before.ino;
    if (!found.isFile() || !same || await Deno.realPath(place.real) !== place.real) {
      throw new Refusal(`${place.shown} was replaced while it was being opened; try again`);
    }
    return {
      handle,
      size: Number(found.size),
      version: { device: found.dev, inode: found.ino, size: found.size, modified_ns: found.mtimeNs },
      mode: Number(found.mode) & 0o7777,
      owner: Number(found.uid),
      group: Number(found.gid),
    };
  } catch (error) {
    await handle?.close();
    if (error instanceof Refusal) throw error;
    if (isMissing(error) && handle === undefined) return undefined;
    const reason = systemReason(error);
    if (reason === undefined) throw error;
    throw new Refusal(`cannot read ${place.shown}: ${reason}`);
  }
}

/** The content in pieces. The same buffer is used again for each piece. */
export async function* piecesOf(file: OpenFile, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(Math.min(PIECE_BYTES, Math.max(file.size + 1, HEAD_BYTES)));
  for (let position = 0;;) {
    if (signal.aborted) throw new Refusal("cancelled");
    const { bytesRead } = await file.handle.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** The first bytes, for a look at what kind of file it is. */
export async function headOf(file: OpenFile): Promise<Uint8Array> {
  const buffer = new Uint8Array(HEAD_BYTES);
  const { bytesRead } = await file.handle.read(buffer, 0, buffer.length, 0);
  return buffer.subarray(0, bytesRead);
}

/** The whole content of a file of bounded size; throws `Refusal` beyond the bound. */
export async function readWhole(
  place: Place,
  file: OpenFile,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let total = 0;
  for await (const piece of piecesOf(file, signal)) {
    total += piece.length;
    if (total > maxBytes) {
      throw new Refusal(`${place.shown} has ${file.size} bytes; this works up to ${maxBytes} bytes only`);
    }
    parts.push(piece.slice());
  }
  const bytes = new Uint8Array(total);
  let position = 0;
  for (const part of parts) {
    bytes.set(part, position);
    position += part.length;
  }
  return bytes;
}

const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const PIECE_BYTES = 1024 * 1024;
const HEAD_BYTES = 8192;

const OTHER_KINDS = [
  ["isDirectory", "a folder"],
  ["isFifo", "a named pipe"],
  ["isSocket", "a socket"],
  ["isCharDevice", "a device"],
  ["isBlockDevice", "a device"],
] as const satisfies readonly (readonly [keyof Deno.FileInfo, string])[];

/** What an entry is when it is no regular file, for example "a named pipe"; undefined for a regular file. */
export function otherKind(info: Deno.FileInfo): string | undefined {
  if (info.isFile) return undefined;
  return OTHER_KINDS.find(([property]) => info[property])?.[1] ?? "of an unknown kind";
}

function refuseOtherThanFile(place: Place, info: Deno.FileInfo): void {
  const kind = otherKind(info);
  if (kind === undefined) return;
  const advice = info.isDirectory ? "use LS to see what is in it" : "it is left alone";
  throw new Refusal(`${place.shown} is ${kind}, not a regular file; ${advice}`);
}
