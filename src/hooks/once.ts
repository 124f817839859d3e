/** Which `once` hooks are spent, and which are being asked right now; remembered across reloads of the registry. */
import type { Slot } from "../protocol/mod.ts";
import type { MatchedRegistration } from "./registry.ts";
import type { Registration } from "./port.ts";

/** Remembers for one session. */
export interface OnceMemory {
  /** Whether the hook counts as taken away. */
  isSpent(registration: Registration): boolean;
  /** Leaves out hooks that are spent or being asked by another emission, and claims the other `once` hooks. */
  claim(matching: readonly MatchedRegistration[]): readonly MatchedRegistration[];
  /** The hook succeeded, or its deny was delivered. */
  spend(registration: Registration): void;
  /** Gives back what was claimed and not spent. */
  giveBack(matching: readonly MatchedRegistration[]): void;
}

/** A memory in which nothing is spent. */
export function createOnceMemory(): OnceMemory {
  const spent = new Set<unknown>();
  const claimed = new Set<unknown>();
  const isSpent = (registration: Registration) => registration.once === true && spent.has(keyOf(registration));
  return {
    isSpent,
    claim(matching) {
      if (!matching.some(isOnce)) return matching;
      return matching.filter(({ registration }) => {
        if (!registration.once) return true;
        const key = keyOf(registration);
        if (spent.has(key) || claimed.has(key)) return false;
        claimed.add(key);
        return true;
      });
    },
    spend(registration) {
      if (registration.once) spent.add(keyOf(registration));
    },
    giveBack(matching) {
      for (const { registration } of matching) if (registration.once) claimed.delete(keyOf(registration));
    },
  };
}

/** Whether a hook that came to this is done: a success or a deny, not an undecided of any cause. */
export function isDone(slot: Slot): boolean {
  return slot.kind !== "undecided";
}

function isOnce({ registration }: MatchedRegistration): boolean {
  return registration.once === true;
}

/** A hook out of a file is the same while its id and entry are; one from code is the same as itself only. */
function keyOf(registration: Registration): unknown {
  const { id, entry } = registration;
  return entry === undefined ? registration : JSON.stringify([id, entry]);
}
