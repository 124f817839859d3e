/** One HTTP request of a hook: one deadline, no retry, no redirect, a bounded answer, and no connection left behind. */
import { bounded } from "./bounded.ts";
import { connectionTo } from "../net/mod.ts";

/** A request, ready to be sent: nothing in it is expanded any more. */
export interface HookHttpRequest {
  /** Absolute, `http:` or `https:`. */
  readonly url: string;
  readonly method: string;
  /** Valid names and values; each character is one byte. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Milliseconds over connecting, sending and the whole answer. */
  readonly timeout_ms: number;
  /** Kept bytes of the answer; what is behind them is not waited for. */
  readonly max_bytes: number;
  readonly signal: AbortSignal;
}

/** What came back. Reasons name the host, never the path or query. */
export type HookHttpAnswer =
  | {
    readonly kind: "answered";
    readonly status: number;
    readonly body: Uint8Array;
    readonly truncated: boolean;
    /** Host and port that a redirect, which is not followed, points to. */
    readonly redirect_host?: string;
  }
  | { readonly kind: "timed_out" | "cancelled" }
  | { readonly kind: "failed"; readonly reason: string };

/** Sends it. Never throws for anything the other side does. */
export async function sendRequest(request: HookHttpRequest): Promise<HookHttpAnswer> {
  if (request.signal.aborted) return { kind: "cancelled" };
  const url = URL.parse(request.url);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return { kind: "failed", reason: "the url is no absolute http or https address" };
  }
  using connection = connectionTo(url);
  const outcome = await bounded((signal) => exchange(request, url, connection.client, signal), request);
  if (outcome.kind === "threw") return { kind: "failed", reason: `${url.host}: ${causeOf(outcome.error)}` };
  return outcome.kind === "value" ? outcome.value : { kind: outcome.kind };
}

async function exchange(
  request: HookHttpRequest,
  url: URL,
  client: Deno.HttpClient,
  signal: AbortSignal,
): Promise<HookHttpAnswer> {
  const response = await fetch(url, {
    method: request.method,
    headers: request.headers,
    ...(request.body !== undefined && { body: request.body }),
    redirect: "manual",
    client,
    signal,
  });
  const location = response.headers.get("location");
  const target = location === null ? null : URL.parse(location, url);
  return {
    kind: "answered",
    status: response.status,
    ...await boundedBody(response, request.max_bytes),
    ...(target !== null && target.host !== "" && { redirect_host: target.host }),
  };
}

async function boundedBody(
  response: Response,
  limit: number,
): Promise<{ readonly body: Uint8Array; readonly truncated: boolean }> {
  const reader = response.body?.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    length += value.length;
    if (length > limit) {
      reader.cancel().catch(() => {});
      break;
    }
  }
  const all = new Uint8Array(length);
  let end = 0;
  for (const chunk of chunks) {
    all.set(chunk, end);
    end += chunk.length;
  }
  return { body: all.subarray(0, limit), truncated: length > limit };
}

/** What Deno's error texts mean. The texts themselves hold the whole URL and are never shown. */
const CAUSES: readonly (readonly [RegExp, string])[] = [
  [/connection refused|actively refused/i, "nothing listens there (connection refused)"],
  [/dns error|failed to lookup|resolve host/i, "the host name is unknown"],
  [/tunnel/i, "no connection to it could be made"],
  [/certificate|UnknownIssuer|NotValidForName|CertExpired/i, "its TLS certificate is not accepted"],
  [/corrupt message|tls|handshake|InvalidContentType/i, "it does not speak TLS"],
  [/ports? .*blocked/i, "requests to this port are blocked"],
  [/unreachable|no route/i, "it cannot be reached"],
  [/invalid HTTP|parse|parsed/i, "what it answered is no HTTP"],
  [
    /closed before|reset|broken pipe|aborted|unexpected eof|incompletemessage/i,
    "the connection broke before an answer",
  ],
  [/reading a body|body from connection|decod/i, "the connection broke in the answer"],
  [/requires net access|permission/i, "this program may not reach it"],
];

function causeOf(error: unknown): string {
  const texts: string[] = [];
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth++) {
    // The URL is in these texts and could hold any of the words looked for.
    texts.push(`${current.name} ${current.message.replace(/\(?https?:\/\/\S*/g, "")}`);
  }
  return CAUSES.find(([pattern]) => pattern.test(texts.join("\n")))?.[1] ?? "the request failed";
}
