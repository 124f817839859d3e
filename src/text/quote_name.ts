/**
 * A file name, reason or other foreign text in double quotes on one line: quotes, backslashes, line breaks, control
 * characters and bidirectional marks are written as JSON escapes. The result is a JSON string.
 */
export function quoteName(name: string): string {
  return JSON.stringify(name).replace(INVISIBLE, asEscape);
}

/** The name as it is when nothing in it can mislead a reader of a list with one name a line, otherwise quoted. */
export function bareName(name: string): string {
  return name === "" || MISLEADING.test(name) ? quoteName(name) : name;
}

/** What `JSON.stringify` leaves as it is but a terminal or an eye stumbles over. */
const INVISIBLE = /[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

// deno-lint-ignore no-control-regex
const MISLEADING = /[\x00-\x1f"\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]|^\s|\s$/;

function asEscape(unit: string): string {
  return "\\u" + unit.charCodeAt(0).toString(16).padStart(4, "0");
}
