/** Text that a person has to judge: nothing in it is taken out, everything in it can be seen. */

/**
 * The text with every character that steers a terminal, is invisible or changes the order of others written as its code
 * point (`\u{1b}`). Line breaks and tabs stay.
 */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, (unit) => `\\u{${unit.codePointAt(0)!.toString(16)}}`);
}

const HIDDEN =
  // deno-lint-ignore no-control-regex
  /[\x00-\x08\x0b-\x1f\x7f-\xa0\xad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;
