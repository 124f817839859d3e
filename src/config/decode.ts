/** Bytes of a configuration file as text: UTF-8, with or without a byte-order mark. */

/** The text without its mark, or what is wrong with the encoding and where (line and column from 1). */
export type DecodedText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly line: number; readonly column: number; readonly problem: string };

/** Decodes strictly: another encoding is refused by its name, never guessed at. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || bytes[0] === 0 || bytes[1] === 0) {
    return { ok: false, line: 1, column: 1, problem: "this file is UTF-16, save it as UTF-8" };
  }
  try {
    return { ok: true, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { ok: false, ...placeOfBadByte(bytes), problem: "this file is not UTF-8, save it as UTF-8" };
  }
}

/** Line and column of the first byte that is no UTF-8. */
function placeOfBadByte(bytes: Uint8Array): { readonly line: number; readonly column: number } {
  const lenient = new TextDecoder().decode(bytes);
  let good = 0;
  for (let at = lenient.indexOf("\ufffd"); at !== -1; at = lenient.indexOf("\ufffd", at + 1)) {
    good = at;
    // A replacement character may also stand in the file itself, as these three bytes.
    const size = new TextEncoder().encode(lenient.slice(0, at)).length + (hasMark(bytes) ? 3 : 0);
    if (!(bytes[size] === 0xef && bytes[size + 1] === 0xbf && bytes[size + 2] === 0xbd)) break;
  }
  const before = lenient.slice(0, good);
  return { line: before.split("\n").length, column: good - before.lastIndexOf("\n") };
}

function hasMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}
