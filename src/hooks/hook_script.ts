/** The script of a registered hook: what must not be written by the agent, and what trust in a project's hooks is about. */
import { basename, resolve } from "node:path";
import { commandWords, INTERPRETER, type KnownVariables, scriptOfCommand } from "./command_words.ts";
import type { Registration } from "./port.ts";

/** Where a hook runs. */
export interface ScriptPlace {
  /** Absolute; what a relative working directory is relative to. */
  readonly project_dir: string;
  readonly variables: KnownVariables;
}

/** Real path of the script that a command hook runs, as far as its words say; undefined for any other hook. */
export function scriptOfHook(
  { executor }: Pick<Registration, "executor">,
  { project_dir, variables }: ScriptPlace,
): string | undefined {
  if (executor.type !== "command") return undefined;
  return scriptOfCommand(executor.command, resolve(project_dir, executor.working_dir ?? "."), realFile, variables);
}

/** The files that the words of a command hook name, as absolute paths whose links are not resolved. */
export interface NamedFiles {
  /** The script, as `scriptOfHook` finds it. */
  readonly script: string | undefined;
  /** All literal words as if each were a file, whether there is one or not. */
  readonly words: readonly string[];
}

/** What a command hook names: where a link stands in place of a script, the link and not what it leads to. */
export function filesNamedByHook(
  { executor }: Pick<Registration, "executor">,
  { project_dir, variables }: ScriptPlace,
): NamedFiles {
  if (executor.type !== "command") return { script: undefined, words: [] };
  const cwd = resolve(project_dir, executor.working_dir ?? ".");
  const asWritten = (path: string) => realFile(path) === undefined ? undefined : resolve(path);
  return {
    script: scriptOfCommand(executor.command, cwd, asWritten, variables),
    words: commandWords(executor.command, variables).flatMap(({ text }) =>
      text === undefined || text === "" || text.includes("\0") ? [] : resolve(cwd, text)
    ),
  };
}

/**
 * Absolute path of a script that a command hook names by the look of the word, where there is nothing; undefined when the
 * script is there. For people only: a word can look like a script and be none.
 */
export function missingScriptOfHook(
  { executor }: Pick<Registration, "executor">,
  { project_dir, variables }: ScriptPlace,
): string | undefined {
  if (executor.type !== "command") return undefined;
  const cwd = resolve(project_dir, executor.working_dir ?? ".");
  let isInterpreted = false;
  // The word after -c is a line for a shell; the words in it may follow.
  let isLine = false;
  for (const { text, starts } of commandWords(executor.command, variables)) {
    const wasLine = isLine;
    isLine = text !== undefined && /^-\w*c$/.test(text);
    if (wasLine) continue;
    if (starts) isInterpreted = text !== undefined && INTERPRETER.test(basename(text));
    if (text === undefined || text === "" || NO_SCRIPT.test(text) || (starts && isInterpreted)) continue;
    const path = resolve(cwd, text);
    if (realFile(path) !== undefined) return undefined;
    const looksLikeScript = SCRIPT_NAME.test(text) || ((starts || isInterpreted) && text.includes("/"));
    if (looksLikeScript && isNothing(path)) return path;
  }
  return undefined;
}

const SCRIPT_NAME = /\.(?:sh|bash|zsh|py|js|mjs|cjs|ts|mts|rb|pl|php|ps1|bat|cmd)$/i;

/** Options and addresses; no file has a NUL in its name. */
const NO_SCRIPT = /^-|^\w+:\/\/|\0/;

function isNothing(path: string): boolean {
  try {
    Deno.statSync(path);
    return false;
  } catch (error) {
    return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory;
  }
}

/** The real path of a regular file; undefined for anything else. */
export function realFile(path: string): string | undefined {
  try {
    const real = Deno.realPathSync(path);
    return Deno.statSync(real).isFile ? real : undefined;
  } catch {
    return undefined;
  }
}
