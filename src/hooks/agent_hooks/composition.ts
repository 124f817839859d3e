/** How the verdicts of several interceptors become one: the closed set of agent-hooks/0.1, section 7.2. */
import type { JsonObject } from "../../protocol/mod.ts";

/** The profiles; no others exist. */
export const PROFILES = [
  "sequential/first_deny",
  "sequential/run_all",
  "parallel/strictest",
  "parallel/unanimous",
] as const;

/** One of `PROFILES`. */
export type Profile = typeof PROFILES[number];

/** A profile with its knobs; a knob that is not set has the value that fails closed. */
export interface Composition {
  readonly profile: Profile;
  /** What a lifted deny does in `sequential/first_deny`: end the asking, or go on with the next. Default `stop`. */
  readonly on_approval?: "stop" | "resume";
  /** What a disagreement is in `parallel/unanimous`. Default `deny`. */
  readonly on_disagreement?: "deny" | "approval";
  /** What two transforms of one snapshot are in the parallel profiles. Default `deny`. */
  readonly on_transform_conflict?: "deny" | "approval";
}

/** The knobs that a profile consults, with their defaults. */
const KNOBS = {
  "sequential/first_deny": { on_approval: "stop" },
  "sequential/run_all": {},
  "parallel/strictest": { on_transform_conflict: "deny" },
  "parallel/unanimous": { on_disagreement: "deny", on_transform_conflict: "deny" },
} as const satisfies Record<Profile, Omit<Composition, "profile">>;

/** The composition as records carry it: every knob that the profile consults, and no other. */
export function resolvedComposition(composition: Composition): Composition & JsonObject {
  const { profile, ...given } = composition;
  const knobs = Object.entries(KNOBS[profile]).map((
    [name, value],
  ) => [name, given[name as keyof typeof given] ?? value]);
  return { profile, ...Object.fromEntries(knobs) };
}
