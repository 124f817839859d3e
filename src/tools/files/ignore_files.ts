/** `.gitignore` files: which entries they leave out. The package `ignore` reads them, loaded when one is found. */
import { join, relative, sep } from "node:path";
import { type Boundary, locate } from "./boundary.ts";
import { openForReading, readWhole } from "./open_file.ts";
import { Refusal } from "./refusal.ts";

/** The ignore files that hold in a folder, those of the folders above first. */
export class IgnoreChain {
  static readonly empty: IgnoreChain = new IgnoreChain([]);

  private constructor(readonly files: readonly IgnoreFile[]) {}

  /** The chain inside a folder, with its own `.gitignore` if it has one that can be read. */
  async entering(boundary: Boundary, folder: string, signal: AbortSignal): Promise<IgnoreChain> {
    const text = await readIgnoreFile(boundary, folder, signal);
    if (text === undefined) return this;
    const { default: ignore } = await import("ignore");
    const rules = ignore({ ignorecase: false }).add(text);
    return new IgnoreChain([...this.files, { folder, test: (path) => rules.test(path) }]);
  }

  /** Whether an entry is ignored: the deepest file with an opinion decides. */
  ignores(path: string, isFolder: boolean): boolean {
    for (const file of this.files.toReversed()) {
      const local = relative(file.folder, path).replaceAll(sep, "/");
      const { ignored, unignored } = file.test(isFolder ? `${local}/` : local);
      if (ignored || unignored) return ignored;
    }
    return false;
  }
}

/**
 * The chain that holds inside a folder named by a call. Where a folder on the way is itself ignored, the files above it
 * have no say: who names an ignored folder wants to see what is in it.
 */
export async function chainInside(
  boundary: Boundary,
  root: string,
  folder: string,
  signal: AbortSignal,
): Promise<IgnoreChain> {
  let chain = await IgnoreChain.empty.entering(boundary, root, signal);
  let current = root;
  for (const segment of relative(root, folder).split(sep).filter((part) => part !== "")) {
    current = join(current, segment);
    if (chain.ignores(current, true)) chain = IgnoreChain.empty;
    chain = await chain.entering(boundary, current, signal);
  }
  return chain;
}

interface IgnoreFile {
  readonly folder: string;
  test(path: string): { readonly ignored: boolean; readonly unignored: boolean };
}

const MAX_BYTES = 1024 * 1024;

async function readIgnoreFile(boundary: Boundary, folder: string, signal: AbortSignal): Promise<string | undefined> {
  const path = join(folder, ".gitignore");
  if (!await Deno.lstat(path).then((info) => info.isFile, () => false)) return undefined;
  try {
    const place = await locate(boundary, path);
    const file = await openForReading(place);
    const bytes = await readWhole(place, file, MAX_BYTES, signal).finally(() => file.handle.close());
    return new TextDecoder().decode(bytes);
  } catch (error) {
    if (error instanceof Refusal && !signal.aborted) return undefined;
    throw error;
  }
}
