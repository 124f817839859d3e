/** Sends requests through the real http executor to real servers on this machine. */
import { httpExecutor } from "../../src/executors/http.ts";
import type { SecretSource } from "../../src/executors/secrets.ts";
import type { ExecutorSettings } from "../../src/hooks/mod.ts";
import type { HookRun, Speech } from "../../src/protocol/mod.ts";
import { NO_TEMPLATE_VALUES, type TemplateFields } from "../../src/text/mod.ts";
import { requestFor } from "./support.ts";

type HttpSettings = Extract<ExecutorSettings, { readonly type: "http" }>;

export interface HttpOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly secrets?: SecretSource;
  readonly fields?: Partial<TemplateFields>;
  readonly speech?: Speech;
  readonly timeout_ms?: number;
  readonly max_output_bytes?: number;
  readonly signal?: AbortSignal;
}

/** Runs one http hook. */
export function send(hook: Partial<HttpSettings>, options: HttpOptions = {}): Promise<HookRun> {
  const { env = {}, fields = {}, speech = "onecode", timeout_ms = 20_000, signal } = options;
  const execute = httpExecutor({
    secrets: options.secrets ?? { variable: (name) => env[name] },
    max_output_bytes: options.max_output_bytes ?? 1 << 20,
  });
  const settings: HttpSettings = { type: "http", url: "", method: "POST", headers: {}, sends_payload: false, ...hook };
  const request = requestFor(settings, {
    fields: () => ({ ...NO_TEMPLATE_VALUES, ...fields }),
    timeout_ms,
    ...(signal !== undefined && { signal }),
  });
  return execute({ ...request, registration: { ...request.registration, speech } });
}

/** What a server was sent. */
export interface Recorded {
  readonly method: string;
  /** Path and query as they came. */
  readonly target: string;
  readonly headers: Headers;
  readonly body: string;
}

export interface Recorder {
  readonly url: string;
  readonly host: string;
  readonly requests: Recorded[];
}

/** A server that records what it is sent and answers as told; 200 with `ok` without an answer. */
export async function withRecorder(
  work: (recorder: Recorder) => Promise<void>,
  answer: (request: Recorded) => Response = () => new Response("ok"),
): Promise<void> {
  const requests: Recorded[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
    const { pathname, search } = new URL(request.url);
    const { method, headers } = request;
    const recorded = { method, target: pathname + search, headers, body: await request.text() };
    requests.push(recorded);
    return answer(recorded);
  });
  const host = `127.0.0.1:${server.addr.port}`;
  try {
    await work({ url: `http://${host}`, host, requests });
  } finally {
    await server.shutdown();
  }
}

/** A server that speaks bytes: each connection is given to `speak` with the beginning of what it was sent. */
export async function withRawServer(
  speak: (connection: Deno.Conn, begun: string) => Promise<void>,
  work: (url: string, connections: () => number) => Promise<void>,
): Promise<void> {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const open = new Set<Deno.Conn>();
  const speaking: Promise<void>[] = [];
  let count = 0;
  const accepting = (async () => {
    for await (const connection of listener) {
      count++;
      open.add(connection);
      const buffer = new Uint8Array(8192);
      speaking.push(
        connection.read(buffer)
          .then((length) => speak(connection, new TextDecoder().decode(buffer.subarray(0, length ?? 0))))
          .catch(() => {}),
      );
    }
  })();
  try {
    await work(`http://127.0.0.1:${(listener.addr as Deno.NetAddr).port}`, () => count);
  } finally {
    listener.close();
    await accepting;
    for (const connection of open) closeOnce(connection);
    await Promise.all(speaking);
  }
}

function closeOnce(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch {
    // Closed by the test itself.
  }
}

/** Everything a run says, as one text. */
export function everythingIn(run: HookRun): string {
  return JSON.stringify({ ...run, stdout: new TextDecoder().decode(run.stdout) });
}
