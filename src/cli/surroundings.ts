/** What the program finds around it: folders and environment, read once. */
import { resolve } from "node:path";

/** The surroundings of one command. */
export interface Surroundings {
  /** The whole environment of the program. */
  readonly env: Readonly<Record<string, string>>;
  /** `SOONG_AGENT_HOME` or its default, absolute; it may not exist yet. */
  readonly home: string;
  /** The user's home folder; undefined when nobody knows it. */
  readonly user_home: string | undefined;
  /** Real path of the project. */
  readonly project_dir: string;
}

/** Why the surroundings do not do. */
export interface SurroundingsProblem {
  readonly problem: string;
}

/** Reads the surroundings; `project` is the folder as given, default the working directory. */
export async function readSurroundings(project: string | undefined): Promise<Surroundings | SurroundingsProblem> {
  const env = Deno.env.toObject();
  const userHome = env["HOME"] || env["USERPROFILE"] || undefined;
  const home = readHome();
  if (home.kind === "problem") return { problem: home.message };
  const folder = await realFolder(project ?? ".");
  if (typeof folder !== "string") return folder;
  return { env, home: home.path, user_home: userHome, project_dir: folder };
}

async function realFolder(path: string): Promise<string | SurroundingsProblem> {
  try {
    const real = await Deno.realPath(resolve(path));
    if ((await Deno.stat(real)).isDirectory) return real;
    return { problem: `the project ${JSON.stringify(path)} is not a folder` };
  } catch (error) {
    const what = error instanceof Deno.errors.NotFound ? "does not exist" : "cannot be read";
    return { problem: `the project folder ${JSON.stringify(path)} ${what}` };
  }
}

export function readHome(): { kind: "home"; path: string } | { kind: "problem"; message: string } {
  const given = Deno.env.get("SOONG_AGENT_HOME") || `${Deno.env.get("HOME")}/.soong-agent`;
  return { kind: "home", path: resolve(given) };
}
