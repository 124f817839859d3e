/** Hook files in temporary homes, and calls to match them with, for the tests of this room. */
import { formatDiagnostic, type JsonObject, type Occasion, type ToolCall } from "../../src/protocol/mod.ts";
import { type HookFile, type KnownTool, type LoadedHooks, loadHookFiles } from "../../src/hooks/mod.ts";

export const TOOLS: readonly KnownTool[] = [
  { name: "Read", tags: ["code", "filesystem", "readonly"] },
  { name: "LS", tags: ["code", "filesystem", "readonly"] },
  { name: "Grep", tags: ["code", "filesystem", "search", "readonly"] },
  { name: "Write", tags: ["code", "filesystem", "write"] },
  { name: "Edit", tags: ["code", "filesystem", "write"] },
  { name: "Bash", tags: ["code", "shell", "write", "dangerous"] },
];

/** Runs with a temporary folder (its real path) and removes it. */
export async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "soong-hooks-" }));
  try {
    return await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Loads one user file with this content: text, or a value to be written as JSON. */
export function loadText(content: unknown, options: Partial<HookFile> = {}): Promise<LoadedHooks> {
  return inFolder(async (folder) => {
    const path = `${folder}/hooks.json`;
    await Deno.writeTextFile(path, typeof content === "string" ? content : JSON.stringify(content));
    return await loadHookFiles({
      files: [{ path, source: "user", dialect: "by_content", base_priority: 100, ...options }],
      project_dir: folder,
      default_timeout_ms: 60_000,
      tools: TOOLS,
    });
  });
}

/** A version 1 file with these rules at PreToolUse. */
export function rules(...items: unknown[]): JsonObject {
  return { version: 1, hooks: { PreToolUse: items as JsonObject[] } };
}

/** A rule with one command hook. */
export function rule(matcher: unknown, command = "true", more: JsonObject = {}): JsonObject {
  const hooks = [{ type: "command", command, ...more }];
  return (matcher === undefined ? { hooks } : { matcher, hooks }) as JsonObject;
}

/** Diagnostics as text, without the folder. */
export function textsOf({ diagnostics }: LoadedHooks): string[] {
  return diagnostics.map((diagnostic) =>
    formatDiagnostic({ ...diagnostic, file: diagnostic.file.slice(diagnostic.file.lastIndexOf("/") + 1) })
  );
}

/** Diagnostics as `severity[code] at path`. */
export function codesOf({ diagnostics }: LoadedHooks): string[] {
  return diagnostics.map(({ severity, code, path }) => `${severity}[${code}] at ${path}`);
}

/** The commands and static reasons that were loaded, in order. */
export function loadedOf({ registrations }: LoadedHooks): string[] {
  return registrations.map(({ point, executor }) =>
    executor.type === "command"
      ? `${point}: ${String(executor.command)}`
      : `${point}: deny ${executor.type === "static" ? executor.reason : executor.type}`
  );
}

/** A call at `pre_tool_call`, with the tags of the known tool. */
export function callOf(name: string, more: Partial<ToolCall> = {}): Occasion & { readonly call: ToolCall } {
  const tags = TOOLS.find((tool) => tool.name === name)?.tags ?? ["mcp", "dangerous", "write"];
  const tier = tags.includes("dangerous") ? "dangerous" : tags.includes("write") ? "write" : "readonly";
  return { point: "pre_tool_call", call: { id: "call_1", name, input: {}, tier, tags, ...more } };
}
