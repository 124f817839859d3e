/** Time limits of soong hooks: `timeout` in seconds, `timeout_ms` in milliseconds. */
import type { ObjectNode } from "../document.ts";
import type { Findings } from "../findings.ts";
import { readTimeLimit, type TimeUnit } from "../time_limit.ts";

/** The limit of a hook in milliseconds; the finer of its two keys wins where both stand. */
export function readTimeout(hook: ObjectNode, findings: Findings, defaultMs: number): number {
  const given = UNITS.flatMap((unit) =>
    hook.members.filter(({ key }) => key === unit.key).map((member) => ({ member, unit }))
  );
  const [first, second] = given;
  if (first === undefined) return defaultMs;
  if (second !== undefined) {
    findings.aboutKey(second.member, {
      severity: "warning",
      code: "two-timeouts",
      message: `"${second.unit.key}" is ignored because "${first.unit.key}" is there too`,
      hint: "keep one of them",
    });
  }
  return readTimeLimit(first.member, first.unit, findings, defaultMs);
}

/** The finer one first. */
const UNITS: readonly TimeUnit[] = [
  {
    key: "timeout_ms",
    factor: 1,
    word: "milliseconds",
    whole: true,
    example: 10_000,
    hintForLong: () => '"timeout_ms" is in milliseconds',
    hintForShort: (written) => `"timeout_ms" is in milliseconds; for ${written} seconds write "timeout": ${written}`,
  },
  {
    key: "timeout",
    factor: 1000,
    word: "seconds",
    whole: false,
    example: 10,
    hintForLong: (written) => `"timeout" is in seconds; for milliseconds write "timeout_ms": ${written}`,
    hintForShort: () => 'few programs start that fast; "timeout" is in seconds',
  },
];
