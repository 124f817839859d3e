/** From hook files on the disk to registrations: which files, whose, in which dialect, with a report for each. */
import type { Diagnostic, Dialect } from "../protocol/mod.ts";
import type { Registration } from "./port.ts";
import { type HookDocument, type ObjectNode, parseDocument, pathOf } from "./document.ts";
import { createFindings, type Findings, isNoteKey, kindOf } from "./findings.ts";
import { createPathPrefixes, type PathPrefixes } from "./path_prefixes.ts";
import type { DialectLoader, HookDraft, HookFile, KnownTool } from "./dialect_loader.ts";
import { type ReadFile, readHookFile, sha256Of } from "./hook_file.ts";
import { hookIds } from "./hook_ids.ts";
import { loadOnecode } from "./onecode/loader.ts";
import { isOnecodeKey, ONECODE_SHAPE } from "./onecode/words.ts";
import { loadSoong } from "./soong/loader.ts";
import { SHAPE_HINT, SOONG_SHAPE } from "./soong/rule.ts";

/** What to load. */
export interface LoadOptions {
  /** In the order of their hooks; of two that are one file on the disk, the user's is loaded. */
  readonly files: readonly HookFile[];
  /** Real path of the project: what relative path prefixes are relative to. */
  readonly project_dir: string;
  /** For hooks without a time limit of their own. */
  readonly default_timeout_ms: number;
  /** The tools of this run, for warnings about matchers that can match none; without it there are no such warnings. */
  readonly tools?: readonly KnownTool[];
}

/** What became of one file. */
export interface FileReport {
  readonly path: string;
  readonly source: HookFile["source"];
  /** `failed`: nothing of its content is loaded, and a diagnostic says why. A missing file is normal. */
  readonly status: "not_found" | "loaded" | "failed";
  /** As read; absent where the content decides and could not. */
  readonly dialect?: Dialect;
  /** Hooks that are in force: of this content, or of the one that is kept. */
  readonly hook_count: number;
  /** In the order of the file. */
  readonly diagnostics: readonly Diagnostic[];
  /** The path under which the same file has been loaded already. */
  readonly same_as?: string;
  /** SHA-256 of the content on the disk, in hex; absent where nothing could be read. */
  readonly sha256?: string;
  /** The file failed at a reload; the hooks in force are those it had since then (ISO 8601). */
  readonly kept_since?: string;
  /** SHA-256 of the content that the hooks in force came out of, where that is not the one on the disk. */
  readonly in_force_sha256?: string;
}

/** All hooks of all files. */
export interface LoadedHooks {
  readonly registrations: readonly Registration[];
  readonly diagnostics: readonly Diagnostic[];
  readonly files: readonly FileReport[];
}

/**
 * Reads hook files. Never throws for anything that is in them, or for files that cannot be read. Needs read
 * permission only.
 */
export async function loadHookFiles(options: LoadOptions): Promise<LoadedHooks> {
  return hooksOfLayers(await loadHookLayers(options));
}

/** One file: what became of it, and its hooks before they have ids. */
export interface HookLayer {
  readonly report: FileReport;
  readonly drafts: readonly PlacedDraft[];
}

/** Reads each file into a layer of its own, in the order of the files. Never throws, like `loadHookFiles`. */
export async function loadHookLayers(options: LoadOptions): Promise<readonly HookLayer[]> {
  const prefixes = createPathPrefixes(options.project_dir, (path) => Deno.realPathSync(path));
  const contents = await Promise.all(options.files.map(({ path }) => readHookFile(path)));
  const originals = originalsOf(options.files, contents);
  return await Promise.all(options.files.map(async (file, index): Promise<HookLayer> => {
    const content = contents[index]!;
    switch (content.status) {
      case "not_found":
        return { report: reportOf(file, { status: "not_found" }), drafts: [] };
      case "failed":
        return { report: reportOf(file, { status: "failed", diagnostics: [content.diagnostic] }), drafts: [] };
      case "read": {
        const sha256 = await sha256Of(content.bytes);
        const original = options.files[originals[index]!]!;
        if (original !== file) {
          return { report: reportOf(file, { status: "loaded", same_as: original.path, sha256 }), drafts: [] };
        }
        const { report, drafts } = loadContent(file, content.bytes, { ...options, prefixes });
        return { report: { ...report, sha256 }, drafts };
      }
    }
  }));
}

/** All hooks of all layers. Ids are given over all of them, so that equal entries of two files differ. */
export function hooksOfLayers(layers: readonly HookLayer[]): LoadedHooks {
  const drafts = layers.flatMap((layer) => layer.drafts);
  const ids = hookIds(drafts.map(({ draft }) => draft));
  const files = layers.map(({ report }) => report);
  return {
    registrations: drafts.map((placed, index) => registrationOf(placed, ids[index]!)),
    diagnostics: files.flatMap(({ diagnostics }) => diagnostics),
    files,
  };
}

/** One row a dialect. */
const LOADERS = {
  soong: loadSoong,
  onecode: loadOnecode,
  claude: refuseDialect("claude"),
} as const satisfies Record<Dialect, DialectLoader>;

/** How a file looks, for one that is empty or no object. */
const SHAPE_HINTS = {
  soong: SHAPE_HINT,
  onecode: `the shape is ${ONECODE_SHAPE}`,
  claude: SHAPE_HINT,
  by_content: SHAPE_HINT,
} as const satisfies Record<HookFile["dialect"], string>;

/** A hook before it has an id, with its place. */
export interface PlacedDraft {
  readonly draft: HookDraft;
  readonly file: HookFile;
  readonly order: number;
  readonly document: HookDocument;
}

interface ContentOptions extends Omit<LoadOptions, "files"> {
  readonly prefixes: PathPrefixes;
}

function reportOf(
  { path, source }: HookFile,
  facts: Partial<FileReport> & Pick<FileReport, "status">,
): FileReport {
  return { path, source, hook_count: 0, diagnostics: [], ...facts };
}

/** For each file the index of the one that is loaded in its place: itself, or the same file under another path. */
function originalsOf(files: readonly HookFile[], contents: readonly ReadFile[]): readonly number[] {
  const owners = new Map<string, number>();
  const indexes = files.map((_, index) => index);
  const usersFirst = indexes.toSorted((left, right) => rank(files[left]!) - rank(files[right]!) || left - right);
  const originals = [...indexes];
  for (const index of usersFirst) {
    const content = contents[index]!;
    if (content.status !== "read") continue;
    const known = content.identities.map((identity) => owners.get(identity)).find((owner) => owner !== undefined);
    if (known !== undefined) originals[index] = known;
    else content.identities.forEach((identity) => owners.set(identity, index));
  }
  return originals;
}

function rank({ source }: HookFile): number {
  return source === "user" ? 0 : 1;
}

function loadContent(file: HookFile, bytes: Uint8Array, options: ContentOptions): HookLayer {
  const failed = (diagnostics: readonly Diagnostic[]): HookLayer => ({
    report: reportOf(file, { status: "failed", diagnostics }),
    drafts: [],
  });
  const parsed = parseDocument(file.path, bytes);
  if (!parsed.ok) return failed([parsed.diagnostic]);
  const { document } = parsed;
  const { root } = document;
  const findings = createFindings(document);
  if (root.type !== "object") {
    const message = `a hook file holds an object, not ${kindOf(root)}; no hook of it is loaded`;
    findings.about(root, { severity: "error", code: "root-not-an-object", message, hint: SHAPE_HINTS[file.dialect] });
    return failed(findings.diagnostics);
  }
  if (root.members.every(({ key }) => isNoteKey(key))) {
    const message = "this file declares no hooks";
    findings.about(root, { severity: "hint", code: "no-hooks", message, hint: SHAPE_HINTS[file.dialect] });
    return { report: reportOf(file, { status: "loaded", diagnostics: findings.diagnostics }), drafts: [] };
  }
  const dialect = file.dialect === "by_content" ? dialectOf(root, findings) : file.dialect;
  if (dialect === undefined) return failed(findings.diagnostics);
  const { usable, drafts } = LOADERS[dialect]({
    file,
    root,
    findings,
    project_dir: options.project_dir,
    default_timeout_ms: options.default_timeout_ms,
    tools: options.tools,
    prefixes: options.prefixes,
  });
  const status = usable ? "loaded" : "failed";
  const diagnostics = findings.diagnostics.toSorted(byPlace);
  return {
    report: reportOf(file, { status, dialect, hook_count: drafts.length, diagnostics }),
    drafts: drafts.map((draft, order) => ({ draft, file, order, document })),
  };
}

function registrationOf({ draft, file, order, document }: PlacedDraft, id: string): Registration {
  const { node, fingerprint: _, priority, ...settings } = draft;
  return {
    id,
    source: file.source,
    priority: priority ?? file.base_priority,
    order,
    declared: { file: file.path, ...document.positionAt(node.offset), path: pathOf(node) },
    ...settings,
  };
}

function byPlace(left: Diagnostic, right: Diagnostic): number {
  return left.line - right.line || left.column - right.column;
}

/** Soong by `version` or `hooks` (or the `rules` of the public soong-agent); onecode by the names of its points. */
function dialectOf(root: ObjectNode, findings: Findings): Dialect | undefined {
  const keys = root.members.map(({ key }) => key);
  if (keys.some((key) => SOONG_ROOT_KEYS.includes(key))) return "soong";
  if (keys.some(isOnecodeKey)) return "onecode";
  findings.about(root, {
    severity: "error",
    code: "unknown-form",
    message: "this file has neither the soong form nor the onecode form; no hook of it is loaded",
    hint: `soong: ${SOONG_SHAPE}; onecode: ${ONECODE_SHAPE}`,
  });
  return undefined;
}

const SOONG_ROOT_KEYS: readonly string[] = ["version", "hooks", "rules"];

/** Stands where a dialect has no loader yet: its files are recognised and refused aloud. */
function refuseDialect(dialect: Dialect): DialectLoader {
  return ({ root, findings }) => {
    findings.about(root, {
      severity: "error",
      code: "unsupported-form",
      message: `this file has the ${dialect} form, which this soong-agent does not read; no hook of it is loaded`,
      hint: SHAPE_HINT,
    });
    return { usable: false, drafts: [] };
  };
}
