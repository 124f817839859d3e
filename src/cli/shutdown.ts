/**
 * How a run ends from outside: one table, one sequence.
 *
 * interrupt the turn and end all children → `agent_shutdown` hooks within their time → close the log → exit. A second signal
 * skips the hooks, and `SHUTDOWN_LIMIT_MS` after the first one the program is gone whatever still hangs.
 */

/** What can end a run from outside. */
export type EndCause = "SIGINT" | "SIGTERM" | "SIGHUP" | "stdout_closed" | "crash";

interface ShutdownRow {
  readonly exit_code: number;
  /** From TERM to KILL for every child. */
  readonly kill_grace_ms: number;
  /** All `agent_shutdown` hooks together; 0 = they do not run. */
  readonly hooks_ms: number;
}

/** Steps and exit code by cause. */
export const SHUTDOWN_TABLE = {
  SIGINT: { exit_code: 130, kill_grace_ms: 800, hooks_ms: 1000 },
  SIGTERM: { exit_code: 143, kill_grace_ms: 800, hooks_ms: 1000 },
  SIGHUP: { exit_code: 129, kill_grace_ms: 800, hooks_ms: 1000 },
  stdout_closed: { exit_code: 1, kill_grace_ms: 800, hooks_ms: 1000 },
  crash: { exit_code: 1, kill_grace_ms: 200, hooks_ms: 0 },
} as const satisfies Record<EndCause, ShutdownRow>;

/** From the first cause to the exit, whatever hangs. */
export const SHUTDOWN_LIMIT_MS = 2900;

/** What the sequence needs. */
export interface ShutdownParts {
  /** Ends every live child: TERM, then KILL after the grace; resolves when they are gone. */
  readonly endChildren: (graceMs: number) => Promise<void>;
  readonly exit: (code: number) => never;
}

/** The shutdown of one run. */
export interface Shutdown {
  /** Aborts when the turn has to end. */
  readonly signal: AbortSignal;
  /** The first cause, once there is one. */
  readonly cause: EndCause | undefined;
  /** Begins the sequence; a second call ends the program at once, without hooks. */
  begin(cause: EndCause): void;
  /** Starts to listen to signals; gives the function that stops it. */
  listen(): () => void;
}

/** Makes the shutdown of one run. */
export function createShutdown(parts: ShutdownParts): Shutdown {
  const controller = new AbortController();
  let cause: EndCause | undefined;
  const leave = (code: number) => parts.exit(code);
  const begin = (next: EndCause) => {
    if (cause !== undefined) {
      if (next === "stdout_closed") return;
      const code = SHUTDOWN_TABLE[cause].exit_code;
      void parts.endChildren(0).finally(() => leave(code));
      return;
    }
    cause = next;
    const row = SHUTDOWN_TABLE[next];
    controller.abort(new DOMException(`ended by ${next}`, "AbortError"));
    void parts.endChildren(row.kill_grace_ms);
    Deno.unrefTimer(
      setTimeout(() => void parts.endChildren(0).finally(() => leave(row.exit_code)), SHUTDOWN_LIMIT_MS - 400),
    );
    Deno.unrefTimer(setTimeout(() => leave(row.exit_code), SHUTDOWN_LIMIT_MS));
  };
  return {
    signal: controller.signal,
    get cause() {
      return cause;
    },
    begin,
    listen() {
      const listeners = SIGNALS.map((name) => [name, () => begin(name)] as const);
      for (const [name, listener] of listeners) Deno.addSignalListener(name, listener);
      return () => {
        for (const [name, listener] of listeners) Deno.removeSignalListener(name, listener);
      };
    },
  };
}

const SIGNALS: readonly ("SIGINT" | "SIGTERM" | "SIGHUP")[] = Deno.build.os === "windows"
  ? ["SIGINT"]
  : ["SIGINT", "SIGTERM", "SIGHUP"];
