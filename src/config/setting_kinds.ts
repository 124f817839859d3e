/** What a setting can be, and the one function that checks a value against it. */
import { nearest } from "../protocol/mod.ts";
import { showPath, type TomlTable, type TomlValue } from "./toml.ts";
import type { TomlPath } from "./toml_positions.ts";

/** What belongs at a place of the configuration. `check` says what is wrong with a value, undefined for nothing. */
export type SettingKind =
  | { readonly kind: "boolean" }
  /** A whole number within bounds, both included. */
  | { readonly kind: "integer"; readonly from: number; readonly to: number; readonly unit?: string }
  | { readonly kind: "text"; readonly check?: (value: string) => string | undefined }
  | { readonly kind: "choice"; readonly of: readonly string[] }
  | { readonly kind: "list"; readonly of: SettingKind }
  /** `reserved_as_list`: what a list would mean here that is not in this version. */
  | {
    readonly kind: "table";
    readonly keys: SettingTable;
    readonly required?: readonly string[];
    readonly reserved_as_list?: string;
  }
  /** A table whose keys are the user's. */
  | { readonly kind: "named"; readonly of: SettingKind; readonly checkName: (name: string) => string | undefined }
  /** Known, and not in this version. */
  | { readonly kind: "reserved"; readonly what: string };

/** Kinds by key. */
export interface SettingTable {
  readonly [key: string]: SettingKind;
}

/** Something wrong at a path. `at` says whether its key or its value is to be shown. */
export interface SettingProblem {
  readonly path: TomlPath;
  readonly at: "key" | "value";
  readonly severity: "error" | "warning";
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

/** A checked value in plain JavaScript (whole numbers as `number`); undefined where it cannot be used. */
export type CheckedValue =
  | boolean
  | string
  | number
  | readonly CheckedValue[]
  | { readonly [key: string]: CheckedValue }
  | undefined;

/** Checks a value; every problem is reported, and what is wrong is left out of the answer. */
export function checkSetting(
  value: TomlValue,
  kind: SettingKind,
  path: TomlPath,
  report: (problem: SettingProblem) => void,
): CheckedValue {
  const wrong = (code: string, message: string, hint?: string) => {
    report({ path, at: "value", severity: "error", code, message, ...(hint !== undefined && { hint }) });
    return undefined;
  };
  const wrongType = (expected: string, hint?: string) =>
    wrong("wrong-type", `${showPath(path)} is ${typeName(value)} where ${expected} belongs`, hint);

  switch (kind.kind) {
    case "boolean":
      if (typeof value === "boolean") return value;
      return wrongType("true or false", isSpelledBoolean(value) ? `write ${value}, without quotes` : undefined);
    case "integer": {
      if (typeof value !== "bigint") return wrongType("a whole number");
      const unit = kind.unit === undefined ? "" : ` ${kind.unit}`;
      if (value >= BigInt(kind.from) && value <= BigInt(kind.to)) return Number(value);
      return wrong(
        "out-of-range",
        `${showPath(path)} is ${value}, and it has to be from ${kind.from} to ${kind.to}${unit}`,
      );
    }
    case "text": {
      if (typeof value !== "string") return wrongType("a text in quotes");
      const problem = textProblem(value) ?? kind.check?.(value);
      if (problem === undefined) return value;
      return wrong("invalid-value", `${showPath(path)}: ${problem}`, CONTROL.test(value) ? BACKSLASH_HINT : undefined);
    }
    case "choice":
      if (typeof value !== "string") return wrongType(`one of ${listed(kind.of)}`);
      if (kind.of.includes(value)) return value;
      return wrong(
        "unknown-value",
        `${showPath(path)} is ${JSON.stringify(value)}, and it has to be ${listed(kind.of)}`,
        meant(value, kind.of),
      );
    case "list":
      if (!Array.isArray(value)) return wrongType("a list in [ ]");
      return value
        .map((item, index) => checkSetting(item, kind.of, [...path, index], report))
        .filter((item) => item !== undefined);
    case "table":
      if (Array.isArray(value) && kind.reserved_as_list !== undefined) {
        report(notInThisVersion(path, kind.reserved_as_list));
        return undefined;
      }
      return isTable(value) ? checkTable(value, kind, path, report) : wrongType("a table");
    case "named":
      return isTable(value) ? checkNamed(value, kind, path, report) : wrongType("a table");
    case "reserved":
      report(notInThisVersion(path, kind.what));
      return undefined;
  }
}

function checkTable(
  table: TomlTable,
  { keys, required = [] }: Extract<SettingKind, { kind: "table" }>,
  path: TomlPath,
  report: (problem: SettingProblem) => void,
): CheckedValue {
  const checked: Record<string, CheckedValue> = {};
  for (const [key, value] of Object.entries(table)) {
    const kind = Object.hasOwn(keys, key) ? keys[key] : undefined;
    if (kind === undefined) report(unknownKey(key, path, Object.keys(keys)));
    else put(checked, key, checkSetting(value, kind, [...path, key], report));
  }
  for (const key of required.filter((name) => !Object.hasOwn(table, name))) {
    report({
      path,
      at: "key",
      severity: "error",
      code: "missing-key",
      message: `${showPath(path)} has no ${key}`,
      hint: `add a line: ${key} = …`,
    });
  }
  return required.every((key) => checked[key] !== undefined) ? checked : undefined;
}

function checkNamed(
  table: TomlTable,
  { of, checkName }: Extract<SettingKind, { kind: "named" }>,
  path: TomlPath,
  report: (problem: SettingProblem) => void,
): CheckedValue {
  const checked: Record<string, CheckedValue> = {};
  for (const [name, value] of Object.entries(table)) {
    const problem = checkName(name);
    const own = [...path, name];
    if (problem !== undefined) {
      report({
        path: own,
        at: "key",
        severity: "error",
        code: "invalid-name",
        message: `${showPath(own)}: ${problem}`,
      });
    }
    put(checked, name, checkSetting(value, of, own, report));
  }
  return checked;
}

/** Sets a key as data, also `__proto__`. */
function put(target: Record<string, CheckedValue>, key: string, value: CheckedValue): void {
  if (value === undefined) return;
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
}

function notInThisVersion(path: TomlPath, what: string): SettingProblem {
  return {
    path,
    at: "key",
    severity: "error",
    code: "not-in-this-version",
    message: `${showPath(path)} (${what}) is not in this version of soong-agent`,
    hint: "take it out: a setting that has no effect must not look as if it had one",
  };
}

function unknownKey(key: string, path: TomlPath, known: readonly string[]): SettingProblem {
  const where = path.length === 0 ? "" : ` in ${showPath(path)}`;
  return {
    path: [...path, key],
    at: "key",
    severity: "error",
    code: "unknown-key",
    message: `unknown key ${JSON.stringify(key)}${where}`,
    hint: meant(key, known) ?? `the keys here are ${known.join(", ")}`,
  };
}

function meant(word: string, known: readonly string[]): string | undefined {
  const near = nearest(word, known);
  return near === undefined ? undefined : `did you mean ${near}?`;
}

// deno-lint-ignore no-control-regex
const CONTROL = /[\x00-\x1f\x7f]/;
const BACKSLASH_HINT = "in double quotes a backslash begins an escape (\\n is a line break): use single quotes";

function textProblem(value: string): string | undefined {
  if (value.trim() === "") return "it is empty";
  return CONTROL.test(value) ? `${JSON.stringify(value)} holds a line break or control character` : undefined;
}

function typeName(value: TomlValue): string {
  if (Array.isArray(value)) return "a list";
  if (value instanceof Date) return "a date";
  return TYPE_NAMES[typeof value] ?? "a table";
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  boolean: "a boolean",
  string: "a string",
  bigint: "a whole number",
  number: "a number with a fraction",
};

function isSpelledBoolean(value: TomlValue): boolean {
  return typeof value === "string" && /^(?:true|false)$/.test(value);
}

function isTable(value: TomlValue): value is TomlTable {
  return typeof value === "object" && !Array.isArray(value) && !(value instanceof Date);
}

function listed(words: readonly string[]): string {
  return words.map((word) => JSON.stringify(word)).join(", ").replace(/, ([^,]*)$/, " or $1");
}
