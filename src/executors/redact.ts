/** Takes secrets out of text that leaves an executor. */

/** Shows a text without the secrets. */
export type Redact = (text: string) => string;

/**
 * Shorter secrets are not looked for: they are in every text, and a text without them would say where they were. A
 * secret of three characters protects nothing.
 */
const SHORTEST_SECRET = 4;

/** Parts of a URL that are long enough to be keys. */
const SHORTEST_URL_KEY = 12;

const HIDDEN = "***";

/**
 * Makes a function that replaces each secret by `***`: as it is, in any case of letters, percent-encoded, as JSON or
 * HTML writes it, and in base64 (alone or within something longer). Of a secret that is a URL, its path, its query
 * and their long parts are secrets too. A text cut short (`truncated`) may end in the beginning of a secret, which
 * goes as well.
 */
export function redactor(secrets: Iterable<string>): (text: string, truncated?: boolean) => string {
  const forms = [...new Set([...secrets].flatMap(withUrlKeys).filter(isLongEnough).flatMap(formsOf))]
    .filter(isLongEnough)
    .sort((one, other) => other.length - one.length);
  if (forms.length === 0) return (text) => text;
  const pattern = new RegExp(forms.map(literally).join("|"), "giu");
  return (text, truncated = false) => {
    const clean = text.replace(pattern, HIDDEN);
    return truncated ? withoutBegunSecret(clean, forms) : clean;
  };
}

/** The same for bytes of UTF-8; bytes that are none stay none, so that a strict reader still refuses them. */
export function redactBytes(bytes: Uint8Array, redact: Redact): Uint8Array {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const clean = redact(text);
  if (clean === text) return bytes;
  const encoded = new TextEncoder().encode(clean);
  return isUtf8(bytes) ? encoded : new Uint8Array([...encoded, 0xff]);
}

/** What in a URL may be a key: user and password, the values of its query, and what else is long behind its host. */
export function urlKeys(url: string): readonly string[] {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return [];
  const { pathname, search, searchParams, hash, username, password } = parsed;
  const rest = pathname + search;
  const pieces = [rest + hash, rest, ...rest.split(/[/?&=]/), hash.slice(1)];
  return [
    ...[username, password, `${username}:${password}`].map(decoded).filter((key) => key !== ":"),
    ...searchParams.values(),
    ...pieces.flatMap((piece) => [piece, decoded(piece)]).filter((piece) => piece.length >= SHORTEST_URL_KEY),
  ];
}

function withUrlKeys(secret: string): readonly string[] {
  return [secret, ...urlKeys(secret)];
}

function isLongEnough(secret: string): boolean {
  return secret.length >= SHORTEST_SECRET;
}

function formsOf(secret: string): readonly string[] {
  const misread = asLatin1(secret);
  return misread === secret ? writtenForms(secret) : [...writtenForms(secret), ...writtenForms(misread)];
}

/** UTF-8 as servers see it that take headers for Latin-1. */
function asLatin1(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}

function writtenForms(secret: string): readonly string[] {
  const component = encodeURIComponent(secret.toWellFormed());
  const json = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    secret.trim(),
    component,
    component.replace(/[!'()*]/g, (mark) => "%" + mark.charCodeAt(0).toString(16)),
    new URLSearchParams([["", secret]]).toString().slice(1),
    encodeURI(secret.toWellFormed()),
    json,
    json.replaceAll("/", "\\/"),
    json.replace(/[^\x20-\x7e]/g, asciiEscape),
    json.replaceAll("/", "\\/").replace(/[^\x20-\x7e]/g, asciiEscape),
    json.replace(/[<>&'+\u007f-\uffff]/g, asciiEscape),
    ...HTML_QUOTES.map((quotes) => secret.replace(/[&<>"']/g, (mark) => quotes[mark] ?? mark)),
    encodeURIComponent(component),
    new TextEncoder().encode(secret).toHex(),
    secret.replace(/[^]/g, asciiEscape),
    ...base64Forms(secret),
  ];
}

const HTML_QUOTES: readonly Readonly<Record<string, string>>[] = [
  { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" },
  { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#x27;" },
  { "&": "&amp;", "<": "&lt;", ">": "&gt;" },
];

function asciiEscape(unit: string): string {
  return "\\u" + unit.charCodeAt(0).toString(16).padStart(4, "0");
}

/** In base64 a secret looks different after 0, 1 or 2 bytes of something else; at each end a character may be shared. */
function base64Forms(secret: string): readonly string[] {
  const bytes = new TextEncoder().encode(secret);
  const forms = [0, 1, 2].flatMap((offset) => {
    const whole = new Uint8Array([...new Uint8Array(offset), ...bytes]).toBase64({ omitPadding: true });
    const first = Math.ceil(offset * 8 / 6);
    const inner = whole.slice(first, Math.floor((offset + bytes.length) * 8 / 6));
    return offset === 0 ? [whole, inner] : [inner];
  }).filter((form) => form.length >= SHORTEST_BASE64);
  return forms.flatMap((form) => [form, form.replaceAll("+", "-").replaceAll("/", "_"), encodeURIComponent(form)]);
}

/** Of fewer characters of base64 too many texts are made. */
const SHORTEST_BASE64 = 5;

function withoutBegunSecret(text: string, forms: readonly string[]): string {
  const folded = text.toLowerCase();
  for (const form of forms) {
    const begun = form.toLowerCase();
    for (let length = Math.min(begun.length - 1, text.length); length >= SHORTEST_SECRET; length--) {
      if (folded.endsWith(begun.slice(0, length))) return text.slice(0, text.length - length) + HIDDEN;
    }
  }
  return text;
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
