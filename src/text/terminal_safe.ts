/**
 * The text without anything that steers a terminal or misleads its reader: escape sequences, control characters other
 * than newline and tab, and the marks that reorder or hide letters are taken out; `\r\n` becomes `\n` and a lone `\r` a
 * line break, so that nothing is overwritten and nothing is lost. An escape sequence that is never finished loses its
 * introducer only: text behind it stays visible. Sequences as in ECMA-48.
 */
export function terminalSafe(text: string): string {
  if (!UNSAFE.test(text)) return text;
  return text.replace(LINE_BREAKS, "\n").replace(ESCAPE_SEQUENCES, "").replace(STEERING, "");
}

const LINE_BREAKS = /\r+\n?/g;

/** Strings up to their terminator (OSC, DCS, SOS, PM, APC), control sequences, and the short escapes. */
const ESCAPE_SEQUENCES = new RegExp(
  [
    String.raw`(?:\x1b[\]P^_X]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)`,
    String.raw`(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]`,
    String.raw`\x1b[ -/]+[0-~]`,
    String.raw`\x1b[0-OQ-WYZ\\` + "`-~]",
  ].join("|"),
  "g",
);

/** C0 but newline and tab, DEL, C1, and the bidirectional marks, embeddings, overrides and isolates. */
const STEERING =
  // deno-lint-ignore no-control-regex
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

const UNSAFE = new RegExp(STEERING.source);
