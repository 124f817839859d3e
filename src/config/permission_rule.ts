/** Permission rules as they are written: `Bash(git status:*)`, `Edit(src/**)`, `Read`, `mcp__server__*`. */
import { plainCommand } from "./plain_command.ts";

/** A rule that can be matched. */
export interface PermissionRule {
  /** As written. */
  readonly text: string;
  /** The tool name; `*` in it is any text. */
  readonly tool: string;
  /** What the call has to be about; undefined for any call of the tool. */
  readonly about: RuleSubject | undefined;
}

/** The part in parentheses. */
export type RuleSubject =
  /** A command line whose first words are these (`any_more`), or all its words. `*` in a word is any text. */
  | { readonly kind: "command"; readonly words: readonly string[]; readonly any_more: boolean }
  /** A path: absolute, `~/…`, or relative to the project. */
  | { readonly kind: "path"; readonly pattern: string };

/** A rule, or what is wrong with it; `offset` counts UTF-16 units from 0. */
export type ParsedRule =
  | { readonly ok: true; readonly rule: PermissionRule }
  | { readonly ok: false; readonly offset: number; readonly problem: string; readonly hint?: string };

/** Reads one rule. */
export function parsePermissionRule(text: string): ParsedRule {
  const [, before, tool, rest] = /^(\s*)([^\s(]*)(.*)$/s.exec(text)!;
  const at = before!.length;
  if (tool === "") {
    return wrong(at, "the rule has no tool name", 'write Tool or Tool(…), for example "Bash(git status:*)"');
  }
  if (!/^[\w.*-]+$/.test(tool!)) return wrong(at, `${JSON.stringify(tool)} is no tool name`);
  const inside = rest!.trimEnd();
  if (inside === "") return { ok: true, rule: { text, tool: tool!, about: undefined } };
  const start = at + tool!.length;
  if (!inside.startsWith("(")) return wrong(start, "something follows the tool name", "write Tool or Tool(…)");
  if (!inside.endsWith(")")) return wrong(start + inside.length, "the closing parenthesis is missing");
  if (isBash(tool!) && inside === "(*)") return { ok: true, rule: { text, tool: tool!, about: undefined } };
  const subject = parseSubject(tool!, inside.slice(1, -1).trim(), start + 1);
  return "ok" in subject ? subject : { ok: true, rule: { text, tool: tool!, about: subject } };
}

/** In any case of letters: a deny rule folds them. */
function isBash(tool: string): boolean {
  return tool.toLowerCase() === "bash";
}

function parseSubject(tool: string, text: string, offset: number): RuleSubject | Extract<ParsedRule, { ok: false }> {
  if (text === "") return wrong(offset, "the parentheses are empty", `write ${tool} alone for every call of it`);
  if (isBash(tool)) return parseCommand(text, offset);
  if (tool.startsWith("mcp__")) {
    return wrong(offset, "a rule about an MCP tool takes no parentheses", `write ${tool} alone`);
  }
  const unknown = /\$\{(?!SOONG_AGENT_HOME\})[^}]*\}/.exec(text);
  if (unknown !== null) return wrong(offset + unknown.index, `${unknown[0]} is not expanded here`);
  return { kind: "path", pattern: text };
}

function parseCommand(text: string, offset: number): RuleSubject | Extract<ParsedRule, { ok: false }> {
  const prefix = /^(.*?)(?::\*|\s+\*)$/s.exec(text)?.[1];
  const words = plainCommand(prefix ?? text);
  if (words === undefined) {
    return wrong(
      offset,
      "a Bash rule is about one simple command",
      "write one rule for each command, without operators",
    );
  }
  if (words.length === 0) {
    return wrong(offset, "there is no command before :*", "write Bash alone for every command");
  }
  return { kind: "command", words, any_more: prefix !== undefined };
}

function wrong(offset: number, problem: string, hint?: string): Extract<ParsedRule, { ok: false }> {
  return { ok: false, offset, problem, ...(hint !== undefined && { hint }) };
}
