/** Keeps the head and the tail of an output of any length in bounded memory. */
import type { CapturedOutput } from "./port.ts";

/** Takes the bytes of one stream as they come. */
export interface Capture {
  /** Copies what it keeps: the caller may reuse the buffer. */
  add(chunk: Uint8Array): void;
  /** Bytes seen so far. */
  total(): number;
  /** All of it, or head, mark and tail: never more than the limit. */
  finish(): CapturedOutput;
}

/** Makes a capture that keeps `limit` bytes. Memory grows with the output up to about `limit`, then stays. */
export function createCapture(limit: number): Capture {
  const bound = Math.max(0, Math.floor(limit));
  const headRoom = Math.ceil(bound / 2);
  const tailRoom = bound - headRoom;
  let head = new Uint8Array(0);
  let headLength = 0;
  let ring: Uint8Array | undefined;
  let tailSeen = 0;

  const addHead = (chunk: Uint8Array) => {
    const needed = headLength + chunk.length;
    if (needed > head.length) {
      const grown = new Uint8Array(Math.min(headRoom, Math.max(needed, head.length * 2)));
      grown.set(head.subarray(0, headLength));
      head = grown;
    }
    head.set(chunk, headLength);
    headLength = needed;
  };
  const addTail = (chunk: Uint8Array) => {
    tailSeen += chunk.length;
    if (tailRoom === 0) return;
    ring ??= new Uint8Array(tailRoom);
    const last = chunk.subarray(Math.max(0, chunk.length - tailRoom));
    const start = (tailSeen - last.length) % tailRoom;
    const first = last.subarray(0, tailRoom - start);
    ring.set(first, start);
    ring.set(last.subarray(first.length), 0);
  };
  const tail = (): Uint8Array => {
    if (ring === undefined) return new Uint8Array(0);
    if (tailSeen <= tailRoom) return ring.subarray(0, tailSeen);
    const start = tailSeen % tailRoom;
    return join([ring.subarray(start), ring.subarray(0, start)]);
  };

  return {
    add(chunk) {
      const room = headRoom - headLength;
      if (room > 0) addHead(chunk.subarray(0, room));
      if (chunk.length > room) addTail(room > 0 ? chunk.subarray(room) : chunk);
    },
    total: () => headLength + tailSeen,
    finish() {
      const total = headLength + tailSeen;
      const kept = head.subarray(0, headLength);
      if (total <= bound) {
        return { bytes: join([kept, tail()]), total_bytes: total, truncated: false };
      }
      return { bytes: shorten(kept, tail(), total), total_bytes: total, truncated: true };
    },
  };
}

/** Head, mark and tail in no more bytes than `head` and `tail` have; the head alone where the mark finds no room. */
function shorten(head: Uint8Array, tail: Uint8Array, total: number): Uint8Array {
  const room = head.length + tail.length;
  const longest = mark(total).length;
  if (room < longest) return head.slice(0, endOfCharacters(head, head.length));
  const kept = room - longest;
  const headEnd = endOfCharacters(head, Math.min(head.length, Math.ceil(kept / 2)));
  const tailStart = startOfCharacters(tail, tail.length - Math.min(tail.length, Math.floor(kept / 2)));
  const leftOut = total - headEnd - (tail.length - tailStart);
  return join([head.subarray(0, headEnd), mark(leftOut), tail.subarray(tailStart)]);
}

function mark(leftOut: number): Uint8Array {
  return new TextEncoder().encode(`\n[… ${leftOut} bytes left out …]\n`);
}

/** The largest cut ≤ `end` that does not split a UTF-8 character; `end` itself where the bytes there are no UTF-8. */
function endOfCharacters(bytes: Uint8Array, end: number): number {
  for (let back = 1; back <= 3 && back <= end; back++) {
    const byte = bytes[end - back]!;
    if (isContinuation(byte)) continue;
    return lengthOfCharacter(byte) > back ? end - back : end;
  }
  return end;
}

/**
 * The smallest cut ≥ `start` that does not split a UTF-8 character; `start` itself where the bytes there are no UTF-8.
 */
function startOfCharacters(bytes: Uint8Array, start: number): number {
  let first = start;
  while (first < bytes.length && first - start < 3 && isContinuation(bytes[first]!)) first++;
  return first < bytes.length && isContinuation(bytes[first]!) ? start : first;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

function lengthOfCharacter(lead: number): number {
  if (lead >= 0xf0 && lead < 0xf8) return 4;
  if (lead >= 0xe0) return lead < 0xf0 ? 3 : 1;
  return lead >= 0xc0 ? 2 : 1;
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
