/** The permission rules of a run, as the loop asks for them: protected files, deny and allow rules, sensitive files, the prompt. */
import type { PermissionQuestion, PermissionRules } from "../agent/mod.ts";
import { matchesRule, type PermissionRule, protectionOf, type RulePlace, sensitivePatternOf } from "../config/mod.ts";
import { type Registration, scriptOfHook } from "../hooks/mod.ts";
import { type ToolCall, writeJson } from "../protocol/mod.ts";
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
  const scriptPlace = { project_dir: surroundings.project_dir, variables: surroundings.env };
  const remembered = new Set<string>();
  const { readLine } = parts;
  return {
    mode: settings.config.permissions.mode,
    protectedBy(call) {
      if (call.tier === "readonly" || call.path === undefined) return undefined;
      const scripts = parts.registrations().flatMap((hook) => scriptOfHook(hook, scriptPlace) ?? []);
      return protectionOf({ path: call.path, home: surroundings.home, scripts });
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

/** The same tool with the same arguments. */
function keyOf(call: ToolCall): string {
  return `${call.name}\n${writeJson(call.input)}`;
}
