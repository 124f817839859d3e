/** Reads the `command` of a hook, the same in every dialect. */
import type { DocumentNode } from "./document.ts";
import { type Findings, kindOf } from "./findings.ts";

/** The command of a hook: a line for the shell, or a program with its arguments. Undefined, with a finding, for anything else. */
export function readCommand(
  node: DocumentNode,
  findings: Findings,
): string | readonly [string, ...string[]] | undefined {
  const fault = (about: DocumentNode, message: string, hint: string) => {
    findings.about(about, { severity: "error", code: "bad-command", message: `${message}; the hook is skipped`, hint });
    return undefined;
  };
  const shape = 'write "command": "python3 check.py", or a list: ["python3", "check.py"]';
  const parts = node.type === "array" ? node.items : [node];
  const words: string[] = [];
  for (const part of parts) {
    if (part.type !== "string") {
      const where = node.type === "array" ? "a part of the command" : '"command"';
      return fault(part, `${where} is ${kindOf(part)}; it must be a string`, shape);
    }
    const word = String(part.value);
    if (word.includes("\0")) return fault(part, "a command cannot hold the character NUL", "take it out");
    words.push(word);
  }
  const [program, ...rest] = words;
  if (program === undefined || program.trim() === "") return fault(node, "the command is empty", shape);
  return node.type === "array" ? [program, ...rest] : program;
}
