/** No secret in anything that leaves an executor, in whatever form the other side sends it back. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { redactBytes, redactor } from "../../src/executors/redact.ts";
import { everythingIn, send, withRecorder } from "./http_support.ts";

const SECRET = `p"w/ö+<&'1 x`;

const FORMS: readonly (readonly [string, (secret: string) => string])[] = [
  ["as it is", (secret) => secret],
  ["in capitals", (secret) => secret.toUpperCase()],
  ["percent-encoded", encodeURIComponent],
  ["percent-encoded in small letters", (secret) => encodeURIComponent(secret).toLowerCase()],
  ["as a form", (secret) => new URLSearchParams({ k: secret }).toString()],
  ["as JSON", (secret) => JSON.stringify(secret)],
  ["as JSON in ASCII", (secret) => JSON.stringify(secret).replace("ö", "\\u00F6")],
  ["as a header that was taken for Latin-1", (secret) => misread(secret)],
  ["the same as JSON in ASCII", (secret) => JSON.stringify(misread(secret)).replace(/[^\x20-\x7e]/g, asciiEscape)],
  ["percent-encoded twice", (secret) => encodeURIComponent(encodeURIComponent(secret))],
  ["in hexadecimal digits", (secret) => new TextEncoder().encode(secret).toHex()],
  ["as JSON, every character escaped", (secret) => secret.replace(/[^]/g, asciiEscape)],
  ["as JSON with escaped slashes", (secret) => JSON.stringify(secret).replace("/", "\\/")],
  [
    "as HTML",
    (secret) => secret.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;").replace("'", "&#39;"),
  ],
  ...["", "a", "ab", "abc"].map((before): readonly [string, (secret: string) => string] => [
    `in base64 behind ${before.length} bytes`,
    (secret) => new TextEncoder().encode(`${before}${secret}${before}`).toBase64(),
  ]),
  ["in base64 for URLs", (secret) => new TextEncoder().encode(`a${secret}`).toBase64({ alphabet: "base64url" })],
];

Deno.test("a secret of any length is hidden whole, in every form, and the beginning of one that was cut", () => {
  const secret = SECRET + Array.from({ length: 5_000 }, (_, index) => `k${index}`).join("");
  const clean = redactor([secret, "another secret"]);
  for (const [what, write] of FORMS) {
    const shown = clean(`before ${write(secret)} after`);
    assert.ok(shown.length < 40, `${what}: ${shown.slice(0, 200)}`);
  }
  const smileys = "😀".repeat(3_333);
  assert.equal(redactor([`x${smileys}`])(`before x${smileys} after`), "before *** after");
  const cut = clean(`before ${secret.slice(0, 2_345)}`, true);
  assert.equal(cut, "before ***");
});

function misread(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}

function asciiEscape(unit: string): string {
  return "\\u" + unit.charCodeAt(0).toString(16).padStart(4, "0");
}

for (const [name, form] of FORMS) {
  Deno.test(`redact: a secret ${name} is taken out`, () => {
    const shown = redactor([SECRET])(`before ${form(SECRET)} after`);
    assert.match(shown, /^before .*\*\*\*.* after$/);
    // At an end of base64, a character holds bits of the secret and of its neighbour.
    assert.ok(shown.length <= "before k= after".length + 16, shown);
  });
}

Deno.test("redact: no secret of four characters and more is left, alone or within another", () => {
  const secrets = fc.array(fc.string({ unit: "binary", minLength: 4, maxLength: 30 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(secrets, fc.string(), (all, text) => {
      const shown = redactor(all)(`${text}${all.join(text)}${JSON.stringify(all)}`);
      for (const secret of all) {
        assert.ok(secret.includes("***") || /^\*+$/.test(secret) || !shown.includes(secret), shown);
      }
    }),
    { numRuns: 200 },
  );
});

Deno.test("redact: the longer of two secrets goes first, and short ones are not looked for", () => {
  assert.equal(redactor(["abcd", "abcdefgh", "xyz", ""])("abcdefgh abcd xyz"), "*** *** xyz");
  assert.equal(redactor(["xyz"])("xyz"), "xyz");
});

Deno.test("redact: of a secret url its path, its query and their keys are secrets, its host is not", () => {
  const clean = redactor(["https://us:passw0rd@hooks.example/services/T0KEN-OF-SERVICE/send?key=K3Y%2Bx"]);
  assert.equal(
    clean("hooks.example: /services/T0KEN-OF-SERVICE/send?key=K3Y%2Bx; T0KEN-OF-SERVICE; K3Y+x; passw0rd"),
    "hooks.example: ***; ***; ***; ***",
  );
});

Deno.test("redact: the beginning of a secret at the end of a text cut short goes too", () => {
  const clean = redactor(["S3CRETKEY"]);
  assert.equal(clean("it was S3CRET", true), "it was ***");
  assert.equal(clean("it was S3CRET", false), "it was S3CRET");
});

Deno.test("redact: bytes that are no UTF-8 stay none, and bytes without a secret stay as they are", () => {
  const clean = redactor(["S3CRET"]);
  const bad = new Uint8Array([...new TextEncoder().encode("S3CRET "), 0xff]);
  const shown = redactBytes(bad, clean);
  assert.throws(() => new TextDecoder("utf-8", { fatal: true }).decode(shown));
  assert.doesNotMatch(new TextDecoder().decode(shown), /S3CRET/);
  const marked = new TextEncoder().encode("\ufeff{}");
  assert.equal(redactBytes(marked, clean), marked);
});

Deno.test("http: a refusal that quotes all it was sent shows no key, expanded or written in the file (case 31)", async () => {
  const env = { TOKEN: "S3CRET-TOKEN", HOST: "127.0.0.1" };
  await withRecorder(async ({ url, requests }) => {
    const run = await send({
      url: `${url.replace("//", "//us:S3CRETPW@")}/hook/S3CRETPATHKEY?token=S3CRETKEY&t=\${TOKEN}`,
      headers: { Authorization: "Bearer ${TOKEN}", "X-Key": "S3CRETHEADER" },
      body: "{}",
    }, { env });
    assert.equal(run.ending.kind, "transport_failed");
    assert.match(run.stderr, /^it answered: \{/);
    assert.equal(requests.length, 1);
    const everything = everythingIn(run);
    for (const secret of ["S3CRET", "s3cret", "UzNDUkVU"]) assert.ok(!everything.includes(secret), everything);
  }, ({ target, headers, body }) => {
    const sent = { target, headers: Object.fromEntries(headers), body, token: btoa(`Basic ${env.TOKEN}`) };
    return Response.json(sent, {
      status: 500,
      headers: { "x-echo": env.TOKEN, location: `http://${env.TOKEN}.example/` },
    });
  });
});

Deno.test("http: a redirect to a host made of a secret does not show it", async () => {
  await withRecorder(async ({ url, host }) => {
    const run = await send({ url: `${url}/?k=S3CRETKEY`, headers: { "X-A": "${T}" } }, { env: { T: "S3CRET-T" } });
    const reason = `${host}: HTTP 302: redirected to ***.***.example, not followed`;
    assert.deepEqual(run.ending, { kind: "transport_failed", reason, status: 302 });
  }, () => new Response(null, { status: 302, headers: { location: "http://s3cretkey.s3cret-t.example/" } }));
});

Deno.test("http: a verdict that quotes a secret is given on without it, and stays a verdict", async () => {
  await withRecorder(async ({ url }) => {
    const env = { T: 'S3CRET"T' };
    const run = await send({ url: `${url}/?mode=deny`, headers: { "X-A": "${T}" } }, {
      env,
      speech: "agent-hooks/0.1",
    });
    const verdict = JSON.parse(new TextDecoder().decode(run.stdout));
    assert.deepEqual(verdict, { decision: "deny", reason: "no *** here" });
  }, () => Response.json({ decision: "deny", reason: 'no S3CRET"T here' }));
});
