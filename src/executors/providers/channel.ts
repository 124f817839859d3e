/** What a notification channel is: an address, and a way to send one message there. */
import type { HttpMethod } from "../../hooks/mod.ts";
import type { JsonObject } from "../../protocol/mod.ts";
import type { HookHttpAnswer } from "../send_request.ts";

/**
 * A channel of messages. New in this program: one file and one row of `BUILT_IN` (registry.ts); from outside: an element of
 * `channels` of `createProviders`.
 */
export interface NotificationChannel {
  /** What hooks write as `provider`; compared in any case. */
  readonly name: string;
  readonly display_name?: string;
  /** Where messages go when a hook names no `webhookUrl`. May hold secrets, which are expanded before `send`. */
  readonly url?: string;
  /** False for a channel that has no use for a `secret`; a hook that has one is told so. */
  readonly signs?: boolean;
  /** Headers of every message; their values may hold secrets and message templates. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Sends one message, by as many requests as it takes. What it throws is a failure, told by the text of the error; secrets
   * in it are taken out. The time limit of the hook holds over the whole.
   */
  send(message: OutgoingMessage, post: PostRequest): Promise<Delivery>;
}

/** What message templates stand for. */
export interface MessageFields {
  /** The `message` of the hook, its templates filled in. */
  readonly Text: string;
  /** The `statusMessage` of the hook, or nothing. */
  readonly Title: string;
  /** The point, for example `pre_tool_call`. */
  readonly Event: string;
  /** `yyyy-MM-dd HH:mm:ss` in local time. */
  readonly Timestamp: string;
}

/** One message, ready to be sent: nothing in it is expanded any more. */
export interface OutgoingMessage {
  readonly fields: MessageFields;
  /** https, or http on this machine. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty = unsigned. */
  readonly secret: string;
  /** The one moment of this message, for its signature. */
  readonly time: Date;
}

/** A request of a channel. */
export interface ChannelRequest {
  readonly url: string;
  readonly method: HttpMethod;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON, except with a GET. */
  readonly body: JsonObject;
  /** Values in it that nobody may see, beside the address and the secret of the hook: a signature, a token. */
  readonly secrets?: readonly string[];
}

/** Sends one request of a channel. Never throws. */
export type PostRequest = (request: ChannelRequest) => Promise<HookHttpAnswer>;

/** What became of a message. */
export type Delivery =
  | { readonly kind: "sent"; readonly status?: number }
  | { readonly kind: "refused"; readonly reason: string; readonly status?: number }
  | { readonly kind: "timed_out" }
  | { readonly kind: "cancelled" };
