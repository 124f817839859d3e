/** Where the file tools may work: real paths inside the project and the added folders. */
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { bareName, quoteName } from "../../text/mod.ts";
import { isMissing, Refusal, systemReason } from "./refusal.ts";

/** The folders, as real paths. */
export interface Boundary {
  readonly project_dir: string;
  readonly added_dirs: readonly string[];
  /** A real path that was judged: it must still lead to itself. */
  readonly judged?: string;
}

/** A path that lies inside, with its links resolved. */
export interface Place {
  /** Absolute, cleaned, links as given. */
  readonly absolute: string;
  /** Absolute, links resolved; of a new file the nearest existing parent is resolved. */
  readonly real: string;
  /** The folder of the boundary that holds it. */
  readonly root: string;
  /** The real path for messages: relative to the project where it lies inside, on one line. */
  readonly shown: string;
}

/** Finds the place of a path; throws `Refusal` when it lies outside or cannot be resolved. */
export async function locate(boundary: Boundary, given: string): Promise<Place> {
  const absolute = absolutePath(boundary, given);
  let real: string;
  try {
    real = await realOrIntended(absolute, MAX_LINKS);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    if (error instanceof Deno.errors.NotCapable) throw outside(boundary, given, "");
    const reason = systemReason(error);
    if (reason === undefined) throw error;
    throw new Refusal(`cannot open ${quoteName(given)}: ${reason}`);
  }
  if (given === boundary.judged && real !== given) {
    throw new Refusal(
      `${quoteName(given)} leads elsewhere since it was judged (to ${quoteName(real)}); nothing was done`,
    );
  }
  const root = [boundary.project_dir, ...boundary.added_dirs].find((folder) => isInside(folder, real));
  if (root === undefined) {
    throw outside(boundary, given, real === absolute ? "" : ` (it leads to ${quoteName(real)})`);
  }
  return { absolute, real, root, shown: shownPath(boundary, real) };
}

/** The real path of anything, inside or not, for hooks and permission; never throws. */
export async function targetPath(boundary: Boundary, given: string): Promise<string> {
  const absolute = absolutePath(boundary, given.slice(0, MAX_PATH).replaceAll("\0", "\ufffd"));
  try {
    return await realOrIntended(absolute, MAX_LINKS);
  } catch {
    return absolute;
  }
}

/** A real path for messages: relative to the project where it lies inside, on one line. */
export function shownPath(boundary: Boundary, real: string): string {
  const inside = isInside(boundary.project_dir, real);
  return bareName(inside ? relative(boundary.project_dir, real) || "." : real);
}

/** Whether a path is the folder or lies below it; both absolute and clean. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** In a process with narrowed permissions the outside cannot even be resolved; the answer is the same. */
function outside(boundary: Boundary, given: string, through: string): Refusal {
  const project = quoteName(boundary.project_dir);
  return new Refusal(
    `${quoteName(given)}${through} is outside the project ${project} and the added folders; ` +
      "file tools work inside them only",
  );
}

const MAX_LINKS = 40;
const MAX_PATH = 4096;

function absolutePath(boundary: Boundary, given: string): string {
  if (given.length > MAX_PATH) throw new Refusal(`the path is longer than ${MAX_PATH} characters`);
  if (given.includes("\0")) throw new Refusal(`the path ${quoteName(given)} holds a NUL character`);
  return isAbsolute(given) ? resolve(given) : resolve(boundary.project_dir, given);
}

/** `realPath` for paths that need not exist: what is missing stands below its nearest existing parent. */
async function realOrIntended(path: string, links: number): Promise<string> {
  try {
    return await Deno.realPath(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const parent = dirname(path);
  if (parent === path) return path;
  const realParent = await realOrIntended(parent, links);
  const target = await linkTarget(join(realParent, basename(path)));
  if (target === undefined) return join(realParent, basename(path));
  if (links === 0) throw new Refusal(`cannot open ${quoteName(path)}: its links go in a circle`);
  return await realOrIntended(resolve(realParent, target), links - 1);
}

async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return await Deno.readLink(path);
  } catch {
    return undefined;
  }
}
