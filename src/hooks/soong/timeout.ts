/** Time limits of soong hooks: `timeout` in seconds, `timeout_ms` in milliseconds. */
import type { Member, ObjectNode } from "../document.ts";
import { type Findings, quoteNode } from "../findings.ts";

/** The largest delay a timer holds; more would fire at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * The limit of a hook in milliseconds. A value that is no limit is an error and costs itself alone: the hook runs
 * with the default, never with 0 ms.
 */
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
  return limitOf(first.member, first.unit, findings) ?? defaultOf(first.member, first.unit, findings, defaultMs);
}

interface Unit {
  readonly key: "timeout" | "timeout_ms";
  readonly factor: number;
  readonly word: string;
}

/** The finer one wins where both stand. */
const UNITS: readonly Unit[] = [
  { key: "timeout_ms", factor: 1, word: "milliseconds" },
  { key: "timeout", factor: 1000, word: "seconds" },
];

function limitOf({ value }: Member, unit: Unit, findings: Findings): number | undefined {
  if (value.type !== "number" || !Number.isFinite(value.value) || typeof value.value !== "number") return undefined;
  if (unit.key === "timeout_ms" && !Number.isInteger(value.value)) return undefined;
  const milliseconds = Math.round(value.value * unit.factor);
  if (milliseconds < 1) return undefined;
  const finding = oddity(value.value, milliseconds, unit);
  if (finding !== undefined) findings.about(value, finding);
  return Math.min(milliseconds, MAX_TIMEOUT_MS);
}

function oddity(written: number, milliseconds: number, { key }: Unit) {
  const inSeconds = key === "timeout";
  if (milliseconds >= 1_000_000) {
    const clamped = milliseconds > MAX_TIMEOUT_MS ? `; cut to ${MAX_TIMEOUT_MS} ms, the most a timer holds` : "";
    return {
      severity: "warning",
      code: "timeout-unit",
      message: `"${key}": ${written} is ${lengthOf(milliseconds)}${clamped}`,
      hint: inSeconds
        ? `"timeout" is in seconds; for milliseconds write "timeout_ms": ${written}`
        : '"timeout_ms" is in milliseconds',
    } as const;
  }
  if (milliseconds < 100) {
    return {
      severity: "warning",
      code: "timeout-unit",
      message: `"${key}": ${written} is only ${milliseconds} ms`,
      hint: inSeconds
        ? 'few programs start that fast; "timeout" is in seconds'
        : `"timeout_ms" is in milliseconds; for ${written} seconds write "timeout": ${written}`,
    } as const;
  }
  if (inSeconds && !Number.isInteger(written)) {
    return {
      severity: "hint",
      code: "timeout-fraction",
      message: `"timeout": ${written} is ${milliseconds} ms`,
      hint: `plainer: "timeout_ms": ${milliseconds}`,
    } as const;
  }
  return undefined;
}

function defaultOf({ value }: Member, { key, word }: Unit, findings: Findings, defaultMs: number): number {
  const whole = key === "timeout_ms" ? "whole " : "";
  findings.about(value, {
    severity: "error",
    code: "bad-timeout",
    message: `"${key}" is ${quoteNode(findings.document, value)}, no positive ${whole}number of ${word}; ` +
      `the default of ${defaultMs / 1000} s holds`,
    hint: `write for example "${key}": ${key === "timeout" ? 10 : 10_000}`,
  });
  return defaultMs;
}

/** A length of time for a reader: "8 h 20 min", "25 days". */
function lengthOf(milliseconds: number): string {
  const minutes = Math.round(milliseconds / 60_000);
  if (minutes < 120) return `${minutes} min`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${Math.round(minutes / (24 * 60))} days`;
}
