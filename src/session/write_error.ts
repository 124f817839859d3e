/** A file of a session could not be written. `message` says which, why, and what to do; it is for people. */
export class SessionWriteError extends Error {
  override readonly name = "SessionWriteError";
  /** The file or folder that was to be written. */
  readonly path: string;

  constructor(what: string, path: string, cause: unknown) {
    const advice = adviceFor(cause);
    super(`cannot write ${what} ${path}: ${reasonOf(cause)}${advice === undefined ? "" : `; ${advice}`}`, { cause });
    this.path = path;
  }
}

/** Runs a write; whatever the system refuses becomes a `SessionWriteError` about this path. */
export function writing<Result>(what: string, path: string, write: () => Result): Result {
  try {
    return write();
  } catch (error) {
    if (error instanceof SessionWriteError) throw error;
    throw new SessionWriteError(what, path, error);
  }
}

/** What the system said, without its number and the path. */
export function reasonOf(cause: unknown): string {
  if (cause instanceof Deno.errors.NotCapable) return "soong-agent runs without permission for it";
  const text = cause instanceof Error ? cause.message : String(cause);
  return text.replace(/ \(os error \d+\)(?:: .*)?$/s, "");
}

function adviceFor(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  if (/space left|os error 28\b|quota/i.test(cause.message)) {
    return "free some space, then resume the session; all that was written before is kept";
  }
  if (cause instanceof Deno.errors.PermissionDenied || /read-only/i.test(cause.message)) {
    return "make the folder writable, or set SOONG_AGENT_HOME to one that is";
  }
  return undefined;
}
