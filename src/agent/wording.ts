/** What the model is told, in words. Reasons are quoted with their origin and are data: none of it is an instruction of the system. */
import { type DenyCause, nearest, type RequestedCall, type ToolCall, writeJson } from "../protocol/mod.ts";
import type { PermissionDecision } from "./permission.ts";

/** Result text of a call that hooks denied. Every reason is given, first first. */
export function deniedByHook(reasons: readonly string[], hookIds: readonly string[], cause: DenyCause): string {
  const lines = reasons.map((reason, index) => {
    const id = hookIds[index];
    return id === undefined ? reason : `[${id}] ${reason}`;
  });
  return [DENY_HEAD[cause], ...lines].join("\n");
}

const DENY_HEAD = {
  policy: "This call was denied by a hook and did not run:",
  hook_failure: "This call did not run because a hook that has to judge it failed:",
  engine_fault: "This call did not run because the hooks could not be asked:",
  permission_rule: "This call did not run because it is not permitted:",
  user: "This call did not run because the user refused it:",
  protected: "This call did not run because it would change a protected file:",
} as const satisfies Record<DenyCause, string>;

/** Result text of a call that permission denied. */
export function deniedByPermission(decision: PermissionDecision): string {
  return `${DENY_HEAD[decision.cause ?? "permission_rule"]}\n${decision.detail}`;
}

/** Result text of a call that was not run because an earlier one of the same answer was denied. */
export function skippedAfterDeny(denied: { readonly name: string; readonly id: string }): string {
  return `Not run: an earlier call of the same answer (${denied.name}, ${denied.id}) was denied. ` +
    "Nothing of this call has happened; call it again if it is still right.";
}

/** Result text of a call of a tool that does not exist. */
export function unknownTool(requested: RequestedCall, names: readonly string[]): string {
  const near = nearest(requested.name, names);
  const hint = near === undefined ? "" : ` Did you mean ${near}?`;
  return `There is no tool named ${JSON.stringify(requested.name)}.${hint} The tools are: ${names.join(", ")}.`;
}

/** Result text of a call whose arguments are no JSON object. */
export function brokenArguments(requested: RequestedCall, problem: string): string {
  return `The arguments of ${requested.name} are not a JSON object, so nothing was run: ${problem}. ` +
    "Send the call again with a complete JSON object.";
}

/** Result text of a call whose arguments do not fit the tool. */
export function invalidArguments(requested: RequestedCall, problems: readonly string[]): string {
  return `The arguments of ${requested.name} do not fit, so nothing was run:\n` +
    problems.map((problem) => `- ${problem}`).join("\n");
}

/** Result text of a call in an answer that ended in no way in which calls are meant. */
export function endedOddly(finish: string): string {
  return `Not run: the answer that holds this call has no proper end (${finish}), so the call may not be what was meant.`;
}

/** Result text of a call that came with an answer that was cut at the token limit. */
export function cutAtLimit(): string {
  return "Not run: the answer that holds this call was cut at the model's output limit, so the call may be incomplete.";
}

/** Result text of a call that the user interrupted while it ran. */
export function interruptedRunning(output: string): string {
  const head = "Interrupted by the user after it had started; it may have had effects.";
  return output === "" ? head : `${head}\nOutput so far:\n${output}`;
}

/** Result text of a call that had not started when the user interrupted the turn. */
export function interruptedBefore(): string {
  return "Interrupted by the user before it started; it had no effects.";
}

/** Text of a result that was withheld by a hook. */
export function withheldResult(reasons: readonly string[]): string {
  return `The result of this call was withheld by a hook:\n${reasons.join("\n")}`;
}

/** The user message after a Stop hook said that the work is not done. */
export function stopPrevented(reasons: readonly string[], hookIds: readonly string[]): string {
  const lines = reasons.map((reason, index) => `[${hookIds[index] ?? "hook"}] ${reason}`);
  return ["A Stop hook prevented completion. Its reason:", ...lines, "Go on working until this is settled."].join("\n");
}

/** The user message that carries context of a hook. */
export function hookContext(hookId: string, text: string): string {
  return `Context added by the hook ${hookId}:\n${text}`;
}

/** The result of a call whose arguments hooks have changed: the model has to know what ran. */
export function whatRan({ name, input }: ToolCall, content: string): string {
  return `[A hook changed the arguments. ${name} ran with ${writeJson(input)}]\n${content}`;
}

/** Arguments of a hook that the tool does not take: nothing ran. */
export function invalidRewrite(name: string, problems: readonly string[]): string {
  return `${name} was not run: a hook changed its arguments to something it does not take: ${problems.join("; ")}`;
}
