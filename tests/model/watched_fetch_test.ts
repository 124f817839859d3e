/** Who is contacted: the model's server, straight, and nobody else. */
import assert from "node:assert/strict";
import { startModelServer } from "../support/model_server.ts";

const PROGRAM = new URL("../fixtures/programs/model_three_requests.ts", import.meta.url).pathname;

Deno.test("only the model's server is contacted, and loopback never goes through a proxy", async () => {
  await using server = startModelServer([
    { text: "one" },
    { text: "two" },
    { error: { status: 401, message: "who is it?" } },
  ]);
  using proxy = startProxyRecorder();
  const variables = Object.fromEntries(
    ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"].map((
      name,
    ) => [name, proxy.url]),
  );
  const output = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--no-check",
      "--no-prompt",
      "--allow-read",
      "--allow-env",
      `--allow-net=${new URL(server.url).host}`,
      PROGRAM,
      JSON.stringify({ ...server.environment, ...variables }),
    ],
    env: { ...variables, NO_PROXY: "", no_proxy: "", DENO_NO_UPDATE_CHECK: "1" },
  }).output();
  assert.equal(output.success, true, new TextDecoder().decode(output.stderr));
  const events = new TextDecoder().decode(output.stdout).trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(events.map((event) => event.answer?.text ?? event.failure.status), ["one", "two", 401]);
  assert.equal(server.requests.length, 3);
  assert.deepEqual(proxy.lines, []);
});

Deno.test("with a proxy set, a model server on this machine that speaks https is still spoken to in https", async () => {
  const tls = (name: string) => Deno.readTextFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url));
  const answers = ["one", "two", "three"].map((text) => ({ text }));
  await using plain = startModelServer(answers);
  const keys: (string | null)[] = [];
  await using server = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    cert: tls("localhost.pem"),
    key: tls("localhost.key"),
    onListen: () => {},
  }, (request) => {
    const { pathname, search } = new URL(request.url);
    keys.push(request.headers.get("authorization"));
    return fetch(new URL(pathname + search, plain.url), request);
  });
  using proxy = startProxyRecorder();
  const environment = Object.fromEntries(
    Object.entries(plain.environment).map(([name, value]) => [
      name,
      value.replace(new URL(plain.url).origin, `https://localhost:${server.addr.port}`),
    ]),
  );
  const variables = { HTTPS_PROXY: proxy.url, https_proxy: proxy.url, NO_PROXY: "", no_proxy: "" };
  const output = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", "--no-check", PROGRAM, JSON.stringify({ ...environment, ...variables })],
    env: {
      ...variables,
      DENO_NO_UPDATE_CHECK: "1",
      DENO_CERT: new URL("../fixtures/tls/authority.pem", import.meta.url).pathname,
    },
  }).output();
  assert.equal(output.success, true, new TextDecoder().decode(output.stderr));
  const events = new TextDecoder().decode(output.stdout).trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(events.map((event) => event.answer?.text ?? event.failure), ["one", "two", "three"]);
  assert.ok(keys[0]?.startsWith("Bearer "));
  assert.deepEqual(proxy.lines, []);
});

/** Keeps the first line of what clients of a proxy send: an absolute address or CONNECT. Answers nothing. */
function startProxyRecorder() {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const lines: string[] = [];
  const record = async (connection: Deno.Conn) => {
    using _closing = connection;
    const bytes = new Uint8Array(1024);
    const line = new TextDecoder().decode(bytes.subarray(0, await connection.read(bytes) ?? 0)).split("\r\n")[0]!;
    if (/^(CONNECT |[A-Z]+ https?:)/.test(line)) lines.push(line);
  };
  const accepting = (async () => {
    for await (const connection of listener) await record(connection).catch(() => {});
  })();
  accepting.catch(() => {});
  return {
    url: `http://127.0.0.1:${listener.addr.port}`,
    lines,
    [Symbol.dispose]: () => listener.close(),
  };
}
