/** A notification channel as declared in `notification-providers.json` (design.md, section 6.3). */
import type { Json, JsonObject } from "../protocol/mod.ts";
import type { HttpMethod } from "./http_methods.ts";

/** Where a provider file stands; a later layer replaces whole entries of an earlier one. */
export const PROVIDER_LAYERS = ["embedded", "user", "project"] as const;

/** One layer of provider files. */
export type ProviderLayer = typeof PROVIDER_LAYERS[number];

/** Services whose way of signing has a name. */
export const SIGNING_PRESETS = ["feishu", "wechat_work", "dingtalk"] as const;

/** One name of `SIGNING_PRESETS`. */
export type SigningPreset = typeof SIGNING_PRESETS[number];

/** How the bytes of a signature are written. `base64-urlencoded` is base64, percent-encoded exactly once. */
export const SIGNATURE_ENCODINGS = ["base64", "base64-urlencoded", "hex"] as const;

/** Where declared signatures may stand. */
export const SIGNATURE_PLACEMENTS = ["query", "header"] as const;

/** A signature in full. Templates know `{Secret}`, `{Timestamp}` (seconds) and `{TimestampMs}`, and nothing else. */
export interface SigningForm {
  /** Never empty. */
  readonly key_template: string;
  readonly message_template: string;
  readonly encoding: typeof SIGNATURE_ENCODINGS[number];
  readonly placement: typeof SIGNATURE_PLACEMENTS[number];
  readonly param_name: string;
  readonly timestamp_param_name: string;
  /** Whether the timestamp that is sent counts milliseconds. */
  readonly timestamp_ms: boolean;
}

/** The answer that means success: its top-level `field` is deeply equal to `equals`. */
export interface SuccessRule {
  readonly field: string;
  readonly equals: Json;
}

/** One definition. All text is as written: secrets and templates are expanded when a message is sent. */
export interface ProviderDefinition {
  /** As written; compared in any case. */
  readonly name: string;
  readonly display_name?: string;
  readonly method: HttpMethod;
  /** The `webhookUrl` of a hook wins over it. May hold secrets. */
  readonly url: string;
  /** Values may hold secrets and message templates. */
  readonly headers: Readonly<Record<string, string>>;
  /** String leaves may hold message templates. */
  readonly body: JsonObject;
  readonly signing?: { readonly preset: SigningPreset } | SigningForm;
  /** Without it any 2xx is success. */
  readonly success?: SuccessRule;
}
