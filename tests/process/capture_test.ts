import assert from "node:assert/strict";
import fastCheck from "fast-check";
import { createCapture } from "../../src/process/capture.ts";

const encoder = new TextEncoder();

function capture(limit: number, ...chunks: (string | Uint8Array)[]) {
  const kept = createCapture(limit);
  for (const chunk of chunks) kept.add(typeof chunk === "string" ? encoder.encode(chunk) : chunk);
  const { bytes, ...facts } = kept.finish();
  return { text: new TextDecoder().decode(bytes), bytes, ...facts };
}

Deno.test("output up to the limit is kept whole, also when it fills the limit exactly", () => {
  for (const text of ["", "a", "0123456789"]) {
    const { text: kept, total_bytes, truncated } = capture(10, text);
    assert.deepEqual({ kept, total_bytes, truncated }, { kept: text, total_bytes: text.length, truncated: false });
  }
});

Deno.test("output in pieces is put together in order", () => {
  assert.equal(capture(10, "01", "234", "5", "6789").text, "0123456789");
});

Deno.test("longer output keeps head and tail with a mark that counts what is left out", () => {
  const { text, total_bytes, truncated } = capture(100, "h".repeat(500), "t".repeat(500));
  assert.match(text, /^h+\n\[… \d+ bytes left out …\]\nt+$/);
  const kept = text.match(/[ht]/g)!.length - "bytes left out".match(/[ht]/g)!.length;
  assert.equal(Number(/(\d+) bytes/.exec(text)![1]), 1000 - kept);
  assert.deepEqual({ total_bytes, truncated }, { total_bytes: 1000, truncated: true });
});

Deno.test("a buffer that the caller uses again does not change what was kept", () => {
  const kept = createCapture(20);
  const buffer = encoder.encode("first ");
  kept.add(buffer);
  buffer.set(encoder.encode("second"));
  kept.add(buffer);
  assert.equal(new TextDecoder().decode(kept.finish().bytes), "first second");
});

Deno.test("whatever the pieces and the limit, the result fits the limit and begins and ends as the output does", () => {
  const pieces = fastCheck.array(fastCheck.uint8Array({ maxLength: 300 }), { maxLength: 30 });
  fastCheck.assert(fastCheck.property(fastCheck.nat(600), pieces, (limit, chunks) => {
    const whole = new Uint8Array(chunks.flatMap((chunk) => [...chunk]));
    const { bytes, total_bytes, truncated } = capture(limit, ...chunks);
    assert.equal(total_bytes, whole.length);
    assert.equal(truncated, whole.length > limit);
    assert.ok(bytes.length <= limit);
    if (!truncated) return assert.deepEqual(bytes, whole);
    const marks = /\n\[\u00e2\u0080\u00a6 (\d+) bytes left out \u00e2\u0080\u00a6\]\n/;
    const mark = marks.exec(String.fromCharCode(...bytes));
    if (mark === null) return assert.deepEqual(bytes, whole.subarray(0, bytes.length));
    const head = mark.index;
    const tail = bytes.length - head - mark[0].length;
    assert.deepEqual(bytes.subarray(0, head), whole.subarray(0, head));
    assert.deepEqual(bytes.subarray(bytes.length - tail), whole.subarray(whole.length - tail));
    assert.equal(Number(mark[1]), whole.length - head - tail);
  }));
});

Deno.test("UTF-8 output is cut between characters, wherever the limit falls", () => {
  const text = "é拒绝🚫".repeat(200);
  for (let limit = 60; limit < 90; limit++) {
    const cut = capture(limit, text).text;
    assert.ok(cut.includes("bytes left out"));
    assert.ok(!cut.includes("\ufffd"), `limit ${limit}: ${cut}`);
  }
});

Deno.test("a limit without room for the mark keeps the head alone, cut between characters", () => {
  assert.deepEqual(capture(8, "拒".repeat(10)).text, "拒");
  assert.deepEqual(capture(0, "abc"), { text: "", bytes: new Uint8Array(0), total_bytes: 3, truncated: true });
});
