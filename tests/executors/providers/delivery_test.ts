import assert from "node:assert/strict";
import { deliveryOf, isEqual } from "../../../src/executors/providers/delivery.ts";
import type { Json } from "../../../src/protocol/mod.ts";

const ERRCODE = [{ field: "errcode", equals: 0 }];
const FEISHU = [{ field: "code", equals: 0 }, { field: "StatusCode", equals: 0 }];

/** Rules, status, body, and the reason of the refusal; none = sent. */
const ROWS: readonly (readonly [readonly { field: string; equals: Json }[], number, string, reason?: string])[] = [
  [ERRCODE, 200, '{"errcode":0,"errmsg":"ok"}'],
  [ERRCODE, 201, '{"errcode":0}'],
  [ERRCODE, 200, '{"errcode":93000,"errmsg":"invalid webhook url"}', "errcode 93000: invalid webhook url"],
  [ERRCODE, 200, '{"errcode":"0","errmsg":"ok"}', 'errcode "0": ok'],
  [ERRCODE, 200, '{"errcode":null}', "errcode null"],
  [ERRCODE, 200, '{"message":"hello"}', "HTTP 200, but the answer has no errcode: hello"],
  [ERRCODE, 200, '{"data":{"errcode":0}}', "HTTP 200, but the answer has no errcode"],
  [ERRCODE, 200, "", "HTTP 200, but the answer is empty; errcode was expected"],
  [ERRCODE, 200, "ok", "HTTP 200, but the answer is no JSON object; errcode was expected: ok"],
  [ERRCODE, 200, "[]", "HTTP 200, but the answer is no JSON object; errcode was expected: []"],
  [ERRCODE, 503, "", "HTTP 503"],
  [ERRCODE, 500, '{"errcode":0,"errmsg":"overloaded"}', "HTTP 500: overloaded"],
  [ERRCODE, 302, "", "HTTP 302"],
  [FEISHU, 200, '{"code":0}'],
  [FEISHU, 200, '{"StatusCode":0,"StatusMessage":"success"}'],
  [FEISHU, 200, '{"code":19024,"msg":"Key Words Not Found"}', "code 19024: Key Words Not Found"],
  [FEISHU, 200, '{"StatusCode":0,"code":9499,"msg":"Bad Request"}', "code 9499: Bad Request"],
  [FEISHU, 200, '{"ok":true}', "HTTP 200, but the answer has no code or StatusCode"],
  [[], 204, ""],
  [[], 200, '{"errcode":1}'],
  [[], 404, "no such hook", "HTTP 404: no such hook"],
];

for (const [rules, status, body, reason] of ROWS) {
  const names = rules.map(({ field }) => field).join(" or ") || "any 2xx";
  Deno.test(`${names}: HTTP ${status} with ${body || "nothing"} is ${reason ?? "sent"}`, () => {
    const answer = { kind: "answered", status, body: new TextEncoder().encode(body), truncated: false } as const;
    assert.deepEqual(
      deliveryOf(answer, rules),
      reason === undefined ? { kind: "sent", status } : { kind: "refused", reason, status },
    );
  });
}

Deno.test("what a success rule expects is compared deeply, and a type is part of a value", () => {
  const equal: readonly (readonly [Json, Json])[] = [
    [{ a: [1, { b: null }], c: "x" }, { c: "x", a: [1, { b: null }] }],
    [12345678901234567890n, 12345678901234567890n],
    [[], []],
  ];
  const different: readonly (readonly [Json, Json])[] = [
    [0, "0"],
    [0, false],
    [0, null],
    [[], {}],
    [{ a: 1 }, { a: 1, b: 2 }],
    [[1, 2], [2, 1]],
    [{ toString: 1 }, { other: 1 }],
  ];
  for (const [left, right] of equal) assert.ok(isEqual(left, right));
  for (const [left, right] of different) assert.ok(!isEqual(left, right) && !isEqual(right, left));
});

Deno.test("an answer that was cut short or a connection that failed is refused", () => {
  const cut = { kind: "answered", status: 200, body: new TextEncoder().encode('{"errc'), truncated: true } as const;
  assert.deepEqual(deliveryOf(cut, ERRCODE), {
    kind: "refused",
    status: 200,
    reason: 'HTTP 200, but the answer is too long to be read; errcode was expected: {"errc',
  });
  assert.deepEqual(deliveryOf({ kind: "failed", reason: "h: refused" }, ERRCODE), {
    kind: "refused",
    reason: "h: refused",
  });
  assert.deepEqual(deliveryOf({ kind: "timed_out" }, ERRCODE), { kind: "timed_out" });
});
