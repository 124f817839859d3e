/** Group bots of WeChat Work (WeCom). Its own bots need no signature; gateways before it may, so a secret signs the query. */
import type { NotificationChannel } from "./channel.ts";
import { deliveryOf } from "./delivery.ts";
import { fitMessage, type MessageLimit } from "./message.ts";
import { contentType } from "./request_body.ts";
import { SIGNATURE_FORMS, signRequest } from "./signature.ts";

/** The channel `wechat_work`. */
export const wechatWork: NotificationChannel = {
  name: "wechat_work",
  display_name: "WeChat Work bot",
  async send(message, post) {
    const { Text } = fitMessage(message.fields, WECHAT_WORK_LIMIT, () => 0);
    const request = {
      url: message.url,
      method: "POST",
      headers: contentType(message.headers),
      body: { msgtype: "text", text: { content: Text } },
    } as const;
    return deliveryOf(await post(await signRequest(request, SIGNATURE_FORMS.wechat_work, message)), [
      { field: "errcode", equals: 0 },
    ]);
  },
};

/** Longest text, in bytes. */
export const WECHAT_WORK_LIMIT: MessageLimit = { bytes: 2048, of: "text" };
