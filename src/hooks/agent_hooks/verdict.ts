/** Reads a `Verdict` of agent-hooks/0.1 (section 5) out of any value, by the rules of its schema. */
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type Point,
  type Verdict,
  type Warning,
} from "../../protocol/mod.ts";
import { canonicalJson } from "./identity.ts";

/** A valid verdict, or the reserved reason that stands for it and what is wrong; `problem` quotes nothing of the value. */
export type VerdictReading =
  | { readonly ok: true; readonly verdict: Verdict }
  | { readonly ok: false; readonly reserved_reason: string; readonly problem: string };

/** Validates and translates. Pure. */
export function readVerdict(value: unknown, point: Point): VerdictReading {
  const copied = copyOf(value);
  if (copied === undefined) return refused("interceptor_failed", "returned a value that is not JSON");
  if (!isJsonObject(copied)) return refused("verdict_invalid", "returned a verdict that is no object");
  const broken = RULES.find((rule) => !rule.holds(copied));
  if (broken !== undefined) return refused("verdict_invalid", `returned an invalid verdict: ${broken.problem}`);
  return translate(copied, point);
}

interface Rule {
  readonly problem: string;
  holds(verdict: JsonObject): boolean;
}

const MEMBERS: ReadonlySet<string> = new Set([
  "decision",
  "reason",
  "message",
  "warnings",
  "approval",
  "transform",
  "evidence",
  "result_labels",
]);
const WARNING_MEMBERS: ReadonlySet<string> = new Set(["reason", "message"]);
const TRANSFORM_MEMBERS: ReadonlySet<string> = new Set(["path", "value"]);
const EVIDENCE_MEMBERS: ReadonlySet<string> = new Set(["artefact", "verification_pointers"]);
const EVIDENCE_LIMIT_BYTES = 10_240;

const RULES: readonly Rule[] = [
  {
    problem: "decision is not allow, deny or transform",
    holds: ({ decision }) => decision === "allow" || decision === "deny" || decision === "transform",
  },
  { problem: "it has an unknown member", holds: (verdict) => onlyHas(verdict, MEMBERS) },
  { problem: "reason is no string, or is reserved", holds: ({ reason }) => isReason(reason) },
  { problem: "message is no string", holds: ({ message }) => isTextOrNothing(message) },
  { problem: "warnings is not a list of objects", holds: ({ warnings }) => areWarnings(warnings) },
  {
    problem: "transform stands without the decision transform, or lacks",
    holds: ({ decision, transform }) =>
      decision === "transform"
        ? isJsonObject(transform) && onlyHas(transform, TRANSFORM_MEMBERS) && typeof transform["path"] === "string"
        : transform === undefined,
  },
  {
    problem: "approval is no object, or stands without the decision deny",
    holds: ({ decision, approval }) => approval === undefined || (decision === "deny" && isJsonObject(approval)),
  },
  {
    problem: `evidence is no evidence object, or larger than ${EVIDENCE_LIMIT_BYTES} bytes`,
    holds: ({ evidence }) => evidence === undefined || isEvidence(evidence),
  },
  {
    problem: "result_labels is not a list of strings",
    holds: ({ result_labels: labels }) =>
      labels === undefined || labels === null ||
      (Array.isArray(labels) && labels.every((label) => typeof label === "string")),
  },
];

function translate(value: JsonObject, point: Point): VerdictReading {
  const reason = textOf(value["reason"]);
  const message = textOf(value["message"]);
  const { evidence, result_labels: labels } = value;
  const facts = {
    ...(message !== undefined && { message }),
    warnings: warningsOf(value["warnings"]),
    ...(isJsonObject(evidence) && { evidence }),
    ...(Array.isArray(labels) && labels.length > 0 && { result_labels: labels as readonly string[] }),
  };
  if (value["decision"] === "deny") {
    const approval = value["approval"];
    const lift = isJsonObject(approval) ? { approval } : {};
    return accepted({ decision: "deny", reason: reason ?? "", cause: "policy", ...lift, ...facts });
  }
  const why = reason === undefined ? {} : { reason };
  if (value["decision"] === "allow") return accepted({ decision: "allow", ...why, ...facts });
  const transform = value["transform"] as JsonObject;
  const path = String(transform["path"]);
  if (!ROOTED.test(path) || point === "agent_startup" || point === "agent_shutdown") {
    return refused("transform_target_forbidden", "returned a transform of something that cannot be transformed here");
  }
  if (!PATH.test(path)) return refused("transform_invalid", "returned a transform whose path cannot be read");
  return accepted({
    decision: "transform",
    ...why,
    path: path.replace(DEPRECATED_ROOT, "$target"),
    value: transform["value"] ?? null,
    ...facts,
  });
}

/** A verdict as the standard writes it. */
export function wireVerdict(verdict: Verdict): JsonObject {
  return {
    decision: verdict.decision,
    ...(verdict.reason && { reason: verdict.reason }),
    ...(verdict.message !== undefined && { message: verdict.message }),
    ...(verdict.warnings.length > 0 && { warnings: verdict.warnings.map((warning) => ({ ...warning })) }),
    ...(verdict.decision === "deny" && verdict.approval !== undefined && { approval: verdict.approval }),
    ...(verdict.decision === "transform" && { transform: { path: verdict.path, value: verdict.value } }),
    ...(verdict.evidence !== undefined && { evidence: verdict.evidence }),
    ...(verdict.result_labels !== undefined && { result_labels: verdict.result_labels }),
  };
}

const ROOTED = /^\$(?:target|policy_target)(?=[.[]|$)/;
const DEPRECATED_ROOT = /^\$policy_target/;

/** The grammar of `path-grammar.abnf`: dot members, bracket indexes and bracket members only. */
const PATH = /^\$(?:target|policy_target)(?:\.[A-Za-z0-9_-]+|\[\d+\]|\["[A-Za-z0-9_-]+"\])*$/;

function refused(reason: string, problem: string): VerdictReading {
  return { ok: false, reserved_reason: `host_error:${reason}`, problem };
}

function accepted(verdict: Verdict): VerdictReading {
  return { ok: true, verdict };
}

function onlyHas(value: JsonObject, members: ReadonlySet<string>): boolean {
  return Object.keys(value).every((name) => members.has(name));
}

function isTextOrNothing(value: Json | undefined): boolean {
  return value === undefined || value === null || typeof value === "string";
}

function isReason(value: Json | undefined): boolean {
  return isTextOrNothing(value) && !(typeof value === "string" && value.startsWith("host_error:"));
}

function areWarnings(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  return Array.isArray(value) &&
    value.every((item: Json) =>
      isJsonObject(item) && onlyHas(item, WARNING_MEMBERS) && isReason(item["reason"]) &&
      isTextOrNothing(item["message"])
    );
}

function isEvidence(value: Json): boolean {
  if (!isJsonObject(value) || !onlyHas(value, EVIDENCE_MEMBERS) || !isTextOrNothing(value["artefact"])) return false;
  const pointers = value["verification_pointers"];
  if (pointers !== undefined) {
    if (!isJsonObject(pointers)) return false;
    if (!Object.values(pointers).every((pointer) => typeof pointer === "string")) return false;
  }
  const canonical = canonicalJson(value);
  return canonical.ok && new TextEncoder().encode(canonical.text).length <= EVIDENCE_LIMIT_BYTES;
}

function warningsOf(value: Json | undefined): readonly Warning[] {
  if (!Array.isArray(value)) return [];
  return value.map((item: JsonObject) => {
    const message = textOf(item["message"]);
    return { reason: textOf(item["reason"]) ?? "", ...(message !== undefined && { message }) };
  });
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

const DEEPEST_VERDICT = 128;

/** A copy that shares nothing with what an interceptor returned; undefined for what JSON cannot hold. */
function copyOf(value: unknown): Json | undefined {
  try {
    return copyJson(value, 0);
  } catch {
    return undefined;
  }
}

function copyJson(value: unknown, depth: number): Json | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean" || typeof value === "bigint") {
    return value;
  }
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "object" || depth > DEEPEST_VERDICT) return undefined;
  if (Array.isArray(value)) {
    const items = value.map((item) => copyJson(item, depth + 1));
    return items.some((item) => item === undefined) ? undefined : items as Json[];
  }
  const members: [string, Json][] = [];
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const copied = copyJson(member, depth + 1);
    if (copied === undefined) return undefined;
    members.push([name, copied]);
  }
  return Object.fromEntries(members);
}
