/** Arguments of tools: one zod schema a tool gives the validation, its problems, and the JSON schema for the model. */
import * as z from "zod/mini";
import { type JsonObject, nearest } from "../protocol/mod.ts";
import { quoteName } from "../text/mod.ts";
import type { ValidatedInput } from "./port.ts";

/** A strict object schema. */
export type ArgumentsSchema = z.ZodMiniObject<Readonly<Record<string, z.ZodMiniType>>>;

/** The JSON schema of the arguments, without its dialect mark. */
export function parametersOf(schema: ArgumentsSchema): JsonObject {
  const { $schema: _, ...parameters } = z.toJSONSchema(schema);
  return parameters as unknown as JsonObject;
}

/** Checks arguments; each problem names its field, an unknown one the nearest known name. The input is not changed. */
export function validateArguments(schema: ArgumentsSchema, input: JsonObject): ValidatedInput {
  const result = schema.safeParse(input);
  if (result.success) return { ok: true, input };
  const known = Object.keys(schema.shape);
  return { ok: false, problems: result.error.issues.flatMap((issue) => problemsOf(issue, known, input)) };
}

type Issue = z.core.$ZodIssue;

function problemsOf(issue: Issue, known: readonly string[], input: JsonObject): readonly string[] {
  const field = issue.path.map(String).join(".");
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => unknownArgument(field === "" ? key : `${field}.${key}`, key, known));
    case "invalid_type": {
      const value = valueAt(input, issue.path);
      return [
        value === undefined
          ? `${field}: is missing`
          : `${field}: must be ${noun(issue.expected)}, not ${kindOf(value)}`,
      ];
    }
    case "too_small":
      return [issue.origin === "string" ? `${field}: must not be empty` : `${field}: must be ${issue.minimum} or more`];
    case "too_big": {
      const unit = issue.origin === "string" ? " characters" : "";
      return [`${field}: must be ${issue.maximum}${unit} or less`];
    }
    case "invalid_value":
      return [`${field}: must be one of ${issue.values.map((value) => quoteName(String(value))).join(", ")}`];
    default:
      return [`${field}: ${issue.message}`];
  }
}

function unknownArgument(shown: string, key: string, known: readonly string[]): string {
  const near = nearest(key, known) ?? known.find((name) => name.includes(key) || key.includes(name));
  const advice = near === undefined ? `known arguments: ${known.join(", ")}` : `did you mean ${quoteName(near)}?`;
  return `${quoteName(shown)}: unknown argument; ${advice}`;
}

function valueAt(input: JsonObject, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (
      value,
      key,
    ) => (typeof value === "object" && value !== null && Object.hasOwn(value, key)
      ? Reflect.get(value, key)
      : undefined),
    input,
  );
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "number" && !Number.isInteger(value)) return "a fraction";
  return noun(typeof value);
}

function noun(type: string): string {
  if (type === "int") return "an integer";
  return /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`;
}
