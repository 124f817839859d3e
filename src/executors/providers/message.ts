/** Message templates of channels: `{{Text}}`, `{{Title}}`, `{{Event}}`, `{{Timestamp}}`, with one brace or two. */
import type { Json, JsonObject } from "../../protocol/mod.ts";
import { cutBytes, type TemplatePart } from "../../text/mod.ts";
import type { MessageFields } from "./channel.ts";

/** The text with the fields in it. One pass: values are never read as templates; unknown ones stay as they are. */
export function renderMessage(text: string, fields: MessageFields): string {
  return text.replace(MESSAGE_TEMPLATE, (_, name: keyof MessageFields) => fields[name]);
}

const MESSAGE_TEMPLATE = /\{\{?(Text|Title|Event|Timestamp)\}\}?/g;

/** The body with the fields in its string leaves; keys and other values stay as they are. */
export function renderBody(body: JsonObject, fields: MessageFields): JsonObject {
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, renderValue(value, fields)]));
}

function renderValue(value: Json, fields: MessageFields): Json {
  if (typeof value === "string") return renderMessage(value, fields);
  if (Array.isArray(value)) return value.map((item: Json) => renderValue(item, fields));
  return typeof value === "object" && value !== null ? renderBody(value as JsonObject, fields) : value;
}

/** The longest message a service takes, in bytes of UTF-8: of its text, or of the whole body as JSON. */
export interface MessageLimit {
  readonly bytes: number;
  readonly of: "text" | "body";
}

/** The fields with a text that fits: cut on a character boundary, with a mark, when it is too long. */
export function fitMessage(
  fields: MessageFields,
  limit: MessageLimit | undefined,
  bodySize: (fields: MessageFields) => number,
): MessageFields {
  const text = fields.Text.toWellFormed();
  if (limit === undefined) return { ...fields, Text: text };
  if (limit.of === "text") return { ...fields, Text: cutBytes(text, limit.bytes, "head").text };
  const bytes = new TextEncoder().encode(text);
  const cutTo = (length: number): MessageFields => ({ ...fields, Text: cutBytes(bytes, length, "head").text });
  const fits = (length: number) => bodySize(cutTo(length)) <= limit.bytes;
  let fitting = 0;
  let tooLong = Math.min(bytes.length, limit.bytes) + 1;
  if (fits(tooLong - 1)) return cutTo(tooLong - 1);
  while (tooLong - fitting > 1) {
    const middle = (fitting + tooLong) >> 1;
    if (fits(middle)) fitting = middle;
    else tooLong = middle;
  }
  return cutTo(fitting);
}

/** The value of a header: on one line, UTF-8 where it is not ASCII, without templates in what a secret expanded to. */
export function renderHeader(parts: readonly TemplatePart[], fields: MessageFields): string {
  const text = parts.map((part) => part.literal ? part.text : renderMessage(part.text, fields)).join("");
  const bytes = new TextEncoder().encode(text.replace(NOT_ON_ONE_LINE, " ").trim());
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}

// deno-lint-ignore no-control-regex -- control characters end or break a header
const NOT_ON_ONE_LINE = /[\x00-\x08\x0a-\x1f\x7f\u0085\u2028\u2029]+/g;
