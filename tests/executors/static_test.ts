import assert from "node:assert/strict";
import { inPlace, requestFor, stdoutOf } from "./support.ts";

Deno.test("a static rule answers with the deny that a command would print, reason word for word", () =>
  inPlace(async ({ executors }) => {
    const reason = '拒绝 "quoted"\nsecond line';
    const run = await executors.static(requestFor({ type: "static", reason }));
    assert.deepEqual(run.ending, { kind: "returned" });
    assert.deepEqual(JSON.parse(stdoutOf(run)), { decision: "deny", reason });
  }));

Deno.test("an executor given another type of hook is a broken promise", () =>
  inPlace(async ({ executors }) => {
    const wrong = requestFor({ type: "command", command: "true" });
    assert.throws(() => executors.static(wrong), TypeError);
    await assert.rejects(executors.interceptor(wrong), TypeError);
    await assert.rejects(executors.command(requestFor({ type: "static", reason: "" })), TypeError);
  }));
