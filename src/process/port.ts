/** What the command runner takes and gives. */

/** How a child ended. There is no ending without a name, and a missing exit code is never 0. */
export type CommandEnding =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "signalled"; readonly signal: string }
  | { readonly kind: "timed_out"; readonly limit_ms: number }
  | { readonly kind: "cancelled" }
  | { readonly kind: "not_started"; readonly reason: string };

/** One run of a child. */
export interface CommandRequest {
  /**
   * A shell string (`/bin/sh -c`, on Windows `cmd.exe /d /s /c`), or a program with its arguments, run without a shell.
   */
  readonly command: string | readonly [string, ...string[]];
  /** Absolute. Must exist, be a folder and lie inside `root` after links are resolved. */
  readonly cwd: string;
  /** The folder that `cwd` must lie inside. */
  readonly root: string;
  /** The child's whole environment, beside the mark of this process (mark.ts): nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Bytes for stdin; without it stdin is empty. */
  readonly stdin?: Uint8Array;
  /** Covers start, stdin, run and output. Clamped to 1 … 2^31 - 1. */
  readonly timeout_ms: number;
  /** From TERM to KILL. */
  readonly kill_grace_ms: number;
  /** Kept bytes of stdout and of stderr, each: head and tail. */
  readonly max_output_bytes: number;
  readonly signal?: AbortSignal;
}

/** Output of one stream: `bytes` is all of it, or head + mark + tail. */
export interface CapturedOutput {
  readonly bytes: Uint8Array;
  readonly total_bytes: number;
  readonly truncated: boolean;
}

/** What a run of a child was: facts only. */
export interface CommandResult {
  readonly ending: CommandEnding;
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
  readonly duration_ms: number;
  /**
   * Processes that were still alive after the child itself had ended and had to be ended. 0 after a deadline or an
   * abort: there the whole tree goes.
   */
  readonly background_ended: number;
  /** Present when a process that made itself a daemon still held a pipe after everything within reach had ended. */
  readonly daemon_seen?: true;
}

/** Runs one child to its end. Never throws for anything the child or the system does. */
export type RunCommand = (request: CommandRequest) => Promise<CommandResult>;
