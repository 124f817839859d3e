/** Time limits in hook files, whatever key and unit a dialect writes them with. */
import type { Member } from "./document.ts";
import { type Findings, quoteNode } from "./findings.ts";

/** How a dialect writes a limit. */
export interface TimeUnit {
  /** The key, as messages name it. */
  readonly key: string;
  /** Milliseconds in one. */
  readonly factor: number;
  readonly word: string;
  /** Whether parts of one are no limit. */
  readonly whole: boolean;
  /** An example for hints. */
  readonly example: number;
  /** What to do about a limit that is suspiciously long or short. */
  readonly hintForLong: (written: number) => string;
  readonly hintForShort: (written: number) => string;
}

/** The largest delay a timer holds; more would fire at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * The limit in milliseconds. A value that is no limit is an error and costs itself alone: the hook runs with the
 * default, never with 0 ms.
 */
export function readTimeLimit(member: Member, unit: TimeUnit, findings: Findings, defaultMs: number): number {
  return limitOf(member, unit, findings) ?? defaultOf(member, unit, findings, defaultMs);
}

function limitOf({ value }: Member, unit: TimeUnit, findings: Findings): number | undefined {
  if (value.type !== "number" || typeof value.value !== "number" || !Number.isFinite(value.value)) return undefined;
  if (unit.whole && !Number.isInteger(value.value)) return undefined;
  const milliseconds = Math.round(value.value * unit.factor);
  if (milliseconds < 1) return undefined;
  const finding = oddity(value.value, milliseconds, unit);
  if (finding !== undefined) findings.about(value, finding);
  return Math.min(milliseconds, MAX_TIMEOUT_MS);
}

function oddity(written: number, milliseconds: number, unit: TimeUnit) {
  const { key } = unit;
  if (milliseconds >= 1_000_000) {
    const clamped = milliseconds > MAX_TIMEOUT_MS ? `; cut to ${MAX_TIMEOUT_MS} ms, the most a timer holds` : "";
    return {
      severity: "warning",
      code: "timeout-unit",
      message: `"${key}": ${written} is ${lengthOf(milliseconds)}${clamped}`,
      hint: unit.hintForLong(written),
    } as const;
  }
  if (milliseconds < 100) {
    return {
      severity: "warning",
      code: "timeout-unit",
      message: `"${key}": ${written} is only ${milliseconds} ms`,
      hint: unit.hintForShort(written),
    } as const;
  }
  if (!unit.whole && !Number.isInteger(written)) {
    return {
      severity: "hint",
      code: "timeout-fraction",
      message: `"${key}": ${written} is ${milliseconds} ms`,
      hint: `plainer: "timeout_ms": ${milliseconds}`,
    } as const;
  }
  return undefined;
}

function defaultOf({ value }: Member, unit: TimeUnit, findings: Findings, defaultMs: number): number {
  const { key, word, whole, example } = unit;
  findings.about(value, {
    severity: "error",
    code: "bad-timeout",
    message: `"${key}" is ${quoteNode(findings.document, value)}, no positive ${whole ? "whole " : ""}number of ` +
      `${word}; the default of ${defaultMs / 1000} s holds`,
    hint: `write for example "${key}": ${example}`,
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
