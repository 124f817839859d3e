/** Hooks that code registers: what it says in short, as a registration. */
import { denyEffect, type Point, type Speech } from "../protocol/mod.ts";
import { compileMatcher } from "./onecode/matcher.ts";
import type { ExecutorSettings, HookSource, OnFailure, Registration } from "./port.ts";

/** A hook as code states it. */
export interface CodeHook {
  /** Its own name, for example `my-plugin:audit`; `config:` belongs to files. */
  readonly id: string;
  readonly point: Point;
  /** A glob of the onecode dialect over the tool name or model id; default everything. */
  readonly matcher?: string;
  /** Smaller runs first; default 300. */
  readonly priority?: number;
  /** Default `plugin`. Lists group by it, whatever the priority. */
  readonly source?: HookSource;
  readonly executor: ExecutorSettings;
  /** Default 5000. */
  readonly timeout_ms?: number;
  readonly once?: boolean;
  /** How it is spoken to; default by the executor: `onecode`, or `agent-hooks/0.1` for an interceptor. */
  readonly speech?: Speech;
  readonly mode?: "enforce" | "observe";
  readonly on_failure?: OnFailure;
}

/** The registration. Throws `TypeError` for a hook that could never be asked or has an impossible limit. */
export function hookFromCode(hook: CodeHook): Registration {
  const speech = hook.speech ?? SPEECH_OF[hook.executor.type] ?? "onecode";
  if (denyEffect(hook.point, speech) === "closed") {
    throw new TypeError(`Cannot register hook "${hook.id}": ${speech} hooks are never asked at ${hook.point}`);
  }
  const timeoutMs = hook.timeout_ms ?? DEFAULT_TIMEOUT_MS;
  if (!Number.isFinite(timeoutMs) || timeoutMs < 1) {
    throw new TypeError(`Cannot register hook "${hook.id}": timeout_ms ${timeoutMs} is no positive number`);
  }
  return {
    id: hook.id,
    point: hook.point,
    speech,
    source: hook.source ?? "plugin",
    priority: hook.priority ?? DEFAULT_PRIORITY,
    order: 0,
    matcher: compileMatcher(hook.matcher ?? ""),
    executor: hook.executor,
    timeout_ms: Math.min(timeoutMs, MAX_TIMEOUT_MS),
    mode: hook.mode ?? "enforce",
    ...(hook.once && { once: true }),
    ...(hook.on_failure && { on_failure: hook.on_failure }),
  };
}

const DEFAULT_PRIORITY = 300;
const DEFAULT_TIMEOUT_MS = 5000;

/** The largest delay a timer holds; more would fire at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** Executors that have a language of their own. */
const SPEECH_OF: { readonly [Type in ExecutorSettings["type"]]?: Speech } = {
  static: "soong/1",
  interceptor: "agent-hooks/0.1",
};
