/** Writing to stdout and stderr: whole writes, in order; a closed stdout is a cause to end, a closed stderr is nothing. */

/** The two streams of the program. */
export interface Output {
  /** Writes text to stdout. Resolves when it is written; a closed pipe calls `onClosed` once and is no error. */
  out(text: string): Promise<void>;
  /** Writes text to stderr; a closed pipe is ignored. */
  err(text: string): Promise<void>;
  /** True once stdout has refused a write: what the program says is not complete. */
  readonly failed: boolean;
  readonly color: { readonly out: boolean; readonly err: boolean };
}

/** The real streams. Colours only on a terminal and never with `NO_COLOR` or `TERM=dumb`. */
export function createOutput(env: { get(name: string): string | undefined }, onClosed: () => void): Output {
  const plain = (env.get("NO_COLOR") ?? "") !== "" || env.get("TERM") === "dumb";
  let closed = false;
  return {
    async out(text) {
      if (closed) return;
      try {
        await writeAll(Deno.stdout, text);
      } catch (error) {
        closed = true;
        // A reader that has seen enough is no fault; a disk that is full is one.
        if (!(error instanceof Deno.errors.BrokenPipe)) {
          const why = error instanceof Error ? error.message : String(error);
          await writeAll(Deno.stderr, `error: stdout cannot be written to: ${why}\n`).catch(() => {});
        }
        onClosed();
      }
    },
    async err(text) {
      try {
        await writeAll(Deno.stderr, text);
      } catch {
        // Nobody is left to tell.
      }
    },
    get failed() {
      return closed;
    },
    color: { out: !plain && Deno.stdout.isTerminal(), err: !plain && Deno.stderr.isTerminal() },
  };
}

async function writeAll(stream: { write(bytes: Uint8Array): Promise<number> }, text: string): Promise<void> {
  let bytes = new TextEncoder().encode(text);
  while (bytes.length > 0) bytes = bytes.subarray(await stream.write(bytes));
}
