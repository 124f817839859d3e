/**
 * Connections for one request each, closed after it. No proxy of the environment may stand between this machine and
 * itself. Deno takes its proxies from the environment and has no switch against it, but one named in code comes first.
 */

/** A client with one use. */
export interface Connection extends Disposable {
  readonly client: Deno.HttpClient;
}

/** Variables that name a proxy. */
const PROXY_VARIABLES = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];

/** Whether the environment names a proxy; `variable` gives the value of one of its variables. */
export function isProxied(variable: (name: string) => string | undefined): boolean {
  return PROXY_VARIABLES.some((name) => (variable(name) ?? "") !== "");
}

/**
 * A client for the host of the URL: straight when that is this machine, otherwise as the environment says. `proxied`: the
 * environment names a proxy. (Past it, http requests have the absolute form, as a proxy gets them; servers take both.)
 */
export function connectionTo(url: URL, proxied: boolean): Connection {
  if (!proxied || !isLoopback(url)) return closing(Deno.createHttpClient(NO_POOL));
  const hostname = url.hostname.replace(/^\[|\]$/g, "");
  const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
  if (url.protocol === "https:") return tunnelTo({ hostname, port });
  // The "proxy" is the host itself over plain TCP. With https, Deno would send plain text there.
  return closing(Deno.createHttpClient({ ...NO_POOL, proxy: { transport: "tcp", hostname, port } }));
}

const NO_POOL = { poolMaxIdlePerHost: 0 };

/** Whether a URL names this machine itself. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(?:(?:.+\.)?localhost\.?|127(?:\.\d+){3}|\[::1\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])$/.test(hostname);
}

function closing(client: Deno.HttpClient): Connection {
  return { client, [Symbol.dispose]: () => client.close() };
}

/** Its proxy is a tunnel of our own, for as long as the client lives; TLS is spoken through it with the host. */
function tunnelTo(target: Deno.ConnectOptions): Connection {
  const open = new Set<Disposable>();
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const accept = async () => {
    for await (const near of listener) {
      open.add(near);
      tunnel(near, target, open).catch(() => dispose(near));
    }
  };
  accept().catch(() => {});
  const url = `http://127.0.0.1:${listener.addr.port}`;
  const client = Deno.createHttpClient({ ...NO_POOL, proxy: { url } });
  return {
    client,
    [Symbol.dispose]() {
      client.close();
      listener.close();
      for (const connection of open) dispose(connection);
    },
  };
}

/** Reads the request for a tunnel, which asks for nothing but `target`, and passes bytes both ways from then on. */
async function tunnel(near: Deno.Conn, target: Deno.ConnectOptions, open: Set<Disposable>): Promise<void> {
  const buffer = new Uint8Array(4096);
  let head = "";
  while (!head.includes("\r\n\r\n")) {
    const count = await near.read(buffer);
    if (count === null || head.length > buffer.length) return dispose(near);
    head += new TextDecoder("latin1").decode(buffer.subarray(0, count));
  }
  const far = await Deno.connect(target);
  open.add(far);
  await near.write(new TextEncoder().encode("HTTP/1.1 200 OK\r\n\r\n"));
  const both = [near.readable.pipeTo(far.writable), far.readable.pipeTo(near.writable)];
  await Promise.allSettled(both);
}

/** Closes what may be closed already. */
function dispose(connection: Disposable): void {
  try {
    connection[Symbol.dispose]();
  } catch {
    // The other end was faster.
  }
}
