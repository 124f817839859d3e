/**
 * A model server on 127.0.0.1 that speaks three real streaming protocols and plays turns:
 *
 * - OpenAI Chat Completions, `POST …/chat/completions`, server-sent events with deltas and `[DONE]`
 * - Anthropic Messages, `POST …/messages`, `message_start` … `message_stop`
 * - Gemini, `POST …:streamGenerateContent?alt=sse`
 *
 * The path of a request says which protocol it is. Each request takes the next turn, whatever its protocol. Any client
 * may talk to it: the model room in the test's process, or the program as a child with `environment`.
 */
import { setImmediate } from "node:timers";
import { conversationOf, type NeutralMessage } from "./model_conversation.ts";
import { protocolOf, streamOf, type WireName } from "./model_wire.ts";
export { conversationOf, type NeutralMessage } from "./model_conversation.ts";
export { streamBytes, type WireName } from "./model_wire.ts";

/** One answer. The first four fields are those of a script file. */
export interface ServedTurn {
  readonly text?: string;
  /** The text in pieces. */
  readonly chunks?: readonly string[];
  readonly tool_calls?: readonly ServedCall[];
  readonly delay_ms?: number;
  /**
   * `"cut"` closes the stream in the middle of the last call (of the text without one); `"idle"` goes silent there;
   * an object with `status` answers with it; an object with `event` sends an error event there.
   */
  readonly error?:
    | "cut"
    | "idle"
    | {
      readonly status: number;
      readonly message?: string;
      readonly word?: string;
      /** Instead of the protocol's error object. */
      readonly body?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
    | { readonly event: { readonly message: string; readonly word?: string } };
  /** Ends the stream after so many bytes, instead of the place that `"cut"` and `"idle"` choose. */
  readonly at_byte?: number;
  /** How a stream is cut: a clean end (default), or a broken connection. */
  readonly cut?: "close" | "break";
  /** Signed reasoning before the text. */
  readonly reasoning?: { readonly text: string; readonly signature?: string };
  readonly usage?: { readonly input_tokens: number; readonly output_tokens: number };
  /** The protocol's own finish reason instead of the right one; null leaves it out. */
  readonly finish_reason?: string | null;
  /** Bytes in one write; default the whole stream in one. */
  readonly split_bytes?: number;
  /** After the end of the answer, keep the connection open. */
  readonly keep_open?: boolean;
}

/** A call of a turn. */
export interface ServedCall {
  readonly name: string;
  readonly input?: unknown;
  /** Argument text, valid JSON or not (Gemini has no such thing and gets it as an object with one member). */
  readonly raw_input?: string;
  readonly id?: string;
  /** Gemini's thought signature. */
  readonly signature?: string;
}

/** A request as it came in. */
export interface RecordedRequest {
  readonly protocol: WireName | "unknown";
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  // deno-lint-ignore no-explicit-any
  readonly body: any;
  /** Milliseconds of `performance.now()`. */
  readonly at: number;
}

/** A running server. */
export interface ModelServer {
  /** `http://127.0.0.1:PORT`, without a path. */
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  /** Keys and base URLs of all three built-in providers, as users of the official programs write them. */
  readonly environment: Readonly<Record<string, string>>;
  /** Adds turns to the end. */
  add(...turns: readonly ServedTurn[]): void;
  /** The conversation of the request with this index (negative: from the end). */
  conversation(index: number): readonly NeutralMessage[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** The key in `environment`. */
export const SERVER_KEY = "sk-loopback-S3CRET-0123456789";

/** Starts a server that plays these turns; a request after the last one is answered with status 400. */
export function startModelServer(turns: readonly ServedTurn[]): ModelServer {
  const waiting = [...turns];
  const requests: RecordedRequest[] = [];
  const closing = new AbortController();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {}, onError: () => new Response(null) },
    handle,
  );

  async function handle(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const text = await request.text();
    const recorded = {
      protocol: protocolOf(pathname),
      method: request.method,
      path: pathname + search,
      headers: Object.fromEntries(request.headers),
      body: parsed(text),
      at: performance.now(),
    };
    requests.push(recorded);
    if (recorded.protocol === "unknown") return new Response("no such path", { status: 404 });
    const turn = waiting.shift();
    if (turn === undefined) return refusal(recorded.protocol, 400, { message: "the test server has no further turn" });
    await wait(turn.delay_ms ?? 0, closing.signal);
    if (typeof turn.error === "object" && "status" in turn.error) {
      return refusal(recorded.protocol, turn.error.status, turn.error);
    }
    return new Response(bodyOf(recorded.protocol, turn, closing.signal), {
      headers: { "content-type": "text/event-stream" },
    });
  }

  const url = `http://127.0.0.1:${server.addr.port}`;
  return {
    url,
    requests,
    environment: {
      OPENAI_API_KEY: SERVER_KEY,
      OPENAI_BASE_URL: `${url}/v1`,
      ANTHROPIC_API_KEY: SERVER_KEY,
      ANTHROPIC_BASE_URL: url,
      GEMINI_API_KEY: SERVER_KEY,
      GOOGLE_GEMINI_BASE_URL: url,
    },
    add: (...more) => void waiting.push(...more),
    conversation(index) {
      const request = requests.at(index);
      if (request === undefined) throw new Error(`There is no request ${index}; ${requests.length} came in`);
      return conversationOf(request);
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await server.shutdown();
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function refusal(
  protocol: WireName,
  status: number,
  { message = "refused by the test", word = "test_error", body, headers }: {
    readonly message?: string;
    readonly word?: string;
    readonly body?: string;
    readonly headers?: Readonly<Record<string, string>>;
  },
): Response {
  const error = {
    openai: { error: { message, type: word, code: word } },
    anthropic: { type: "error", error: { type: word, message } },
    google: { error: { code: status, message, status: word } },
  }[protocol];
  return new Response(body ?? JSON.stringify(error), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}

/** The stream of a turn, with its end as the turn wants it. */
function bodyOf(protocol: WireName, turn: ServedTurn, closing: AbortSignal): ReadableStream<Uint8Array> {
  const { bytes, middle } = streamOf(protocol, turn);
  const early = turn.at_byte !== undefined || turn.error === "cut" || turn.error === "idle";
  const end = early ? Math.min(turn.at_byte ?? middle, bytes.length) : bytes.length;
  const size = Math.max(1, turn.split_bytes ?? bytes.length);
  let position = 0;
  return new ReadableStream({
    async pull(controller) {
      if (position < end) {
        const next = Math.min(end, position + size);
        controller.enqueue(bytes.slice(position, next));
        position = next;
        // One turn of the event loop a write, or the server would join the pieces.
        if (turn.split_bytes !== undefined) await new Promise((resolve) => setImmediate(resolve));
        return;
      }
      if (turn.error === "idle" || turn.keep_open) await wait(600_000, closing);
      if (!early || turn.cut !== "break") return controller.close();
      // Status and bytes must be on their way first, or the server turns the error into a status of its own.
      await wait(50, closing);
      controller.error(new Error("broken by the test"));
    },
  }, { highWaterMark: 0 });
}

function wait(duration_ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, duration_ms);
    signal.addEventListener("abort", done);
  });
}
