/** Working directories: real, a folder, and inside the project after links are resolved. */
import { isAbsolute, resolve, sep } from "node:path";

/** What a look at a directory found. Everything but `inside` carries a sentence that says what is wrong. */
export type DirectoryCheck =
  | { readonly kind: "inside"; readonly path: string }
  | { readonly kind: "missing" | "not_a_folder" | "outside" | "unreadable"; readonly reason: string };

/**
 * Checks that `path` (absolute, or relative to `root`) is a folder inside `root`. Both are compared as real paths on
 * whole segments, so neither a link nor `/project-old` gets past `/project`. `inside` carries the real path.
 */
export function resolveInside(root: string, path: string): DirectoryCheck {
  const wanted = isAbsolute(path) ? path : resolve(root, path);
  const found = realFolder(wanted, "the working directory");
  if (typeof found !== "string") return found;
  if (path === root) return { kind: "inside", path: found };
  const project = realFolder(root, "the project folder");
  if (typeof project !== "string") return project;
  if (isInside(project, found)) return { kind: "inside", path: found };
  return { kind: "outside", reason: `the working directory ${wanted} lies outside the project ${root}` };
}

/** True when `path` is `root` or lies below it; both must be real, absolute paths. */
export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function realFolder(path: string, name: string): string | DirectoryCheck {
  try {
    const real = Deno.realPathSync(path);
    if (Deno.statSync(real).isDirectory) return real;
    return { kind: "not_a_folder", reason: `${name} ${path} is not a folder` };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      return { kind: "missing", reason: `${name} ${path} does not exist` };
    }
    return { kind: "unreadable", reason: `${name} ${path} cannot be read: ${describe(error)}` };
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
