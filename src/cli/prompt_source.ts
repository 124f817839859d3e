/** Where the prompt of a run comes from. */
import type { PromptSource } from "./arguments/command.ts";

/** Largest prompt that is read from stdin, in bytes: more than any model takes. */
export const MAX_PROMPT_BYTES = 16 * 1024 * 1024;

/** The prompt, or why there is none. */
export type Prompt =
  | { readonly text: string; readonly problem?: undefined }
  | { readonly text?: undefined; readonly problem: string };

/** The prompt; stdin is read when asked for, or when nothing is given and stdin is no terminal. */
export async function readPrompt(source: PromptSource, signal: AbortSignal): Promise<Prompt> {
  switch (source.from) {
    case "argument":
      return source.text.trim() === "" ? NO_PROMPT : { text: source.text };
    case "nothing":
      return Deno.stdin.isTerminal() ? NO_PROMPT : await readStdin(signal);
    case "stdin":
      return await readStdin(signal);
  }
}

const NO_PROMPT: Prompt = { problem: 'there is no prompt: give one as an argument, or "-" to read it from stdin' };

async function readStdin(signal: AbortSignal): Promise<Prompt> {
  const reader = Deno.stdin.readable.getReader();
  const stop = () => void reader.cancel().catch(() => {});
  if (signal.aborted) return NO_PROMPT;
  signal.addEventListener("abort", stop, { once: true });
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      size += next.value.length;
      if (size > MAX_PROMPT_BYTES) {
        stop();
        return { problem: `the prompt on stdin has more than ${MAX_PROMPT_BYTES / 1024 / 1024} MiB` };
      }
      text += decoder.decode(next.value, { stream: true });
    }
  } catch (error) {
    return { problem: `stdin cannot be read: ${error instanceof Error ? error.message : String(error)}` };
  } finally {
    signal.removeEventListener("abort", stop);
  }
  if (signal.aborted) return NO_PROMPT;
  text += decoder.decode();
  return text.trim() === "" ? NO_PROMPT : { text: text.replace(/\r?\n$/, "") };
}
