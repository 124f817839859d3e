import assert from "node:assert/strict";
import fc from "fast-check";
import { cutBytes } from "../../src/text/mod.ts";

Deno.test("text within the limit comes back as it is", () => {
  assert.deepEqual(cutBytes("héllo", 6, "head"), { text: "héllo", total_bytes: 6, omitted_bytes: 0 });
});

Deno.test("head keeps the beginning and says what is left out", () => {
  const cut = cutBytes("a".repeat(1000), 100, "head");
  assert.deepEqual(cut, {
    text: "a".repeat(36) + "\n[964 of 1000 bytes left out]",
    total_bytes: 1000,
    omitted_bytes: 964,
  });
});

Deno.test("head and tail keep both ends", () => {
  const cut = cutBytes("start" + "-".repeat(1000) + "end", 100, "head_tail");
  assert.match(cut.text, /^start-+\n\[972 of 1008 bytes left out\]\n-+end$/);
});

Deno.test("no character is cut in two and the limit holds, whatever the text", () => {
  fc.assert(fc.property(
    fc.string({ unit: "binary", minLength: 50, maxLength: 300 }),
    fc.integer({ min: 64, max: 400 }),
    fc.constantFrom("head" as const, "head_tail" as const),
    (text, limit, mode) => {
      const cut = cutBytes(text, limit, mode);
      assert.ok(new TextEncoder().encode(cut.text).length <= limit);
      const parts = cut.omitted_bytes === 0 ? [cut.text] : cut.text.split(/\n\[\d+ of \d+ bytes left out\]\n?/);
      assert.ok(text.startsWith(parts[0]!) && text.endsWith(parts[1] ?? ""));
    },
  ));
});

Deno.test("bytes that are no UTF-8 are shown leniently and stay within the limit", () => {
  const bytes = new Uint8Array(500).fill(0xff);
  for (const mode of ["head", "head_tail"] as const) {
    assert.ok(new TextEncoder().encode(cutBytes(bytes, 600, mode).text).length <= 600);
    assert.ok(new TextEncoder().encode(cutBytes(bytes, 200, mode).text).length <= 200);
  }
});
