/** The permission question on a terminal. */
import type { PermissionAnswer, PermissionQuestion } from "../agent/mod.ts";
import type { ApprovalResolver } from "../hooks/mod.ts";
import { isJsonObject, writeJson } from "../protocol/mod.ts";
import { terminalSafe, visibleText } from "../text/mod.ts";
import type { Output } from "./output.ts";

/** What the prompt needs. `remember` is called when the user allows the same call for the rest of the session. */
export interface PromptParts {
  readonly output: Output;
  readonly readLine: (signal: AbortSignal) => Promise<string | undefined>;
  readonly remember: (question: PermissionQuestion) => void;
}

/** Asks until the answer is understood. End of input and an interrupt are a no. */
export async function askOnTerminal(
  question: PermissionQuestion,
  parts: PromptParts,
  signal: AbortSignal,
): Promise<PermissionAnswer> {
  const { call } = question;
  const why = question.why === "sensitive" ? " (the file is sensitive)" : "";
  const lines = [
    "",
    `Allow ${call.name}${why}?`,
    ...quoted(typeof call.input["command"] === "string" ? call.input["command"] : writeJson(call.input)),
    ...question.hook_notes.map((note) => `  hook: ${terminalSafe(note).replace(/\s+/g, " ")}`),
    "  [y] yes   [a] yes, and the same call for the rest of this session   [n] no   or type a word to the model (no)",
  ];
  await parts.output.err(`${lines.join("\n")}\n> `);
  const line = await parts.readLine(signal);
  const answer = line?.trim() ?? "n";
  switch (answer.toLowerCase()) {
    case "y":
    case "yes":
      return { decision: "allow" };
    case "a":
    case "always":
      parts.remember(question);
      return { decision: "allow" };
    case "":
    case "n":
    case "no":
      return { decision: "deny" };
    default:
      return { decision: "deny", message: answer };
  }
}

/** What is judged, whole and visible, each line marked: no text of a model can look like a line of this program. */
function quoted(text: string): readonly string[] {
  return visibleText(text).split("\n").map((line) => `  | ${line}`);
}

/** Asks whether the deny of a hook may be lifted; end of input and an interrupt leave it standing. */
export function approvalOnTerminal({ output, readLine }: Pick<PromptParts, "output" | "readLine">): ApprovalResolver {
  return async ({ context_identity, interception_point: point, verdict, context }, signal) => {
    const words = [verdict["reason"], verdict["message"]].filter((word) => typeof word === "string").join(": ");
    const call = context["tool_call"];
    const what = isJsonObject(call) ? String(call["name"]) : point;
    const lines = [
      "",
      `A hook has denied ${terminalSafe(what)} and lets you decide: ${terminalSafe(words || "it gave no reason")}`,
      ...quoted(writeJson(context["target"] ?? null)),
      "  [y] let it happen, this once   [n] no   or type a word to the model (no)",
    ];
    await output.err(`${lines.join("\n")}\n> `);
    const answer = (await readLine(signal))?.trim();
    if (answer === undefined) return { outcome: "unresolved", context_identity };
    if (/^y(es)?$/i.test(answer)) return { outcome: "approve", context_identity, verdict: { decision: "allow" } };
    const message = /^(no?)?$/i.test(answer) ? "the user said no" : `the user said no: ${answer}`;
    return { outcome: "reject", context_identity, verdict: { decision: "deny", reason: "user:rejected", message } };
  };
}

/** What was typed before a question could be seen must not answer it: what arrives within this time was. In milliseconds. */
const TYPED_AHEAD_MS = 60;

/**
 * Reads lines from the terminal; a pending read ends when the signal aborts. Each call begins with what is typed from then on.
 */
export function createLineReader(
  stream: ReadableStream<Uint8Array>,
): (signal: AbortSignal) => Promise<string | undefined> {
  const reader = stream.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let buffer = "";
  let pending: Promise<ReadableStreamReadResult<string>> | undefined;
  return async (signal) => {
    const begun = performance.now();
    buffer = "";
    for (;;) {
      const end = buffer.indexOf("\n");
      if (end >= 0) {
        const line = buffer.slice(0, end);
        buffer = buffer.slice(end + 1);
        return line;
      }
      pending ??= reader.read();
      const next = await Promise.race([pending, aborted(signal)]);
      if (next === undefined) return undefined;
      pending = undefined;
      if (next.done) return buffer === "" ? undefined : buffer;
      if (performance.now() - begun >= TYPED_AHEAD_MS) buffer += next.value;
    }
  };
}

function aborted(signal: AbortSignal): Promise<undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(undefined), { once: true }));
}
