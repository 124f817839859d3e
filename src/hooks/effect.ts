/** From decision to effect: what the loop has to do, out of the table of points alone. */
import { type BatchRule, type DenyEffect, denyEffect, type Effect, type Lane, type Point } from "../protocol/mod.ts";
import type { Vote } from "./compose.ts";

/** What denies of these votes come to at a point: the strongest of what each speech's row says. */
export function effectAt(point: Point, denies: readonly Pick<Vote, "speech">[]): Effect {
  let strongest: Effect = "proceed";
  for (const { speech } of denies) {
    const effect = EFFECT[denyEffect(point, speech)];
    if (STRENGTH[effect] > STRENGTH[strongest]) strongest = effect;
  }
  return strongest;
}

/** What the later calls of a batch do after these denies: the strictest rule among their lanes. */
export function batchRule(denies: readonly Pick<Vote, "lane">[]): BatchRule {
  return denies.length > 0 && denies.every(({ lane }) => BATCH_RULE[lane] === "go_on") ? "go_on" : "by_tier";
}

const EFFECT = {
  block: "block",
  discard: "discard",
  send_back: "send_back",
  tell: "tell",
  observe: "proceed",
  closed: "proceed",
} as const satisfies Record<DenyEffect, Effect>;

const STRENGTH = { proceed: 0, tell: 1, send_back: 2, discard: 3, block: 4 } as const satisfies Record<Effect, number>;

const BATCH_RULE = {
  claude: "by_tier",
  "agent-hooks": "by_tier",
  soong: "by_tier",
  onecode: "go_on",
} as const satisfies Record<Lane, BatchRule>;
