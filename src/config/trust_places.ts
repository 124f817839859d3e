/** Where a trusted folder stands in a file that was written by hand. */
import { decodeText } from "./decode.ts";
import { parseToml, placeOf } from "./toml.ts";
import { offsetOfJsonString } from "./trust_json.ts";

/** Line and column, from 1; the beginning of the file where the folder is not found in it. */
export function placeOfTrustedFolder(
  file: string,
  bytes: Uint8Array | undefined,
  written: string,
): { readonly line: number; readonly column: number } {
  const decoded = bytes === undefined ? undefined : decodeText(bytes);
  if (decoded?.ok !== true) return { line: 1, column: 1 };
  const { text } = decoded;
  const offset = file.endsWith(".toml") ? offsetInToml(text, file, written) : offsetInSettings(text, written);
  return placeOf(text, offset ?? 0);
}

function offsetInToml(text: string, file: string, written: string): number | undefined {
  const parsed = parseToml(text, file);
  if (!parsed.ok) return undefined;
  const trust = parsed.root["trust"] as { readonly directories?: unknown } | undefined;
  const directories = trust?.directories;
  const index = Array.isArray(directories) ? directories.indexOf(written) : -1;
  const path = ["trust", "directories"];
  return parsed.positions.find([...path, index])?.value ?? parsed.positions.find(path)?.key;
}

function offsetInSettings(text: string, written: string): number | undefined {
  return offsetOfJsonString(
    text,
    ({ keys, value }) => keys.length === 1 && keys[0]!.toLowerCase() === "trusteddirectories" && value === written,
  );
}
