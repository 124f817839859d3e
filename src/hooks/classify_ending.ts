/** What the way a hook run ended means, where its output decides nothing. The same in every dialect. */
import type { HookRun, UndecidedCause } from "../protocol/mod.ts";

/** Why a run cannot have decided anything; undefined for one that ended well. */
export interface FailedEnding {
  readonly cause: UndecidedCause;
  /** Part of a sentence after the hook's name, for example `exited with code 1: no such file`. */
  readonly detail: string;
}

/** Names the failure of a run that did not end well; its detail carries the first line of stderr. */
export function failedEnding(run: HookRun): FailedEnding | undefined {
  const { ending } = run;
  switch (ending.kind) {
    case "exited":
      return ending.code === 0 ? undefined : failed("exit", `exited with code ${ending.code}`, run);
    case "signalled":
      return failed("exit", `was ended by ${ending.signal}`, run);
    case "timed_out":
      return failed("timeout", `timed out after ${ending.limit_ms} ms`, run);
    case "cancelled":
      return { cause: "cancelled", detail: "was cancelled" };
    case "not_started":
      return { cause: "not_started", detail: `could not start: ${ending.reason}` };
    case "transport_failed":
      return { cause: "transport", detail: `failed: ${ending.reason}` };
    case "returned":
      return undefined;
  }
}

function failed(cause: UndecidedCause, what: string, run: HookRun): FailedEnding {
  const said = firstLine(run.stderr);
  return { cause, detail: said === "" ? what : `${what}: ${said}` };
}

/** The first line that is not blank, cut to a length that fits a message. */
function firstLine(text: string): string {
  const line = FIRST_LINE.exec(text.slice(0, STDERR_LOOK))?.[0].trim() ?? "";
  return line.length > SHOWN_LENGTH ? line.slice(0, SHOWN_LENGTH) + "…" : line;
}

const FIRST_LINE = /[^\s][^\r\n]*/;
const STDERR_LOOK = 8192;
const SHOWN_LENGTH = 300;
