/** The table of executors: one row for each type of hook. */
import type { Executors } from "../hooks/mod.ts";
import type { RunCommand } from "../process/mod.ts";
import { commandExecutor } from "./command.ts";
import { httpExecutor } from "./http.ts";
import { runInterceptor } from "./interceptor.ts";
import { notificationExecutor } from "./notification.ts";
import type { NotificationProviders } from "./providers/registry.ts";
import type { SecretSource } from "./secrets.ts";
import { runStatic } from "./static.ts";

/** What executors are made of. */
export interface ExecutorParts {
  readonly runCommand: RunCommand;
  /** Absolute; working directory of hook commands, and what theirs must lie inside. */
  readonly project_dir: string;
  /** `SOONG_AGENT_HOME`; where hook commands run when the project folder is gone. */
  readonly home: string;
  /** The allowed part of the environment, without the names that hooks get beside it. */
  readonly child_env: Readonly<Record<string, string>>;
  readonly kill_grace_ms: number;
  readonly max_output_bytes: number;
  /** Where the secrets in the settings of http and notification hooks come from. */
  readonly secrets: SecretSource;
  /** The channels of notification hooks; asked at each message, so that a reload may give others. */
  readonly providers: () => NotificationProviders;
  /** Clock of signatures and message templates. */
  readonly now: () => Date;
}

/** Makes one executor for each type. */
export function createExecutors(parts: ExecutorParts): Executors {
  return {
    command: commandExecutor(parts),
    static: runStatic,
    interceptor: runInterceptor,
    http: httpExecutor(parts),
    notification: notificationExecutor(parts),
  };
}
