/** The home of the program: where its configuration, sessions and artifacts are. */
import { isAbsolute, join, normalize } from "node:path";

/** What the home is decided by. */
export interface HomeSource {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's own folder; undefined when the system does not say. */
  readonly user_home: string | undefined;
}

/** An absolute path, or what to do. */
export type ResolvedHome =
  | { readonly kind: "home"; readonly path: string }
  | { readonly kind: "problem"; readonly message: string };

/** `SOONG_AGENT_HOME`, else `~/.soong-agent`. An empty variable counts as unset; the folder need not exist. */
export function resolveHome({ env, user_home: userHome }: HomeSource): ResolvedHome {
  const set = env.SOONG_AGENT_HOME;
  if (set !== undefined && set !== "") {
    const path = userHome !== undefined && /^~(?=$|[/\\])/.test(set) ? userHome + set.slice(1) : set;
    return isAbsolute(path)
      ? home(path)
      : problem(`SOONG_AGENT_HOME has to be an absolute path, and it is ${JSON.stringify(set)}`);
  }
  if (userHome === undefined || userHome === "") {
    return problem(
      "neither SOONG_AGENT_HOME nor HOME is set: set SOONG_AGENT_HOME to a folder that soong-agent can use",
    );
  }
  return isAbsolute(userHome)
    ? home(join(userHome, ".soong-agent"))
    : problem(`HOME has to be an absolute path, and it is ${JSON.stringify(userHome)}`);
}

function home(path: string): ResolvedHome {
  const normal = normalize(path);
  return { kind: "home", path: normal.length > 1 ? normal.replace(/[/\\]$/, "") : normal };
}

function problem(message: string): ResolvedHome {
  return { kind: "problem", message };
}
