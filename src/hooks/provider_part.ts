/** Objects of provider definitions and their values: what is wrong costs the definition, and is a warning. */
import { nearest } from "../protocol/mod.ts";
import type { DocumentNode, ObjectNode } from "./document.ts";
import { type Findings, kindOf, quoteNode } from "./findings.ts";
import { BAD, type Bad, fieldOf, type Fields, readFields } from "./onecode/fields.ts";

/** Where the fields of a definition are read from. */
export interface DefinitionPart {
  /** The definition, for messages: `the provider "x"`. */
  readonly what: string;
  readonly node: ObjectNode;
  readonly fields: Fields;
  readonly findings: Findings;
}

/** The fields of an object of the definition; undefined, with a finding, when a key is doubled or misspelt. */
export function partOf(
  node: ObjectNode,
  known: readonly string[],
  { what, findings }: Pick<DefinitionPart, "what" | "findings">,
): DefinitionPart | undefined {
  const fields = readFields(node, { known, what, essential: () => true }, findings);
  return fields && { what, node, fields, findings };
}

/** Says what is wrong, and that it costs the definition. */
export function report(findings: Findings, node: DocumentNode, code: string, message: string, hint?: string): Bad {
  findings.about(node, { severity: "warning", code, message, hint });
  return BAD;
}

/** A string that is not blank; undefined when it is left out. */
export function readText({ fields, findings, what }: DefinitionPart, name: string): string | undefined | Bad {
  const node = fieldOf(fields, name);
  if (node === undefined) return undefined;
  if (node.type === "string") return String(node.value);
  return report(findings, node, "wrong-type", `"${name}" is ${kindOf(node)}; it must be a string; ${what} is skipped`);
}

/** One of a few words, in any case; undefined when it is left out. */
export function readWord<Word extends string>(
  part: DefinitionPart,
  name: string,
  words: readonly Word[],
): Word | undefined | Bad {
  const written = readText(part, name);
  if (written === undefined || written === BAD) return written;
  const folded = written.trim().toLowerCase();
  const word = words.find((known) => known.toLowerCase() === folded);
  if (word !== undefined) return word;
  const { fields, findings, what } = part;
  const node = fields.get(name)!.value;
  const near = nearest(folded, words);
  const message = `unknown ${name} ${quoteNode(findings.document, node)}; ${what} is skipped`;
  return report(findings, node, `bad-${name}`, message, near ? `did you mean "${near}"?` : `${words.join(", ")}`);
}

/** A token of RFC 9110. */
export const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
