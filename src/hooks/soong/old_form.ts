/** The old shapes of the public soong-agent: named, with the same rule as soong writes it. */
import { type Point, writeJson } from "../../protocol/mod.ts";
import { type ObjectNode, toJson } from "../document.ts";
import type { Findings } from "../findings.ts";
import type { WrittenCondition } from "./conditions.ts";
import { HOOK_KEYS, soongEvent } from "./words.ts";

/** What was read out of an old shape. */
export interface OldForm {
  readonly points: readonly Point[];
  readonly conditions: readonly WrittenCondition[];
  /** False for a static rule in a grouped list. */
  readonly isOld: boolean;
}

/** Longest hint that is shown whole. */
const MAX_HINT_LENGTH = 500;

/** Warns about a hook in an old shape and shows it in the grouped one. */
export function reportOldForm(node: ObjectNode, { points, conditions, isOld }: OldForm, findings: Findings): void {
  const matcher = Object.fromEntries(
    conditions.filter(({ field }) => field !== "event").map(({ key, value }) => [key, value]),
  );
  const hook = Object.fromEntries(
    node.members.filter(({ key }) => (HOOK_KEYS as readonly string[]).includes(key))
      .map(({ key, value }) => [key, toJson(value)]),
  );
  const rule = Object.keys(matcher).length > 0 ? { matcher, hooks: [hook] } : { hooks: [hook] };
  const grouped = writeJson(Object.fromEntries(points.map((point) => [soongEvent(point), [rule]]))).slice(1, -1);
  findings.about(node, {
    severity: "warning",
    code: isOld ? "old-form" : "static-rule",
    message: isOld
      ? "a rule of the old flat form; it is read"
      : "a rule that denies without a command, a form of the public soong-agent; it is read",
    hint: `in the grouped form: ${
      grouped.length > MAX_HINT_LENGTH ? `${grouped.slice(0, MAX_HINT_LENGTH)}…` : grouped
    }`,
  });
}
