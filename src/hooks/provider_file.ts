/**
 * Reads `notification-providers.json`: JSON with comments, from names to definitions.
 *
 * A definition that cannot be used is skipped with a warning, the rest of the file works. A file that is not JSON
 * contributes nothing and is an error; so is a name or a key that stands twice.
 */
import type { Diagnostic } from "../protocol/mod.ts";
import { type Member, type ObjectNode, parseDocument } from "./document.ts";
import { createFindings, type Findings, isNoteKey, kindOf, quoteKey } from "./findings.ts";
import type { ReadFile } from "./hook_file.ts";
import type { ProviderDefinition, ProviderLayer } from "./provider_definition.ts";
import { readDefinition } from "./provider_fields.ts";

/** What became of one provider file. */
export interface ProviderFile {
  readonly path: string;
  readonly layer: ProviderLayer;
  /** `failed`: nothing of it can be used, and a diagnostic says why. A missing file is normal. */
  readonly status: "not_found" | "loaded" | "failed";
  /** In the order of the file; no two names are equal when case is ignored. */
  readonly definitions: readonly ProviderDefinition[];
  /** In the order of the file. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the content of one file, or the outcome of reading it. Pure; never throws. */
export function loadProviderFile(path: string, content: Uint8Array | ReadFile, layer: ProviderLayer): ProviderFile {
  const ended = (status: ProviderFile["status"], diagnostics: readonly Diagnostic[] = []): ProviderFile => ({
    path,
    layer,
    status,
    definitions: [],
    diagnostics,
  });
  if (!(content instanceof Uint8Array)) {
    if (content.status === "not_found") return ended("not_found");
    if (content.status === "failed") return ended("failed", [{ ...content.diagnostic, hint: NOTHING_LOADED }]);
    return loadProviderFile(path, content.bytes, layer);
  }
  const parsed = parseDocument(path, content);
  if (!parsed.ok) {
    const { diagnostic } = parsed;
    return ended("failed", [diagnostic.code === "empty-file" ? { ...diagnostic, hint: SHAPE } : diagnostic]);
  }
  const findings = createFindings(parsed.document);
  const { root } = parsed.document;
  if (root.type !== "object") {
    const message = `a provider file holds an object, not ${kindOf(root)}; no definition of it is loaded`;
    findings.about(root, { severity: "error", code: "root-not-an-object", message, hint: SHAPE });
    return ended("failed", findings.diagnostics);
  }
  const definitions = readDefinitions(root, findings);
  const diagnostics = findings.diagnostics.toSorted((left, right) =>
    left.line - right.line || left.column - right.column
  );
  return { path, layer, status: "loaded", definitions, diagnostics };
}

/** A provider name as it is compared. */
function foldName(name: string): string {
  return name.trim().toLowerCase();
}

const NOTHING_LOADED = "no definition of it is loaded";
const SHAPE = 'the form is { "name": { "url": "https://…", "body": { … } } }';

function readDefinitions(root: ObjectNode, findings: Findings): readonly ProviderDefinition[] {
  const byName = new Map<string, Member[]>();
  for (const member of root.members) {
    if (isNoteKey(member.key)) continue;
    const name = foldName(member.key);
    byName.set(name, [...byName.get(name) ?? [], member]);
  }
  return [...byName].flatMap(([name, [first, ...others]]) => {
    if (first === undefined) return [];
    if (name === "") {
      findings.aboutKey(first, { severity: "warning", code: "bad-name", message: "a provider needs a name" });
      return [];
    }
    if (others.length > 0) {
      others.forEach((other) => reportDoubled(first, other, findings));
      return [];
    }
    const definition = readDefinition(first, findings);
    return definition === undefined ? [] : [definition];
  });
}

/** Which of two is meant nobody can tell: neither is loaded. */
function reportDoubled(first: Member, second: Member, findings: Findings): void {
  const { line, column } = findings.document.positionAt(first.keyOffset);
  findings.aboutKey(second, {
    severity: "error",
    code: "duplicate-key",
    message: `the provider ${quoteKey(second.key)} stands twice, first at ${line}:${column}; both are skipped`,
    hint: "keep one of them; names are compared in any case",
  });
}
