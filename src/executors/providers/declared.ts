/** The one engine of declared channels: render, sign, send, judge. */
import type { ProviderDefinition, SigningPreset } from "../../hooks/mod.ts";
import type { MessageFields, NotificationChannel } from "./channel.ts";
import { deliveryOf } from "./delivery.ts";
import { FEISHU_LIMIT } from "./feishu.ts";
import { fitMessage, type MessageLimit, renderBody } from "./message.ts";
import { bodySize, contentType } from "./request_body.ts";
import { SIGNATURE_FORMS, type SignatureForm, signRequest } from "./signature.ts";
import { WECHAT_WORK_LIMIT } from "./wechat_work.ts";

/** A channel as its definition says. */
export function declaredChannel(definition: ProviderDefinition): NotificationChannel {
  const { name, display_name: displayName, url, headers, success } = definition;
  const form = formOf(definition);
  const limit = limitOf(definition);
  return {
    name,
    ...(displayName !== undefined && { display_name: displayName }),
    url,
    headers,
    signs: form !== undefined,
    async send(message, post) {
      const body = (fields: MessageFields) => renderBody(definition.body, fields);
      const fields = fitMessage(message.fields, limit, (one) => bodySize(body(one)));
      const request = {
        url: message.url,
        method: definition.method,
        headers: contentType(message.headers),
        body: body(fields),
      };
      const signed = form === undefined ? request : await signRequest(request, form, message);
      return deliveryOf(await post(signed), success === undefined ? [] : [success]);
    },
  };
}

function formOf({ signing }: ProviderDefinition): SignatureForm | undefined {
  return signing !== undefined && "preset" in signing ? SIGNATURE_FORMS[signing.preset] : signing;
}

/** Limits of the services, for definitions that speak to them: by preset, else by name. */
const SERVICE_LIMITS = {
  feishu: FEISHU_LIMIT,
  wechat_work: WECHAT_WORK_LIMIT,
  dingtalk: { bytes: 20_000, of: "body" },
} as const satisfies Record<SigningPreset, MessageLimit>;

function limitOf({ name, signing }: ProviderDefinition): MessageLimit | undefined {
  const service = signing !== undefined && "preset" in signing ? signing.preset : name.trim().toLowerCase();
  return Object.hasOwn(SERVICE_LIMITS, service) ? SERVICE_LIMITS[service as SigningPreset] : undefined;
}
