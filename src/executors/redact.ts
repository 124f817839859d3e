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
  const short = forms.filter((form) => form.length <= PIECE_LENGTH);
  // A long form has expressions of its own: a piece of another one must not take away half of its pieces.
  const long = forms.filter((form) => form.length > PIECE_LENGTH).map(inPieces);
  const patterns = [short, ...long].flatMap(patternsOf);
  const pieces = [...long.flat(), ...short];
  return (text, truncated = false) => {
    const clean = withoutRanges(text, patterns.flatMap((pattern) => rangesOf(text, pattern)));
    return truncated ? withoutBegunSecret(clean, pieces) : clean;
  };
}

/** A longer form is looked for piece by piece: an expression has a limit of size. */
const PIECE_LENGTH = 1000;
/** Together, in one expression. */
const PATTERN_LENGTH = 20_000;

/** Pieces of about the same length, so that the last one is not too short to be looked for. */
function inPieces(form: string): readonly string[] {
  const count = Math.ceil(form.length / PIECE_LENGTH);
  const length = Math.ceil(form.length / count);
  const cuts = Array.from({ length: count + 1 }, (_, index) => characterAt(form, index * length));
  return cuts.slice(1).map((cut, index) => form.slice(cuts[index], cut));
}

/** The index, or the one before it when it would cut a character of two units: half of one is found nowhere. */
function characterAt(text: string, index: number): number {
  const isHalf = /[\udc00-\udfff]/.test(text.charAt(index)) && /[\ud800-\udbff]/.test(text.charAt(index - 1));
  return isHalf ? index - 1 : index;
}

function patternsOf(forms: readonly string[]): readonly RegExp[] {
  const groups: string[][] = [];
  let size = Infinity;
  for (const form of forms) {
    if (size + form.length > PATTERN_LENGTH) {
      groups.push([]);
      size = 0;
    }
    groups.at(-1)!.push(literally(form));
    size += form.length;
  }
  return groups.map((group) => new RegExp(group.join("|"), "giu"));
}

type Range = readonly [start: number, end: number];

/** Where it is found, also within what was found before. */
function rangesOf(text: string, pattern: RegExp): readonly Range[] {
  const ranges: Range[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    ranges.push([match.index, match.index + match[0].length]);
    pattern.lastIndex = match.index + (text.codePointAt(match.index)! > 0xffff ? 2 : 1);
  }
  return ranges;
}

/** Each stretch of ranges that touch becomes one `***`. */
function withoutRanges(text: string, ranges: readonly Range[]): string {
  let shown = "";
  let end = 0;
  let isHidden = false;
  for (const [from, to] of ranges.toSorted(([one], [other]) => one - other)) {
    if (from > end || !isHidden) {
      shown += text.slice(end, from) + HIDDEN;
      isHidden = true;
    }
    end = Math.max(end, to);
  }
  return shown + text.slice(end);
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
      if (!folded.endsWith(begun.slice(0, length))) continue;
      const before = text.slice(0, text.length - length);
      return before.endsWith(HIDDEN) ? before : before + HIDDEN;
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
