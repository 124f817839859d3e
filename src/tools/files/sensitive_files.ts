import { basename, relative } from "node:path";
import { globMatcher } from "../../text/mod.ts";

/**
 * Which files are sensitive. A glob without a slash is compared with the name of the file; one that begins with a slash
 * with its absolute path and the folders above it; any other with its path relative to the project and with the ends of
 * its absolute path.
 */
export class SensitiveFiles {
  readonly #names: readonly { matches(path: string): boolean }[];
  readonly #paths: readonly { matches(path: string): boolean }[];

  constructor(globs: readonly string[], readonly projectDir: string) {
    const clean = globs.map((glob) => glob.replace(/\/+$/, "")).filter((glob) => glob !== "");
    this.#names = clean.filter((glob) => !glob.includes("/")).map((glob) => globMatcher(glob));
    this.#paths = clean.filter((glob) => glob.includes("/")).flatMap((glob) => {
      const from = glob.startsWith("/") ? glob : `**/${glob}`;
      return [globMatcher(from), globMatcher(`${from}/**`)];
    });
  }

  /** Whether this file (an absolute real path) is sensitive, or lies in a sensitive folder. */
  has(path: string): boolean {
    const name = basename(path);
    if (this.#names.some((glob) => glob.matches(name))) return true;
    const local = relative(this.projectDir, path);
    return this.#paths.some((glob) => glob.matches(path) || glob.matches(local));
  }
}
