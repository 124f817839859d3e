/** Sends one message through the real executor, with an environment and channels of the test. */
import { notificationExecutor } from "../../src/executors/notification.ts";
import type { NotificationSettings } from "../../src/executors/providers/prepare.ts";
import { createProviders, type ProviderSources } from "../../src/executors/providers/registry.ts";
import { loadProviderFile } from "../../src/hooks/mod.ts";
import type { HookRun } from "../../src/protocol/mod.ts";
import type { TemplateFields } from "../../src/text/mod.ts";
import { requestFor } from "./support.ts";

export interface SendOptions extends ProviderSources {
  readonly env?: Readonly<Record<string, string>>;
  readonly fields?: Partial<TemplateFields>;
  readonly now?: Date;
  readonly timeout_ms?: number;
  readonly signal?: AbortSignal;
}

export const FIELDS: TemplateFields = {
  Point: "pre_tool_call",
  SessionId: "s1",
  Cwd: "/work/项目 #1",
  ToolName: "Bash",
  UserMessage: null,
  AgentId: null,
  AgentType: null,
  Timestamp: "2026-01-02 03:04:05",
};

/** Runs one notification hook. */
export function send(hook: Partial<NotificationSettings>, options: SendOptions = {}): Promise<HookRun> {
  const { env = {}, fields = {}, now, timeout_ms = 20_000, signal, ...sources } = options;
  const providers = createProviders(sources);
  const executor = notificationExecutor({
    secrets: { variable: (name) => env[name] },
    providers: () => providers,
    now: () => now ?? new Date(),
  });
  const settings: NotificationSettings = { type: "notification", provider: "feishu", message: "hello", ...hook };
  return executor(requestFor(settings, {
    fields: () => ({ ...FIELDS, ...fields }),
    timeout_ms,
    ...(signal !== undefined && { signal }),
  }));
}

/** One layer out of the text of a provider file; it must be without findings. */
export function layerOf(providers: Readonly<Record<string, unknown>>): ProviderSources {
  const file = loadProviderFile("/p.json", new TextEncoder().encode(JSON.stringify(providers)), "user");
  if (file.diagnostics.length > 0) throw new Error(JSON.stringify(file.diagnostics));
  return { layers: [{ layer: "user", file: file.path, definitions: file.definitions }] };
}
