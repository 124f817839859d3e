/** How a run is shown: one renderer an output format. */
import type { AgentEvent, FinishedReason, LoggedEvent } from "../protocol/mod.ts";

/** What is known when a run is over. */
export interface RunSummary {
  readonly session_id: string;
  readonly transcript_path: string;
  readonly reason: FinishedReason;
  readonly exit_code: number;
  /** The delivered answer; empty when none was. */
  readonly result: string;
  /** SHA-256 of the last line of the log. */
  readonly head: string;
}

/** Shows events as they come, and the end. */
export interface Renderer {
  show(event: LoggedEvent | (AgentEvent & { readonly seq?: number })): Promise<void>;
  end(summary: RunSummary): Promise<void>;
}
