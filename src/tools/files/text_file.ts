/** What kind of content a file holds: text, how its lines end, or which kind of binary data. */

/** The mark that some programs put before UTF-8 text; it is no part of the text. */
export const BYTE_ORDER_MARK: Uint8Array = new Uint8Array([0xef, 0xbb, 0xbf]);

/** Whether the bytes begin with the UTF-8 byte-order mark. */
export function hasByteOrderMark(bytes: Uint8Array): boolean {
  return startsWith(bytes, BYTE_ORDER_MARK);
}

/** How many lines end in LF alone and in CRLF. */
export function countLineEnds(bytes: Uint8Array): { readonly lf: number; readonly crlf: number } {
  let [lf, crlf] = [0, 0];
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at - 1] === CR) crlf++;
    else lf++;
  }
  return { lf, crlf };
}

/** What binary data a file is, by its first bytes, for example "a PNG image"; undefined for text. */
export function binaryKind(head: Uint8Array): string | undefined {
  const known = SIGNATURES.find(({ bytes, at }) => startsWith(head.subarray(at), bytes));
  if (known) return known.kind;
  if (head.includes(0)) return "binary data";
  const controls = head.reduce((count, byte) => count + (isControl(byte) ? 1 : 0), 0);
  return controls > head.length / 10 ? "binary data" : undefined;
}

/** Whether a line can be shown as text: valid UTF-8 without control characters. */
export function isCleanText(bytes: Uint8Array): boolean {
  if (bytes.some(isControl)) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether a file that holds binary data begins with at least one whole line of clean text, as a log padded with NUL
 * bytes does: those lines are worth showing.
 */
export function beginsWithText(head: Uint8Array): boolean {
  if (SIGNATURES.some(({ bytes, at }) => startsWith(head.subarray(at), bytes))) return false;
  const firstLineEnd = head.indexOf(LF);
  return firstLineEnd !== -1 && isCleanText(head.subarray(0, firstLineEnd));
}

const LF = 0x0a;
const CR = 0x0d;

/** First bytes of common formats, from their public specifications. */
const SIGNATURES: readonly { readonly kind: string; readonly bytes: Uint8Array; readonly at: number }[] = [
  signature("a PNG image", "89504e47"),
  signature("a JPEG image", "ffd8ff"),
  signature("a GIF image", "47494638"),
  signature("a WebP image", "57454250", 8),
  signature("a PDF document", "255044462d"),
  signature("a ZIP archive", "504b0304"),
  signature("a gzip file", "1f8b"),
  signature("an xz file", "fd377a585a00"),
  signature("a zstd file", "28b52ffd"),
  signature("an ELF executable", "7f454c46"),
  signature("a Windows executable", "4d5a9000"),
  signature("a Mach-O executable", "cffaedfe"),
  signature("a Java class", "cafebabe"),
  signature("a WebAssembly module", "0061736d"),
  signature("an SQLite database", "53514c69746520666f726d6174"),
  signature("UTF-16 text (convert it to UTF-8 to work on it)", "fffe"),
  signature("UTF-16 text (convert it to UTF-8 to work on it)", "feff"),
];

function signature(kind: string, hex: string, at = 0) {
  return { kind, at, bytes: Uint8Array.from(hex.match(/../g)!, (pair) => parseInt(pair, 16)) };
}

function startsWith(bytes: Uint8Array, prefix: Uint8Array): boolean {
  return bytes.length >= prefix.length && prefix.every((byte, index) => bytes[index] === byte);
}

/** C0 controls that text files do not hold: all but backspace, tab, LF, VT, FF, CR and ESC. */
function isControl(byte: number): boolean {
  return byte < 0x20 && !(byte >= 0x08 && byte <= 0x0d) && byte !== 0x1b || byte === 0x7f;
}
