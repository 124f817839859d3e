/** The hook registry: an immutable snapshot with a generation number, indexed by point, swapped whole. */
import { laneOf, LANES, type Occasion, type Point, subjectOf } from "../protocol/mod.ts";
import type { HookSource, Registration } from "./port.ts";

/** A registration that matches an occasion, with the tool name it matched by when that is not the canonical one. */
export interface MatchedRegistration {
  readonly registration: Registration;
  readonly alias?: string;
}

/** All hooks at one moment. An emission keeps the snapshot it began with. */
export interface RegistrySnapshot {
  /** 0 before the first load, 1 after it, one more with every swap. */
  readonly generation: number;
  /** Every hook in the order in which they run: lane, priority, source, file order. */
  readonly registrations: readonly Registration[];
  /** The hooks of a point, in order. */
  at(point: Point): readonly Registration[];
  /** The hooks of a point that this subject (tool name, model id or "") does not rule out, in order. */
  candidates(point: Point, subject: string): readonly Registration[];
  /** The hooks that match, in order. Path prefixes are looked up again first, so that a link made since then counts. */
  matching(occasion: Occasion): readonly MatchedRegistration[];
}

/** Where the loop's hooks live. */
export interface Registry {
  snapshot(): RegistrySnapshot;
  /**
   * Swaps everything that came out of files; hooks from code stay. Throws, and changes nothing, when an id is taken
   * twice.
   */
  replaceConfig(registrations: readonly Registration[]): RegistrySnapshot;
  /**
   * Adds a hook from code; the returned function takes it away again. Throws `TypeError` for an id that begins with
   * `config:` or is taken.
   */
  register(registration: Registration): () => void;
}

/** An empty registry of generation 0. */
export function createRegistry(): Registry {
  let fromFiles: readonly Registration[] = [];
  let fromCode: readonly Registration[] = [];
  let current = createSnapshot(0, []);

  const swap = (files: readonly Registration[], code: readonly Registration[], generation: number) => {
    const next = createSnapshot(generation, [...files, ...code]);
    [fromFiles, fromCode, current] = [files, code, next];
    return next;
  };
  /** Hooks from code that come before the first load do not count as a load. */
  const nextGeneration = () => current.generation === 0 ? 0 : current.generation + 1;

  return {
    snapshot: () => current,
    replaceConfig: (registrations) => swap([...registrations], fromCode, current.generation + 1),
    register(registration) {
      if (registration.id.startsWith(CONFIG_PREFIX)) {
        throw new TypeError(`Cannot register hook "${registration.id}": ids that begin with "config:" belong to files`);
      }
      swap(fromFiles, [...fromCode, registration], nextGeneration());
      return () => {
        if (!fromCode.includes(registration)) return;
        swap(fromFiles, fromCode.filter((other) => other !== registration), nextGeneration());
      };
    },
  };
}

/** What the ids of hooks out of files begin with. */
export const CONFIG_PREFIX = "config:";

const SOURCE_ORDER = { managed: 0, user: 1, project: 2, plugin: 3 } as const satisfies Record<HookSource, number>;

/** Subjects whose candidates are remembered for one point; tool names and model ids are few. */
const REMEMBERED_SUBJECTS = 256;

function createSnapshot(generation: number, registrations: readonly Registration[]): RegistrySnapshot {
  refuseTakenIds(registrations);
  const ordered = Object.freeze([...registrations].sort(byRunOrder));
  const index = new Map<Point, PointIndex>();
  for (const registration of ordered) {
    const entry: PointIndex = index.get(registration.point) ?? { hooks: [], bySubject: new Map() };
    entry.hooks.push(registration);
    index.set(registration.point, entry);
  }

  const candidates = (point: Point, subject: string): readonly Registration[] => {
    const entry = index.get(point);
    if (entry === undefined) return [];
    const known = entry.bySubject.get(subject);
    if (known !== undefined) return known;
    const found = entry.hooks.filter(({ matcher }) => matcher.admits?.(subject) ?? true);
    if (entry.bySubject.size < REMEMBERED_SUBJECTS) entry.bySubject.set(subject, found);
    return found;
  };

  return {
    generation,
    registrations: ordered,
    at: (point) => index.get(point)?.hooks ?? [],
    candidates,
    matching(occasion) {
      const matched: MatchedRegistration[] = [];
      for (const registration of candidates(occasion.point, subjectOf(occasion))) {
        registration.matcher.refresh?.(occasion);
        const result = registration.matcher.matches(occasion);
        if (!result.matched) continue;
        matched.push(result.alias === undefined ? { registration } : { registration, alias: result.alias });
      }
      return matched;
    },
  };
}

interface PointIndex {
  readonly hooks: Registration[];
  readonly bySubject: Map<string, readonly Registration[]>;
}

function byRunOrder(left: Registration, right: Registration): number {
  return LANES.indexOf(laneOf(left.speech)) - LANES.indexOf(laneOf(right.speech)) ||
    left.priority - right.priority ||
    SOURCE_ORDER[left.source] - SOURCE_ORDER[right.source] ||
    left.order - right.order;
}

function refuseTakenIds(registrations: readonly Registration[]): void {
  const seen = new Set<string>();
  for (const { id } of registrations) {
    if (seen.has(id)) throw new TypeError(`Cannot register hook "${id}" twice: ids are unique`);
    seen.add(id);
  }
}
