/** Lanes: one for each dialect, in the order of `LANES`; each lane asks its hooks and yields one outcome. */
import type { Lane } from "../protocol/mod.ts";
import { askHook } from "./ask_hook.ts";
import { composeLane, type LaneOutcome, type Profile, type Vote } from "./compose.ts";
import type { Emission, MatchedHook } from "./emission.ts";

/** How a lane runs its hooks and combines their verdicts. */
interface LaneRow {
  readonly profile: Profile;
  /** Asks the hooks; the votes are in the order of registration, whatever order the hooks ended in. */
  readonly ask: (emission: Emission, hooks: readonly MatchedHook[]) => Promise<readonly Vote[]>;
}

/** What differs by lane. */
export const LANE_TABLE = {
  claude: { profile: "sequential/run_all", ask: oneAfterAnother },
  "agent-hooks": { profile: "sequential/run_all", ask: oneAfterAnother },
  soong: { profile: "sequential/run_all", ask: oneAfterAnother },
  onecode: { profile: "sequential/run_all", ask: oneAfterAnother },
} as const satisfies Record<Lane, LaneRow>;

/** Runs the hooks of one lane. */
export async function runLane(emission: Emission, lane: Lane, hooks: readonly MatchedHook[]): Promise<LaneOutcome> {
  const { profile, ask } = LANE_TABLE[lane];
  return composeLane(profile, lane, await ask(emission, hooks));
}

/** All hooks, also after a deny: an audit hook must see what was denied. A cancel leaves the rest unasked. */
async function oneAfterAnother(emission: Emission, hooks: readonly MatchedHook[]): Promise<readonly Vote[]> {
  const votes: Vote[] = [];
  for (const hook of hooks) {
    if (emission.gathered.cancelled || emission.signal.aborted) {
      emission.gathered.cancelled = true;
      break;
    }
    votes.push(await askHook(emission, hook));
  }
  return votes;
}
