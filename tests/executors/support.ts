/** Real executors over the real runner, in temporary folders. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { createExecutors, type ExecutorParts } from "../../src/executors/mod.ts";
import { createProviders } from "../../src/executors/providers/registry.ts";
import type { Executors, ExecutorSettings, HookRequest, Registration } from "../../src/hooks/mod.ts";
import { liveGroups, runCommand } from "../../src/process/mod.ts";
import type { HookRun } from "../../src/protocol/mod.ts";
import { NO_TEMPLATE_VALUES } from "../../src/text/mod.ts";

export interface Place {
  readonly project: string;
  readonly home: string;
  readonly executors: Executors;
}

/** Gives a project, a home and executors; afterwards no group may be alive. */
export async function inPlace(
  work: (place: Place) => Promise<void>,
  parts: Partial<ExecutorParts> = {},
): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "soong-executors-" }));
  const project = join(root, "project");
  const home = join(root, "home");
  await Deno.mkdir(project);
  await Deno.mkdir(home);
  const executors = createExecutors({
    runCommand,
    project_dir: project,
    home,
    child_env: { PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin" },
    kill_grace_ms: 300,
    max_output_bytes: 1 << 20,
    secrets: { variable: () => undefined },
    providers: () => createProviders(),
    now: () => new Date(),
    ...parts,
  });
  try {
    await work({ project, home, executors });
    assert.deepEqual(liveGroups(), []);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

/** A request for one hook. */
export function requestFor(
  executor: ExecutorSettings,
  changes: Partial<HookRequest> & Partial<Pick<Registration, "timeout_ms">> = {},
): HookRequest {
  const { timeout_ms = 20_000, ...rest } = changes;
  return {
    registration: {
      id: "config:test",
      point: "pre_tool_call",
      speech: "soong/1",
      source: "user",
      priority: 100,
      order: 0,
      matcher: { text: "*", matches: () => ({ matched: true }) },
      executor,
      timeout_ms,
      mode: "enforce",
    },
    payload: new TextEncoder().encode('{"event":"PreToolUse"}\n'),
    env: { SOONG_SESSION_ID: "s1", SOONG_HOOK_EVENT: "PreToolUse" },
    fields: () => NO_TEMPLATE_VALUES,
    signal: new AbortController().signal,
    ...rest,
  };
}

export function stdoutOf(run: HookRun): string {
  return new TextDecoder().decode(run.stdout);
}
