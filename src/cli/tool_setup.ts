/** The tools of a run. */
import { join } from "node:path";
import type { Config } from "../config/mod.ts";
import { runCommand } from "../process/mod.ts";
import { createBuiltinTools, type Tool, type ToolRegistry } from "../tools/mod.ts";
import { childVariables } from "./child_environment.ts";
import type { Surroundings } from "./surroundings.ts";

/** Makes the tools of a run. The file tools reach the artifacts of the session as well: summaries of large results name them. */
export function createTools(surroundings: Surroundings, config: Config, sessionId: string): ToolRegistry {
  return createBuiltinTools({
    project_dir: surroundings.project_dir,
    added_dirs: [...config.permissions.added_dirs, join(surroundings.home, "artifacts", sessionId)],
    run_command: runCommand,
    child_env: { ...childVariables(surroundings, config), SOONG_SESSION_ID: sessionId },
    kill_grace_ms: config.runner.kill_grace_ms,
    max_output_bytes: config.runner.max_output_bytes,
    sensitive: config.permissions.sensitive.map((glob) => absoluteGlob(glob, surroundings)),
    bash_timeout_ms: config.tools.bash_timeout_ms,
    plans_dir: config.plan.default_dir,
  });
}

/** A glob with its placeholders filled in, as the permission rules read it. */
function absoluteGlob(glob: string, { home, user_home: userHome, project_dir: projectDir }: Surroundings): string {
  const expanded = glob.replaceAll("${SOONG_AGENT_HOME}", home).replaceAll("<project>", projectDir);
  return /^~(?=\/|$)/.test(expanded) && userHome !== undefined ? userHome + expanded.slice(1) : expanded;
}

/** The tools for listing and checking; nothing of them is run. */
export function describeTools(): readonly Tool[] {
  return createBuiltinTools({
    project_dir: "/",
    added_dirs: [],
    run_command: () => Promise.reject(new TypeError("Cannot run a command here: the tools are only described")),
    child_env: {},
    kill_grace_ms: 0,
    max_output_bytes: 0,
    sensitive: [],
    plans_dir: ".soong-agent/plans",
  }).tools;
}
