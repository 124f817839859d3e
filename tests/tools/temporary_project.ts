/** A project in a temporary folder, with the built-in tools over it. */
import { join } from "node:path";
import { runCommand } from "../../src/process/mod.ts";
import type { JsonObject } from "../../src/protocol/mod.ts";
import { createBuiltinTools, type ToolEnvironment, type ToolOutcome, type ToolRegistry } from "../../src/tools/mod.ts";

export interface TemporaryProject {
  /** Real path of the project. */
  readonly dir: string;
  /** Real path of a folder beside the project. */
  readonly outside: string;
  readonly tools: ToolRegistry;
  /** Validates and runs a call; a call with invalid arguments is an error of the test. */
  call(tool: string, input: JsonObject, signal?: AbortSignal): Promise<ToolOutcome>;
  write(path: string, content: string | Uint8Array): Promise<void>;
  read(path: string): Promise<string>;
}

/** Runs the action in a fresh project and removes it afterwards. */
export async function inProject(
  action: (project: TemporaryProject) => Promise<void>,
  overrides: Partial<ToolEnvironment> = {},
): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "soong-tools-" }));
  const dir = join(root, "project");
  const outside = join(root, "outside");
  await Deno.mkdir(dir);
  await Deno.mkdir(outside);
  const tools = createBuiltinTools({
    project_dir: dir,
    added_dirs: [],
    run_command: runCommand,
    child_env: { PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin" },
    kill_grace_ms: 500,
    max_output_bytes: 64 * 1024,
    sensitive: [".env", ".env.*", "*.pem", "*.key", "id_*"],
    plans_dir: ".soong-agent/plans",
    ...overrides,
  });
  try {
    await action({
      dir,
      outside,
      tools,
      call: async (name, input, signal = new AbortController().signal) => {
        const tool = tools.resolve(name);
        if (!tool) throw new Error(`no tool ${name}`);
        const validated = tool.validate(input);
        if (!validated.ok) throw new Error(validated.problems.join("; "));
        return await tool.run(validated.input, { signal, call_id: "call-1" });
      },
      write: async (path, content) => {
        const absolute = join(dir, path);
        await Deno.mkdir(join(absolute, ".."), { recursive: true });
        if (typeof content === "string") await Deno.writeTextFile(absolute, content);
        else await Deno.writeFile(absolute, content);
      },
      read: (path) => Deno.readTextFile(join(dir, path)),
    });
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

/** Runs a shell script in a folder; fails the test when the script fails. */
export async function shell(script: string, cwd: string): Promise<string> {
  const output = await new Deno.Command("/bin/sh", { args: ["-ec", script], cwd }).output();
  if (!output.success) throw new Error(new TextDecoder().decode(output.stderr));
  return new TextDecoder().decode(output.stdout);
}

/** A Deno.test in a fresh project. */
export function projectTest(
  title: string,
  action: (project: TemporaryProject) => Promise<void>,
  overrides: Partial<ToolEnvironment> = {},
): void {
  Deno.test(title, () => inProject(action, overrides));
}
