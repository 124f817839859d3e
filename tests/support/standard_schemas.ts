/** The schemas of agent-hooks/0.1, used in place where they lie beside the project. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Json } from "../../src/protocol/mod.ts";

/** Where the standard's files are, when they are there. */
export const STANDARD_FOLDER = new URL("../../../shared/agent-hooks/", import.meta.url);

/** What is wrong with a document; undefined where the schemas are not there. */
export type Validate = (document: Json) => readonly string[];

/** Validators of records and of contexts by point; undefined where the schemas are not there. */
export function standardValidators(): { readonly record: Validate; readonly context: Validate } | undefined {
  const schemas = readSchemas();
  if (schemas === undefined) return undefined;
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  for (const schema of schemas) ajv.addSchema(schema);
  const compiled = (id: string) =>
    ajv.getSchema(`https://responsibleai.github.io/agent-hooks/schema/v0.1/${id}.schema.json`)!;
  return {
    record: (document) => problemsOf(compiled("interception-record"), document),
    context: (document) => {
      const { interception_point: point } = document as { readonly interception_point: string };
      return [
        ...problemsOf(compiled("agent-context"), document),
        ...problemsOf(compiled(`agent-context/${point}`), document),
      ];
    },
  };
}

function problemsOf(validate: ValidateFunction, document: Json): readonly string[] {
  if (validate(document)) return [];
  return (validate.errors ?? []).map(({ instancePath: at, message }) => `${at}: ${message}`);
}

function readSchemas(): readonly Record<string, unknown>[] | undefined {
  const folder = new URL("spec/schema/", STANDARD_FOLDER);
  try {
    return [...jsonFiles(folder), ...jsonFiles(new URL("agent-context/", folder))];
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

function jsonFiles(folder: URL): readonly Record<string, unknown>[] {
  return [...Deno.readDirSync(folder)]
    .filter(({ name }) => name.endsWith(".json"))
    .map(({ name }) => JSON.parse(Deno.readTextFileSync(new URL(name, folder))));
}
