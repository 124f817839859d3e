/**
 * Checks the rules between rooms in `src/`: who may import whom, doors, cycles, and what only one room may do.
 *
 *     deno task rooms [FOLDER]
 *
 * Prints one `file:line: problem` a breach and exits 1 when there is any. New room: one row of `ROOMS`.
 */
import { dirname, join, normalize, relative } from "node:path";
import { type Import, importsOf } from "./rooms/imports.ts";
import { type Token, tokensOf } from "./rooms/tokens.ts";

/** How a room may use another: all of it, or its types (`import type`) only. */
type Access = "all" | "types";

/** What most rooms may not do, by the word in `RoomRow.may`. */
const PRIVILEGES = {
  spawn: { names: ["Deno.Command", "Deno.run"], rule: "only process/ starts children" },
  working_directory: { names: ["Deno.cwd", "Deno.chdir"], rule: "only cli/ may use it; pass what is needed" },
  surroundings: { names: ["Deno.env", "Deno.args"], rule: "only cli/ may use it; pass what is needed" },
  exit: { names: ["Deno.exit"], rule: "only cli/ ends the program" },
  terminal: { names: ["console"], rule: "only cli/ writes to the terminal" },
} as const satisfies Record<string, { readonly names: readonly string[]; readonly rule: string }>;

type Privilege = keyof typeof PRIVILEGES;

interface RoomRow {
  readonly imports: Readonly<Record<string, Access>> | "everything";
  readonly may?: readonly Privilege[];
}

const COMPOSES = ["working_directory", "surroundings", "exit", "terminal"] as const satisfies readonly Privilege[];

/** The rooms. `mod.ts` stands for the library's door, `src/mod.ts`. */
export const ROOMS = {
  protocol: { imports: {} },
  text: { imports: {} },
  // Deno makes a client past the proxies of the environment only when it does not see them.
  net: { imports: {}, may: ["surroundings"] },
  // Deno 2.7 starts nothing from a working directory that was deleted, so process/ has to look whether it is there.
  process: { imports: {}, may: ["spawn", "working_directory"] },
  config: { imports: { protocol: "all" } },
  model: { imports: { protocol: "all", net: "all" } },
  tools: { imports: { protocol: "all", process: "all", text: "all" } },
  hooks: { imports: { protocol: "all", text: "all" } },
  executors: { imports: { protocol: "all", hooks: "types", net: "all", process: "all", text: "all" } },
  session: { imports: { protocol: "all" } },
  agent: { imports: { protocol: "all", model: "types", tools: "types", hooks: "types", session: "types" } },
  cli: { imports: "everything", may: COMPOSES },
  "mod.ts": { imports: "everything", may: COMPOSES },
} as const satisfies Record<string, RoomRow>;

/** One breach of a rule. `file` is relative to the checked folder. */
export interface Breach {
  readonly file: string;
  readonly line: number;
  readonly problem: string;
}

/** A source file: its path from the checked folder (`src/agent/turn.ts`), and its text. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** All breaches, by file and line. Pure: give it every TypeScript file below `src/`. */
export function checkRooms(
  files: readonly SourceFile[],
  rooms: Readonly<Record<string, RoomRow>> = ROOMS,
): readonly Breach[] {
  const breaches: Breach[] = [];
  const edges: Edge[] = [];
  for (const file of files) {
    const add = (line: number, problem: string) => breaches.push({ file: file.path, line, problem });
    const room = roomOf(file.path);
    const row = rooms[room];
    if (row === undefined) {
      add(1, `${room} is not in the table of rooms (scripts/check_rooms.ts)`);
      continue;
    }
    let tokens: readonly Token[];
    try {
      tokens = tokensOf(file.text);
    } catch (error) {
      add(1, `cannot be read: ${error instanceof Error ? error.message : error}`);
      continue;
    }
    for (const found of importsOf(tokens)) {
      const problem = importProblem(file.path, room, row, found, rooms);
      if (problem !== undefined) add(found.line, problem);
      const target = found.specifier === undefined ? undefined : targetOf(file.path, found.specifier);
      const other = target === undefined ? room : roomOf(target);
      if (other !== room && other in rooms) edges.push({ from: room, to: other, file: file.path, line: found.line });
    }
    for (const { line, name, privilege } of usesOf(tokens)) {
      if (!row.may?.includes(privilege)) add(line, `${name}: ${PRIVILEGES[privilege].rule}`);
    }
    for (const line of aliasesOfDeno(tokens)) {
      add(line, "Deno as a value: name the member that is used (Deno.readFile)");
    }
  }
  for (const edge of cycleEdges(edges)) {
    breaches.push({
      file: edge.file,
      line: edge.line,
      problem: `${edge.from} imports ${edge.to}, and ${edge.to} reaches ${edge.from}: a cycle between rooms`,
    });
  }
  return breaches.sort((left, right) =>
    left.file < right.file ? -1 : left.file > right.file ? 1 : left.line - right.line
  );
}

function importProblem(
  path: string,
  room: string,
  row: RoomRow,
  { specifier, type_only }: Import,
  rooms: Readonly<Record<string, RoomRow>>,
): string | undefined {
  if (specifier === undefined) return "a dynamic import needs a literal address, or it is missing in the binary";
  const remote = /^(?:jsr:|https?:|npm:)/.exec(specifier)?.[0];
  if (remote === "npm:") return `${specifier}: npm packages are pinned in deno.json and imported by name`;
  if (remote !== undefined) return `${specifier}: only npm packages and what Deno has built in`;
  if (CHILD_PROCESS_MODULES.includes(specifier) && !row.may?.includes("spawn")) {
    return `${specifier}: ${PRIVILEGES.spawn.rule}`;
  }
  const target = targetOf(path, specifier);
  if (target === undefined) return undefined;
  if (!target.startsWith("src/")) {
    if (row.imports === "everything" && target === "deno.json") return undefined;
    return `${specifier}: leaves src/`;
  }
  const other = roomOf(target);
  if (other === room) return undefined;
  if (rooms[other] === undefined) return `${specifier}: ${other} is no room`;
  if (other === "mod.ts") return `${specifier}: the library's door is for users of the library`;
  if (target !== `src/${other}/mod.ts`) return `${specifier}: ${other}/ is entered by its mod.ts only`;
  if (row.imports === "everything") return undefined;
  const access = row.imports[other];
  if (access === undefined) return `${specifier}: ${room} may not import ${other}`;
  if (access === "types" && !type_only) {
    return `${specifier}: ${room} may import types only from ${other} (import type)`;
  }
  return undefined;
}

const CHILD_PROCESS_MODULES: readonly string[] = ["node:child_process", "child_process", "node:cluster", "cluster"];

/** `src/mod.ts` is a room of its own; a file that lies in no folder is named by its name. */
function roomOf(path: string): string {
  return path.split("/")[1] ?? path;
}

/** The file a relative address means, from the checked folder; undefined for packages and built-ins. */
function targetOf(path: string, specifier: string): string | undefined {
  if (!/^\.{0,2}\//.test(specifier)) return undefined;
  return normalize(join(dirname(path), specifier)).replaceAll("\\", "/");
}

interface Use {
  readonly line: number;
  readonly name: string;
  readonly privilege: Privilege;
}

const PRIVILEGE_OF: ReadonlyMap<string, Privilege> = new Map(
  Object.entries(PRIVILEGES).flatMap(([privilege, { names }]) => names.map((name) => [name, privilege as Privilege])),
);

/** Uses of what only some rooms may do. */
function usesOf(tokens: readonly Token[]): readonly Use[] {
  return tokens.flatMap((token, index) => {
    if (token.kind !== "word") return [];
    const member = memberAfter(tokens, index);
    if (member === undefined || (token.value === "console" && isSign(tokens[index - 1], "."))) return [];
    const name = token.value === "Deno" ? `Deno.${member}` : token.value;
    const privilege = PRIVILEGE_OF.get(name);
    return privilege === undefined ? [] : [{ line: token.line, name, privilege }];
  });
}

/** Lines where `Deno` stands without a member: under another name every rule about it would be blind. */
function aliasesOfDeno(tokens: readonly Token[]): readonly number[] {
  return tokens.flatMap((token, index) => {
    const isKey = isSign(tokens[index + 1], ":");
    return token.kind === "word" && token.value === "Deno" && !isKey && memberAfter(tokens, index) === undefined
      ? [token.line]
      : [];
  });
}

/** The name in `word.name` and `word?.name`. */
function memberAfter(tokens: readonly Token[], index: number): string | undefined {
  const dot = isSign(tokens[index + 1], "?") ? index + 2 : index + 1;
  const member = tokens[dot + 1];
  return isSign(tokens[dot], ".") && member?.kind === "word" ? member.value : undefined;
}

function isSign(token: Token | undefined, value: string): boolean {
  return token?.kind === "sign" && token.value === value;
}

interface Edge {
  readonly from: string;
  readonly to: string;
  readonly file: string;
  readonly line: number;
}

/** The imports that lie on a cycle between rooms. */
function cycleEdges(edges: readonly Edge[]): readonly Edge[] {
  const reaches = (from: string, goal: string, seen: Set<string>): boolean => {
    if (from === goal) return true;
    if (seen.has(from)) return false;
    seen.add(from);
    return edges.some((edge) => edge.from === from && reaches(edge.to, goal, seen));
  };
  return edges.filter((edge) => reaches(edge.to, edge.from, new Set()));
}

/** Reads every TypeScript file below `folder/src`. */
export async function readSources(folder: string): Promise<readonly SourceFile[]> {
  const files: SourceFile[] = [];
  const walk = async (path: string) => {
    for await (const entry of Deno.readDir(path)) {
      const full = join(path, entry.name);
      if (entry.isDirectory) await walk(full);
      else if (/\.[cm]?tsx?$/.test(entry.name)) {
        files.push({ path: relative(folder, full).replaceAll("\\", "/"), text: await Deno.readTextFile(full) });
      }
    }
  };
  await walk(join(folder, "src"));
  return files;
}

if (import.meta.main) {
  const folder = Deno.args[0] ?? join(import.meta.dirname ?? ".", "..");
  const files = await readSources(folder);
  const breaches = checkRooms(files);
  for (const { file, line, problem } of breaches) console.error(`${file}:${line}: ${problem}`);
  console.log(`rooms: ${files.length} files, ${breaches.length} breach(es)`);
  Deno.exit(breaches.length === 0 ? 0 : 1);
}
