/** What a dialect's loader is given and gives: one module a dialect, one row in `load.ts`. */
import type { Dialect, Point, Speech } from "../protocol/mod.ts";
import type { ExecutorSettings, HookSource, Matcher, OnFailure } from "./port.ts";
import type { DocumentNode, ObjectNode } from "./document.ts";
import type { Findings } from "./findings.ts";
import type { PathPrefixes } from "./path_prefixes.ts";

/** A file that may hold hooks. */
export interface HookFile {
  /** Absolute. */
  readonly path: string;
  readonly source: HookSource;
  /** `by_content` only where no known path fixes the dialect (design.md, section 5). */
  readonly dialect: Dialect | "by_content";
  /** 100 for the user's files, 200 for a project's. */
  readonly base_priority: number;
}

/** A tool that matchers can mean, for warnings about those that mean none. */
export interface KnownTool {
  readonly name: string;
  readonly tags: readonly string[];
}

/** What a loader may use. */
export interface LoaderContext {
  readonly file: HookFile;
  /** The root, an object. */
  readonly root: ObjectNode;
  readonly findings: Findings;
  readonly project_dir: string;
  readonly default_timeout_ms: number;
  /** Undefined = unknown: nothing is said about matchers that match no tool. */
  readonly tools: readonly KnownTool[] | undefined;
  readonly prefixes: PathPrefixes;
}

/** A hook as read, before it has an id. */
export interface HookDraft {
  readonly point: Point;
  readonly speech: Speech;
  readonly matcher: Matcher;
  readonly executor: ExecutorSettings;
  readonly timeout_ms: number;
  readonly priority?: number;
  readonly on_failure?: OnFailure;
  readonly mode: "enforce" | "observe";
  readonly once?: boolean;
  /** `entryText` of the entry; needed for `once` hooks only. */
  readonly entry?: string;
  /** `fingerprintOf` the entry, for its id: what is equal here is the same hook. */
  readonly fingerprint: string;
  readonly node: DocumentNode;
}

/**
 * Reads the hooks of one document. A bad entry is a finding and costs only itself. `usable` is false when the file as
 * a whole is refused.
 */
export type DialectLoader = (
  context: LoaderContext,
) => { readonly usable: boolean; readonly drafts: readonly HookDraft[] };
