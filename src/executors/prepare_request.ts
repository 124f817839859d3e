/** From the settings of an http hook to a request: secrets expanded, templates filled in, everything checked. */
import type { ExecutorSettings } from "../hooks/mod.ts";
import {
  NO_TEMPLATE_VALUES,
  renderTemplate,
  type TemplateFields,
  templateInHost,
  type TemplatePlace,
} from "../text/mod.ts";
import { urlKeys } from "./redact.ts";
import { type ExpandedText, expandSecrets, type SecretSource } from "./secrets.ts";
import type { HookHttpRequest } from "./send_request.ts";

/** The settings of an http hook. */
export type HttpSettings = Extract<ExecutorSettings, { readonly type: "http" }>;

/** What a request is made from. */
export interface RequestSources {
  readonly secrets: SecretSource;
  readonly fields: () => TemplateFields;
  /** The body of a hook that has none of its own and sends the payload. */
  readonly payload: Uint8Array;
  /** Takes what the user should know although the request is sent. */
  readonly warn: (code: string, message: string) => void;
  /** Takes what a secret was expanded to. */
  readonly hide: (secret: string) => void;
  /** Takes what may be a key although it is written in the file; never what a field stands for. */
  readonly hideKey: (key: string) => void;
  readonly signal: AbortSignal;
}

/** A request that can be sent, or why there is none; `reason` quotes neither the url nor a value. */
export type PreparedRequest =
  | {
    readonly ok: true;
    readonly request: Pick<HookHttpRequest, "url" | "method" | "headers" | "body">;
    /** Host and port, for messages. */
    readonly host: string;
  }
  | { readonly ok: false; readonly reason: string };

/** Prepares one request. Never throws for anything in the settings. */
export async function prepareRequest(settings: HttpSettings, sources: RequestSources): Promise<PreparedRequest> {
  const expanded = await expandSettings(settings, sources);
  if (!expanded.ok) return expanded;
  const url = urlOf(settings.url, expanded.url, sources);
  if (!url.ok) return url;
  const headers = headersOf(expanded.headers, sources);
  if (!headers.ok) return headers;
  const body = bodyOf(settings, headers.value.get("content-type"), sources);
  if (body !== undefined && !headers.value.has("content-type")) headers.value.set("content-type", DEFAULT_TYPE);
  return {
    ok: true,
    request: {
      url: url.value.href,
      method: settings.method,
      headers: Object.fromEntries([...headers.value].map(([name, value]) => [name, utf8Units(value)])),
      ...(body !== undefined && { body }),
    },
    host: url.value.host,
  };
}

const DEFAULT_TYPE = "application/json";

type Found<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly reason: string };
type Expanded = Extract<ExpandedText, { readonly ok: true }>;

function lacks(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}

type ExpandedSettings =
  | { readonly ok: true; readonly url: Expanded; readonly headers: readonly (readonly [string, Expanded])[] }
  | { readonly ok: false; readonly reason: string };

/** Expands all secrets, and says once which variables are not set. */
async function expandSettings(settings: HttpSettings, sources: RequestSources): Promise<ExpandedSettings> {
  const unset: string[] = [];
  const expand = async (text: string, place: string): Promise<ExpandedText> => {
    const expanded = await expandSecrets(text, sources.secrets, sources.signal);
    if (!expanded.ok) return lacks(`${place}: ${expanded.reason}`);
    expanded.secrets.forEach(sources.hide);
    unset.push(...expanded.missing.map((name) => `${name} in ${place}`));
    return expanded;
  };
  const headers: (readonly [string, Expanded])[] = [];
  const url = await expand(settings.url, "its url");
  if (!url.ok) return url;
  for (const [name, value] of Object.entries(settings.headers)) {
    const expanded = await expand(value, `its header ${JSON.stringify(name)}`);
    if (!expanded.ok) return expanded;
    headers.push([name, expanded]);
  }
  if (unset.length > 0) {
    const what = unset.length === 1 ? "the environment variable" : "the environment variables";
    const are = unset.length === 1 ? "is not set and stands" : "are not set and stand";
    sources.warn("unset_variable", `${what} ${unset.join(", ")} ${are} for nothing`);
  }
  return { ok: true, url, headers };
}

function urlOf(written: string, expanded: Expanded, { fields, hideKey }: RequestSources): Found<URL> {
  if (expanded.text.trim() === "") {
    return lacks(written.trim() === "" ? 'it has no "url"' : 'its "url" is empty once its secrets are expanded');
  }
  if ((templateInHost(written) ?? templateInHost(expanded.text)) !== undefined) {
    return lacks('a template in the scheme, host or port of its "url" would let the model choose where to send');
  }
  const rendered = renderTemplate(expanded.parts, fields(), "url");
  const url = URL.parse(rendered);
  if (url === null || !/^https?:$/.test(url.protocol) || !ABSOLUTE.test(rendered)) {
    return lacks('its "url" is no absolute http or https address');
  }
  urlKeys(renderTemplate(expanded.parts, NO_TEMPLATE_VALUES, "url")).forEach(hideKey);
  return { ok: true, value: url };
}

/** With both slashes: `https:host/path` would be sent as well, but is a slip. */
// deno-lint-ignore no-control-regex -- what stands before a URL and is not read
const ABSOLUTE = /^[\x00-\x20]*https?:[/\\]{2}/i;

/** By lower-case name. */
function headersOf(
  expanded: readonly (readonly [string, Expanded])[],
  { fields, warn, hideKey }: RequestSources,
): Found<Map<string, string>> {
  const headers = new Map<string, string>();
  const ignored: string[] = [];
  for (const [name, { parts }] of expanded) {
    const shown = JSON.stringify(name);
    if (!HEADER_NAME.test(name)) return lacks(`${shown} is no name of a header`);
    if (SET_BY_CONNECTION.has(name.toLowerCase())) {
      ignored.push(shown);
      continue;
    }
    const value = renderTemplate(parts, fields(), "header").trim();
    if (NOT_IN_HEADER.test(value)) {
      return lacks(`the value of its header ${shown} has a line break or another control character in it`);
    }
    if (!HARMLESS_HEADERS.has(name.toLowerCase())) {
      const key = renderTemplate(parts, NO_TEMPLATE_VALUES, "header").trim();
      [key, ...key.split(" ").slice(-1)].forEach(hideKey);
    }
    headers.set(name.toLowerCase(), value);
  }
  if (ignored.length > 0) {
    warn("header_ignored", `${ignored.join(", ")} ignored: the connection sets these headers itself`);
  }
  return { ok: true, value: headers };
}

/** A token of RFC 9110, section 5.6.2. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

// deno-lint-ignore no-control-regex -- what a field value of RFC 9110, section 5.5 may not hold
const NOT_IN_HEADER = /[\x00-\x08\x0a-\x1f\x7f]/;

const SET_BY_CONNECTION: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Headers that hold no keys, so that their values may be shown. */
const HARMLESS_HEADERS: ReadonlySet<string> = new Set([
  "accept",
  "accept-language",
  "cache-control",
  "content-type",
  "user-agent",
]);

/** The UTF-8 bytes as one character each: what a header holds beyond ASCII is sent as UTF-8. */
function utf8Units(value: string): string {
  return Array.from(new TextEncoder().encode(value), (byte) => String.fromCharCode(byte)).join("");
}

function bodyOf(
  { method, body, sends_payload: sendsPayload }: HttpSettings,
  contentType: string | undefined,
  { fields, payload }: RequestSources,
): string | undefined {
  if (method === "GET") return undefined;
  if (body !== undefined) return renderTemplate(body, fields(), placeOf(contentType ?? DEFAULT_TYPE));
  return sendsPayload ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(payload) : undefined;
}

/** How values are written in a body of this type. */
function placeOf(contentType: string): TemplatePlace {
  const [essence = ""] = contentType.toLowerCase().split(";");
  if (/^[^/]+\/(?:json|.+\+json|x-ndjson|jsonl)$/.test(essence.trim())) return "json";
  return essence.trim() === "application/x-www-form-urlencoded" ? "form" : "text";
}
