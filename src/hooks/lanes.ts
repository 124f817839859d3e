/** Lanes: one for each dialect, in the order of `LANES`; each lane asks its hooks and yields one outcome. */
import type { Lane } from "../protocol/mod.ts";
import { askHook } from "./ask_hook.ts";
import { composeLane, type LaneOutcome, type Vote } from "./compose.ts";
import type { Emission, MatchedHook } from "./emission.ts";

/** Runs the hooks of one lane, all of them; `agent_hooks/lane.ts` does it for the lane that follows the standard. */
export async function runLane(emission: Emission, lane: Lane, hooks: readonly MatchedHook[]): Promise<LaneOutcome> {
  return composeLane(lane, await oneAfterAnother(emission, hooks));
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
