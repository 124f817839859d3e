/**
 * Workspace trust (design.md, section 7): which projects the user trusts, by folder or by the content of their files.
 *
 * Folders come from `[trust] directories` of `config.toml`, from `trustedDirectories` of the user's settings files, and
 * from `trust.json`; contents from `trust.json` only. Nothing in a project can make it trusted. In doubt: not trusted.
 */
import { isAbsolute, join, parse, relative, sep } from "node:path";
import type { Diagnostic } from "../protocol/mod.ts";
import { decodeText } from "./decode.ts";
import { parseJsonFile } from "./json_file.ts";
import type { Config } from "./port.ts";
import { placeOfTrustedFolder } from "./trust_places.ts";
import { EMPTY_TRUST, parseTrustStore, type TrustStore } from "./trust_store.ts";

/** What reading trust needs from outside. */
export interface TrustSource {
  readonly home: string;
  readonly user_home: string | undefined;
  readonly config: Pick<Config, "hooks" | "trust">;
  /** Absolute path of `config.toml`, for messages. */
  readonly config_path: string;
  /** Reads a regular file; throws `Deno.errors.NotFound` for a missing one. */
  readonly read: (path: string) => Uint8Array;
  /** Throws when there is nothing at the path. */
  readonly realPath: (path: string) => string;
}

/** A folder that is trusted with all below it. */
export interface TrustedFolder {
  /** As it is written. */
  readonly written: string;
  /** Undefined: there is no such folder now, so it trusts nothing. */
  readonly real: string | undefined;
  /** The file that says so. */
  readonly file: string;
}

/** All that is trusted. */
export interface TrustState {
  readonly folders: readonly TrustedFolder[];
  readonly store: TrustStore;
  readonly user_hooks: Config["trust"]["user_hooks"];
  readonly pin: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** Files that it came out of, whether they exist or not. */
  readonly files: readonly string[];
}

/** Where `soong-agent trust` writes. */
export function trustFile(home: string): string {
  return join(home, "trust.json");
}

/** Reads everything that can make a folder trusted. Never throws. */
export function readTrust(source: TrustSource): TrustState {
  const { home, user_home: userHome, config: { hooks, trust } } = source;
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic) => void diagnostics.push(diagnostic);
  const store = readStore(source, report);
  const settingsFiles = [
    join(home, "settings.json"),
    ...(userHome !== undefined && hooks.sources.includes("onecode")
      ? [join(userHome, ".onecode", "settings.json")]
      : []),
  ];
  const written = [
    ...trust.directories.map((text) => ({ text, file: source.config_path })),
    ...settingsFiles.flatMap((file) => directoriesOf(file, source, report).map((text) => ({ text, file }))),
    ...Object.keys(store.folders).map((text) => ({ text, file: trustFile(home) })),
  ];
  return {
    folders: written.map(({ text, file }) => {
      const folder = folderOf(text, file, source, report);
      if (folder.real !== undefined && file !== trustFile(home)) warnOfWidth(folder, source, report);
      return folder;
    }),
    store,
    user_hooks: trust.user_hooks,
    pin: trust.pin,
    diagnostics,
    files: [source.config_path, trustFile(home), ...settingsFiles],
  };
}

/** Whether a project is trusted, and by what. */
export type WorkspaceTrust =
  | { readonly kind: "folder"; readonly by: TrustedFolder }
  /** The user has trusted the files of `project`, which is the workspace or a folder above it. */
  | { readonly kind: "content"; readonly project: string }
  | { readonly kind: "untrusted" };

/** The trust of a workspace; `projectDir` is a real path. */
export function workspaceTrust(state: TrustState, projectDir: string): WorkspaceTrust {
  const by = state.folders.find(({ real }) => real !== undefined && isWithin(real, projectDir));
  if (by !== undefined) return { kind: "folder", by };
  const project = Object.keys(state.store.projects)
    .filter((path) => isWithin(path, projectDir))
    .sort((left, right) => right.length - left.length)[0];
  return project === undefined ? { kind: "untrusted" } : { kind: "content", project };
}

/** Why a file of a project does not count; undefined when it does. */
export type Distrust =
  /** Nobody has trusted the project. */
  | "untrusted"
  /** The project is trusted, and this file was not there, or not seen, when it was. */
  | "new"
  /** The file is another one than the one that was trusted. */
  | "changed"
  /** The folder is trusted, and the file is a link to elsewhere. */
  | "linked_out";

/**
 * Judges one file of a project by the SHA-256 (hex) of the very bytes that are about to count. `realPath` is the real path
 * of the file.
 */
export function distrustOf(
  state: TrustState,
  projectDir: string,
  file: { readonly path: string; readonly real_path: string; readonly sha256: string },
): Distrust | undefined {
  const workspace = workspaceTrust(state, projectDir);
  const pinned = pinnedHashes(state, file.path);
  if (pinned.includes(file.sha256)) return undefined;
  if (workspace.kind === "folder" && !state.pin) {
    const inside = state.folders.some(({ real }) => real !== undefined && isWithin(real, file.real_path));
    return inside ? undefined : "linked_out";
  }
  if (pinned.length > 0) return "changed";
  return workspace.kind === "untrusted" ? "untrusted" : "new";
}

/** Whether an inner path is an outer one or below it, by whole names. Both are absolute, without `.` and `..`. */
export function isWithin(outer: string, inner: string): boolean {
  const way = relative(outer, inner);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** Whether a folder is the user's home, holds it, or is the root of a disk; both are real paths. */
export function holdsHome(folder: string, userHome: string | undefined): boolean {
  return parse(folder).root === folder || (userHome !== undefined && isWithin(folder, userHome));
}

/** The hashes under which a file was trusted, in the project it lies in and in those above. */
function pinnedHashes({ store }: TrustState, path: string): readonly string[] {
  return Object.values(store.projects).flatMap(({ files }) => Object.hasOwn(files, path) ? files[path]! : []);
}

type Report = (diagnostic: Diagnostic) => void;

function readStore(source: TrustSource, report: Report): TrustStore {
  const path = trustFile(source.home);
  const bytes = readOptional(path, source, report);
  if (bytes === undefined) return EMPTY_TRUST;
  const { store, diagnostics } = parseTrustStore(path, bytes);
  diagnostics.forEach(report);
  return store;
}

/** `trustedDirectories` of a settings file, whatever the case of its name. */
function directoriesOf(file: string, source: TrustSource, report: Report): readonly string[] {
  const bytes = readOptional(file, source, report);
  if (bytes === undefined) return [];
  const refused = (problem: string, line = 1, column = 1) => {
    report({
      file,
      line,
      column,
      severity: "error",
      code: "settings-file",
      message: `${problem}; no folder of it is trusted`,
    });
    return [];
  };
  const decoded = decodeText(bytes);
  if (!decoded.ok) return refused(decoded.problem, decoded.line, decoded.column);
  const parsed = parseJsonFile(decoded.text);
  if (!parsed.ok) return refused(parsed.problem, parsed.line, parsed.column);
  if (typeof parsed.value !== "object" || parsed.value === null) return refused("the root is no object");
  const lists = Object.entries(parsed.value)
    .filter(([key]) => key.toLowerCase() === "trusteddirectories")
    .map(([, value]): unknown => value);
  const isList = (value: unknown): value is readonly string[] =>
    Array.isArray(value) && value.every((text) => typeof text === "string");
  return lists.every(isList) ? lists.flat() : refused('"trustedDirectories" is no list of folders');
}

/** `soong-agent trust` asks twice; a file that was written by hand was not asked about. */
function warnOfWidth({ written, real, file }: TrustedFolder, source: TrustSource, report: Report): void {
  let userHome = source.user_home;
  try {
    if (userHome !== undefined) userHome = source.realPath(userHome);
  } catch {
    // A home that does not exist is compared as it is written.
  }
  if (!holdsHome(real!, userHome)) return;
  report({
    file,
    ...placeIn(file, written, source),
    severity: "warning",
    code: "trusted-folder",
    message: `the trusted folder ${JSON.stringify(written)} holds your whole home folder or disk: ` +
      "hooks of every download and every clone in it may run",
    hint: "name the folders with your own projects instead",
  });
}

function folderOf(text: string, file: string, source: TrustSource, report: Report): TrustedFolder {
  const nowhere = (problem: string): TrustedFolder => {
    report({
      file,
      ...placeIn(file, text, source),
      severity: "warning",
      code: "trusted-folder",
      message: `the trusted folder ${JSON.stringify(text)} ${problem}, so it makes nothing trusted`,
    });
    return { written: text, real: undefined, file };
  };
  const isTilde = /^~(?=$|[/\\])/.test(text);
  if (isTilde && source.user_home === undefined) return nowhere("begins with ~, and HOME is not set");
  const path = isTilde ? source.user_home + text.slice(1) : text;
  if (!isAbsolute(path)) return nowhere("is not an absolute path");
  try {
    return { written: text, real: source.realPath(path), file };
  } catch {
    return nowhere("does not exist");
  }
}

/** Reads the file once more: only a folder with something wrong needs its place. */
function placeIn(file: string, written: string, source: TrustSource) {
  return placeOfTrustedFolder(file, readOptional(file, source, () => {}), written);
}

function readOptional(path: string, source: TrustSource, report: Report): Uint8Array | undefined {
  try {
    return source.read(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return undefined;
    const why = error instanceof Error ? error.message : String(error);
    const message = `cannot be read: ${why}; nothing in it is trusted`;
    report({ file: path, line: 1, column: 1, severity: "error", code: "unreadable", message });
    return undefined;
  }
}
