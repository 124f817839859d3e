/** What a server says about its own failure, made fit for a person: short, without secrets, without the prompt. */
import { isJsonObject } from "../protocol/mod.ts";

/** What must not appear in a text. */
export interface Confidential {
  /** The key and the values of configured headers. */
  readonly secrets: readonly string[];
  /** Texts of the conversation. */
  readonly prompt: readonly string[];
}

const LONGEST_MESSAGE = 300;
/** Shorter values (a header `1`, a version) would tear words apart. */
const SHORTEST_SECRET = 6;
const SHORTEST_PROMPT = 12;
const WINDOW = 32;
// deno-lint-ignore no-control-regex
const CONTROLS = /[\x00-\x1f\x7f-\x9f]+/g;
const KEY_SHAPE = /\b(?:sk|rk|pk|key|AIza)[-_A-Za-z0-9*.]{12,}/g;
const URL_QUERY = /(\bhttps?:\/\/[^\s?#"'<>]*)[?#][^\s"'<>]*/g;

/** The message and the error word in an error body of any of the known APIs; a body of another shape gives nothing. */
export function errorOfBody(body: string): ServerError {
  try {
    return errorOfValue(JSON.parse(body));
  } catch {
    return {};
  }
}

/** What a server's error object says. */
export interface ServerError {
  readonly message?: string;
  /** For example `overloaded_error`, `insufficient_quota`, `UNAVAILABLE`. */
  readonly word?: string;
}

/**
 * Reads `{"error": {"message", "code", "type", "status"}}` (OpenAI, Anthropic, Gemini, which may stand in an array),
 * `{"error": "…"}` (Ollama), `{"message"}` and `{"detail"}`.
 */
export function errorOfValue(value: unknown): ServerError {
  const body = Array.isArray(value) ? value[0] : value;
  if (!isJsonObject(body)) return {};
  const error = body["error"] ?? body;
  if (typeof error === "string") return { message: error };
  if (!isJsonObject(error)) return {};
  const message = [error["message"], error["detail"]].find((text) => typeof text === "string");
  const word = [error["code"], error["status"], error["type"]].find((text) => typeof text === "string");
  return { ...(typeof message === "string" && { message }), ...(typeof word === "string" && { word }) };
}

/** The text on one line, at most 300 characters, without secrets; empty when it repeats the conversation. */
export function presentable(text: string, confidential: Confidential): string {
  const known = text.slice(0, 8192);
  if (repeatsPrompt(known, confidential.prompt)) return "";
  let line = known.replace(CONTROLS, " ").replace(URL_QUERY, "$1");
  for (const secret of confidential.secrets.flatMap(spellings)) line = line.replaceAll(secret, "***");
  line = line.replace(KEY_SHAPE, "***").trim();
  return line.length <= LONGEST_MESSAGE ? line : `${line.slice(0, LONGEST_MESSAGE)}…`;
}

/** A secret as it is, in a URL, in base64, and inside JSON. */
function spellings(secret: string): readonly string[] {
  if (secret.length < SHORTEST_SECRET) return [];
  const bytes = new TextEncoder().encode(secret);
  const base64 = btoa(String.fromCharCode(...bytes)).replace(/=+$/, "");
  return [secret, encodeURIComponent(secret), base64, JSON.stringify(secret).slice(1, -1)];
}

function repeatsPrompt(text: string, prompt: readonly string[]): boolean {
  const windows: string[] = [];
  for (let start = 0; start + WINDOW <= text.length; start += WINDOW / 2) {
    windows.push(text.slice(start, start + WINDOW));
  }
  return prompt.some((part) =>
    (part.length >= SHORTEST_PROMPT && text.includes(part)) || windows.some((window) => part.includes(window))
  );
}
