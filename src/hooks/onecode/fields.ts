/** Objects of onecode files: their field names are read in any case, and no field may stand twice. */
import { nearest } from "../../protocol/mod.ts";
import type { DocumentNode, Member, ObjectNode } from "../document.ts";
import { type Findings, isNoteKey, kindOf, quoteKey } from "../findings.ts";
import { foldKey } from "./words.ts";

/** The fields of one object by their known name. */
export type Fields = ReadonlyMap<string, Member>;

/** What is known of an object's fields, and what a field costs that cannot be honoured. */
export interface FieldRules {
  /** Names as they are written in documents; compared in any case. */
  readonly known: readonly string[];
  /** What the object is, for messages: "the hook". */
  readonly what: string;
  /** Names whose misspelling changes what the object does: it is skipped then. */
  readonly essential: (name: string, has: (name: string) => boolean) => boolean;
  /** Names that are no field here, with what to do; they cost the object. */
  readonly refused?: ReadonlyMap<string, string>;
}

/**
 * The fields of an object; undefined, with a finding, when it cannot be used. An unknown field costs itself alone, except
 * where the object would then do something else than it says.
 */
export function readFields(node: ObjectNode, rules: FieldRules, findings: Findings): Fields | undefined {
  const byFolded = new Map(rules.known.map((name) => [foldKey(name), name]));
  const fields = new Map<string, Member>();
  const unknown: Member[] = [];
  let usable = true;
  for (const member of node.members) {
    const name = byFolded.get(foldKey(member.key));
    const first = name === undefined ? undefined : fields.get(name);
    if (name === undefined) {
      if (!isNoteKey(member.key)) unknown.push(member);
    } else if (first === undefined) {
      fields.set(name, member);
    } else {
      usable = false;
      reportDoubled(first, member, rules.what, findings);
    }
  }
  for (const member of unknown) {
    if (reportUnknown(member, fields, rules, findings)) usable = false;
  }
  return usable ? fields : undefined;
}

/** The value of a field; a field that is null counts as left out. */
export function fieldOf(fields: Fields, name: string): DocumentNode | undefined {
  const value = fields.get(name)?.value;
  return value?.type === "null" ? undefined : value;
}

/** A node that is something else than it must be. `cost` is what it costs: "the hook is skipped". */
export function reportWrongType(node: DocumentNode, findings: Findings, message: string, hint?: string): void {
  findings.about(node, { severity: "error", code: "wrong-type", message, hint });
}

/** A string field; "bad", with a finding, for a value of another type. */
export function readString(fields: Fields, name: string, findings: Findings): string | undefined | Bad {
  const node = fieldOf(fields, name);
  if (node === undefined) return undefined;
  if (node.type === "string") return String(node.value);
  reportWrongType(node, findings, `"${name}" is ${kindOf(node)}; it must be a string; the hook is skipped`);
  return BAD;
}

/** Stands for a value that cannot be used, which has been said. */
export const BAD = Symbol("bad");
export type Bad = typeof BAD;

function reportDoubled(first: Member, second: Member, what: string, findings: Findings): void {
  const { line, column } = findings.document.positionAt(first.keyOffset);
  findings.aboutKey(second, {
    severity: "error",
    code: "duplicate-key",
    message: `${quoteKey(second.key)} stands twice in one object, first at ${line}:${column}; ${what} is skipped`,
    hint: "keep one of them",
  });
}

/** True when the unknown field costs the whole object. */
function reportUnknown(member: Member, fields: Fields, rules: FieldRules, findings: Findings): boolean {
  const { key } = member;
  const refused = rules.refused?.get(foldKey(key));
  const near = refused === undefined ? nearest(key, rules.known) : undefined;
  const costs = refused !== undefined || (near !== undefined && rules.essential(near, (name) => fields.has(name)));
  findings.aboutKey(member, {
    severity: "error",
    code: "unknown-key",
    message: `unknown key ${quoteKey(key)}; ${costs ? `${rules.what} is skipped` : "it has no effect"}`,
    hint: refused ?? (near === undefined ? `keys here: ${rules.known.join(", ")}` : `did you mean "${near}"?`),
  });
  return costs;
}
