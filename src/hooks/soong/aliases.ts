/**
 * Tool names of the public soong-agent (soongao/soong-agent), for its hook files and scripts: accepted in matchers,
 * and a rule that matched by such a name gets that name and its vocabulary of arguments in the payload.
 */
import type { Json, JsonObject } from "../../protocol/mod.ts";

/**
 * Canonical tool names that a name in a matcher means: one as a rule, several where an MCP name has several dots,
 * none.
 */
export function toolsOfAlias(name: string): readonly string[] {
  const row = ALIASES.find(({ alias }) => alias === name);
  if (row !== undefined) return [row.tool];
  if (!name.startsWith("mcp.")) return [];
  const parts = name.slice("mcp.".length).split(".");
  return parts.slice(1).map((_, index) => {
    const server = parts.slice(0, index + 1).join(".");
    return `mcp__${server}__${parts.slice(index + 1).join(".")}`;
  });
}

/** Every fixed alias, for hints. */
export function aliasNames(): readonly string[] {
  return ALIASES.map(({ alias }) => alias);
}

/** The arguments of a call as a script written for this alias reads them. */
export function argumentsForAlias(alias: string, input: JsonObject, projectDir: string): JsonObject {
  const row = ALIASES.find((candidate) => candidate.alias === alias);
  return row === undefined ? input : withoutUndefined(row.translate(input, projectDir));
}

interface AliasRow {
  readonly alias: string;
  readonly tool: string;
  translate(input: JsonObject, projectDir: string): { readonly [key: string]: Json | undefined };
}

const ALIASES: readonly AliasRow[] = [
  {
    alias: "code.read_file",
    tool: "Read",
    translate: (input) => ({ path: input["file_path"], start_line: input["offset"], max_lines: input["limit"] }),
  },
  {
    alias: "code.list_dir",
    tool: "LS",
    translate: (input, projectDir) => ({ path: input["path"] ?? projectDir, recursive: false }),
  },
  {
    alias: "code.search",
    tool: "Grep",
    translate: (input, projectDir) => ({
      query: input["pattern"],
      path: input["path"] ?? projectDir,
      glob: input["glob"],
      limit: input["head_limit"],
    }),
  },
  {
    alias: "code.write_file",
    tool: "Write",
    translate: (input) => ({
      path: input["file_path"],
      content: input["content"],
      create_dirs: true,
      overwrite: true,
    }),
  },
  {
    alias: "code.edit_file",
    tool: "Edit",
    translate: (input) => ({
      path: input["file_path"],
      edits: [withoutUndefined({
        old: input["old_string"],
        new: input["new_string"],
        replace_all: input["replace_all"] ?? false,
      })],
      create_if_missing: false,
    }),
  },
  {
    alias: "code.run_command",
    tool: "Bash",
    translate: (input, projectDir) => ({
      argv: ["/bin/sh", "-c", input["command"] ?? ""],
      cwd: projectDir,
      timeout_ms: input["timeout"],
    }),
  },
];

function withoutUndefined(fields: { readonly [key: string]: Json | undefined }): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, Json] => field[1] !== undefined),
  );
}
