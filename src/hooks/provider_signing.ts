/** The `signing` of a provider definition: a preset by name, or the full form. */
import { nearest } from "../protocol/mod.ts";
import { kindOf, quoteKey } from "./findings.ts";
import { BAD, type Bad, fieldOf } from "./onecode/fields.ts";
import {
  type ProviderDefinition,
  SIGNATURE_ENCODINGS,
  SIGNATURE_PLACEMENTS,
  SIGNING_PRESETS,
} from "./provider_definition.ts";
import { type DefinitionPart, HEADER_NAME, partOf, readText, readWord, report } from "./provider_part.ts";

/** How messages are signed; undefined when they are not. */
export function readSigning(outer: DefinitionPart): ProviderDefinition["signing"] | Bad {
  const { fields, findings, what } = outer;
  const node = fieldOf(fields, "signing");
  if (node === undefined) return undefined;
  if (node.type !== "object") {
    const message = `"signing" is ${kindOf(node)}; it must be an object; ${what} is skipped`;
    return report(findings, node, "wrong-type", message, 'for example "signing": { "preset": "dingtalk" }');
  }
  const part = partOf(node, SIGNING_KEYS, { what, findings });
  const preset = part && readWord(part, "preset", SIGNING_PRESETS);
  if (part === undefined || preset === BAD) return BAD;
  return preset === undefined ? readForm(part) : { preset };
}

const SIGNING_KEYS = [
  "preset",
  "keyTemplate",
  "messageTemplate",
  "encoding",
  "placement",
  "paramName",
  "timestampParamName",
  "timestampMs",
];

function readForm(part: DefinitionPart): ProviderDefinition["signing"] | Bad {
  const { node, findings, what } = part;
  const key = readText(part, "keyTemplate");
  const message = readText(part, "messageTemplate") ?? "";
  const encoding = readWord(part, "encoding", SIGNATURE_ENCODINGS) ?? "base64";
  const placement = readWord(part, "placement", SIGNATURE_PLACEMENTS) ?? "query";
  const name = readText(part, "paramName") ?? "sign";
  const timestampName = readText(part, "timestampParamName") ?? "timestamp";
  const timestampMs = readFlag(part, "timestampMs");
  if (key === BAD || message === BAD || encoding === BAD || placement === BAD) return BAD;
  if (name === BAD || timestampName === BAD || timestampMs === BAD) return BAD;
  if (key === undefined || key === "") {
    const hint = `write "preset" (${SIGNING_PRESETS.join(", ")}) or "keyTemplate"`;
    const said = `"signing" has no "keyTemplate", and nothing is signed with an empty key; ${what} is skipped`;
    return report(findings, node, "missing-key", said, hint);
  }
  const badName = [name, timestampName].find((one) => one === "" || (placement === "header" && !HEADER_NAME.test(one)));
  if (badName !== undefined) {
    return report(findings, node, "bad-name", `${quoteKey(badName)} cannot name a parameter; ${what} is skipped`);
  }
  if (name.toLowerCase() === timestampName.toLowerCase()) {
    const both = `"paramName" and "timestampParamName" are the same; ${what} is skipped`;
    return report(findings, node, "bad-name", both);
  }
  warnOfTemplates(part, key, message);
  return {
    key_template: key,
    message_template: message,
    encoding,
    placement,
    param_name: name,
    timestamp_param_name: timestampName,
    timestamp_ms: timestampMs,
  };
}

function readFlag({ fields, findings, what }: DefinitionPart, name: string): boolean | Bad {
  const node = fieldOf(fields, name);
  if (node === undefined) return false;
  if (node.type === "boolean") return node.value === true;
  const message = `"${name}" is ${kindOf(node)}; it must be true or false; ${what} is skipped`;
  return report(findings, node, "wrong-type", message);
}

/** Names that templates of signatures know. */
const VARIABLES = ["Secret", "Timestamp", "TimestampMs"];

/** Signatures that the service can only refuse: they are made all the same, because the file says so. */
function warnOfTemplates({ node, findings, what }: DefinitionPart, key: string, message: string): void {
  const unknown = [...`${key}${message}`.matchAll(/\{(\w+)\}/g)].find(([, name]) => !VARIABLES.includes(name!));
  if (unknown !== undefined) {
    const near = nearest(unknown[1]!, VARIABLES);
    const said = `${unknown[0].slice(0, 60)} in a template of "signing" of ${what} is no variable; it stays as it is`;
    const hint = near === undefined ? `variables: {${VARIABLES.join("}, {")}}` : `did you mean {${near}}?`;
    report(findings, node, "unknown-variable", said, hint);
  }
  if (!`${key}${message}`.includes("{Secret}")) {
    report(findings, node, "unused-secret", `neither template of "signing" of ${what} holds {Secret}`);
  }
}
