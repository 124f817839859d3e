/** A hook for people: what it runs or sends, without anything that may be secret. */
import type { Registration } from "../hooks/mod.ts";
import { cutBytes, maskUrl } from "../text/mod.ts";

/** Longest command that is shown, in bytes. */
const SHOWN_COMMAND_BYTES = 200;

/** What the executor of a hook does, on one line; not yet safe for a terminal. `whole` shows commands of any length. */
export function describeExecutor({ executor }: Registration, { whole = false } = {}): string {
  switch (executor.type) {
    case "command": {
      const text = typeof executor.command === "string" ? executor.command : JSON.stringify(executor.command);
      return `command: ${whole ? text : cutBytes(text, SHOWN_COMMAND_BYTES, "head").text}`;
    }
    case "static":
      return `denies: ${executor.reason}`;
    case "interceptor":
      return "a function in this process";
    case "http":
      return `${executor.method} ${maskUrl(executor.url)}`;
    case "notification": {
      const url = executor.webhook_url === undefined ? "" : ` ${maskUrl(executor.webhook_url)}`;
      return `notifies: ${executor.provider}${url}`;
    }
  }
}
