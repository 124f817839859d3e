import { basename, relative } from "node:path";
import { globMatcher } from "../../text/mod.ts";

/**
 * Which files are sensitive. A glob without a slash is compared with the name of the file; one that begins with a slash
 * with its absolute path and the folders above it; any other with its path relative to the project and with the ends of
 * its absolute path. Large and small letters are the same: on many disks they are, and a guard must not depend on it.
 */
export class SensitiveFiles {
  readonly #names: readonly { matches(path: string): boolean }[];
  readonly #paths: readonly { matches(path: string): boolean }[];

  constructor(globs: readonly string[], readonly projectDir: string) {
    const clean = globs.map((glob) => foldCase(glob.replace(/\/+$/, ""))).filter((glob) => glob !== "");
    this.#names = clean.filter((glob) => !glob.includes("/")).map((glob) => globMatcher(glob));
    this.#paths = clean.filter((glob) => glob.includes("/")).flatMap((glob) => {
      const from = glob.startsWith("/") ? glob : `**/${glob}`;
      return [globMatcher(from), globMatcher(`${from}/**`)];
    });
  }

  /** Whether this file (an absolute real path) is sensitive, or lies in a sensitive folder. */
  has(path: string): boolean {
    const name = foldCase(basename(path));
    if (this.#names.some((glob) => glob.matches(name))) return true;
    const local = foldCase(relative(this.projectDir, path));
    const whole = foldCase(path);
    return this.#paths.some((glob) => glob.matches(whole) || glob.matches(local));
  }
}

function foldCase(text: string): string {
  return text.toUpperCase().toLowerCase();
}
