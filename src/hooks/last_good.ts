/** The rule of reloads for one file: what fails keeps the last good content of that file, what is gone is gone. */

/** What the rule has to know of a file's layer. */
export interface LayerFacts {
  /** The same for the same file at each reload. */
  readonly key: string;
  readonly status: "not_found" | "loaded" | "failed";
  /** SHA-256 of the content, in hex; absent where there is none. */
  readonly sha256?: string;
}

/** A content that was good. */
export interface GoodLayer<Layer> {
  readonly layer: Layer;
  readonly sha256?: string;
  /** When it was loaded first, in ISO 8601. */
  readonly since: string;
}

/** Good contents by key. */
export type LastGood<Layer> = ReadonlyMap<string, GoodLayer<Layer>>;

/** A layer as read, and what stands in for it when it failed and a good one is known. */
export interface SettledLayer<Layer> {
  readonly fresh: Layer;
  readonly kept?: GoodLayer<Layer>;
}

/** Settles freshly read layers against the memory; gives the memory for the next time. Pure. */
export function settleLayers<Layer>(
  fresh: readonly Layer[],
  factsOf: (layer: Layer) => LayerFacts,
  memory: LastGood<Layer>,
  now: string,
): { readonly settled: readonly SettledLayer<Layer>[]; readonly memory: LastGood<Layer> } {
  const next = new Map<string, GoodLayer<Layer>>();
  const settled = fresh.map((layer): SettledLayer<Layer> => {
    const { key, status, sha256 } = factsOf(layer);
    const before = memory.get(key);
    if (status === "not_found") return { fresh: layer };
    if (status === "loaded") {
      const since = before !== undefined && before.sha256 === sha256 ? before.since : now;
      next.set(key, { layer, since, ...(sha256 !== undefined && { sha256 }) });
      return { fresh: layer };
    }
    if (before === undefined) return { fresh: layer };
    next.set(key, before);
    return { fresh: layer, kept: before };
  });
  return { settled, memory: next };
}

/** How often a missing file is looked for before it counts as gone. */
const CONFIRMATIONS = 5;

/**
 * Reads layers; when a file is missing that was there, reads again until it is back or has been missing for all of
 * `confirmMs`. Many programs save by moving the old file away before they write the new one, and a guard must not be
 * off in between.
 */
export async function readSettled<Layer>(
  read: () => Promise<readonly Layer[]>,
  factsOf: (layer: Layer) => LayerFacts,
  memory: LastGood<Layer>,
  confirmMs: number,
): Promise<readonly Layer[]> {
  for (let tries = 0;; tries++) {
    const fresh = await read();
    const isMissing = fresh.map(factsOf).some(({ key, status }) => status === "not_found" && memory.has(key));
    if (!isMissing || tries === CONFIRMATIONS) return fresh;
    await new Promise((resolve) => setTimeout(resolve, confirmMs / CONFIRMATIONS));
  }
}
