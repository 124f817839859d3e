/** Which addresses secrets may be sent to. */

/** Hosts of this machine, as `URL.hostname` writes them. */
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(["127.0.0.1", "[::1]", "localhost"]);

/** Why an address cannot be used; part of a sentence after its name, which never quotes it. Undefined when it can. */
export function insecureUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null) return "is not a URL";
  if (url.protocol === "https:") return undefined;
  if (url.protocol !== "http:") return `is a ${url.protocol.slice(0, 20)} address; it must be https`;
  return LOOPBACK_HOSTS.has(url.hostname) ? undefined : "is http; it must be https (http is for this machine only)";
}
