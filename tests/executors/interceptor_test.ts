import assert from "node:assert/strict";
import type { ExecutorSettings } from "../../src/hooks/mod.ts";
import { inPlace, requestFor } from "./support.ts";

const calling = (intercept: (context: unknown) => unknown): ExecutorSettings => ({ type: "interceptor", intercept });

Deno.test("an interceptor's value is returned as it is, from a function or a promise", () =>
  inPlace(async ({ executors }) => {
    const verdict = { decision: "allow" };
    for (const intercept of [() => verdict, () => Promise.resolve(verdict)]) {
      const run = await executors.interceptor(requestFor(calling(intercept), { context: { a: 1 } }));
      assert.deepEqual(run.ending, { kind: "returned" });
      assert.equal(run.value, verdict);
    }
    const echo = await executors.interceptor(requestFor(calling((context) => context), { context: { a: 1 } }));
    assert.deepEqual(echo.value, { a: 1 });
  }));

Deno.test("a throw is an ending that names the type of the error and quotes nothing", () =>
  inPlace(async ({ executors }) => {
    const throwing = () => {
      throw new RangeError("secret");
    };
    for (const intercept of [throwing, () => Promise.reject(new RangeError("secret"))]) {
      const run = await executors.interceptor(requestFor(calling(intercept)));
      assert.deepEqual(run.ending, { kind: "transport_failed", reason: "threw RangeError" });
    }
    const odd = await executors.interceptor(requestFor(calling(() => Promise.reject("secret"))));
    assert.deepEqual(odd.ending, { kind: "transport_failed", reason: "threw string" });
  }));

Deno.test("an interceptor that never answers is bounded by its timeout and by the signal", () =>
  inPlace(async ({ executors }) => {
    const never = calling(() => new Promise(() => {}));
    const late = await executors.interceptor(requestFor(never, { timeout_ms: 20 }));
    assert.deepEqual(late.ending, { kind: "timed_out", limit_ms: 20 });
    const controller = new AbortController();
    const running = executors.interceptor(requestFor(never, { signal: controller.signal }));
    controller.abort();
    assert.deepEqual((await running).ending, { kind: "cancelled" });
    const aborted = requestFor(calling(() => assert.fail("called")), { signal: AbortSignal.abort() });
    assert.deepEqual((await executors.interceptor(aborted)).ending, { kind: "cancelled" });
  }));

Deno.test("a timeout beyond what a timer can hold is no timeout at once", () =>
  inPlace(async ({ executors }) => {
    const slow = calling(() => new Promise((resolve) => setTimeout(resolve, 30, "late")));
    const run = await executors.interceptor(requestFor(slow, { timeout_ms: 2 ** 40 }));
    assert.equal(run.value, "late");
  }));
