/** What children of the program get to see of its environment. */
import type { Config } from "../config/mod.ts";
import { childEnvironment, DEFAULT_ENV_ALLOWLIST } from "../process/mod.ts";
import type { Surroundings } from "./surroundings.ts";

/** The allowed variables, and the two that every child gets. */
export function childVariables(surroundings: Surroundings, config: Config): Record<string, string> {
  const listed = config.runner.env_allowlist.length > 0 ? config.runner.env_allowlist : DEFAULT_ENV_ALLOWLIST;
  return childEnvironment(surroundings.env, listed, {
    // Hooks and tools run in the project, whatever folder the program was started in.
    ...(surroundings.env["PWD"] !== undefined && { PWD: surroundings.project_dir }),
    SOONG_AGENT_HOME: surroundings.home,
    SOONG_PROJECT_DIR: surroundings.project_dir,
  });
}
