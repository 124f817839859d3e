/**
 * Sends a message to a chat service through a channel (`providers/`).
 *
 * What cannot be sent is `not_started` and names what is missing; what was refused, by the status or in the body of the
 * answer, is `transport_failed` with the service's words. There is no second try. No secret is in the run: not the address,
 * not the secret or what it was expanded from, not the signature.
 */
import type { Executor, HookRequest } from "../hooks/mod.ts";
import { type Ending, writeJson } from "../protocol/mod.ts";
import { insecureUrl } from "../text/mod.ts";
import { type Bounded, bounded } from "./bounded.ts";
import type { ExecutorParts } from "./create.ts";
import type { Delivery, PostRequest } from "./providers/channel.ts";
import { type NotificationSettings, prepareMessage } from "./providers/prepare.ts";
import { redactor } from "./redact.ts";
import { sendRequest } from "./send_request.ts";

/** What messages need. */
export type NotificationParts = Pick<ExecutorParts, "secrets" | "providers" | "now">;

/** The executor of type `notification`. */
export function notificationExecutor(parts: NotificationParts): Executor {
  return async (request) => {
    const { executor, timeout_ms } = request.registration;
    if (executor.type !== "notification") throw new TypeError(`Cannot send a ${executor.type} hook as a message`);
    const started = performance.now();
    const warnings: { readonly code: string; readonly message: string }[] = [];
    const secrets = new Set<string>();
    const outcome = await bounded(
      (signal) =>
        deliver(executor, request, {
          ...parts,
          warn: (code, message) => warnings.push({ code, message }),
          hide: (secret) => secrets.add(secret),
          signal,
        }),
      { timeout_ms, signal: request.signal },
    );
    const clean = redactor(secrets);
    return {
      ending: shown(endingOf(outcome, timeout_ms), clean),
      stdout: new Uint8Array(0),
      stdout_truncated: false,
      stderr: "",
      duration_ms: Math.round((performance.now() - started) * 10) / 10,
      ...(warnings.length > 0 && {
        warnings: warnings.map(({ code, message }) => ({ code, message: clean(message) })),
      }),
    };
  };
}

interface DeliveryParts extends NotificationParts {
  readonly warn: (code: string, message: string) => void;
  readonly hide: (secret: string) => void;
  readonly signal: AbortSignal;
}

type Outcome = Delivery | Extract<Ending, { readonly kind: "not_started" }>;

async function deliver(
  hook: NotificationSettings,
  { fields, registration }: HookRequest,
  parts: DeliveryParts,
): Promise<Outcome> {
  const { signal } = parts;
  const sources = { ...parts, providers: parts.providers(), fields, time: parts.now() };
  const prepared = await prepareMessage(hook, sources);
  if (!prepared.ok) return { kind: "not_started", reason: prepared.reason };
  const { channel, message } = prepared;
  try {
    const delivery = await channel.send(message, postWith(parts, registration.timeout_ms));
    return delivery.kind === "refused" ? { ...delivery, reason: `${channel.name}: ${delivery.reason}` } : delivery;
  } catch (error) {
    if (signal.aborted) return { kind: "cancelled" };
    return { kind: "refused", reason: `${channel.name}: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Kept bytes of an answer; what services say is far shorter. */
const MAX_ANSWER_BYTES = 64 * 1024;

function postWith({ hide, signal }: DeliveryParts, timeoutMs: number): PostRequest {
  return async ({ url, method, headers, body, secrets = [] }) => {
    [url, ...secrets].forEach(hide);
    const problem = insecureUrl(url);
    if (problem !== undefined) return { kind: "failed", reason: `the address ${problem}` };
    return await sendRequest({
      url,
      method,
      headers,
      ...(method !== "GET" && { body: writeJson(body) }),
      timeout_ms: timeoutMs,
      max_bytes: MAX_ANSWER_BYTES,
      signal,
    });
  };
}

function endingOf(outcome: Bounded<Outcome>, timeoutMs: number): Ending {
  if (outcome.kind === "threw") throw outcome.error;
  if (outcome.kind !== "value") return outcome;
  const { value } = outcome;
  switch (value.kind) {
    case "sent":
      return { kind: "returned", ...(value.status !== undefined && { status: value.status }) };
    case "refused":
      return { ...value, kind: "transport_failed" };
    case "timed_out":
      return { kind: "timed_out", limit_ms: timeoutMs };
    case "cancelled":
    case "not_started":
      return value;
  }
}

/** Secrets go first: cut in two, one would not be found. */
function shown(ending: Ending, clean: (text: string) => string): Ending {
  if (!("reason" in ending)) return ending;
  const reason = clean(ending.reason).replace(/\s+/g, " ").trim();
  return {
    ...ending,
    reason: reason.length > SHOWN_LENGTH ? `${reason.slice(0, SHOWN_LENGTH)}…`.toWellFormed() : reason,
  };
}

/** Longest reason, in UTF-16 units. */
const SHOWN_LENGTH = 400;
