/** Writes the demo's project and home. */
import { dirname, join } from "node:path";
import { demoFiles, demoHooks, demoHookScripts } from "./files.ts";

/** Fills two existing, empty folders: `dir` becomes the project, `home` the home with `hooks.json` and the hook scripts. */
export async function prepareDemo(dir: string, home: string): Promise<void> {
  await writeAll(dir, demoFiles, 0o600);
  await writeAll(home, { "hooks.json": `${JSON.stringify(demoHooks, null, 2)}\n` }, 0o600);
  await writeAll(home, demoHookScripts, 0o700);
}

async function writeAll(folder: string, files: Readonly<Record<string, string>>, mode: number): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const full = join(folder, path);
    await Deno.mkdir(dirname(full), { recursive: true, mode: 0o700 });
    await Deno.writeTextFile(full, content, { mode });
  }
}
