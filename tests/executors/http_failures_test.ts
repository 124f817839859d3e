/** Servers that misbehave: every ending has its name, nothing is sent twice, nothing is left open. */
import assert from "node:assert/strict";
import { fileURLToPath as fromFileUrl } from "node:url";
import { send, withRawServer, withRecorder } from "./http_support.ts";
import { stdoutOf } from "./support.ts";

const HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n";

function write(connection: Deno.Conn, text: string): Promise<number> {
  return connection.write(new TextEncoder().encode(text));
}

const ENDLESS: readonly (readonly [string, (connection: Deno.Conn) => Promise<void>])[] = [
  ["says nothing", async () => {}],
  ["stops in its headers", async (connection) => void await write(connection, HEAD)],
  ["stops in its body", async (connection) => void await write(connection, `${HEAD}Content-Length: 9\r\n\r\nabc`)],
  ["drips for ever", async (connection) => {
    await write(connection, `${HEAD}Content-Length: 100000000\r\n\r\n`);
    for (;;) {
      await write(connection, "x");
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }],
];

for (const [name, speak] of ENDLESS) {
  Deno.test(`http: a server that ${name} is left at the time limit`, async () => {
    await withRawServer(speak, async (url, connections) => {
      const run = await send({ url }, { timeout_ms: 300 });
      assert.deepEqual(run.ending, { kind: "timed_out", limit_ms: 300 });
      assert.equal(run.stderr, `no complete answer from ${new URL(url).host}`);
      assert.ok(run.duration_ms < 10_000, `${run.duration_ms} ms`);
      assert.equal(connections(), 1);
    });
  });
}

const BROKEN: readonly (readonly [string, (connection: Deno.Conn) => Promise<void>, string])[] = [
  ["closes at once", (connection) => Promise.resolve(connection.close()), "the connection broke before an answer"],
  ["closes in its body", async (connection) => {
    await write(connection, `${HEAD}Content-Length: 9\r\n\r\nabc`);
    connection.close();
  }, "the connection broke in the answer"],
  ["speaks something else", async (connection) => {
    await write(connection, "SSH-2.0-OpenSSH_9.9\r\n\r\n");
    connection.close();
  }, "what it answered is no HTTP"],
];

/** Before 2.9.6 Deno's `fetch` itself sends again what a new connection broke under (denoland/deno#35610). */
const DENO_SENDS_AGAIN = /^2\.(?:[78]\.|9\.[0-5]$)/.test(Deno.version.deno);

for (const [name, speak, cause] of BROKEN) {
  Deno.test(`http: a server that ${name} is a failure with its cause, and is not asked again`, async () => {
    await withRawServer(speak, async (url, connections) => {
      const run = await send({ url: `${url}/S3CRET?key=S3CRET` });
      assert.deepEqual(run.ending, { kind: "transport_failed", reason: `${new URL(url).host}: ${cause}` });
      assert.ok(connections() <= (DENO_SENDS_AGAIN ? 2 : 1), `${connections()} connections`);
    });
  });
}

Deno.test("http: TLS to a plain port, a closed port and an unknown host are told apart", async () => {
  await withRecorder(async ({ host, requests }) => {
    const tls = await send({ url: `https://${host}/S3CRET` });
    assert.deepEqual(tls.ending, { kind: "transport_failed", reason: `${host}: it does not speak TLS` });
    assert.deepEqual(requests, []);
  });
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const { port } = listener.addr as Deno.NetAddr;
  listener.close();
  const closed = await send({ url: `http://127.0.0.1:${port}/S3CRET` });
  const refused = `127.0.0.1:${port}: nothing listens there (connection refused)`;
  assert.deepEqual(closed.ending, { kind: "transport_failed", reason: refused });
  const closedTls = await send({ url: `https://127.0.0.1:${port}/S3CRET` });
  assert.deepEqual(closedTls.ending, { kind: "transport_failed", reason: refused });
  const unknown = await send({ url: "http://nonexistent.invalid/S3CRET" });
  const nobody = "nonexistent.invalid: the host name is unknown";
  assert.deepEqual(unknown.ending, { kind: "transport_failed", reason: nobody });
});

Deno.test("http: a flood is cut at the limit, and a verdict that was cut is marked", async () => {
  const flood = () => new Response("x".repeat(5_000_000));
  await withRecorder(async ({ url }) => {
    const run = await send({ url }, { speech: "agent-hooks/0.1", max_output_bytes: 1000 });
    assert.deepEqual(run.ending, { kind: "returned", status: 200 });
    assert.deepEqual([stdoutOf(run), run.stdout_truncated], ["x".repeat(1000), true]);
  }, flood);
});

Deno.test("http: a body that never ends is not waited for behind the limit of its size", async () => {
  const endless = async (connection: Deno.Conn) => {
    await write(connection, `${HEAD}\r\n`);
    for (;;) await write(connection, "x".repeat(4096));
  };
  await withRawServer(endless, async (url) => {
    const run = await send({ url }, { max_output_bytes: 10_000 });
    assert.deepEqual(run.ending, { kind: "returned", status: 200 });
  });
});

Deno.test("http: a cancel ends a request that is under way, and one that has not begun is not sent", async () => {
  await withRawServer(async () => {}, async (url, connections) => {
    const cancel = new AbortController();
    setTimeout(() => cancel.abort(), 100);
    assert.deepEqual((await send({ url }, { signal: cancel.signal })).ending, { kind: "cancelled" });
    assert.deepEqual((await send({ url }, { signal: cancel.signal })).ending, { kind: "cancelled" });
    assert.equal(connections(), 1);
  });
});

Deno.test("http: a secret that is never found counts against the time limit", async () => {
  const secrets = { variable: () => undefined, readFile: () => new Promise<never>(() => {}) };
  const run = await send({ url: "file:/nowhere" }, { secrets, timeout_ms: 100 });
  assert.deepEqual(run.ending, { kind: "timed_out", limit_ms: 100 });
});

const TLS = new URL("../fixtures/tls/", import.meta.url);

function tlsFile(name: string): string {
  return Deno.readTextFileSync(new URL(name, TLS));
}

Deno.test("http: a certificate that nobody trusts ends the request before anything is sent", async () => {
  let requests = 0;
  const server = Deno.serve({
    ...{ port: 0, hostname: "127.0.0.1", onListen: () => {} },
    ...{ cert: tlsFile("localhost.pem"), key: tlsFile("localhost.key") },
  }, () => new Response(`${++requests}`));
  const host = `127.0.0.1:${server.addr.port}`;
  const run = await send({ url: `https://${host}/S3CRET` });
  assert.deepEqual(run.ending, { kind: "transport_failed", reason: `${host}: its TLS certificate is not accepted` });
  await server.shutdown();
  assert.equal(requests, 0);
});

Deno.test("http: this machine is reached without the proxy of the environment, and the process ends at once", async () => {
  const targets: string[] = [];
  const record = (request: Request) => {
    targets.push(new URL(request.url).pathname);
    return new Response("ok");
  };
  const place = { port: 0, hostname: "127.0.0.1", onListen: () => {} };
  const plain = Deno.serve(place, record);
  const secure = Deno.serve({ ...place, cert: tlsFile("localhost.pem"), key: tlsFile("localhost.key") }, record);
  using raw = requestLines();
  const proxy = "http://127.0.0.1:9";
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", "--no-check", "--allow-net", "--allow-read", "--allow-env"],
      ...["--cert", fromFileUrl(new URL("authority.pem", TLS))],
      fromFileUrl(new URL("../fixtures/programs/executors_http_once.ts", import.meta.url)),
      `http://127.0.0.1:${plain.addr.port}/a`,
      `http://localhost:${plain.addr.port}/b`,
      `https://127.0.0.1:${secure.addr.port}/c`,
      `https://localhost:${secure.addr.port}/d`,
      `http://127.0.0.1:${raw.port}/e?x=1`,
    ],
    env: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, ALL_PROXY: proxy, http_proxy: proxy, NO_PROXY: "" },
  }).output();
  await plain.shutdown();
  await secure.shutdown();
  const ending = { kind: "returned", status: 200 };
  const printed = new TextDecoder().decode(stdout) || "null";
  assert.deepEqual(JSON.parse(printed), Array(5).fill(ending), new TextDecoder().decode(stderr));
  assert.deepEqual(targets, ["/a", "/b", "/c", "/d"]);
  assert.deepEqual(raw.lines, ["POST /e?x=1 HTTP/1.1"], "a proxy gets the whole address, a server the path");
});

/** A server that keeps the first line of each request as it was sent. */
function requestLines(): Disposable & { readonly port: number; readonly lines: readonly string[] } {
  const lines: string[] = [];
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  (async () => {
    for await (using connection of listener) {
      const buffer = new Uint8Array(1024);
      const count = await connection.read(buffer) ?? 0;
      lines.push(new TextDecoder().decode(buffer.subarray(0, count)).split("\r\n")[0] ?? "");
      await connection.write(new TextEncoder().encode("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
    }
  })().catch(() => {});
  return { port: listener.addr.port, lines, [Symbol.dispose]: () => listener.close() };
}
