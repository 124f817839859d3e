import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { sha256Hex } from "../../src/session/sha256.ts";

Deno.test("sha256Hex gives the published digests", () => {
  const encoder = new TextEncoder();
  for (
    const [text, digest] of [
      ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
      ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
      [
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
      ],
      ["a".repeat(1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"],
    ] as const
  ) {
    assert.equal(sha256Hex(encoder.encode(text)), digest);
  }
});

Deno.test("sha256Hex agrees with node:crypto at every length around the block borders", () => {
  for (let length = 0; length <= 260; length++) {
    const bytes = crypto.getRandomValues(new Uint8Array(length));
    assert.equal(sha256Hex(bytes), createHash("sha256").update(bytes).digest("hex"), `length ${length}`);
  }
});
