/**
 * Whether a call may run: protected files, deny rules, sensitive files, allow rules, mode, prompt, in this order.
 *
 * Hooks come before all of it and see every valid call; nothing a hook says skips any of these steps.
 */
import type { ToolCall } from "../protocol/mod.ts";
import type { PermissionQuestion, PermissionRules } from "./ports.ts";

/** What permission came to, and by what. */
export interface PermissionDecision {
  readonly decision: "allow" | "deny";
  readonly by: "rule" | "mode" | "prompt" | "sensitive" | "protected";
  /** For the log and, on a deny, for the model. */
  readonly detail: string;
  /** Who said no, for the model and the record. */
  readonly cause?: "permission_rule" | "user" | "protected";
}

/** What hooks have said about a call that goes on. */
export interface HookWords {
  /** For the question. */
  readonly hook_notes: readonly string[];
  /** The user has been asked about exactly this call already, because a hook wanted it, and said yes. */
  readonly approved: boolean;
}

/** Decides one call. Asks the user at most once; a failing question is a deny. */
export async function decidePermission(
  rules: PermissionRules,
  call: ToolCall,
  { hook_notes: hookNotes, approved }: HookWords,
  signal: AbortSignal,
): Promise<PermissionDecision> {
  const guarded = rules.protectedBy(call);
  if (guarded !== undefined) return { decision: "deny", by: "protected", detail: guarded, cause: "protected" };

  const deny = rules.deniedBy(call);
  if (deny !== undefined) {
    return { decision: "deny", by: "rule", detail: `the deny rule ${deny} matches`, cause: "permission_rule" };
  }

  if (approved) return { decision: "allow", by: "prompt", detail: "the user has lifted the deny of a hook" };

  const allow = rules.allowedBy(call);
  const sensitive = rules.sensitiveBy(call);
  if (sensitive !== undefined && !allow?.specific) {
    return await askUser(rules, { call, why: "sensitive", hook_notes: hookNotes }, signal, {
      by: "sensitive",
      nobody: `the file is sensitive (${sensitive}) and there is nobody to ask`,
    });
  }
  if (allow) return { decision: "allow", by: "rule", detail: `the allow rule ${allow.rule} matches` };

  switch (MODE_TABLE[rules.mode][call.tier]) {
    case "allow":
      return { decision: "allow", by: "mode", detail: `mode ${rules.mode} allows ${call.tier} tools` };
    case "deny":
      return {
        decision: "deny",
        by: "mode",
        detail: `mode ${rules.mode} allows readonly tools only`,
        cause: "permission_rule",
      };
    case "ask":
      return await askUser(rules, { call, why: "mode", hook_notes: hookNotes }, signal, {
        by: "mode",
        nobody: `mode ${rules.mode} asks before ${call.tier} tools and there is nobody to ask`,
      });
  }
}

const MODE_TABLE = {
  "ask": { readonly: "allow", write: "ask", dangerous: "ask" },
  "accept-edits": { readonly: "allow", write: "allow", dangerous: "ask" },
  "read-only": { readonly: "allow", write: "deny", dangerous: "deny" },
  "full": { readonly: "allow", write: "allow", dangerous: "allow" },
} as const satisfies Record<PermissionRules["mode"], Record<ToolCall["tier"], "allow" | "ask" | "deny">>;

async function askUser(
  rules: PermissionRules,
  question: PermissionQuestion,
  signal: AbortSignal,
  without: { readonly by: "mode" | "sensitive"; readonly nobody: string },
): Promise<PermissionDecision> {
  if (!rules.ask) return { decision: "deny", by: without.by, detail: without.nobody, cause: "permission_rule" };
  try {
    const answer = await rules.ask(question, signal);
    if (answer.decision === "allow") return { decision: "allow", by: "prompt", detail: "the user said yes" };
    const detail = answer.message ? `the user said no: ${answer.message}` : "the user said no";
    return { decision: "deny", by: "prompt", detail, cause: "user" };
  } catch {
    return { decision: "deny", by: "prompt", detail: "the permission question failed", cause: "permission_rule" };
  }
}
