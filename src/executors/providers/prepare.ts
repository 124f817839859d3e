/** From the settings of a notification hook to a channel and a message for it: names looked up, secrets expanded. */
import type { ExecutorSettings } from "../../hooks/mod.ts";
import { nearest } from "../../protocol/mod.ts";
import { insecureUrl, renderTemplate, type TemplateFields } from "../../text/mod.ts";
import { expandSecrets, type SecretSource } from "../secrets.ts";
import type { MessageFields, NotificationChannel, OutgoingMessage } from "./channel.ts";
import { renderHeader } from "./message.ts";
import type { NotificationProviders } from "./registry.ts";

/** What a message is made from. */
export interface MessageSources {
  readonly providers: NotificationProviders;
  readonly secrets: SecretSource;
  readonly fields: () => TemplateFields;
  readonly time: Date;
  readonly signal: AbortSignal;
  /** Takes what the user should know although the message is sent. */
  readonly warn: (code: string, message: string) => void;
  /** Takes what nobody may see. */
  readonly hide: (secret: string) => void;
}

/** The settings of a notification hook. */
export type NotificationSettings = Extract<ExecutorSettings, { readonly type: "notification" }>;

/** A message that can be sent, or what it lacks. */
export type PreparedMessage =
  | { readonly ok: true; readonly channel: NotificationChannel; readonly message: OutgoingMessage }
  | { readonly ok: false; readonly reason: string };

/** Prepares one message. Never throws for anything in the settings. */
export async function prepareMessage(hook: NotificationSettings, sources: MessageSources): Promise<PreparedMessage> {
  const unset: string[] = [];
  const prepared = await prepare(hook, { ...sources, unset });
  if (unset.length > 0) {
    const what = unset.length === 1 ? "the environment variable" : "the environment variables";
    const are = unset.length === 1 ? "is not set and stands" : "are not set and stand";
    sources.warn("unset_variable", `${what} ${unset.join(", ")} ${are} for nothing`);
  }
  return prepared;
}

/** The sources, and the variables that are not set so far, each with its place. */
interface Preparation extends MessageSources {
  readonly unset: string[];
}

async function prepare(hook: NotificationSettings, sources: Preparation): Promise<PreparedMessage> {
  const { providers } = sources;
  const known = `known: ${providers.names.join(", ")}`;
  const name = hook.provider.trim();
  if (name === "") return lacks(`it has no "provider" (${known})`);
  const channel = providers.lookup(name);
  if (channel === undefined) {
    const near = nearest(name, providers.names);
    const advice = near === undefined ? "" : `; did you mean "${near}"?`;
    return lacks(`there is no notification provider ${JSON.stringify(name)}${advice} (${known})`);
  }
  const address = await addressOf(hook, channel, sources);
  if (!address.ok) return address;
  const headers = await headersOf(channel, sources);
  if (!headers.ok) return headers;
  const secret = await secretOf(hook, channel, sources);
  if (!secret.ok) return secret;
  const fields = messageFields(hook, sources);
  return {
    ok: true,
    channel,
    message: {
      fields,
      url: address.value,
      headers: Object.fromEntries(headers.value.map(([key, parts]) => [key, renderHeader(parts, fields)])),
      secret: secret.value,
      time: sources.time,
    },
  };
}

type Found<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly reason: string };

function lacks(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}

async function addressOf(
  hook: NotificationSettings,
  channel: NotificationChannel,
  sources: Preparation,
): Promise<Found<string>> {
  const own = isBlank(hook.webhook_url) ? undefined : hook.webhook_url;
  const written = own ?? channel.url;
  if (written === undefined || isBlank(written)) {
    return lacks(`it has no "webhookUrl", and the provider ${channel.name} has no url of its own`);
  }
  const place = own === undefined ? `the url of the provider ${channel.name}` : `"webhookUrl"`;
  const expanded = await expand(written, place, sources);
  if (!expanded.ok) return expanded;
  const url = expanded.value.text.trim();
  keysOf(url).forEach(sources.hide);
  if (url === "") return lacks(`${place} is empty${unset(expanded.value.missing)}`);
  const problem = insecureUrl(url);
  return problem === undefined ? { ok: true, value: url } : lacks(`${place} ${problem}`);
}

/** The address and what in it may be a key: services put theirs into the path or the query. */
function keysOf(url: string): readonly string[] {
  const { pathname = "", search = "" } = URL.parse(url) ?? {};
  const values = search.slice(1).split("&").map((pair) => pair.slice(pair.indexOf("=") + 1));
  const segments = pathname.split("/").filter((segment) => segment.length >= SHORTEST_KEY);
  return [url, ...values, ...segments].flatMap((one) => [one, decoded(one)]);
}

/** Shorter parts of a path are words, not keys. */
const SHORTEST_KEY = 8;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function headersOf(channel: NotificationChannel, sources: Preparation) {
  const headers: (readonly [string, ExpandedSetting["parts"]])[] = [];
  for (const [name, written] of Object.entries(channel.headers ?? {})) {
    const place = `the header ${JSON.stringify(name)} of the provider ${channel.name}`;
    const expanded = await expand(written, place, sources);
    if (!expanded.ok) return expanded;
    written.split(/\s+/).filter(isLongWord).forEach(sources.hide);
    headers.push([name, expanded.value.parts]);
  }
  return { ok: true, value: headers } as const;
}

/** What may be a key although it is written in the file. A media type is none. */
function isLongWord(word: string): boolean {
  return word.length >= SHORTEST_KEY && !/[{/]/.test(word);
}

async function secretOf(
  hook: NotificationSettings,
  channel: NotificationChannel,
  sources: Preparation,
): Promise<Found<string>> {
  if (hook.secret === undefined) return { ok: true, value: "" };
  const expanded = await expand(hook.secret, `"secret"`, sources);
  if (!expanded.ok) return expanded;
  const { text } = expanded.value;
  const secret = text.trim() === "" ? "" : text;
  sources.hide(secret);
  if (secret === "") {
    sources.warn("unsigned_message", 'signing was asked for, but "secret" is empty; the message is sent unsigned');
  } else if (channel.signs === false) {
    const why = `"secret" has no use: the provider ${channel.name} declares no signing`;
    sources.warn("unsigned_message", `${why}; the message is sent unsigned`);
  }
  return { ok: true, value: secret };
}

type ExpandedSetting = Extract<Awaited<ReturnType<typeof expandSecrets>>, { readonly ok: true }>;

async function expand(written: string, place: string, sources: Preparation): Promise<Found<ExpandedSetting>> {
  const expanded = await expandSecrets(written, sources.secrets, sources.signal);
  if (!expanded.ok) return lacks(`${place}: ${expanded.reason}`);
  expanded.secrets.forEach(sources.hide);
  sources.unset.push(...expanded.missing.map((name) => `${name} in ${place}`));
  return { ok: true, value: expanded };
}

function unset(missing: readonly string[]): string {
  return missing.length === 0 ? "" : ` (${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} not set)`;
}

function isBlank(text: string | undefined): boolean {
  return text === undefined || text.trim() === "";
}

function messageFields(hook: NotificationSettings, sources: Preparation): MessageFields {
  const fields = sources.fields();
  return {
    Text: renderTemplate(hook.message, fields, "text").toWellFormed(),
    Title: (hook.title ?? "").toWellFormed(),
    Event: fields.Point ?? "",
    Timestamp: fields.Timestamp ?? "",
  };
}
