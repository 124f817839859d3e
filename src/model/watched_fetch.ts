/**
 * A `fetch` for one try that writes down the first thing that went wrong: refused status, lost connection, broken or
 * idle stream. The provider's library sees an error too, but what is told to people comes from here.
 */
import { type Connection, connectionTo, isLoopback } from "../net/mod.ts";
import {
  connectionFailure,
  cutFailure,
  type FailureContext,
  idleFailure,
  notAStreamFailure,
  statusFailure,
} from "./failure.ts";
import { requestedDelay, type TryFailure } from "./retry.ts";
import { errorOfBody } from "./server_text.ts";

/** How one try may use the network. */
export interface WatchOptions {
  readonly context: FailureContext;
  readonly idle_timeout_ms: number;
}

/** One try's view of the network. */
export interface Watch {
  readonly fetch: typeof fetch;
  /** Aborts when the try is over: cancelled, idle, or closed. */
  readonly signal: AbortSignal;
  /** The first thing that went wrong. */
  failure(): TryFailure | undefined;
  /** The answer is complete: silence from now on is no failure. */
  answerCompleted(): void;
  /** Ends whatever is still open. */
  close(): void;
}

/** How long a server may keep a stream open after the end of the answer. */
const LINGER_MS = 5_000;
const LARGEST_ERROR_BODY = 65_536;
/** Bytes of one streamed answer; an endless one must not fill the memory. */
const LARGEST_ANSWER = 64 * 1024 * 1024;
const NO_STREAM = /^(text\/html|application\/json|application\/xhtml\+xml)\b/i;

/** Opens a watch; `cancel` ends it. */
export function openWatch(options: WatchOptions, cancel: AbortSignal): Watch {
  const { context } = options;
  const controller = new AbortController();
  const connections: Connection[] = [];
  const onCancel = () => controller.abort();
  cancel.addEventListener("abort", onCancel);
  if (cancel.aborted) controller.abort();
  let first: TryFailure | undefined;
  let completed = false;

  const fail = (failure: TryFailure): Error => {
    if (!cancel.aborted) first ??= failure;
    return new Error("The try has failed");
  };
  const withinIdleLimit = async <T>(pending: Promise<T>, onLinger?: () => void): Promise<T> => {
    const limit = completed ? Math.min(LINGER_MS, options.idle_timeout_ms) : options.idle_timeout_ms;
    const timer = setTimeout(() => {
      if (completed && onLinger) return onLinger();
      fail(idleFailure(context, options.idle_timeout_ms));
      controller.abort();
    }, Math.min(limit, 2 ** 31 - 1));
    try {
      return await pending;
    } finally {
      clearTimeout(timer);
    }
  };

  const watchedFetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input);
    let response: Response;
    try {
      const settings = {
        ...init,
        headers: presentHeaders(init),
        redirect: "manual",
        signal: controller.signal,
      } as const;
      const connection = isLoopback(url) ? connectionTo(url) : undefined;
      if (connection !== undefined) connections.push(connection);
      response = await withinIdleLimit(fetch(url, connection ? { ...settings, client: connection.client } : settings));
    } catch (error) {
      throw fail(connectionFailure(context, error));
    }
    if (!response.ok) throw fail(await refusal(response));
    const mediaType = response.headers.get("content-type") ?? "";
    if (response.body === null || NO_STREAM.test(mediaType)) {
      await response.body?.cancel();
      throw fail(notAStreamFailure(context, mediaType.split(";")[0] || "nothing"));
    }
    return new Response(watchedBody(response.body), { status: response.status, headers: response.headers });
  };

  const refusal = async (response: Response): Promise<TryFailure> => {
    const retry_after_ms = requestedDelay(response.headers);
    const error = errorOfBody(await boundedText(response, withinIdleLimit));
    return statusFailure(context, {
      status: response.status,
      error,
      ...(retry_after_ms !== undefined && { retry_after_ms }),
    });
  };

  const watchedBody = (body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> => {
    const reader = body.getReader();
    let size = 0;
    return new ReadableStream<Uint8Array<ArrayBuffer>>({
      async pull(sink) {
        const linger = () => void reader.cancel().catch(() => {});
        try {
          const { done, value } = await withinIdleLimit(reader.read(), linger);
          size += value?.length ?? 0;
          if (size > LARGEST_ANSWER) {
            await reader.cancel().catch(() => {});
            sink.error(fail(cutFailure(context, `the answer has more than ${LARGEST_ANSWER / 1024 / 1024} MiB`)));
          } else if (done) sink.close();
          else sink.enqueue(value as Uint8Array<ArrayBuffer>);
        } catch {
          sink.error(fail(cutFailure(context, "the connection broke")));
        }
      },
      cancel: (reason) => reader.cancel(reason),
    }, { highWaterMark: 0 });
  };

  return {
    fetch: watchedFetch,
    signal: controller.signal,
    failure: () => first,
    answerCompleted: () => void (completed = true),
    close: () => {
      cancel.removeEventListener("abort", onCancel);
      controller.abort();
      for (const connection of connections) connection[Symbol.dispose]();
    },
  };
}

/** Headers without the empty ones: the libraries write an empty key where none is configured. */
function presentHeaders(init: RequestInit | undefined): Headers {
  const headers = new Headers(init?.headers);
  for (const [name, value] of [...headers]) {
    if (value === "" || value === "Bearer") headers.delete(name);
  }
  return headers;
}

async function boundedText(
  response: Response,
  withinLimit: <T>(pending: Promise<T>) => Promise<T>,
): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    while (reader !== undefined && text.length < LARGEST_ERROR_BODY) {
      const { done, value } = await withinLimit(reader.read());
      if (done) break;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    return text;
  } finally {
    await reader?.cancel().catch(() => {});
  }
  return text;
}
