/** Reads a file that a user names: a pipe or a device is refused, not waited for. */

/** The largest configuration or script that is read, in bytes. */
export const MAX_TEXT_FILE_BYTES = 32 * 1024 * 1024;

/** The content. Throws what the system says, or an `Error` whose message says what the file is instead. */
export function readRegularFile(path: string): Uint8Array {
  const { isFile, isDirectory, size } = Deno.statSync(path);
  if (!isFile) throw new Error(isDirectory ? "it is a folder" : "it is no regular file");
  if (size > MAX_TEXT_FILE_BYTES) throw new Error(`it has more than ${MAX_TEXT_FILE_BYTES / 1024 / 1024} MiB`);
  return Deno.readFileSync(path);
}
