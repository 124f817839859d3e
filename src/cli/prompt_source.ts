/** Where the prompt of a run comes from. */
import type { PromptSource } from "./arguments/command.ts";

/** The prompt; stdin is read when asked for, or when nothing is given and stdin is no terminal. Undefined: there is none. */
export async function readPrompt(source: PromptSource, signal: AbortSignal): Promise<string | undefined> {
  switch (source.from) {
    case "argument":
      return source.text.trim() === "" ? undefined : source.text;
    case "nothing":
      return Deno.stdin.isTerminal() ? undefined : await readStdin(signal);
    case "stdin":
      return await readStdin(signal);
  }
}

async function readStdin(signal: AbortSignal): Promise<string | undefined> {
  const aborted = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  const text = await Promise.race([new Response(Deno.stdin.readable).text(), aborted]);
  return text === undefined || text.trim() === "" ? undefined : text.replace(/\r?\n$/, "");
}
