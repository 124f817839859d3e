/**
 * Signatures of messages: HMAC-SHA256 over templates of the secret and one timestamp.
 *
 * The presets are what the services accept: Feishu and DingTalk exchange key and message, and count in other units.
 * Sources: the documents of the three services for custom bots; design.md, section 6.3.
 */
import type { SigningForm, SigningPreset } from "../../hooks/mod.ts";
import type { ChannelRequest, OutgoingMessage } from "./channel.ts";
import { setParameters } from "./set_parameters.ts";

/** A signature in full; the body is for presets only. */
export type SignatureForm = Omit<SigningForm, "placement"> & { readonly placement: keyof typeof PLACE };

const COMMON = { param_name: "sign", timestamp_param_name: "timestamp", timestamp_ms: false } as const;

/** How each service wants to be signed. */
export const SIGNATURE_FORMS = {
  feishu: {
    ...COMMON,
    key_template: "{Timestamp}\n{Secret}",
    message_template: "",
    encoding: "base64",
    placement: "body",
  },
  wechat_work: {
    ...COMMON,
    key_template: "{Secret}",
    message_template: "{Timestamp}\n{Secret}",
    encoding: "base64",
    placement: "query",
  },
  dingtalk: {
    ...COMMON,
    key_template: "{Secret}",
    message_template: "{TimestampMs}\n{Secret}",
    encoding: "base64-urlencoded",
    placement: "query",
    timestamp_ms: true,
  },
} as const satisfies Record<SigningPreset, SignatureForm>;

/** The two values that sign a message, before they are written in their place. */
export interface Signature {
  readonly timestamp: string;
  readonly sign: string;
}

/** Signs with a secret, which must not be empty. */
export async function signatureOf(form: SignatureForm, secret: string, time: Date): Promise<Signature> {
  if (secret === "") throw new TypeError("Cannot sign with an empty secret");
  const milliseconds = time.getTime();
  const seconds = Math.floor(milliseconds / 1000);
  const values = { Secret: secret, Timestamp: `${seconds}`, TimestampMs: `${milliseconds}` };
  const render = (template: string) =>
    new TextEncoder().encode(
      template.replace(/\{(Secret|Timestamp|TimestampMs)\}/g, (_, name: keyof typeof values) => values[name]),
    );
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", render(form.key_template), algorithm, false, ["sign"]);
  const digest = new Uint8Array(await crypto.subtle.sign("HMAC", key, render(form.message_template)));
  return { timestamp: `${form.timestamp_ms ? milliseconds : seconds}`, sign: ENCODE[form.encoding](digest) };
}

/** The request with its signature; as it is when the secret is empty. */
export async function signRequest(
  request: ChannelRequest,
  form: SignatureForm,
  { secret, time }: Pick<OutgoingMessage, "secret" | "time">,
): Promise<ChannelRequest> {
  if (secret === "") return request;
  const signature = await signatureOf(form, secret, time);
  const placed = PLACE[form.placement](request, form, signature);
  return { ...placed, secrets: [...request.secrets ?? [], signature.sign] };
}

const base64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));

/** `base64-urlencoded` is encoded where it is placed: exactly once, in a query too. */
const ENCODE = {
  base64,
  "base64-urlencoded": base64,
  hex: (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join(""),
} as const satisfies Record<SigningForm["encoding"], (bytes: Uint8Array) => string>;

type Place = (request: ChannelRequest, form: SignatureForm, signature: Signature) => ChannelRequest;

const PLACE = {
  query: (request, form, { timestamp, sign }) => ({
    ...request,
    url: setParameters(request.url, [[form.timestamp_param_name, timestamp], [form.param_name, sign]]),
  }),
  header: (request, form, { timestamp, sign }) => ({
    ...request,
    headers: {
      ...without(request.headers, [form.timestamp_param_name, form.param_name]),
      [form.timestamp_param_name]: timestamp,
      [form.param_name]: form.encoding === "base64-urlencoded" ? encodeURIComponent(sign) : sign,
    },
  }),
  body: (request, form, { timestamp, sign }) => ({
    ...request,
    body: { ...request.body, [form.timestamp_param_name]: timestamp, [form.param_name]: sign },
  }),
} as const satisfies Record<string, Place>;

function without(headers: ChannelRequest["headers"], names: readonly string[]): ChannelRequest["headers"] {
  const gone = names.map((name) => name.toLowerCase());
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !gone.includes(name.toLowerCase())));
}
