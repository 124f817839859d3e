/**
 * Placeholders in the paths of `config.toml`: `${SOONG_AGENT_HOME}`, `<project>` and a leading `~`; nothing else is
 * expanded.
 */

/** What the placeholders stand for: absolute paths. */
export interface PathPlaces {
  readonly home: string;
  readonly project_dir: string;
  readonly user_home: string | undefined;
}

/** The path with its placeholders replaced, or the part that stands for nothing. */
export type ExpandedPath =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly problem: string };

/** Replaces the placeholders in one pass: what one stands for is not looked at again. */
export function expandPath(
  text: string,
  { home, project_dir: projectDir, user_home: userHome }: PathPlaces,
): ExpandedPath {
  if (LEADING_TILDE.test(text) && userHome === undefined) {
    return { ok: false, problem: "~ stands for the user's folder, and HOME is not set" };
  }
  let unknown: string | undefined;
  const path = text.replace(PLACEHOLDER, (found) => {
    if (found === "~") return userHome ?? found;
    if (found === "<project>") return projectDir;
    if (found === "${SOONG_AGENT_HOME}") return home;
    unknown ??= found;
    return found;
  });
  return unknown === undefined ? { ok: true, path } : {
    ok: false,
    problem: `${unknown} is not expanded here: only \${SOONG_AGENT_HOME}, <project> and ~ at the beginning are`,
  };
}

const LEADING_TILDE = /^~(?=$|[/\\])/;
const PLACEHOLDER = /^~(?=$|[/\\])|<project>|\$\{[^}]*\}/g;
