/** The permission rules of a run, as the loop asks for them: protected files, deny and allow rules, sensitive files, the prompt. */
import { join } from "node:path";
import type { PermissionQuestion, PermissionRules } from "../agent/mod.ts";
import {
  matchesRule,
  parsePermissionRule,
  type PermissionRule,
  protectionOf,
  type RulePlace,
  sensitivePatternOf,
} from "../config/mod.ts";
import { type Registration, scriptOfHook } from "../hooks/mod.ts";
import { nearest, type ToolCall, writeJson } from "../protocol/mod.ts";
import { childVariables } from "./child_environment.ts";
import type { Settings } from "./config_setup.ts";
import type { Output } from "./output.ts";
import { askOnTerminal, createLineReader } from "./permission_prompt.ts";
import type { Surroundings } from "./surroundings.ts";

/** What the rules are made of. */
export interface PermissionParts {
  readonly settings: Settings;
  readonly surroundings: Surroundings;
  /** The hooks of the moment: their scripts are protected. */
  readonly registrations: () => readonly Registration[];
  readonly output: Output;
  /** Reads an answer from the terminal; absent where there is nobody to ask. */
  readonly readLine?: ReadLine;
}

/** Reads one line; undefined at the end of the input and at an interrupt. */
export type ReadLine = (signal: AbortSignal) => Promise<string | undefined>;

/** The lines that a person types, where one may be asked: `interactive` is what the command line says of it. */
export function terminalLines(interactive: boolean): ReadLine | undefined {
  if (!interactive || !Deno.stdin.isTerminal() || !Deno.stderr.isTerminal()) return undefined;
  // Stdin is touched only when there is a question.
  let reader: ReadLine | undefined;
  return (signal) => (reader ??= createLineReader(Deno.stdin.readable))(signal);
}

/** Makes the rules of one run. */
export function createPermissionRules(parts: PermissionParts): PermissionRules {
  const { settings, surroundings } = parts;
  const place: RulePlace = { ...surroundings, shell: Deno.build.os === "windows" ? "cmd" : "sh" };
  const matching = (rules: readonly PermissionRule[], effect: "allow" | "deny", call: ToolCall) =>
    rules.filter((rule) => matchesRule(rule, effect, call, place));
  const variables = childVariables(surroundings, settings.config);
  const scriptPlace = { project_dir: surroundings.project_dir, variables };
  const remembered = new Set<string>();
  const { readLine } = parts;
  return {
    mode: settings.config.permissions.mode,
    protectedBy(call) {
      if (call.tier === "readonly" || call.path === undefined) return undefined;
      const scripts = parts.registrations().flatMap((hook) => scriptOfHook(hook, scriptPlace) ?? []);
      return protectionOf({ path: call.path, home: surroundings.home, scripts, linked: linkedPlaces(surroundings) });
    },
    deniedBy: (call) => matching(settings.rules.deny, "deny", call)[0]?.text,
    sensitiveBy: (call) =>
      call.path === undefined
        ? undefined
        : sensitivePatternOf(call.path, settings.config.permissions.sensitive, surroundings),
    allowedBy(call) {
      if (remembered.has(keyOf(call))) return { rule: "allowed for this session", specific: true };
      const allowed = matching(settings.rules.allow, "allow", call);
      const rule = allowed.find(({ about }) => about !== undefined) ?? allowed[0];
      return rule && { rule: rule.text, specific: rule.about !== undefined };
    },
    ...(readLine && {
      ask: (question: PermissionQuestion, signal: AbortSignal) =>
        askOnTerminal(question, {
          output: parts.output,
          readLine,
          remember: ({ call }) => void remembered.add(keyOf(call)),
        }, signal),
    }),
  };
}

/** Where protected files really are, as far as links lead to them: looked up at each call, for links come and go. */
function linkedPlaces({ home, user_home: userHome, project_dir: projectDir }: Surroundings): readonly string[] {
  const folders = [projectDir, ...(userHome === undefined ? [] : [userHome])];
  const places = [
    ...entriesOf(home).filter((name) => !OPEN_FOLDERS.has(name)).map((name) => join(home, name)),
    ...folders.flatMap((folder) => [
      join(folder, ".onecode"),
      ...entriesOf(join(folder, ".onecode")).map((name) => join(folder, ".onecode", name)),
      ...entriesOf(join(folder, ".claude"))
        .filter((name) => /^settings.*\.json$/i.test(name))
        .map((name) => join(folder, ".claude", name)),
      join(folder, ".mcp.json"),
    ]),
  ];
  return places.flatMap((path) => {
    const real = realPathOf(path);
    return real === undefined || real === path ? [] : [real];
  });
}

/** Folders of the home that tools may write into. */
const OPEN_FOLDERS: ReadonlySet<string> = new Set(["artifacts", "plans"]);

function entriesOf(folder: string): readonly string[] {
  try {
    return [...Deno.readDirSync(folder)].map(({ name }) => name);
  } catch {
    return [];
  }
}

function realPathOf(path: string): string | undefined {
  try {
    return Deno.realPathSync(path);
  } catch {
    return undefined;
  }
}

/** The same tool with the same arguments. */
function keyOf(call: ToolCall): string {
  return `${call.name}\n${writeJson(call.input)}`;
}

/** Rules that name no tool of this run, each with a sentence for people: such a rule decides nothing. */
export function rulesWithoutTool(
  { allow, deny }: { readonly allow: readonly string[]; readonly deny: readonly string[] },
  names: readonly string[],
): readonly string[] {
  const folded = new Set(names.map((name) => name.toLowerCase()));
  const problemOf = (key: "allow" | "deny", text: string): string | undefined => {
    const parsed = parsePermissionRule(text);
    if (!parsed.ok || parsed.rule.tool.includes("*") || parsed.rule.tool.startsWith("mcp__")) return undefined;
    const { tool } = parsed.rule;
    if (key === "deny" ? folded.has(tool.toLowerCase()) : names.includes(tool)) return undefined;
    const near = names.find((name) => name.toLowerCase() === tool.toLowerCase()) ?? nearest(tool, names);
    const guess = near === undefined ? `the tools are ${names.join(", ")}` : `did you mean "${near}"?`;
    return `permissions.${key} in config.toml has the rule ${JSON.stringify(text)}, which decides nothing: ` +
      `no tool is called ${JSON.stringify(tool)}; ${guess}`;
  };
  return [
    ...allow.map((text) => problemOf("allow", text)),
    ...deny.map((text) => problemOf("deny", text)),
  ].filter((problem) => problem !== undefined);
}
