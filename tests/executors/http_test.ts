/** What http hooks send, and what their answers are facts of. */
import assert from "node:assert/strict";
import { everythingIn, send, withRecorder } from "./http_support.ts";
import { stdoutOf } from "./support.ts";

Deno.test("http: a POST with a body is sent as JSON, once, and 2xx is the whole answer (origins 50, 53)", async () => {
  await withRecorder(async ({ url, requests }) => {
    const run = await send({ url: `${url}/a?b=c`, body: '{"point":"{{Point}}"}' }, { fields: { Point: "input" } });
    assert.deepEqual(run.ending, { kind: "returned", status: 200 });
    assert.equal(run.stdout.length, 0);
    assert.equal(run.stderr, "");
    assert.equal(run.warnings, undefined);
    const [request] = requests;
    assert.equal(requests.length, 1);
    assert.deepEqual([request?.method, request?.target, request?.body], ["POST", "/a?b=c", '{"point":"input"}']);
    assert.equal(request?.headers.get("content-type"), "application/json");
  });
});

Deno.test("http: a configured Content-Type is kept, beside an Accept too", async () => {
  await withRecorder(async ({ url, requests }) => {
    await send({ url, headers: { Accept: "text/html", "Content-Type": "text/plain" }, body: "x" });
    await send({ url, headers: { Accept: "text/html" }, body: "x" });
    assert.deepEqual(requests.map(({ headers }) => headers.get("content-type")), ["text/plain", "application/json"]);
  });
});

Deno.test("http: each method is sent as it is, and a GET never has a body", async () => {
  await withRecorder(async ({ url, requests }) => {
    for (const method of ["GET", "POST", "PUT", "DELETE", "PATCH"] as const) await send({ url, method, body: "{}" });
    await send({ url, method: "GET", sends_payload: true });
    assert.deepEqual(requests.map(({ method, body }) => [method, body]), [
      ["GET", ""],
      ["POST", "{}"],
      ["PUT", "{}"],
      ["DELETE", "{}"],
      ["PATCH", "{}"],
      ["GET", ""],
    ]);
  });
});

Deno.test("http: without a body onecode sends none, soong version 2 sends the payload", async () => {
  await withRecorder(async ({ url, requests }) => {
    await send({ url, sends_payload: false });
    await send({ url, sends_payload: true }, { speech: "soong/2" });
    assert.deepEqual(requests.map(({ body, headers }) => [body, headers.get("content-type")]), [
      ["", null],
      ['{"event":"PreToolUse"}\n', "application/json"],
    ]);
  });
});

Deno.test("http: the body of an answer is a verdict for agent-hooks/0.1 only", async () => {
  const verdict = '{"decision":"deny","reason":"no"}';
  await withRecorder(async ({ url }) => {
    assert.equal(stdoutOf(await send({ url }, { speech: "agent-hooks/0.1" })), verdict);
    assert.equal(stdoutOf(await send({ url }, { speech: "onecode" })), "");
    assert.equal(stdoutOf(await send({ url }, { speech: "soong/2" })), "");
  }, () => new Response(verdict));
});

Deno.test("http: an answer that is no 2xx is a failure that names host, status and what was said", async () => {
  await withRecorder(async ({ url, host }) => {
    const run = await send({ url: `${url}/x` }, { speech: "agent-hooks/0.1" });
    assert.deepEqual(run.ending, { kind: "transport_failed", reason: `${host}: HTTP 500`, status: 500 });
    assert.equal(run.stderr, "it answered: the disk is full");
    assert.equal(run.stdout.length, 0);
  }, () => new Response("the disk is full\n", { status: 500 }));
});

Deno.test("http: a redirect is a failure, and its target sees nothing (case 29)", async () => {
  for (const status of [301, 302, 303, 307, 308]) {
    await withRecorder(async (target) => {
      await withRecorder(async ({ url, host, requests }) => {
        const run = await send({ url, headers: { Authorization: "Bearer S3CRET", "X-Token": "S3CRET" }, body: "{}" });
        const reason = `${host}: HTTP ${status}: redirected to ${target.host}, not followed`;
        assert.deepEqual(run.ending, { kind: "transport_failed", reason, status });
        assert.equal(requests.length, 1);
        assert.deepEqual(target.requests, []);
      }, () => new Response(null, { status, headers: { location: `${target.url}/sink` } }));
    });
  }
});

const UNSENDABLE: readonly (readonly [string, Parameters<typeof send>[0], RegExp])[] = [
  ["no url", { url: "" }, /^it has no "url"$/],
  ["a blank url", { url: "  " }, /^it has no "url"$/],
  ["a url out of unset variables", { url: "${NO_SUCH}" }, /^its "url" is empty once its secrets are expanded$/],
  ["a relative url", { url: "/hook" }, /no absolute http or https address/],
  ["no url at all (case 31)", { url: "htp//S3CRETKEY bad" }, /no absolute http or https address/],
  ["another scheme", { url: "ftp://127.0.0.1/S3CRETKEY" }, /no absolute http or https address/],
  ["a url without slashes", { url: "http:127.0.0.1/S3CRETKEY" }, /no absolute http or https address/],
  ["a template as host", { url: "http://{{ToolName}}/S3CRETKEY" }, /let the model choose where to send/],
  ["an unknown template as port", { url: "http://h:{{Port}}/S3CRETKEY" }, /let the model choose where to send/],
  ["a template behind a secret host", { url: "${BASE}{{ToolName}}/x" }, /let the model choose where to send/],
  ["a template behind an unset host", { url: "http://${NO_SUCH}/{{ToolName}}" }, /let the model choose where to send/],
  ["a template behind a line break", { url: "http:/\n/{{ToolName}}/x" }, /let the model choose where to send/],
  ["no name of a header", { url: "http://127.0.0.1:9/", headers: { "X A": "1" } }, /"X A" is no name of a header/],
  [
    "a header of two lines",
    { url: "http://127.0.0.1:9/", headers: { "X-A": "S3CRETKEY\r\nX-B: 1" } },
    /its header "X-A" has a line break/,
  ],
  [
    "a secret of two lines in a header",
    { url: "http://127.0.0.1:9/", headers: { "X-A": "${TWO_LINES}" } },
    /its header "X-A" has a line break/,
  ],
  ["a dpapi: url", { url: "dpapi:not-base64!!" }, /^its url: a dpapi: value cannot be decrypted here$/],
];

for (const [name, hook, reason] of UNSENDABLE) {
  Deno.test(`http: ${name} is not sent, and no value is told`, async () => {
    const env = { BASE: "http://127.0.0.1", TWO_LINES: "S3CRETKEY\nX-B: 1" };
    const run = await send(hook, { env, fields: { ToolName: "evil.example" } });
    assert.equal(run.ending.kind, "not_started");
    assert.match(run.ending.kind === "not_started" ? run.ending.reason : "", reason);
    assert.doesNotMatch(everythingIn(run), /S3CRETKEY|not-base64|evil\.example/);
  });
}

Deno.test("http: unset variables stand for nothing, and one warning names all of them with their places", async () => {
  await withRecorder(async ({ url, requests }) => {
    const hook = {
      url: `${url}/\${NO_PATH}x`,
      headers: { Authorization: "Bearer ${NO_TOKEN}", "X-Literal": "$NAME ${} ${A-B} $${X}" },
    };
    const run = await send(hook, { env: { EMPTY: "" } });
    assert.deepEqual(run.ending, { kind: "returned", status: 200 });
    assert.deepEqual(run.warnings, [{
      code: "unset_variable",
      message:
        'the environment variables NO_PATH in its url, NO_TOKEN in its header "Authorization" are not set and stand for nothing',
    }]);
    assert.equal(requests[0]?.target, "/x");
    assert.equal(requests[0]?.headers.get("authorization"), "Bearer");
    assert.equal(requests[0]?.headers.get("x-literal"), "$NAME ${} ${A-B} $${X}");
    assert.equal((await send({ url, headers: { "X-A": "${EMPTY}" } }, { env: { EMPTY: "" } })).warnings, undefined);
  });
});

Deno.test("http: headers that belong to the connection are left out with a warning", async () => {
  await withRecorder(async ({ url, host, requests }) => {
    const headers = { Host: "other.example", "Content-Length": "1", "Transfer-Encoding": "chunked", "X-A": "1" };
    const run = await send({ url, headers, body: "{}" });
    assert.deepEqual(run.ending, { kind: "returned", status: 200 });
    assert.deepEqual(run.warnings?.map(({ code }) => code), ["header_ignored"]);
    const [request] = requests;
    assert.deepEqual([request?.headers.get("host"), request?.headers.get("x-a"), request?.body], [host, "1", "{}"]);
  });
});

Deno.test("http: a user and password in the url are sent as basic authorization", async () => {
  await withRecorder(async ({ host, requests }) => {
    await send({ url: `http://us:S3CRETPW@${host}/` });
    assert.equal(requests[0]?.headers.get("authorization"), `Basic ${btoa("us:S3CRETPW")}`);
  });
});
