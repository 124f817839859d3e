/** What the answer of a service means. Bots answer 200 to everything and put the refusal into the body. */
import { isJsonObject, type Json, type JsonObject, parseJson, writeJson } from "../../protocol/mod.ts";
import type { SuccessRule } from "../../hooks/mod.ts";
import type { HookHttpAnswer } from "../send_request.ts";
import type { Delivery } from "./channel.ts";

/**
 * Judges an answer: not 2xx is refused; then the first rule whose field the answer has decides, and an answer without
 * any such field is refused. Without rules any 2xx is success. A reason may quote the answer in full.
 */
export function deliveryOf(answer: HookHttpAnswer, rules: readonly SuccessRule[]): Delivery {
  if (answer.kind === "failed") return { kind: "refused", reason: answer.reason };
  if (answer.kind !== "answered") return { kind: answer.kind };
  const { status } = answer;
  const refused = (reason: string): Delivery => ({ kind: "refused", reason, status });
  if (answer.redirect_host !== undefined && status >= 300 && status <= 399) {
    return refused(`HTTP ${status}: redirected to ${answer.redirect_host}, not followed`);
  }
  const text = new TextDecoder().decode(answer.body).trim();
  const body = objectOf(text);
  if (status < 200 || status > 299) return refused(withWords(`HTTP ${status}`, body, text));
  if (rules.length === 0) return { kind: "sent", status };
  const fields = rules.map(({ field }) => field).join(" or ");
  if (body === undefined) {
    const what = answer.truncated ? "is too long to be read" : text === "" ? "is empty" : "is no JSON object";
    return refused(withWords(`HTTP ${status}, but the answer ${what}; ${fields} was expected`, undefined, text));
  }
  const rule = rules.find(({ field }) => Object.hasOwn(body, field));
  if (rule === undefined) return refused(withWords(`HTTP ${status}, but the answer has no ${fields}`, body, ""));
  const value = body[rule.field]!;
  if (isEqual(value, rule.equals)) return { kind: "sent", status };
  return refused(withWords(`${rule.field} ${writeJson(value)}`, body, ""));
}

function objectOf(text: string): JsonObject | undefined {
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Where services put their message. */
const MESSAGE_FIELDS = ["msg", "errmsg", "StatusMessage", "message", "error"];

function withWords(what: string, body: JsonObject | undefined, text: string): string {
  const said = MESSAGE_FIELDS.map((field) => body?.[field]).find((one) => typeof one === "string" && one.trim() !== "");
  const words = typeof said === "string" ? said.trim() : text;
  return words === "" ? what : `${what}: ${words}`;
}

/** Deep equality of JSON values; the order of keys is none of their meaning. */
export function isEqual(left: Json, right: Json): boolean {
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item: Json, index) => isEqual(item, right[index] as Json));
  }
  if (isJsonObject(left) && isJsonObject(right)) {
    const keys = Object.keys(left);
    return keys.length === Object.keys(right).length &&
      keys.every((key) => Object.hasOwn(right, key) && isEqual(left[key]!, right[key]!));
  }
  return left === right;
}
