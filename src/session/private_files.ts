/** Files and folders that only the user can read. */

/** Makes the folder for the user only. An existing one that others can enter is narrowed. */
export function makePrivateDir(folder: string): void {
  Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { mode } = Deno.statSync(folder);
  if (mode !== null && (mode & 0o077) !== 0) Deno.chmodSync(folder, 0o700);
}

/** Writes a file that is not there yet; false when there is one. Nothing half written stays behind. */
export function writePrivateFile(path: string, bytes: Uint8Array): boolean {
  try {
    Deno.writeFileSync(path, bytes, { createNew: true, mode: 0o600 });
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return false;
    tryRemove(path);
    throw error;
  }
}

function tryRemove(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // It was not made, or the disk refuses this too; the first error tells more.
  }
}
