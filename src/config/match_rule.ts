/**
 * Whether a permission rule is about a call.
 *
 * In doubt an allow rule matches less and a deny rule more. To an allow rule a command line is one simple command or
 * nothing; to a deny rule it is every command that can be found in it, as the first word or behind `sudo`, `xargs`
 * and their like. What a shell finds out only while it runs (an alias, a script, text piped into a shell) no rule can
 * see.
 */
import { basename } from "node:path";
import type { ToolCall } from "../protocol/mod.ts";
import { matchesName, matchesPath, pathPattern } from "./path_pattern.ts";
import type { PermissionRule, RuleSubject } from "./permission_rule.ts";
import type { PathPlaces } from "./placeholders.ts";
import { plainCommand } from "./plain_command.ts";
import { asWritten, simpleCommands, withoutExpansions } from "./shell_commands.ts";

/** What the caller wants to do with a match. */
export type RuleEffect = "allow" | "deny";

/** Where the rules apply: relative patterns begin at the project. All paths are real paths. */
export interface RulePlace extends PathPlaces {
  /**
   * The shell that Bash commands go through; with `cmd` an allow rule takes no line with a character of its own.
   * Default `sh`.
   */
  readonly shell?: "sh" | "cmd";
}

/** True when the rule is about the call. Paths are compared with `call.path`, commands with the input's `command`. */
export function matchesRule(rule: PermissionRule, effect: RuleEffect, call: ToolCall, place: RulePlace): boolean {
  if (!matchesTool(rule.tool, effect, call.name)) return false;
  if (rule.about === undefined) return true;
  switch (rule.about.kind) {
    case "command": {
      const { command } = call.input;
      return typeof command === "string" && matchesCommand(rule.about, effect, command, place.shell ?? "sh");
    }
    case "path":
      return call.path !== undefined && matchesPathRule(rule.about.pattern, effect, call.path, place);
  }
}

function matchesTool(pattern: string, effect: RuleEffect, name: string): boolean {
  return effect === "allow" ? matchesName(pattern, name) : matchesName(pattern.toLowerCase(), name.toLowerCase());
}

type CommandSubject = Extract<RuleSubject, { kind: "command" }>;

function matchesCommand(subject: CommandSubject, effect: RuleEffect, line: string, shell: "sh" | "cmd"): boolean {
  if (effect === "allow") {
    if (shell === "cmd" && CMD_CHARACTERS.test(line)) return false;
    const words = plainCommand(line);
    return words !== undefined && wordsMatch(subject, words, matchesName);
  }
  return simpleCommands(line).some((words) =>
    commandStarts(words).some((start) => wordsMatch(subject, words, mayBeWord, start))
  );
}

/** What `cmd.exe` reads as more than text, and quotes that it does not know. */
const CMD_CHARACTERS = /[&|<>^%!'`()\r\n]/;

function wordsMatch(
  { words: wanted, any_more: anyMore }: CommandSubject,
  words: readonly string[],
  matches: (wanted: string, word: string, index: number) => boolean,
  start = 0,
): boolean {
  const count = words.length - start;
  if (anyMore ? count < wanted.length : count !== wanted.length) return false;
  return wanted.every((one, index) => matches(one, words[start + index]!, index));
}

/**
 * For deny rules: the word as written, as it is when its expansions come to nothing, and a program also by its last
 * name.
 */
function mayBeWord(wanted: string, word: string, index: number): boolean {
  const bare = withoutExpansions(word);
  if (matchesName(wanted, asWritten(word)) || matchesName(wanted, bare)) return true;
  return index === 0 && !wanted.includes("/") && matchesName(wanted, basename(bare));
}

/** The places at which a program can stand in a simple command: the first, and behind one that runs others. */
function commandStarts(words: readonly string[]): readonly number[] {
  const first = basename(withoutExpansions(words[0] ?? ""));
  const later = words.map((_, index) => index).slice(1);
  if (RUNNERS.has(first) || /^ld-(?:linux|musl)[\w.-]*$/.test(first)) return [0, ...later];
  return [
    0,
    ...later.filter((index) => /^(?:-exec|-execdir|-ok|-okdir|--exec|--exec-batch|-x|-X)$/.test(words[index - 1]!)),
  ];
}

const RUNNERS: ReadonlySet<string> = new Set([
  ...[
    "sudo",
    "doas",
    "su",
    "command",
    "exec",
    "builtin",
    "env",
    "eval",
    "nohup",
    "nice",
    "ionice",
    "time",
    "timeout",
    "stdbuf",
  ],
  ...[
    "setsid",
    "xargs",
    "parallel",
    "chroot",
    "unshare",
    "nsenter",
    "strace",
    "ltrace",
    "watch",
    "flock",
    "busybox",
    "toybox",
  ],
  ...["runuser", "sg", "taskset", "chrt", "setpriv", "prlimit", "setarch", "linux32", "linux64", "i386", "x86_64"],
  ...["sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "ssh", "caffeinate", "script"],
]);

function matchesPathRule(text: string, effect: RuleEffect, path: string, place: RulePlace): boolean {
  const pattern = pathPattern(text, place);
  if (pattern === undefined) return false;
  if (effect === "allow") return matchesPath(pattern, path);
  // A deny of a folder is a deny of what is in it, and a bare name means it at any depth.
  const { base, globs } = pattern;
  const anywhere = /[/\\~<$]/.test(text) ? [] : [{ base: [], globs: ["**", text, "**"] }];
  return [{ base, globs: [...globs, "**"] }, ...anywhere].some((one) => matchesPath(one, path, { fold: true }));
}
