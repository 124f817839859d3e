/**
 * Sends the request of an http hook.
 *
 * | what happened | ending |
 * |---|---|
 * | a secret cannot be had, the url or a header cannot be sent, a template stands where the host is chosen | `not_started` |
 * | 2xx | `returned`; the body is `stdout` for a hook that speaks agent-hooks/0.1, for others nothing is |
 * | any other status, a redirect too | `transport_failed` with `HTTP 500` |
 * | no connection, or one that broke | `transport_failed` |
 * | the limit passed before the answer was complete | `timed_out` |
 *
 * Nothing is sent twice. No secret is in the run: neither what was expanded, nor what the url and the headers hold.
 */
import type { Executor, HookRequest } from "../hooks/mod.ts";
import type { Ending, HookRun } from "../protocol/mod.ts";
import { bounded } from "./bounded.ts";
import type { ExecutorParts } from "./create.ts";
import { type HttpSettings, type PreparedRequest, prepareRequest } from "./prepare_request.ts";
import { redactBytes, redactor } from "./redact.ts";
import { type HookHttpAnswer, sendRequest } from "./send_request.ts";

/** What requests need. */
export type HttpParts = Pick<ExecutorParts, "secrets" | "max_output_bytes">;

/** The executor of type `http`. */
export function httpExecutor(parts: HttpParts): Executor {
  return async (request) => {
    const { executor, timeout_ms: timeoutMs } = request.registration;
    if (executor.type !== "http") throw new TypeError(`Cannot send a ${executor.type} hook as a request`);
    const started = performance.now();
    const sent: Sent = { warnings: [], secrets: new Set(), keys: new Set() };
    const outcome = await bounded(
      (signal) => send(executor, request, parts, sent, signal),
      { timeout_ms: timeoutMs, signal: request.signal },
    );
    if (outcome.kind === "threw") throw outcome.error;
    const clean = redactor([...sent.secrets, ...sent.keys]);
    const facts = outcome.kind === "value" ? factsOf(outcome.value, sent, timeoutMs, clean) : { ending: outcome };
    return {
      ...shown(withHost(facts, sent), request, sent, clean),
      duration_ms: Math.round((performance.now() - started) * 10) / 10,
    };
  };
}

/** What is known of a request while it is under way. */
interface Sent {
  host?: string;
  readonly warnings: { readonly code: string; readonly message: string }[];
  /** What secrets were expanded to. */
  readonly secrets: Set<string>;
  /** What else in the url and in headers may be a key, also where it was written in the file itself. */
  readonly keys: Set<string>;
}

type Outcome = HookHttpAnswer | Extract<PreparedRequest, { readonly ok: false }>;

async function send(
  settings: HttpSettings,
  request: HookRequest,
  parts: HttpParts,
  sent: Sent,
  signal: AbortSignal,
): Promise<Outcome> {
  const prepared = await prepareRequest(settings, {
    secrets: parts.secrets,
    fields: request.fields,
    payload: request.payload,
    warn: (code, message) => sent.warnings.push({ code, message }),
    hide: (secret) => sent.secrets.add(secret),
    hideKey: (key) => sent.keys.add(key),
    signal,
  });
  if (!prepared.ok) return prepared;
  sent.host = prepared.host;
  return await sendRequest({
    ...prepared.request,
    timeout_ms: request.registration.timeout_ms,
    max_bytes: parts.max_output_bytes,
    signal,
  });
}

/** How it ended, and what the other side said. */
interface Facts {
  readonly ending: Ending;
  readonly body?: { readonly bytes: Uint8Array; readonly truncated: boolean };
  readonly note?: string;
}

function factsOf(outcome: Outcome, { host = "" }: Sent, timeoutMs: number, clean: Clean): Facts {
  if ("ok" in outcome) return { ending: { kind: "not_started", reason: outcome.reason } };
  switch (outcome.kind) {
    case "cancelled":
      return { ending: { kind: "cancelled" } };
    case "timed_out":
      return { ending: { kind: "timed_out", limit_ms: timeoutMs } };
    case "failed":
      return { ending: { kind: "transport_failed", reason: outcome.reason } };
    case "answered": {
      const { status, redirect_host: target } = outcome;
      const body = { bytes: outcome.body, truncated: outcome.truncated };
      if (status >= 200 && status <= 299) return { ending: { kind: "returned", status }, body };
      const redirected = status >= 300 && status <= 399 && target !== undefined;
      const what = redirected ? `: redirected to ${clean(target)}, not followed` : "";
      return { ending: { kind: "transport_failed", reason: `${host}: HTTP ${status}${what}`, status }, body };
    }
  }
}

/** A limit that passed says at which host. */
function withHost(facts: Facts, { host }: Sent): Facts {
  if (facts.ending.kind !== "timed_out" || host === undefined) return facts;
  return { ...facts, note: `no complete answer from ${host}` };
}

type Clean = (text: string, truncated?: boolean) => string;

/**
 * The facts without secrets. A verdict and our own sentences are cleaned of expanded secrets only: more could take
 * their words away.
 */
function shown(
  { ending, body, note = "" }: Facts,
  request: HookRequest,
  sent: Sent,
  clean: Clean,
): Omit<HookRun, "duration_ms"> {
  const cleanOwn = redactor(sent.secrets);
  const isVerdict = request.registration.speech === "agent-hooks/0.1" && ending.kind === "returned";
  const stdout = isVerdict && body !== undefined ? redactBytes(body.bytes, cleanOwn) : NO_BYTES;
  const said = ending.kind === "transport_failed" && body !== undefined ? beginning(body, clean) : "";
  return {
    ending: "reason" in ending ? { ...ending, reason: cleanOwn(ending.reason) } : ending,
    stdout,
    stdout_truncated: isVerdict && body?.truncated === true,
    stderr: cleanOwn(note) + said,
    ...(sent.warnings.length > 0 && {
      warnings: sent.warnings.map(({ code, message }) => ({ code, message: cleanOwn(message) })),
    }),
  };
}

const NO_BYTES = new Uint8Array(0);

/** How much of a refusal is shown, in UTF-16 units. Secrets go first: cut in two, one would not be found. */
const SHOWN_LENGTH = 500;

/** How much of a refusal is looked at, in bytes. */
const READ_BYTES = 16 * 1024;

function beginning({ bytes, truncated }: NonNullable<Facts["body"]>, clean: Clean): string {
  const begun = bytes.subarray(0, READ_BYTES);
  const text = clean(new TextDecoder().decode(begun), truncated || begun.length < bytes.length).trim();
  if (text === "") return "";
  return `it answered: ${text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…`.toWellFormed() : text}`;
}
