/** What the program finds around it: folders and environment, read once. */
import { basename, dirname, join, resolve } from "node:path";
import { type ResolvedHome, resolveHome } from "../config/mod.ts";

/** The surroundings of one command. */
export interface Surroundings {
  /** The whole environment of the program. */
  readonly env: Readonly<Record<string, string>>;
  /** `SOONG_AGENT_HOME` or its default; a real path as far as it exists. */
  readonly home: string;
  /** The user's home folder, a real path; undefined when nobody knows it. */
  readonly user_home: string | undefined;
  /** Real path of the project. */
  readonly project_dir: string;
}

/** Why the surroundings do not do. */
export interface SurroundingsProblem {
  readonly problem: string;
  /** True when the home is not configured; else the project as given is wrong. */
  readonly configuration: boolean;
}

/** Reads the surroundings; `project` is the folder as given, default the working directory. */
export async function readSurroundings(project: string | undefined): Promise<Surroundings | SurroundingsProblem> {
  const home = readHome();
  if (home.kind === "problem") return { problem: home.message, configuration: true };
  const folder = await realFolder(project ?? ".");
  if (typeof folder !== "string") return folder;
  const userHome = readUserHome();
  return {
    env: Deno.env.toObject(),
    home: await realOrIntended(home.path),
    user_home: userHome === undefined ? undefined : await realOrIntended(userHome),
    project_dir: folder,
  };
}

async function realFolder(path: string): Promise<string | SurroundingsProblem> {
  try {
    const real = await Deno.realPath(resolve(path));
    if ((await Deno.stat(real)).isDirectory) return real;
    return { problem: `the project ${JSON.stringify(path)} is not a folder`, configuration: false };
  } catch (error) {
    const what = error instanceof Deno.errors.NotFound ? "does not exist" : "cannot be read";
    return { problem: `the project folder ${JSON.stringify(path)} ${what}`, configuration: false };
  }
}

/** The path with the links of its existing part resolved: what a file tool's real path is compared with. */
async function realOrIntended(path: string): Promise<string> {
  try {
    return await Deno.realPath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realOrIntended(parent), basename(path));
  }
}

/** The home by itself, for commands that need no project. */
export function readHome(): ResolvedHome {
  return resolveHome({ env: Deno.env.toObject(), user_home: readUserHome() });
}

function readUserHome(): string | undefined {
  return Deno.env.get("HOME") || Deno.env.get("USERPROFILE") || undefined;
}
