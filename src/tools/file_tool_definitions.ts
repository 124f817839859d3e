/** The file tools as the model knows them; what they do is behind the `FileTools` port. */
import * as z from "zod/mini";
import type { Tier } from "../protocol/mod.ts";
import type { ArgumentsSchema } from "./arguments.ts";
import { defineTool } from "./define_tool.ts";
import { targetPath } from "./files/boundary.ts";
import type { FileToolName, FileTools, FileToolSettings, Tool } from "./port.ts";

/** One tool a row, run by the given file tools. `target` resolves links here, in the process that asks permission. */
export function fileTools(settings: FileToolSettings, files: FileTools): readonly Tool[] {
  return FILE_TOOL_TABLE.map(({ path, ...row }) =>
    defineTool({
      ...row,
      target: (input) => targetPath(settings, typeof input[path] === "string" ? input[path] : "."),
      run: (input, { signal, judged_path: judged }) =>
        judged === undefined || typeof input[path] !== "string"
          ? files.run(row.name, input, signal)
          : files.run(row.name, { ...input, [path]: judged }, signal, judged),
    })
  );
}

interface FileToolRow {
  readonly name: FileToolName;
  readonly description: string;
  readonly tier: Tier;
  readonly tags: readonly string[];
  readonly arguments: ArgumentsSchema;
  /** The argument that holds the path; without a value it is the project. */
  readonly path: "file_path" | "path";
}

const MAX_PATTERN = 4096;

const filePath = z.string().check(z.minLength(1), z.describe("Path of the file, absolute or relative to the project"));
const pattern = (description: string) =>
  z.string().check(z.minLength(1), z.maxLength(MAX_PATTERN), z.describe(description));
const integer = (description: string) => z.optional(z.int().check(z.minimum(0), z.describe(description)));

const LEFT_OUT = "Hidden files and those ignored by .gitignore are left out and counted, unless the call names " +
  "them; .git is only looked into when named. Links to folders are not followed.";

const FILE_TOOL_TABLE: readonly FileToolRow[] = [
  {
    name: "Read",
    description:
      "Reads a text file of the project and shows its lines with their numbers (number, tab, text; the number " +
      "is no part of the file). Shows 2000 lines unless told otherwise; use offset and limit for the rest.",
    tier: "readonly",
    tags: ["code", "filesystem"],
    path: "file_path",
    arguments: z.strictObject({
      file_path: filePath,
      offset: integer("Number of the first line to show, from 1"),
      limit: z.optional(z.int().check(z.minimum(1), z.describe("How many lines to show; default 2000"))),
    }),
  },
  {
    name: "Glob",
    description:
      "Finds files by the form of their path, for example src/**/*.ts or *.{json,toml}: * and ? stay inside " +
      `one folder, ** crosses folders. Paths come sorted. ${LEFT_OUT}`,
    tier: "readonly",
    tags: ["code", "filesystem", "search"],
    path: "path",
    arguments: z.strictObject({
      pattern: pattern("Glob, relative to path"),
      path: z.optional(z.string().check(z.describe("Folder to look in; default the project"))),
    }),
  },
  {
    name: "Grep",
    description:
      "Finds lines that match a regular expression (syntax of ripgrep; no look-around, no back references), " +
      `in all files below a folder or in one file. ${LEFT_OUT} Binary and sensitive files are passed over.`,
    tier: "readonly",
    tags: ["code", "filesystem", "search"],
    path: "path",
    arguments: z.strictObject({
      pattern: pattern("Regular expression, matched against single lines"),
      path: z.optional(z.string().check(z.describe("Folder or file to search; default the project"))),
      glob: z.optional(pattern("Only files of this form, for example *.ts or src/**")),
      output_mode: z.optional(
        z.enum(["content", "files_with_matches", "count"]).check(
          z.describe("Matching lines, files that have one (default), or the number of matching lines a file"),
        ),
      ),
      "-i": z.optional(z.boolean().check(z.describe("Ignore case"))),
      head_limit: z.optional(z.int().check(z.minimum(1), z.describe("How many results to show; default 200"))),
    }),
  },
  {
    name: "LS",
    description: `Lists one folder: folders end in /, links show where they lead. ${LEFT_OUT}`,
    tier: "readonly",
    tags: ["code", "filesystem"],
    path: "path",
    arguments: z.strictObject({
      path: z.optional(z.string().check(z.describe("Folder to list; default the project"))),
    }),
  },
  {
    name: "Write",
    description:
      "Makes a file, with its folders, or replaces the whole content of one that was read before and has not " +
      "changed since. To change a part of a file use Edit.",
    tier: "write",
    tags: ["code", "filesystem"],
    path: "file_path",
    arguments: z.strictObject({
      file_path: filePath,
      content: z.string().check(z.describe("The whole new content")),
    }),
  },
  {
    name: "Edit",
    description:
      "Replaces a piece of text in a file. old_string must be in the file exactly once, white space included, " +
      "unless replace_all is set. Line ends, byte-order mark and everything else stay as they are.",
    tier: "write",
    tags: ["code", "filesystem"],
    path: "file_path",
    arguments: z.strictObject({
      file_path: filePath,
      old_string: z.string().check(z.describe("The text to replace, as it stands in the file, without line numbers")),
      new_string: z.string().check(z.describe("The text to put there")),
      replace_all: z.optional(z.boolean().check(z.describe("Replace every match; default false"))),
    }),
  },
];
