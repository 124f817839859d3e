/** Addresses of hooks, in lists and messages. */

/**
 * A URL as written in a settings file, without what may be a secret in it: `https://host:port/...?key=***`. Scheme,
 * host and port stay, and the names in the query; user, path, values and fragment go, because webhook services put
 * their keys into any of these. `${NAME}`, `{{Field}}` and `file:PATH` name something and are kept. What is no URL is
 * `***`.
 */
export function maskUrl(url: string): string {
  const written = url.trim();
  if (written === "" || PLACEHOLDERS.test(written) || written.startsWith("file:")) return written;
  if (written.startsWith("dpapi:")) return `dpapi:${HIDDEN}`;
  const { scheme, user, host, path, query, fragment } = URL_PARTS.exec(written)?.groups ?? {};
  if (scheme === undefined || host === undefined) return HIDDEN;
  return [
    scheme.toLowerCase(),
    "://",
    user === undefined ? "" : `${HIDDEN}@`,
    host,
    path === undefined ? "" : path.length === 1 ? "/" : "/...",
    query === undefined ? "" : `?${query.split("&").map(maskParameter).join("&")}`,
    fragment === undefined ? "" : `#${HIDDEN}`,
  ].join("");
}

const HIDDEN = "***";

const PLACEHOLDERS = /^(?:\$\{\w+\}|\{\{\w+\}\})+$/;

const URL_PARTS = new RegExp(
  [
    String.raw`^(?<scheme>https?|\$\{\w+\}):[/\\]{2}`,
    String.raw`(?:(?<user>[^/\\?#]*)@)?`,
    String.raw`(?<host>(?:[\p{L}\p{N}._:[\]-]|\$\{\w+\}|\{\{\w+\}\})+)`,
    String.raw`(?<path>[/\\][^?#]*)?(?:\?(?<query>[^#]*))?(?:#(?<fragment>.*))?$`,
  ].join(""),
  "isu",
);

function maskParameter(parameter: string): string {
  const [name = "", ...rest] = parameter.split("=");
  const value = rest.join("=");
  // A key without a value, or a name that is none, may be the secret itself.
  if (value === "" || !/^[A-Za-z_][\w.-]{0,31}$/.test(name)) return parameter === "" ? "" : HIDDEN;
  return `${name}=${PLACEHOLDERS.test(value) ? value : HIDDEN}`;
}
