/** Files that the agent's own tools must not change (protected), and files whose content is asked about (sensitive). */
import { foldCase, matchesName, matchesPath, pathPattern, segmentsOf } from "./path_pattern.ts";
import type { PathPlaces } from "./placeholders.ts";

/** What a path is judged by; all paths are real paths. */
export interface ProtectedQuestion {
  readonly home: string;
  /** The path that is to be written; for a new file, below the real path of its nearest existing folder. */
  readonly path: string;
  /** Scripts that registered hooks run. */
  readonly scripts: readonly string[];
  /** Where protected files and folders really are that are links; what is below such a folder is protected as well. */
  readonly linked?: readonly string[];
}

/** Folders of the home that tools may write into. */
const OPEN_FOLDERS: readonly string[] = ["artifacts", "plans"];

/**
 * Why a file must never be written by a tool; undefined for any other file. Names are compared without regard to
 * case, so that no other spelling of a name gets through on a disk that takes it for the same.
 */
export function protectionOf({ home, path, scripts, linked = [] }: ProtectedQuestion): string | undefined {
  const target = linked.find((place) => below(place, path) !== undefined);
  if (target !== undefined) return `${path} is what a protected file or folder is a link to`;
  if (scripts.some((script) => foldCase(script) === foldCase(path))) return `${path} is a script that a hook runs`;
  const rest = below(home, path);
  if (rest !== undefined && !(rest.length > 1 && OPEN_FOLDERS.includes(rest[0]!))) {
    return `${path} belongs to soong-agent itself (${home})`;
  }
  const segments = segmentsOf(foldCase(path));
  const name = segments.at(-1) ?? "";
  if (segments.includes(".onecode")) return `${path} is in a .onecode folder, which holds hooks`;
  if (segments.at(-2) === ".claude" && matchesName("settings*.json", name)) {
    return `${path} is a Claude settings file, which holds hooks`;
  }
  return name === ".mcp.json" ? `${path} declares MCP servers` : undefined;
}

/** The default of `permissions.sensitive`. */
export const DEFAULT_SENSITIVE: readonly string[] = [
  ".env",
  ".env.*",
  "*.pem",
  "*.key",
  "id_*",
  "~/.ssh",
  "~/.gnupg",
  "~/.aws",
  "~/.config/gcloud",
];

/**
 * The pattern that makes a file sensitive; undefined for any other file. A pattern without a separator is about the
 * file's name, any other about the path and what is below it. Large and small letters are the same.
 */
export function sensitivePatternOf(path: string, patterns: readonly string[], places: PathPlaces): string | undefined {
  const name = segmentsOf(path).at(-1) ?? "";
  return patterns.find((text) => {
    if (!/[/\\~<$]/.test(text)) return matchesName(foldCase(text), foldCase(name));
    const pattern = pathPattern(text, places);
    if (pattern === undefined) return false;
    return matchesPath({ ...pattern, globs: [...pattern.globs, "**"] }, path, { fold: true });
  });
}

/** The segments of a path below a folder, empty for the folder itself; undefined when it is elsewhere. */
function below(folder: string, path: string): readonly string[] | undefined {
  const [outer, inner] = [segmentsOf(folder), segmentsOf(path)];
  const inside = outer.every((segment, index) => foldCase(segment) === foldCase(inner[index] ?? ""));
  return inside ? inner.slice(outer.length) : undefined;
}
