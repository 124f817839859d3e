/** Text cut to a number of bytes. */
export interface CutText {
  /** At most `limit` bytes of UTF-8, the mark included (a limit smaller than the mark yields the mark). */
  readonly text: string;
  /** Size of the whole in bytes. */
  readonly total_bytes: number;
  /** Bytes that are not in `text`; 0 when nothing was cut. */
  readonly omitted_bytes: number;
}

/**
 * Cuts to at most `limit` bytes on character boundaries: the beginning (`head`), or beginning and end (`head_tail`),
 * with a mark that says how many bytes are left out of how many. Bytes are decoded leniently.
 */
export function cutBytes(content: string | Uint8Array, limit: number, mode: "head" | "head_tail"): CutText {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const total = bytes.length;
  if (total <= limit) {
    const text = typeof content === "string" ? content : lenient(bytes);
    // Each invalid byte becomes three when it is shown, so short bytes may be long text.
    return typeof content === "string" || byteLength(text) <= limit
      ? { text, total_bytes: total, omitted_bytes: 0 }
      : cutBytes(text, limit, mode);
  }
  const room = Math.max(0, limit - MARK_ROOM);
  const headEnd = boundaryBefore(bytes, mode === "head" ? room : Math.ceil(room / 2));
  const tailStart = mode === "head" ? total : boundaryAfter(bytes, total - Math.floor(room / 2));
  const head = lenient(bytes.subarray(0, headEnd));
  const tail = lenient(bytes.subarray(tailStart));
  const omitted = tailStart - headEnd;
  const mark = `[${omitted} of ${total} bytes left out]`;
  const text = mode === "head" ? `${head}\n${mark}` : `${head}\n${mark}\n${tail}`;
  const grown = typeof content !== "string" && byteLength(text) > Math.max(limit, MARK_ROOM);
  if (grown) return cutBytes(head + tail, limit, mode);
  return { text, total_bytes: total, omitted_bytes: omitted };
}

/** Enough for the mark with two numbers of 16 digits and its line breaks. */
const MARK_ROOM = 64;

function boundaryBefore(bytes: Uint8Array, index: number): number {
  for (let step = 0; step < 4 && index - step >= 0; step++) {
    if (!isContinuation(bytes[index - step])) return index - step;
  }
  return index;
}

function boundaryAfter(bytes: Uint8Array, index: number): number {
  for (let step = 0; step < 4 && index + step <= bytes.length; step++) {
    if (!isContinuation(bytes[index + step])) return index + step;
  }
  return index;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function lenient(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
