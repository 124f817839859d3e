/**
 * Folders that path conditions name, links resolved. A folder may be made, or become a link, while the agent works,
 * so a prefix is looked up again at each tool call, outside of matching; `hooks validate`, which matches nothing,
 * never looks.
 */
import { basename, dirname, join, resolve, sep } from "node:path";
import type { Occasion } from "../protocol/mod.ts";

/** Real path of an existing file or folder; throws when there is none, or none that may be read. */
export type RealPath = (path: string) => string;

/** One prefix, as it stands on the disk now. */
export interface PathPrefix {
  /**
   * Whether a resolved path is this folder (or file) or lies under it, on whole segments. Looks at the disk only if
   * nobody has.
   */
  holds(path: string): boolean;
  /** Resolves again, once an occasion however many rules share the prefix. */
  refresh(occasion: Occasion): void;
}

/** Makes prefixes; equal ones are shared. */
export interface PathPrefixes {
  /** A prefix as written: relative means relative to the project. */
  prefix(written: string): PathPrefix;
}

/** Prefixes of one project. */
export function createPathPrefixes(projectDir: string, realPath: RealPath): PathPrefixes {
  const known = new Map<string, PathPrefix>();
  return {
    prefix(written) {
      const spelled = resolve(projectDir, written);
      const prefix = known.get(spelled) ?? createPrefix(spelled, realPath);
      known.set(spelled, prefix);
      return prefix;
    },
  };
}

/** The real path of the nearest existing parent with the rest as spelled; the path itself where it exists. */
export function resolveNearest(path: string, realPath: RealPath): string {
  const missing: string[] = [];
  for (let at = path;; at = dirname(at)) {
    const real = tryRealPath(at, realPath);
    if (real !== undefined) return join(real, ...missing);
    if (dirname(at) === at) return path;
    missing.unshift(basename(at));
  }
}

function tryRealPath(path: string, realPath: RealPath): string | undefined {
  try {
    return realPath(path);
  } catch {
    return undefined;
  }
}

function createPrefix(spelled: string, realPath: RealPath): PathPrefix {
  let resolved: string | undefined;
  let seen: Occasion | undefined;
  return {
    holds(path) {
      resolved ??= resolveNearest(spelled, realPath);
      return path === resolved || path.startsWith(resolved.endsWith(sep) ? resolved : resolved + sep);
    },
    refresh(occasion) {
      if (seen === occasion) return;
      seen = occasion;
      resolved = resolveNearest(spelled, realPath);
    },
  };
}
