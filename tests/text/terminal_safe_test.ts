import assert from "node:assert/strict";
import { terminalSafe } from "../../src/text/mod.ts";

const ROWS: Readonly<Record<string, readonly [given: string, safe: string]>> = {
  "plain text, tabs and newlines stay as they are": ["a\tb\nc é 中 😀", "a\tb\nc é 中 😀"],
  "colours go": ["a\x1b[31mred\x1b[0m", "ared"],
  "cursor movement and screen clearing go": ["\x1b[2J\x1b[1;1Hx\x1b[?25l", "x"],
  "a title set by OSC goes, ended by BEL or by ST": ["\x1b]0;evil\x07a\x1b]0;evil\x1b\\b", "ab"],
  "hyperlinks keep their text": ["\x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\", "text"],
  "device control strings go": ["\x1bPq#0\x1b\\z", "z"],
  "an unfinished OSC hides nothing": ["\x1b]0;visible text", "]0;visible text"],
  "an unfinished CSI hides nothing": ["\x1b[31", "[31"],
  "the 8-bit forms go": ["\x9b31mx\x9d0;t\x9cy\x85", "xy"],
  "short escapes go": ["\x1bc\x1b(Bx\x1b7", "x"],
  "a lone carriage return becomes a line break": ["10%\r20%\r100%", "10%\n20%\n100%"],
  "CRLF becomes a newline": ["a\r\nb\r\r\nc", "a\nb\nc"],
  "other control characters go": ["a\x00b\x07c\x08d\x0be\x7ff", "abcdef"],
  "marks that reorder text go": ["a\u202eb\u2066c\u200fd\u061ce", "abcde"],
  "an escape inside an escape leaves none": ["\x1b\x1b[31m[31mx", "[31mx"],
};

for (const [title, [given, safe]] of Object.entries(ROWS)) {
  Deno.test(title, () => assert.equal(terminalSafe(given), safe));
}

Deno.test("a megabyte of introducers is no problem", () => {
  const kinds = ["\x1b]", "\x1b[", "\x1bP", "\x9b1", "\x1b] x", "\x1b[0;0;"];
  for (const kind of kinds) {
    const safe = terminalSafe(kind.repeat(1_000_000 / kind.length));
    assert.deepEqual(["\x1b", "\x9b"].filter((introducer) => safe.includes(introducer)), []);
  }
});
