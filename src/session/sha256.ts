/**
 * SHA-256 (FIPS 180-4), synchronous.
 *
 * The chain needs a digest inside a synchronous append. `node:crypto` has one, but on Deno 2.9 its import adds 30 ms
 * and 8 MB to every start, and `crypto.subtle` is asynchronous.
 */

/** The SHA-256 digest of the bytes in lower-case hex. */
export function sha256Hex(bytes: Uint8Array): string {
  const state = Int32Array.from(INITIAL);
  const schedule = new Int32Array(64);
  const whole = bytes.length - bytes.length % BLOCK;
  for (let at = 0; at < whole; at += BLOCK) mixBlock(state, schedule, bytes, at);
  const last = padded(bytes.subarray(whole), bytes.length);
  for (let at = 0; at < last.length; at += BLOCK) mixBlock(state, schedule, last, at);
  let hex = "";
  for (const word of state) hex += (word >>> 0).toString(16).padStart(8, "0");
  return hex;
}

const BLOCK = 64;

/** First 32 bits of the fractional parts of the square roots of the first 8 primes. */
const INITIAL = fractions(8, 1 / 2);
/** The same of the cube roots of the first 64 primes. */
const ROUND = fractions(64, 1 / 3);

function mixBlock(state: Int32Array, schedule: Int32Array, bytes: Uint8Array, start: number): void {
  for (let i = 0, at = start; i < 16; i++, at += 4) {
    schedule[i] = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
  }
  for (let i = 16; i < 64; i++) {
    const early = schedule[i - 15]!;
    const late = schedule[i - 2]!;
    const small0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const small1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    schedule[i] = (schedule[i - 16]! + small0 + schedule[i - 7]! + small1) | 0;
  }
  let a = state[0]!, b = state[1]!, c = state[2]!, d = state[3]!;
  let e = state[4]!, f = state[5]!, g = state[6]!, h = state[7]!;
  for (let i = 0; i < 64; i++) {
    const big1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const first = (h + big1 + ((e & f) ^ (~e & g)) + ROUND[i]! + schedule[i]!) | 0;
    const big0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const second = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  state[0] = state[0]! + a;
  state[1] = state[1]! + b;
  state[2] = state[2]! + c;
  state[3] = state[3]! + d;
  state[4] = state[4]! + e;
  state[5] = state[5]! + f;
  state[6] = state[6]! + g;
  state[7] = state[7]! + h;
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

/** The rest of the message, a one bit, zeros, and the length in bits as 64 bits. */
function padded(rest: Uint8Array, length: number): Uint8Array {
  const blocks = new Uint8Array(rest.length < 56 ? BLOCK : 2 * BLOCK);
  blocks.set(rest);
  blocks[rest.length] = 0x80;
  new DataView(blocks.buffer).setBigUint64(blocks.length - 8, BigInt(length) * 8n);
  return blocks;
}

function fractions(count: number, power: number): Int32Array {
  const found = new Int32Array(count);
  for (let candidate = 2, index = 0; index < count; candidate++) {
    if (!isPrime(candidate)) continue;
    const root = candidate ** power;
    found[index++] = ((root - Math.floor(root)) * 2 ** 32) | 0;
  }
  return found;
}

function isPrime(candidate: number): boolean {
  for (let divisor = 2; divisor * divisor <= candidate; divisor++) {
    if (candidate % divisor === 0) return false;
  }
  return true;
}
