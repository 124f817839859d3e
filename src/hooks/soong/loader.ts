/**
 * Soong hook files, version 1: from a document to hooks.
 *
 * Three shapes are read: `hooks` as an object of events, each a list of rules with their hooks (soong's own), and,
 * from the public soong-agent, `hooks` or `rules` as one flat list whose items name their event. The old shapes work
 * and are warned about.
 */
import { nearest } from "../../protocol/mod.ts";
import { type DocumentNode, type Member, valueOf } from "../document.ts";
import { isNoteKey, kindOf, quoteKey, quoteNode } from "../findings.ts";
import type { DialectLoader, HookDraft, LoaderContext } from "../dialect_loader.ts";
import { type Reading, readRule, reportWrongType, SHAPE_HINT } from "./rule.ts";
import { loadSecondVersion } from "./second_version.ts";
import { meaningOfEvent, soongEvent } from "./words.ts";

/** Reads a soong file; a file of a version that is not known contributes nothing and says so. */
export const loadSoong: DialectLoader = (context) => {
  const { root, findings } = context;
  const version = versionOf(context);
  if (version === undefined) return { usable: false, drafts: [] };
  if (version === 2) {
    reportDoubledKeys(context);
    return loadSecondVersion(context);
  }
  const reading: Reading = { ...context, ...reportDoubledKeys(context) };
  let drafts: readonly HookDraft[] = [];
  for (const member of root.members) {
    // A file may hold more hooks than a call takes arguments.
    if (member.key === "hooks") drafts = drafts.concat(readHooks(member.value, reading));
    else if (member.key === "rules") drafts = drafts.concat(readFlat(member.value, reading));
    else if (member.key !== "version" && !isNoteKey(member.key)) reportRootKey(member, findings);
  }
  if (valueOf(root, "hooks") === undefined && valueOf(root, "rules") === undefined) {
    const message = 'there is no "hooks" in this file, so it declares none';
    findings.about(root, { severity: "warning", code: "no-hooks", message, hint: SHAPE_HINT });
  }
  return { usable: true, drafts };
};

const ROOT_KEYS = ["version", "hooks", "rules"] as const;

/** The version of the file, 1 where it names none; undefined, with a finding, for one that is not known. */
function versionOf({ root, findings }: LoaderContext): 1 | 2 | undefined {
  const versions = root.members.filter(({ key }) => key === "version").map(({ value }) => value);
  if (versions.length === 0) {
    const message = 'no "version"; the file is read as version 1';
    findings.about(root, { severity: "hint", code: "missing-version", message, hint: 'add "version": 1' });
    return 1;
  }
  const refused = versions.find((node) => node.type !== "number" || (node.value !== 1 && node.value !== 2));
  if (refused === undefined) {
    return versions.every(({ type, ...node }) => type === "number" && "value" in node && node.value === 2) ? 2 : 1;
  }
  findings.about(refused, {
    severity: "error",
    code: "unknown-version",
    message: `"version" is ${
      quoteNode(findings.document, refused)
    }, which is not known; no hook of this file is loaded`,
    hint: 'write "version": 1, or "version": 2 for hooks of agent-hooks/0.1',
  });
  return undefined;
}

/**
 * Reports every key that stands twice. Rules and hooks with one are skipped; lists under one event twice are both
 * read.
 */
function reportDoubledKeys({ root, findings }: LoaderContext): Pick<Reading, "doubled" | "tainted"> {
  const doubled = new Set<DocumentNode>();
  const tainted = new Set<DocumentNode>();
  for (const { node, first, second } of findings.document.duplicates) {
    const { line, column } = findings.document.positionAt(first.keyOffset);
    findings.aboutKey(second, {
      severity: "error",
      code: "duplicate-key",
      message: `${quoteKey(second.key)} stands twice in one object, first at ${line}:${column}; ` +
        (node === root || (node.parent === root && node.step === "hooks") ? "both are read" : "the entry is skipped"),
      hint: "keep one of them",
    });
    doubled.add(node);
    for (let at: DocumentNode | undefined = node; at !== undefined && !tainted.has(at); at = at.parent) tainted.add(at);
  }
  return { doubled, tainted };
}

function reportRootKey(member: Member, findings: LoaderContext["findings"]): void {
  const { key } = member;
  const event = meaningOfEvent(key);
  const near = nearest(key, ROOT_KEYS);
  findings.aboutKey(member, {
    severity: "error",
    code: "unknown-key",
    message: `unknown key ${quoteKey(key)}; it has no effect`,
    hint: event.point !== undefined
      ? `events stand inside "hooks": "hooks": { "${soongEvent(event.point)}": [ … ] }`
      : near === undefined
      ? `keys of a hook file: ${ROOT_KEYS.slice(0, 2).join(", ")}`
      : `did you mean "${near}"?`,
  });
}

function readHooks(node: DocumentNode, reading: Reading): readonly HookDraft[] {
  if (node.type === "array") return readFlat(node, reading);
  if (node.type !== "object") {
    reportWrongType(node, reading, `"hooks" is ${kindOf(node)}; it must be an object of events`, SHAPE_HINT);
    return [];
  }
  return node.members.flatMap((member) => isNoteKey(member.key) ? [] : readEvent(member, reading));
}

function readEvent(member: Member, reading: Reading): readonly HookDraft[] {
  const { key, value } = member;
  const meaning = meaningOfEvent(key);
  if (meaning.point === undefined) {
    const { code, message, hint } = meaning;
    reading.findings.aboutKey(member, { severity: "error", code, message: `${message}; its hooks are skipped`, hint });
    return [];
  }
  const event = soongEvent(meaning.point);
  if (meaning.old) {
    reading.findings.aboutKey(member, {
      severity: "warning",
      code: "old-form",
      message: `${quoteKey(key)} is an old name of "${event}"`,
      hint: `write "${event}"`,
    });
  }
  if (value.type !== "array") {
    const message = `"${event}" is ${kindOf(value)}; it must be a list of rules; its hooks are skipped`;
    reportWrongType(value, reading, message, value.type === "object" ? "put [ ] around it" : SHAPE_HINT);
    return [];
  }
  return value.items.flatMap((item) => readRule(item, meaning.point, reading));
}

/** A list whose items name their event themselves. */
function readFlat(node: DocumentNode, reading: Reading): readonly HookDraft[] {
  if (node.type !== "array") {
    const message = `${quoteKey(String(node.step))} is ${kindOf(node)}; it must be a list of rules`;
    reportWrongType(node, reading, message, SHAPE_HINT);
    return [];
  }
  return node.items.flatMap((item) => readRule(item, undefined, reading));
}
