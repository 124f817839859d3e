/**
 * Connections for one request each, closed after it. No proxy of the environment may stand between this machine and
 * itself. Deno reads the proxies from the environment while it makes a client, and has no switch against it.
 */

/** A client with one use. */
export interface Connection extends Disposable {
  readonly client: Deno.HttpClient;
}

/** Variables that name a proxy. */
const PROXY_VARIABLES = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];

/** A client for the host of the URL: straight when that is this machine, otherwise as the environment says. */
export function connectionTo(url: URL): Connection {
  const make = () => Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
  const client = isLoopback(url) ? withoutProxies(make) : make();
  return { client, [Symbol.dispose]: () => client.close() };
}

/** Whether a URL names this machine itself. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(?:(?:.+\.)?localhost\.?|127(?:\.\d+){3}|\[::1\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])$/.test(hostname);
}

/** Calls `make` with the variables of proxies unset. Nothing else can run meanwhile, so nobody sees them missing. */
function withoutProxies<T>(make: () => T): T {
  const hidden: (readonly [string, string])[] = [];
  try {
    for (const name of PROXY_VARIABLES) {
      const value = Deno.env.get(name);
      if (value === undefined) continue;
      hidden.push([name, value]);
      Deno.env.delete(name);
    }
    return make();
  } finally {
    for (const [name, value] of hidden) Deno.env.set(name, value);
  }
}
