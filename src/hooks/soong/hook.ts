/** Reads one hook of soong version 1: its keys, its executor, its time limit. */
import { nearest, writeJson } from "../../protocol/mod.ts";
import { type DocumentNode, type ObjectNode, toJson, valueOf } from "../document.ts";
import { type Findings, isNoteKey, kindOf, quoteKey, quoteNode } from "../findings.ts";
import type { ExecutorSettings } from "../port.ts";
import { readCommand } from "../read_command.ts";
import { CONDITION_KEYS, conditionOfKey, HOOK_KEYS, REFUSED_HOOK_KEYS, TYPES_ELSEWHERE } from "./words.ts";
import { readTimeout } from "./timeout.ts";

/** What runs and how long it may. */
export interface ReadHook {
  readonly executor: ExecutorSettings;
  readonly timeout_ms: number;
}

/** Where a hook is read and what stands in for what it leaves out. */
export interface HookSettings {
  readonly findings: Findings;
  readonly default_timeout_ms: number;
  /** Keys allowed beside those of a hook, for a rule that is itself a hook. */
  readonly also_known: readonly string[];
}

/** The hook, or undefined (with a finding) when it must be skipped. */
export function readHook(hook: ObjectNode, settings: HookSettings): ReadHook | undefined {
  const { findings } = settings;
  const denies = deniesByItself(hook);
  if (!denies && typeIsRefused(hook, findings)) return undefined;
  if (!keysAreUsable(hook, settings)) return undefined;
  const executor = denies ? readStaticDeny(hook, findings) : readCommandHook(hook, findings);
  if (executor === undefined) return undefined;
  return { executor, timeout_ms: readTimeout(hook, findings, settings.default_timeout_ms) };
}

/** Whether a rule without `hooks` is meant as a hook itself. */
export function looksLikeHook(node: ObjectNode): boolean {
  return HOOK_MARKS.some((key) => valueOf(node, key) !== undefined);
}

const HOOK_MARKS = ["type", "command", "decision", "action"] as const;

function deniesByItself(hook: ObjectNode): boolean {
  const decision = valueOf(hook, "decision") ?? valueOf(hook, "action");
  return decision?.type === "string" && decision.value === "deny";
}

/**
 * An unknown key costs itself alone, except where the hook would then do something else than it says: run where it
 * was not meant to (a misspelt condition), otherwise (`args`, `enabled`) or not at all (a misspelt `command`).
 */
function keysAreUsable(hook: ObjectNode, { findings, also_known }: HookSettings): boolean {
  let usable = true;
  for (const member of hook.members) {
    const { key } = member;
    if (KNOWN_KEYS.has(key) || also_known.includes(key) || isNoteKey(key)) continue;
    const refused = REFUSED_HOOK_KEYS.get(key);
    const near = refused === undefined ? nearest(key, [...KNOWN_KEYS, ...also_known, "matcher"]) : undefined;
    const costsHook = refused?.costs === "hook" || (near !== undefined && changesMeaning(near, hook));
    if (costsHook) usable = false;
    findings.aboutKey(member, {
      severity: "error",
      code: refused?.code ?? "unknown-key",
      message: (refused?.code === "needs-version-2"
        ? `${quoteKey(key)} is a setting of version 2`
        : `unknown key ${quoteKey(key)}`) + (costsHook ? "; the hook is skipped" : "; it has no effect"),
      hint: refused?.hint ??
        (near === undefined ? `keys of a hook: ${HOOK_KEYS.join(", ")}` : `did you mean "${near}"?`),
    });
  }
  return usable;
}

const KNOWN_KEYS: ReadonlySet<string> = new Set([...HOOK_KEYS, ...Object.keys(CONDITION_KEYS)]);

/** Whether the hook cannot be understood without the key that was meant. */
function changesMeaning(meant: string, hook: ObjectNode): boolean {
  return meant === "matcher" || conditionOfKey(meant) !== undefined ||
    (meant === "command" && valueOf(hook, "command") === undefined);
}

function readCommandHook(hook: ObjectNode, findings: Findings): ExecutorSettings | undefined {
  const command = valueOf(hook, "command");
  const decision = valueOf(hook, "decision") ?? valueOf(hook, "action");
  if (decision !== undefined) reportDecision(decision, command !== undefined, findings);
  if (command === undefined) {
    if (decision === undefined) reportMissingCommand(hook, findings);
    return undefined;
  }
  const run = readCommand(command, findings);
  const folder = readWorkingDir(hook, findings);
  return run === undefined || folder === undefined ? undefined : { type: "command", command: run, ...folder };
}

function reportMissingCommand(hook: ObjectNode, findings: Findings): void {
  findings.about(hook, {
    severity: "error",
    code: "missing-command",
    message: 'this hook has no "command"; it is skipped',
    hint: 'write { "type": "command", "command": "…" }',
  });
}

/**
 * A rule that denies by itself. A command beside it is not run: a deny must not be lost because its spelling is old.
 */
function readStaticDeny(hook: ObjectNode, findings: Findings): ExecutorSettings {
  const command = valueOf(hook, "command");
  if (command !== undefined) {
    findings.about(command, {
      severity: "warning",
      code: "command-ignored",
      message: 'this hook denies by its own "decision"; the command beside it is not run',
      hint: 'leave out "decision" to let the command decide',
    });
  }
  const reason = valueOf(hook, "reason");
  const { line } = findings.document.positionAt(hook.offset);
  const given = reason === undefined || reason.type === "null"
    ? ""
    : reason.type === "string"
    ? String(reason.value).trim()
    : writeJson(toJson(reason));
  if (given === "") {
    findings.about(hook, {
      severity: "warning",
      code: "missing-reason",
      message: "this rule denies without a reason, so the model cannot know what to do instead",
      hint: 'add "reason": "…"',
    });
  }
  return { type: "static", reason: given || `denied by the rule in line ${line} of the hook file` };
}

function reportDecision(decision: DocumentNode, hasCommand: boolean, findings: Findings): void {
  const allows = decision.type === "string" && decision.value === "allow";
  findings.about(decision, {
    severity: allows ? "warning" : "error",
    code: "unknown-decision",
    message: allows
      ? `a rule that allows changes nothing; ${hasCommand ? "it has no effect" : "it is skipped"}`
      : `${quoteNode(findings.document, decision)} is no decision; ${
        hasCommand ? "it has no effect" : "the rule is skipped"
      }`,
    hint: allows ? undefined : 'a rule without a command can only say "decision": "deny"',
  });
}

/** True when the type is one that cannot be run here, and that has been said. */
function typeIsRefused(hook: ObjectNode, findings: Findings): boolean {
  const type = valueOf(hook, "type");
  if (type === undefined) {
    if (valueOf(hook, "command") === undefined) return false;
    findings.about(hook, {
      severity: "warning",
      code: "missing-type",
      message: 'this hook has no "type"; it is read as a command',
      hint: 'add "type": "command"',
    });
    return false;
  }
  if (type.type === "string" && type.value === "command") return false;
  const word = type.type === "string" ? String(type.value) : "";
  const elsewhere = TYPES_ELSEWHERE.get(word);
  findings.about(type, {
    severity: "error",
    code: word === "http" ? "needs-version-2" : type.type === "string" ? "unsupported-type" : "wrong-type",
    message: elsewhere !== undefined
      ? `version 1 has no hooks of type "${word}"; the hook is skipped`
      : type.type === "string"
      ? `unsupported type ${quoteNode(findings.document, type)}; the hook is skipped`
      : `"type" is ${kindOf(type)}; it must be "command"; the hook is skipped`,
    hint: elsewhere ??
      (nearest(word, ["command"]) === undefined
        ? 'version 1 runs hooks of type "command" only'
        : 'did you mean "command"?'),
  });
  return true;
}

/** Undefined when it is there but cannot be used. Whether it lies in the project is known when the hook runs. */
function readWorkingDir(hook: ObjectNode, findings: Findings): { readonly working_dir?: string } | undefined {
  const node = valueOf(hook, "working_dir");
  if (node === undefined) return {};
  if (node.type === "string" && node.value !== "" && !String(node.value).includes("\0")) {
    return { working_dir: String(node.value) };
  }
  findings.about(node, {
    severity: "error",
    code: "wrong-type",
    message: `"working_dir" is ${
      quoteNode(findings.document, node)
    }; it must be the path of a folder; the hook is skipped`,
    hint: "leave it out to run in the project",
  });
  return undefined;
}
