/** jcs-sha256: canonical bytes, the closed projection, and what is refused. */
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { isJsonObject, type Json, type JsonObject, parseJson } from "../../src/protocol/mod.ts";
import { canonicalJson, contextIdentity } from "../../src/hooks/agent_hooks/identity.ts";

const GOLDEN = new URL("../../../shared/agent-hooks/conformance/golden/identity.json", import.meta.url);

/**
 * A literal in the inputs of the vectors, and the neighbouring double that their generator read it as and hashed; ECMA-262,
 * which RFC 8785 follows, reads the double as written.
 */
const MISREAD = [["9.999999999999997e+22", "9.999999999999996e+22"]] as const;

function asRead(text: string, [written, read]: readonly [string, string]): string {
  assert.notEqual(Number(written), Number(read));
  return text.replaceAll(written, read);
}

interface Fixture {
  readonly id: string;
  readonly ctx: JsonObject;
  readonly expect: { readonly canonical_json?: string; readonly context_identity?: string; readonly error?: string };
}

Deno.test("identities equal the golden vectors of the standard", async (test) => {
  let text: string;
  try {
    text = await Deno.readTextFile(GOLDEN);
  } catch {
    console.log("the golden vectors of agent-hooks are not beside this checkout: nothing compared");
    return;
  }
  const { fixtures } = parseJson(MISREAD.reduce(asRead, text)) as unknown as { fixtures: readonly Fixture[] };
  assert.ok(fixtures.length > 15);
  for (const { id, ctx, expect } of fixtures) {
    await test.step(id, async () => {
      const result = await contextIdentity(ctx);
      assert.equal(result.ok, expect.error === undefined);
      if (!result.ok) return;
      assert.equal(result.identity, expect.context_identity);
      assert.deepEqual(canonicalJson(ctx), { ok: true, text: expect.canonical_json });
    });
  }
});

const INPUT = {
  spec: "agent-hooks/0.1",
  interception_point: "input",
  timestamp: "2026-01-01T00:00:00.000Z",
  sequence: 1,
  agent: { id: "a", framework: "f" },
  session: { id: "s" },
  input: { content: "hi", role: "user" },
  target: { content: "hi", role: "user" },
} as const satisfies JsonObject;

const withTarget = (target: JsonObject["target"]) => contextIdentity({ ...INPUT, target: target! });

Deno.test("optional members change no identity, required ones do", async () => {
  const plain = await contextIdentity(INPUT);
  assert.ok(plain.ok);
  assert.match(plain.identity ?? "", /^sha256:[0-9a-f]{64}$/);
  const more = { ...INPUT, session: { id: "s", turn: 9 }, trace: { trace_id: "x" }, extensions: { a: 1 } };
  assert.deepEqual(await contextIdentity(more), plain);
  assert.notDeepEqual(await contextIdentity({ ...INPUT, sequence: 2 }), plain);
});

Deno.test("layout, order and optional members never change an identity; any change of what counts does", async () => {
  const json = fc.jsonValue({ maxDepth: 4 }).filter((value) => JSON.stringify(value).isWellFormed());
  await fc.assert(fc.asyncProperty(json, json, async (target, other) => {
    fc.pre(!isDeepStrictEqual(JSON.parse(JSON.stringify(target)), JSON.parse(JSON.stringify(other))));
    const context = parseJson(JSON.stringify({ ...INPUT, target })) as JsonObject;
    const plain = await contextIdentity(context);
    fc.pre(plain.ok);
    const shuffled = parseJson(
      JSON.stringify(reversed({ ...context, extensions: { a: other as Json } }), undefined, 2),
    );
    assert.deepEqual(await contextIdentity(shuffled as JsonObject), plain);
    assert.notDeepEqual(await contextIdentity({ ...context, target: parseJson(JSON.stringify(other)) }), plain);
  }));
});

/** The same value with all keys in the opposite order. */
function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => reversed(item));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).reverse().map(([key, item]) => [key, reversed(item)]));
}

Deno.test("numbers, names and depths outside the domain are refused and named, never rewritten", async () => {
  const refused = [
    [{ a: [9007199254740993n] }, "$.target.a[0]"],
    [{ a: 2 ** 53 }, "$.target.a"],
    [{ a: NaN }, "$.target.a"],
    [{ a: Infinity }, "$.target.a"],
    [{ a: "\ud800" }, "$.target.a"],
    [{ "\udc00": 1 }, "$.target"],
  ] as const;
  for (const [target, place] of refused) {
    const result = await withTarget(target);
    assert.ok(!result.ok);
    assert.ok(result.problem.includes(place), result.problem);
  }
  assert.ok((await withTarget({ a: 1e21, b: -0, c: 2 ** 53 - 1 })).ok);
  let deep: JsonObject = {};
  for (let level = 0; level < 200; level++) deep = { deep };
  assert.equal((await withTarget(deep)).ok, false);
  assert.equal((await withTarget("x".repeat(5 * 1024 * 1024))).ok, false);
});

Deno.test("a context without its conditional members, or of no point of the standard, has no identity", async () => {
  const { input: _, ...without } = INPUT;
  assert.equal((await contextIdentity(without)).ok, false);
  assert.equal((await contextIdentity({ ...INPUT, interception_point: "stop" })).ok, false);
  assert.equal((await contextIdentity({ ...INPUT, interception_point: "constructor" })).ok, false);
  assert.equal((await contextIdentity({ ...INPUT, agent: { id: "a" } })).ok, false);
});
