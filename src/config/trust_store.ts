/**
 * `trust.json`: what the user has trusted, by folder and by content.
 *
 * `{ "version": 1, "folders": { PATH: { "trusted_at": TIME } },
 *    "projects": { PATH: { "trusted_at": TIME, "files": { PATH: SHA-256 } } } }`; all paths absolute and real.
 */
import { isAbsolute } from "node:path";
import type { Diagnostic } from "../protocol/mod.ts";
import { decodeText } from "./decode.ts";
import { parseJsonFile } from "./json_file.ts";

/** A project whose files were trusted as they were at one time. */
export interface TrustedProject {
  /** ISO 8601. */
  readonly trusted_at: string;
  /** SHA-256 (hex) by absolute path. */
  readonly files: Readonly<Record<string, string>>;
}

/** All that was trusted by `soong-agent trust`. */
export interface TrustStore {
  readonly folders: Readonly<Record<string, { readonly trusted_at: string }>>;
  readonly projects: Readonly<Record<string, TrustedProject>>;
}

/** Nothing is trusted. */
export const EMPTY_TRUST: TrustStore = { folders: {}, projects: {} };

/** Reads the content of `trust.json`. A file with anything wrong in it trusts nothing at all. */
export function parseTrustStore(
  path: string,
  bytes: Uint8Array,
): { readonly store: TrustStore; readonly diagnostics: readonly Diagnostic[] } {
  const refused = (problem: string, line = 1, column = 1) => ({
    store: EMPTY_TRUST,
    diagnostics: [{
      file: path,
      line,
      column,
      severity: "error",
      code: "trust-file",
      message: `${problem}; nothing in it is trusted`,
      hint: `trust again with "soong-agent trust", which writes the file`,
    }] as const,
  });
  const decoded = decodeText(bytes);
  if (!decoded.ok) return refused(decoded.problem, decoded.line, decoded.column);
  const parsed = parseJsonFile(decoded.text);
  if (!parsed.ok) return refused(parsed.problem, parsed.line, parsed.column);
  const root = parsed.value;
  if (!isTable(root)) return refused("the root is no object");
  if (root["version"] !== 1) return refused('"version" is not 1');
  const { folders = {}, projects = {} } = root;
  const isStore = isTableOf(folders, (folder) => isTable(folder) && typeof folder["trusted_at"] === "string") &&
    isTableOf(projects, isProject);
  if (!isStore) return refused('"folders" and "projects" are not as soong-agent writes them');
  return { store: { folders, projects } as unknown as TrustStore, diagnostics: [] };
}

/** The text of `trust.json`. */
export function formatTrustStore({ folders, projects }: TrustStore): string {
  return `${JSON.stringify({ version: 1, folders, projects }, undefined, 2)}\n`;
}

type Table = Readonly<Record<string, unknown>>;

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTableOf(value: unknown, isEntry: (value: unknown) => boolean): boolean {
  return isTable(value) && Object.entries(value).every(([path, entry]) => isAbsolute(path) && isEntry(entry));
}

function isProject(value: unknown): boolean {
  return isTable(value) && typeof value["trusted_at"] === "string" &&
    isTableOf(value["files"], (hash) => typeof hash === "string" && /^[0-9a-f]{64}$/.test(hash));
}
