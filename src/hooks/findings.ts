/** Collects diagnostics about one document, each with the place of the node it is about. */
import type { Diagnostic, Severity } from "../protocol/mod.ts";
import { type DocumentNode, type HookDocument, type Member, pathOf } from "./document.ts";

/** What is said about a node; `hint` is what to do. */
export interface Finding {
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** The findings of one document so far; the same one about the same place is kept once. */
export interface Findings {
  readonly document: HookDocument;
  readonly diagnostics: readonly Diagnostic[];
  /** About a value; placed where the value begins. */
  about(node: DocumentNode, finding: Finding): void;
  /** About a key; placed where the key begins. */
  aboutKey(member: Member, finding: Finding): void;
}

/** An empty collection. */
export function createFindings(document: HookDocument): Findings {
  const diagnostics: Diagnostic[] = [];
  const said = new Set<string>();
  const add = (offset: number, path: string, { severity, code, message, hint }: Finding) => {
    const sentence = `${offset} ${code} ${message}`;
    if (said.has(sentence)) return;
    said.add(sentence);
    const { line, column } = document.positionAt(offset);
    const place = { file: document.file, line, column, severity, code, message };
    diagnostics.push(hint === undefined ? { ...place, path } : { ...place, hint, path });
  };
  return {
    document,
    diagnostics,
    about: (node, finding) => add(node.offset, pathOf(node), finding),
    aboutKey: (member, finding) => add(member.keyOffset, pathOf(member.value), finding),
  };
}

/** A value for a message: its own text, on one line, cut at 60 characters. */
export function quoteNode(document: HookDocument, node: DocumentNode): string {
  const text = document.text.slice(node.offset, Math.min(node.end, node.offset + 300)).replace(/\s+/g, " ");
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/** What a node is, with an article: "a list", "an object", "null". */
export function kindOf(node: DocumentNode): string {
  return KINDS[node.type];
}

/** A key for a message, as it stands in a JSON path. */
export function quoteKey(key: string): string {
  return JSON.stringify(key.length > 60 ? `${key.slice(0, 59)}…` : key);
}

const KINDS = {
  object: "an object",
  array: "a list",
  string: "a string",
  number: "a number",
  boolean: "true or false",
  null: "null",
} as const satisfies Record<DocumentNode["type"], string>;

/** Keys for notes, which every object of a hook file may hold. */
export function isNoteKey(key: string): boolean {
  return /^(?:[_$]|\/\/)/.test(key) || NOTE_KEYS.has(key);
}

const NOTE_KEYS: ReadonlySet<string> = new Set(["comment", "comments", "description"]);
