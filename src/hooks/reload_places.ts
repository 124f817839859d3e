/**
 * Where to watch for changes of a file: the folders in which its path is decided.
 *
 * A path passes through links, and a part of it may be missing. What it leads to changes when an entry changes that
 * the walk along it looked at: a link on the way, the missing part, or the file itself. Each of these entries stands
 * in a folder that exists, and a watch on that folder sees it.
 */
import { dirname, join, parse, sep } from "node:path";

/** An entry that decides what a path leads to, and the folder it stands in (or would stand in). */
export interface Place {
  /** A real path that existed a moment ago. */
  readonly folder: string;
  readonly name: string;
}

/** Links in one path before it is taken for a circle; the number Linux uses. */
const MAX_LINKS = 40;

/** The places of an absolute path, in the order of the walk; the last one is the file or the missing part. Never throws. */
export async function placesOf(path: string): Promise<readonly Place[]> {
  const places: Place[] = [];
  let folder = parse(path).root;
  const ahead = partsOf(path);
  for (let links = 0; links <= MAX_LINKS;) {
    const name = ahead.shift();
    if (name === undefined) return places;
    if (name === "..") {
      folder = dirname(folder);
      continue;
    }
    const entry = join(folder, name);
    const kind = await look(entry);
    if (kind.what === "folder" && ahead.length > 0) {
      folder = entry;
      continue;
    }
    places.push({ folder, name });
    if (kind.what !== "link") return places;
    const { root } = parse(kind.target);
    if (root !== "") folder = root;
    ahead.unshift(...partsOf(kind.target));
    links++;
  }
  return places;
}

type Entry = { readonly what: "folder" | "other" } | { readonly what: "link"; readonly target: string };

async function look(entry: string): Promise<Entry> {
  try {
    const { isDirectory, isSymlink } = await Deno.lstat(entry);
    if (isSymlink) return { what: "link", target: await Deno.readLink(entry) };
    return { what: isDirectory ? "folder" : "other" };
  } catch {
    return { what: "other" };
  }
}

function partsOf(path: string): string[] {
  return path.slice(parse(path).root.length).split(SEPARATORS).filter((part) => part !== "" && part !== ".");
}

/** A backslash is a character of a name where it does not part names. */
const SEPARATORS = sep === "/" ? "/" : /[\\/]/;
