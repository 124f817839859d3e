/** Reads one hook of a onecode file: its common fields, then what its type wants. */
import { nearest } from "../../protocol/mod.ts";
import type { DocumentNode, ObjectNode } from "../document.ts";
import { type Findings, kindOf, quoteNode } from "../findings.ts";
import type { HookDraft } from "../dialect_loader.ts";
import { readTimeLimit, type TimeUnit } from "../time_limit.ts";
import { fieldOf, type FieldRules, type Fields, readFields, reportWrongType } from "./fields.ts";
import { HOOK_TYPE_NAMES, HOOK_TYPES, type HookType, ownerOf } from "./hook_types.ts";
import { foldKey } from "./words.ts";

/** What a hook says beside its matcher. */
export type ReadHook = Pick<HookDraft, "executor" | "timeout_ms" | "priority" | "once">;

/** Time limit of hooks that name none, of every type, in milliseconds. */
const DEFAULT_TIMEOUT_MS = 5000;

const COMMON_KEYS = ["type", "timeout", "once", "priority", "statusMessage"] as const;

/** All fields that a hook of any type can have. */
export const HOOK_KEYS: readonly string[] = [
  ...COMMON_KEYS,
  ...Object.values(HOOK_TYPES).flatMap(({ keys }) => keys),
];

/** The hook, or undefined (with a finding) when it must be skipped. */
export function readHook(node: DocumentNode, findings: Findings): ReadHook | undefined {
  if (node.type !== "object") {
    const message = `a hook is ${kindOf(node)}; it must be an object; it is skipped`;
    reportWrongType(node, findings, message, 'write { "type": "command", "command": "…" }');
    return undefined;
  }
  const fields = readFields(node, HOOK_RULES, findings);
  if (fields === undefined) return undefined;
  const type = readType(node, fields, findings);
  if (type === undefined) return undefined;
  reportForeign(type, fields, findings);
  const executor = HOOK_TYPES[type].read({ node, fields, findings });
  if (executor === undefined) return undefined;
  const title = fieldOf(fields, "statusMessage");
  if (title !== undefined && title.type !== "string") {
    reportWrongType(title, findings, `"statusMessage" is ${kindOf(title)}; it must be a string; it has no effect`);
  }
  const limit = fields.get("timeout");
  return {
    executor,
    timeout_ms: limit === undefined
      ? DEFAULT_TIMEOUT_MS
      : readTimeLimit({ ...limit, key: "timeout" }, MILLISECONDS, findings, DEFAULT_TIMEOUT_MS),
    ...readPriority(fields, findings),
    ...readOnce(fields, findings),
  };
}

const HOOK_RULES: FieldRules = {
  known: HOOK_KEYS,
  what: "the hook",
  essential: (name, has) => name === "type" || (!has(name) && REQUIRED.has(name) && ![...REQUIRED].some(has)),
  refused: new Map([
    ["matcher", 'the matcher belongs to the group, beside "hooks"'],
    ["if", "say in the matcher when the hook runs, or test it in the command"],
    ["enabled", "to switch a hook off, put it in a comment"],
    ["disabled", "to switch a hook off, put it in a comment"],
    ["args", "write the arguments into the command"],
  ]),
};

/** What runs: without one of these a hook does nothing. */
const REQUIRED: ReadonlySet<string> = new Set(["command", "url", "provider"]);

const MILLISECONDS: TimeUnit = {
  key: "timeout",
  factor: 1,
  word: "milliseconds",
  whole: true,
  example: DEFAULT_TIMEOUT_MS,
  hintForLong: () => '"timeout" is in milliseconds here',
  hintForShort: (written) => `"timeout" is in milliseconds here; for ${written} seconds write ${written * 1000}`,
};

/** A missing type means a command. */
function readType(hook: ObjectNode, fields: Fields, findings: Findings): HookType | undefined {
  const node = fieldOf(fields, "type");
  if (node === undefined) return missingType(hook, fields, findings);
  if (node.type !== "string") {
    reportWrongType(node, findings, `"type" is ${kindOf(node)}; it must be a string; the hook is skipped`, TYPES_HINT);
    return undefined;
  }
  const type = foldKey(String(node.value));
  const known = HOOK_TYPE_NAMES.find((name) => name === type);
  if (known !== undefined) return known;
  const near = nearest(type, HOOK_TYPE_NAMES);
  findings.about(node, {
    severity: "error",
    code: "unknown-type",
    message: `unknown type ${quoteNode(findings.document, node)}; the hook is skipped`,
    hint: near === undefined ? TYPES_HINT : `did you mean "${near}"?`,
  });
  return undefined;
}

const TYPES_HINT = `types: ${HOOK_TYPE_NAMES.join(", ")}`;

function missingType(hook: ObjectNode, fields: Fields, findings: Findings): HookType | undefined {
  if (fields.has("command")) return "command";
  const meant = [...fields.keys()].map(ownerOf).find((owner) => owner !== undefined);
  if (meant === undefined) return "command";
  findings.about(hook, {
    severity: "error",
    code: "missing-type",
    message: `this hook has no "type", so it would be a command, and it has no command; it is skipped`,
    hint: `add "type": "${meant}"`,
  });
  return undefined;
}

/** Fields of another type mean nothing here. */
function reportForeign(type: HookType, fields: Fields, findings: Findings): void {
  for (const [name, member] of fields) {
    const owner = ownerOf(name);
    if (owner === undefined || owner === type) continue;
    findings.aboutKey(member, {
      severity: "warning",
      code: "key-of-another-type",
      message: `"${name}" is a field of hooks of type "${owner}"; it has no effect on a ${type} hook`,
    });
  }
}

function readPriority(fields: Fields, findings: Findings): { readonly priority?: number } {
  const node = fieldOf(fields, "priority");
  if (node === undefined) return {};
  if (node.type === "number" && Number.isSafeInteger(node.value)) return { priority: node.value as number };
  findings.about(node, {
    severity: "error",
    code: "bad-priority",
    message: `"priority" is ${quoteNode(findings.document, node)}, no whole number; the priority of the file holds`,
    hint: 'write for example "priority": 150; smaller runs first',
  });
  return {};
}

function readOnce(fields: Fields, findings: Findings): { readonly once?: boolean } {
  const node = fieldOf(fields, "once");
  if (node === undefined) return {};
  if (node.type === "boolean") return node.value === true ? { once: true } : {};
  const message = `"once" is ${quoteNode(findings.document, node)}; it must be true or false; the hook runs every time`;
  reportWrongType(node, findings, message);
  return {};
}
