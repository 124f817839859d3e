/** The fields of one provider definition. What is wrong with any of them costs the definition, and is a warning. */
import { type Json, type JsonObject, parseJson } from "../protocol/mod.ts";
import { insecureUrl } from "../text/mod.ts";
import type { DocumentNode, Member, ObjectNode } from "./document.ts";
import { type Findings, kindOf, quoteKey } from "./findings.ts";
import { HTTP_METHODS } from "./http_methods.ts";
import { BAD, type Bad, fieldOf } from "./onecode/fields.ts";
import type { ProviderDefinition, SuccessRule } from "./provider_definition.ts";
import { type DefinitionPart, HEADER_NAME, partOf, readText, readWord, report } from "./provider_part.ts";
import { readSigning } from "./provider_signing.ts";

/** One definition; undefined, with a finding, when it cannot be used. */
export function readDefinition(member: Member, all: Findings): ProviderDefinition | undefined {
  const { key, value: node } = member;
  const what = `the provider ${quoteKey(key)}`;
  const findings = warnings(all);
  if (node.type !== "object") {
    report(findings, node, "wrong-type", `${what} is ${kindOf(node)}; it must be an object; it is skipped`);
    return undefined;
  }
  if (reportDoubledKeys(node, what, all)) return undefined;
  const part = partOf(node, DEFINITION_KEYS, { what, findings });
  if (part === undefined) return undefined;
  const displayName = readText(part, "displayName");
  const method = readWord(part, "method", HTTP_METHODS) ?? "POST";
  const url = readUrl(part);
  const headers = readHeaders(part);
  const body = readBody(part);
  const signing = readSigning(part);
  const success = readSuccess(part);
  if (displayName === BAD || method === BAD || url === BAD || headers === BAD) return undefined;
  if (body === BAD || signing === BAD || success === BAD) return undefined;
  if (method === "GET") {
    findings.aboutKey(part.fields.get("method")!, {
      severity: "warning",
      code: "body-ignored",
      message: `${what} sends a GET, which has no body; only its headers carry the message`,
    });
  }
  return {
    name: key.trim(),
    ...(displayName !== undefined && { display_name: displayName }),
    method,
    url,
    headers,
    body,
    ...(signing !== undefined && { signing }),
    ...(success !== undefined && { success }),
  };
}

const DEFINITION_KEYS = ["displayName", "method", "url", "headers", "body", "signing", "success"];

/** A value with numbers as they are written: integers beyond 2^53 stay exact. */
function exactJson(node: DocumentNode, text: string): Json {
  switch (node.type) {
    case "object":
      return Object.fromEntries(node.members.map(({ key, value }) => [key, exactJson(value, text)]));
    case "array":
      return node.items.map((item) => exactJson(item, text));
    case "number":
      return parseJson(text.slice(node.offset, node.end));
    default:
      return node.value;
  }
}

/** An address may hold its secret, so no message quotes it. One that is a secret as a whole is judged when it is used. */
function readUrl(part: DefinitionPart): string | Bad {
  const { node, fields, findings, what } = part;
  const url = readText(part, "url");
  if (url === BAD) return BAD;
  if (url === undefined || url.trim() === "") {
    const hint = 'add "url": "https://…"; the webhookUrl of a hook wins over it';
    return report(findings, fieldOf(fields, "url") ?? node, "missing-key", `${what} has no "url"; it is skipped`, hint);
  }
  if (HIDDEN_ADDRESS.test(url)) return url;
  const problem = insecureUrl(url.replace(VARIABLE, "x"));
  if (problem === undefined) return url;
  const message = `the "url" of ${what} ${problem}; the provider is skipped`;
  return report(findings, fields.get("url")!.value, "insecure-url", message, "write an address with https://");
}

const VARIABLE = /\$\{\w+\}/g;
/** The scheme or the host is not in the file. */
const HIDDEN_ADDRESS = /^(?:dpapi:|file:|[^/]*\$\{|\s*http:\/\/[^/?#]*\$\{)/i;

function readHeaders({ fields, findings, what }: DefinitionPart): Readonly<Record<string, string>> | Bad {
  const node = fieldOf(fields, "headers");
  if (node === undefined) return {};
  if (node.type !== "object") {
    return report(
      findings,
      node,
      "wrong-type",
      `"headers" is ${kindOf(node)}; it must be an object; ${what} is skipped`,
    );
  }
  const names = new Set<string>();
  const headers: [string, string][] = [];
  for (const { key, value } of node.members) {
    const header = `the header ${quoteKey(key)} of ${what}`;
    const skipped = "the provider is skipped";
    if (value.type !== "string") {
      return report(findings, value, "wrong-type", `${header} is ${kindOf(value)}; it must be a string; ${skipped}`);
    }
    if (!HEADER_NAME.test(key)) return report(findings, value, "bad-header", `${header} has no valid name; ${skipped}`);
    if (names.has(key.toLowerCase())) {
      return report(findings, value, "duplicate-key", `${header} stands twice; ${skipped}`, "keep one of them");
    }
    names.add(key.toLowerCase());
    headers.push([key, String(value.value)]);
  }
  return Object.fromEntries(headers);
}

function readBody({ node, fields, findings, what }: DefinitionPart): JsonObject | Bad {
  const body = fieldOf(fields, "body");
  if (body?.type === "object") return exactJson(body, findings.document.text) as JsonObject;
  const hint = 'for example "body": { "text": "{{Text}}" }';
  if (body === undefined) {
    return report(findings, node, "missing-key", `${what} has no "body"; it is skipped`, hint);
  }
  const message = `"body" is ${kindOf(body)}; it must be an object; ${what} is skipped`;
  return report(findings, body, "wrong-type", message, hint);
}

function readSuccess(outer: DefinitionPart): SuccessRule | undefined | Bad {
  const { fields, findings, what } = outer;
  const node = fieldOf(fields, "success");
  if (node === undefined) return undefined;
  const hint = 'write "success": { "field": "errcode", "equals": 0 }';
  if (node.type !== "object") {
    const message = `"success" is ${kindOf(node)}; it must be an object; ${what} is skipped`;
    return report(findings, node, "wrong-type", message, hint);
  }
  const part = partOf(node, ["field", "equals"], { what, findings });
  const field = part && readText(part, "field");
  if (part === undefined || field === BAD) return BAD;
  const equals = part.fields.get("equals");
  if (field === undefined || field.trim() === "" || equals === undefined) {
    const missing = equals === undefined && field !== undefined ? "equals" : "field";
    return report(findings, node, "missing-key", `"success" has no "${missing}"; ${what} is skipped`, hint);
  }
  return { field, equals: exactJson(equals.value, findings.document.text) };
}

/** True, with an error, when any object of the definition has a key twice. */
function reportDoubledKeys(node: ObjectNode, what: string, findings: Findings): boolean {
  const inside = findings.document.duplicates.filter((one) =>
    one.node.offset >= node.offset && one.node.end <= node.end
  );
  for (const { first, second } of inside) {
    const { line, column } = findings.document.positionAt(first.keyOffset);
    findings.aboutKey(second, {
      severity: "error",
      code: "duplicate-key",
      message: `${quoteKey(second.key)} stands twice in one object, first at ${line}:${column}; ${what} is skipped`,
      hint: "keep one of them",
    });
  }
  return inside.length > 0;
}

/** The same collection, where everything but a doubled key weighs as a warning. */
function warnings(findings: Findings): Findings {
  const weigh = <One extends { code: string }>(finding: One) =>
    finding.code === "duplicate-key" ? finding : { ...finding, severity: "warning" as const };
  return {
    document: findings.document,
    get diagnostics() {
      return findings.diagnostics;
    },
    about: (node, finding) => findings.about(node, weigh(finding)),
    aboutKey: (member, finding) => findings.aboutKey(member, weigh(finding)),
  };
}
