/** The demo: a project, a home, hooks and a scripted model in a temporary folder, gone when the run is over. */
import { join } from "node:path";
import { demoIntroduction, demoPrompt, demoScript, prepareDemo } from "./demo/mod.ts";
import type { RunFlags } from "./config_setup.ts";
import type { Surroundings } from "./surroundings.ts";

/** What a demo run is made of. */
export interface Demo {
  readonly surroundings: Surroundings;
  readonly flags: RunFlags;
  readonly prompt: string;
  /** What to look at. */
  readonly introduction: string;
  readonly script: unknown;
  readonly close: () => Promise<void>;
}

/** Makes the temporary folder and what is in it. */
export async function enterDemo(): Promise<Demo> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "soong-agent-demo-" }));
  const [project, home] = [join(root, "project"), join(root, "home")];
  await Deno.mkdir(project);
  await Deno.mkdir(home);
  await prepareDemo(project, home);
  return {
    surroundings: { env: Deno.env.toObject(), home, user_home: undefined, project_dir: project },
    flags: { model: "demo", permissionMode: "full", maxTurns: undefined, maxTokens: undefined, noHooks: false },
    prompt: demoPrompt,
    introduction: demoIntroduction,
    script: demoScript,
    close: () => Deno.remove(root, { recursive: true }),
  };
}
