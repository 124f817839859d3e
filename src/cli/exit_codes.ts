/** Exit codes of the program. */
import type { FinishedReason } from "../protocol/mod.ts";

/** By meaning. */
export const EXIT = {
  done: 0,
  failure: 1,
  wrong_usage: 2,
  blocked: 3,
  invalid_configuration: 4,
} as const;

/** By the reason a run ended with. */
export const EXIT_BY_REASON = {
  completed: EXIT.done,
  blocked: EXIT.blocked,
  stop_hook_limit: EXIT.blocked,
  max_turns: EXIT.failure,
  max_tokens: EXIT.failure,
  repeated_failure: EXIT.failure,
  error: EXIT.failure,
  aborted: 130,
} as const satisfies Record<FinishedReason, number>;
