/** What fields stand for is data wherever it is sent: it changes neither the shape of a request nor its goal. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { send, withRecorder } from "./http_support.ts";

const NASTY: readonly string[] = [
  'say "hi"\n\ttab \\ C:\\temp\n","evil":true,"x":"  emoji ✅',
  "a\r\nX-Evil: 1\r\n\r\nGET /evil HTTP/1.1",
  "#fragment?query=1&evil=1",
  "../../etc/passwd",
  "..",
  ".",
  "%2e%2e/%2F",
  "\\..\\",
  "{{SessionId}} ${TOKEN} $${TOKEN}",
  "\ud800 lone \udc00",
  "\u0000\u001b[31m\u007f\u2028\u2029\u0085",
  "中文 é ü",
  "",
];

/** One hook with the prompt everywhere a field may stand. */
async function sendEverywhere(url: string, prompt: string) {
  return await send({
    url: `${url}/before/{{UserMessage}}/after?q={{UserMessage}}&last=1`,
    headers: { "X-Prompt": "[{{UserMessage}}]", "X-Last": "1" },
    body: '{"m":"{{UserMessage}}","bare":{{UserMessage}},"back":"C:\\{{UserMessage}}","last":1}',
  }, { fields: { UserMessage: prompt, SessionId: "s1" }, env: { TOKEN: "TOKEN-VALUE" } });
}

function assertOnlyData(
  { target, headers, body }: { readonly target: string; readonly headers: Headers; readonly body: string },
  prompt: string,
): void {
  const text = prompt.toWellFormed();
  const [path = "", query = ""] = target.split("?");
  const segments = path.split("/");
  assert.deepEqual([segments.length, segments[1], segments[3]], [4, "before", "after"], target);
  const segment = decodeURIComponent(segments[2] ?? "");
  assert.equal(segment, /^\.{1,2}$/.test(text) ? text.replaceAll(".", "%2E") : text);
  assert.deepEqual(query.split("&").map((pair) => pair.split("=").map(decodeURIComponent)), [["q", text], [
    "last",
    "1",
  ]]);
  assert.deepEqual(JSON.parse(body), { m: text, bare: text, back: `C:\\${text}`, last: 1 });

  const names = [...headers.keys()].filter((name) => name.startsWith("x-")).sort();
  assert.deepEqual(names, ["x-last", "x-prompt"]);
  const bytes = Uint8Array.from(headers.get("x-prompt") ?? "", (unit) => unit.charCodeAt(0));
  const header = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  // deno-lint-ignore no-control-regex
  assert.equal(header, `[${text.replace(/[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]+/g, " ")}]`);
}

for (const prompt of NASTY) {
  Deno.test(`http: ${JSON.stringify(prompt)} stays one value in path, query, header and body`, async () => {
    await withRecorder(async ({ url, requests }) => {
      const run = await sendEverywhere(url, prompt);
      assert.deepEqual(run.ending, { kind: "returned", status: 200 }, run.stderr);
      assert.equal(requests.length, 1);
      if (prompt !== "") assertOnlyData(requests[0]!, prompt);
    });
  });
}

Deno.test("http: any prompt at all stays one value in path, query, header and body", async () => {
  await withRecorder(async ({ url, requests }) => {
    const prompts = fc.oneof(
      fc.string({ unit: "binary", minLength: 1 }),
      fc.string({ unit: fc.constantFrom(...'"\\/.?#&=%{}$:@\r\n\t,u0 '.split(""), "\ud800", "{{Cwd}}"), minLength: 1 }),
    );
    await fc.assert(
      fc.asyncProperty(prompts, async (prompt) => {
        requests.length = 0;
        const run = await sendEverywhere(url, prompt);
        assert.deepEqual(run.ending, { kind: "returned", status: 200 });
        assert.equal(requests.length, 1);
        assertOnlyData(requests[0]!, prompt);
      }),
      { numRuns: 150 },
    );
  });
});

Deno.test("http: the type of a body says how values are written there (case 30)", async () => {
  const prompt = 'a "b" & c=d\nê';
  const types: readonly (readonly [string, string])[] = [
    ["application/json; charset=utf-8", 'msg=a \\"b\\" & c=d\\nê'],
    ["application/cloudevents+json", 'msg=a \\"b\\" & c=d\\nê'],
    ["application/x-www-form-urlencoded", "msg=a%20%22b%22%20%26%20c%3Dd%0A%C3%AA"],
    ["text/plain", `msg=${prompt}`],
    ["application/xml", `msg=${prompt}`],
  ];
  await withRecorder(async ({ url, requests }) => {
    for (const [type] of types) {
      await send({ url, headers: { "content-type": type }, body: "msg={{UserMessage}}" }, {
        fields: { UserMessage: prompt },
      });
    }
    assert.deepEqual(requests.map(({ headers, body }) => [headers.get("content-type"), body]), types);
  });
});

Deno.test("http: no template is looked for in a secret, and no secret in a template", async () => {
  await withRecorder(async ({ url, requests }) => {
    const env = { HOOK: `${url}/{{SessionId}}`, TOKEN: "{{UserMessage}} ${HOOK}", NAME: "SessionId" };
    const run = await send({
      url: "${HOOK}/{{SessionId}}",
      headers: { "X-A": "${TOKEN} {{UserMessage}} {{${NAME}}}" },
      body: '{"not": "${TOKEN}"}',
    }, { env, fields: { UserMessage: "${TOKEN}", SessionId: "s 1" } });
    assert.deepEqual(run.ending, { kind: "returned", status: 200 });
    const [request] = requests;
    assert.equal(decodeURIComponent(request?.target ?? ""), "/{{SessionId}}/s 1");
    assert.equal(request?.headers.get("x-a"), "{{UserMessage}} ${HOOK} ${TOKEN} {{SessionId}}");
    assert.equal(request?.body, '{"not": "${TOKEN}"}');
  });
});
