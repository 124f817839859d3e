/** Opens logs that are there already. */

/** Opens a log. Throws what the system says; a pipe or a device is refused, not waited for. */
export function openLogFile(path: string, options: Deno.OpenOptions): Deno.FsFile {
  if (!Deno.statSync(path).isFile) throw new Error("it is no regular file");
  return Deno.openSync(path, options);
}
