/** Expected failures of the file tools: thrown inside this folder only, turned into error results at its door. */

/** A call that cannot be done as asked. The message goes to the model: what is wrong and what to do. */
export class Refusal extends Error {}

/** What the system said, in words; undefined for an error that does not come from the system (a bug). */
export function systemReason(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof Deno.errors.NotCapable) return "soong-agent has no permission for this place";
  const code = (error as { code?: unknown }).code;
  if (typeof code !== "string" || !/^E[A-Z0-9]+$/.test(code)) return undefined;
  return REASONS.get(code) ?? `the system says ${code}`;
}

/** The error number of a system error, for example `ENOENT`. */
export function systemCode(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined;
  return typeof code === "string" ? code : undefined;
}

/** True when nothing is at the path: no such entry, or a file where a folder would have to be. */
export function isMissing(error: unknown): boolean {
  const code = systemCode(error);
  return code === "ENOENT" || code === "ENOTDIR";
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "it does not exist"],
  ["ENOTDIR", "a part of the path is a file, not a folder"],
  ["EACCES", "permission denied"],
  ["EPERM", "permission denied"],
  ["EEXIST", "a part of the path is a file, not a folder"],
  ["EISDIR", "it is a folder"],
  ["ELOOP", "its links go in a circle"],
  ["ENAMETOOLONG", "the name is too long"],
  ["ENOSPC", "the disk is full"],
  ["EDQUOT", "the disk quota is used up"],
  ["EROFS", "the file system is read-only"],
  ["EMFILE", "too many files are open"],
  ["ENXIO", "it is not a regular file"],
  ["EIO", "the disk reports an error"],
]);
