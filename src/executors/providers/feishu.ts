/** Custom bots of Feishu (Lark). The service reads its signature from the body. */
import type { MessageFields, NotificationChannel } from "./channel.ts";
import { deliveryOf } from "./delivery.ts";
import { fitMessage, type MessageLimit } from "./message.ts";
import { bodySize, contentType } from "./request_body.ts";
import { SIGNATURE_FORMS, signRequest } from "./signature.ts";

/** The channel `feishu`. */
export const feishu: NotificationChannel = {
  name: "feishu",
  display_name: "Feishu bot",
  async send(message, post) {
    const body = (fields: MessageFields) => ({ msg_type: "text", content: { text: fields.Text } });
    const fields = fitMessage(message.fields, FEISHU_LIMIT, (one) => bodySize(body(one)));
    const request = {
      url: message.url,
      method: "POST",
      headers: contentType(message.headers),
      body: body(fields),
    } as const;
    return deliveryOf(await post(await signRequest(request, SIGNATURE_FORMS.feishu, message)), FEISHU_RULES);
  },
};

/** What a signature adds to the body, in bytes. */
const SIGNATURE_ROOM = 96;

/** Longest body, in bytes: 20 KB with its signature. */
export const FEISHU_LIMIT: MessageLimit = { bytes: 20 * 1024 - SIGNATURE_ROOM, of: "body" };

/** Bots of the first generation answer with `StatusCode`, and without `code`. */
const FEISHU_RULES = [{ field: "code", equals: 0 }, { field: "StatusCode", equals: 0 }] as const;
