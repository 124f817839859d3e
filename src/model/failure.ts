/** Failures of a provider in words: what failed, where, what to do. */
import { isTransientStatus, type TryFailure } from "./retry.ts";
import { type Confidential, presentable, type ServerError } from "./server_text.ts";

/** Whose failure it is. */
export interface FailureContext {
  readonly provider: string;
  readonly model_id: string;
  /** The base URL without credentials and query. */
  readonly server: string;
  /** The environment variable of the key. */
  readonly key_variable?: string;
  readonly confidential: Confidential;
}

/** A response that is no success. */
export interface RefusedResponse {
  readonly status: number;
  readonly error: ServerError;
  readonly retry_after_ms?: number;
}

/** The failure of a response with an error status. */
export function statusFailure(context: FailureContext, response: RefusedResponse): TryFailure {
  const { status, error, retry_after_ms } = response;
  const said = error.message === undefined ? "" : presentable(error.message, context.confidential);
  const parts = [`${context.provider} answered with status ${status}`, said === "" ? "" : `: ${said}`];
  const hint = hintOf(status, context);
  return {
    failure: { kind: "status", status, message: parts.join("") + (hint === "" ? "" : ` — ${hint}`) },
    transient: isTransientStatus(status) && error.word !== "insufficient_quota",
    ...(retry_after_ms !== undefined && { retry_after_ms }),
  };
}

function hintOf(status: number, context: FailureContext): string {
  const { model_id, server } = context;
  const key = context.key_variable === undefined ? "the provider's api_key_env or headers" : context.key_variable;
  if (status >= 300 && status < 400) return `${server} redirects elsewhere; set the base URL to the final address`;
  if (status >= 500) return "the server is overloaded or broken; try again later";
  switch (status) {
    case 401:
    case 403:
      return `check ${key}`;
    case 404:
      return `check the model name ${JSON.stringify(model_id)} and the base URL ${server}`;
    case 413:
      return "the conversation is too large for this model";
    case 429:
      return "a rate limit or quota is used up";
    default:
      return "";
  }
}

/** Reasons for a connection that did not come about, as Deno's `fetch` words them, and whether they pass. */
const CONNECTION_REASONS = [
  [/connection refused|actively refused/i, "nothing listens there (connection refused)", true],
  [/dns error|failed to lookup|resolve host/i, "the host name is unknown", true],
  [/certificate|invalid peer|UnknownIssuer/i, "its TLS certificate is not trusted", false],
  [/tls|handshake/i, "the TLS handshake failed", false],
  [/timed out|timeout/i, "the connection timed out", true],
  [/unreachable/i, "the network is unreachable", true],
  [/reset|closed|broken pipe|eof|SendRequest/i, "the connection was closed before an answer", true],
  [/NotCapable|requires net access/i, "the program may not use the network", false],
] as const;

/** The failure of a request without a response. The error of `fetch` holds the whole URL: only its kind is told. */
export function connectionFailure(context: FailureContext, error: unknown): TryFailure {
  const text = textsOf(error);
  const [, reason, transient] = CONNECTION_REASONS.find(([pattern]) => pattern.test(text)) ??
    [undefined, "the request failed on its way", false];
  return {
    failure: { kind: "connection", message: `Cannot reach ${context.provider} at ${context.server}: ${reason}` },
    transient,
  };
}

function textsOf(error: unknown): string {
  const texts: string[] = [];
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth++) {
    texts.push(current.name, current.message);
  }
  return texts.join("\n");
}

/** The failure of a stream that ended or broke before the answer was complete. */
export function cutFailure(context: FailureContext, how: string): TryFailure {
  return { failure: { kind: "cut", message: `The answer of ${context.provider} was cut: ${how}` }, transient: true };
}

/** The failure of a stream without bytes. */
export function idleFailure(context: FailureContext, idle_timeout_ms: number): TryFailure {
  const message = `${context.provider} sent nothing for ${idle_timeout_ms / 1000} s; the answer is incomplete`;
  return { failure: { kind: "idle", message }, transient: true };
}

/** Error words after which another try of the same request is pointless. */
const FINAL_WORDS = /invalid_request|authentication|permission|not_found|billing|insufficient_quota|INVALID_ARGUMENT/i;

/** The failure of a stream in which the server reported an error. */
export function reportedFailure(context: FailureContext, error: ServerError): TryFailure {
  const word = error.word === undefined ? "" : presentable(error.word, context.confidential);
  const said = error.message === undefined ? "" : presentable(error.message, context.confidential);
  const what = [word, said].filter((text) => text !== "").join(": ") || "no reason given";
  const outcome = cutFailure(context, `the server reported an error in the middle of it (${what})`);
  return { ...outcome, transient: !FINAL_WORDS.test(error.word ?? "") };
}

/** The failure of a successful response that is no stream. */
export function notAStreamFailure(context: FailureContext, media_type: string): TryFailure {
  const message = `${context.provider} answered with ${media_type} instead of a stream — check the base URL ` +
    context.server;
  return { failure: { kind: "other", message }, transient: false };
}

/** The failure of an answer that the provider itself calls failed, for example `MALFORMED_FUNCTION_CALL`. */
export function failedAnswer(context: FailureContext, reason: string): TryFailure {
  const message = `The answer of ${context.provider} failed: ${presentable(reason, context.confidential)}`;
  return { failure: { kind: "other", message }, transient: true };
}

/** The failure of a request that the provider's library could not make or read. Its error holds the prompt. */
export function libraryFailure(context: FailureContext): TryFailure {
  const message =
    `The exchange with ${context.provider} failed: its answer or the request does not follow the protocol`;
  return { failure: { kind: "other", message }, transient: false };
}
