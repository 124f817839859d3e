/** Bodies of channels: one JSON document. */
import { type JsonObject, writeJson } from "../../protocol/mod.ts";

/** The headers, with the content type of JSON unless one is set. */
export function contentType(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const isSet = Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
  return isSet ? headers : { "Content-Type": "application/json", ...headers };
}

/** Size of a body as it is sent, in bytes. */
export function bodySize(body: JsonObject): number {
  return new TextEncoder().encode(writeJson(body)).length;
}
