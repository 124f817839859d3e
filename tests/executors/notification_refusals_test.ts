import assert from "node:assert/strict";
import type { NotificationSettings } from "../../src/executors/providers/prepare.ts";
import type { Ending, HookRun } from "../../src/protocol/mod.ts";
import { dingtalkBot, feishuBot, startRecorder, wechatWorkBot } from "../support/recorder.ts";
import { layerOf, send, type SendOptions } from "./notification_support.ts";

function reasonOf(ending: Ending): string {
  return "reason" in ending ? ending.reason : "";
}

/** What cannot be sent: the hook, the environment, and what the reason must name. */
const NOT_STARTED: readonly (readonly [Partial<NotificationSettings>, SendOptions["env"], RegExp])[] = [
  [{ provider: "" }, {}, /no "provider" \(known: dingtalk, feishu, wechat_work\)/],
  [{ provider: "  " }, {}, /no "provider"/],
  [{ provider: "fieshu" }, {}, /no notification provider "fieshu"; did you mean "feishu"\? \(known: /],
  [{ provider: "slack" }, {}, /no notification provider "slack" \(known: dingtalk, feishu, wechat_work\)/],
  [{}, {}, /no "webhookUrl".*feishu/],
  [{ webhook_url: "" }, {}, /no "webhookUrl"/],
  [{ provider: "wechat_work" }, {}, /no "webhookUrl".*wechat_work/],
  [{ webhook_url: "${NO_SUCH}" }, {}, /"webhookUrl" is empty \(NO_SUCH is not set\)/],
  [{ webhook_url: "${EMPTY}" }, { EMPTY: "" }, /"webhookUrl" is empty$/],
  [{ webhook_url: "${NO_SUCH}/hook" }, {}, /"webhookUrl" is not a URL/],
  [{ webhook_url: "http://example.com/S3CRETKEY" }, {}, /"webhookUrl" is http; it must be https/],
  [{ webhook_url: "${URL}" }, { URL: "http://example.com/S3CRETKEY" }, /"webhookUrl" is http; it must be https/],
  [{ webhook_url: "http://localhost.example.com/S3CRETKEY" }, {}, /must be https/],
  [{ webhook_url: "htp//S3CRETKEY bad" }, {}, /"webhookUrl" is not a URL/],
  [{ webhook_url: "file:///etc/S3CRETKEY" }, {}, /"webhookUrl": /],
  // Origins 47: a secret that cannot be read is an ending, no exception.
  [{ webhook_url: "https://h.invalid/x", secret: "dpapi:S3CRETKEY" }, {}, /"secret": /],
  [{ webhook_url: "dpapi:S3CRETKEY" }, {}, /"webhookUrl": /],
];

for (const [hook, env, words] of NOT_STARTED) {
  Deno.test(`not sent, with what is missing named: ${JSON.stringify(hook)}`, async () => {
    const run = await send(hook, { env: env ?? {} });
    assert.equal(run.ending.kind, "not_started");
    assert.match(reasonOf(run.ending), words);
    // A path of a secret file is a setting, not a secret.
    if (!hook.webhook_url?.startsWith("file:")) assert.ok(!JSON.stringify(run).includes("S3CRETKEY"));
  });
}

Deno.test("a definition whose address turns out to be http sends nothing and says so", async () => {
  const sources = layerOf({ gate: { url: "${GATE}", body: {} } });
  const run = await send({ provider: "gate" }, { ...sources, env: { GATE: "http://gate.example/S3CRETKEY" } });
  assert.equal(run.ending.kind, "not_started");
  assert.match(reasonOf(run.ending), /the url of the provider gate is http; it must be https/);
});

Deno.test("an HTTP failure, a redirect and a refusal with 200 are failures with status and the service's words", async () => {
  const rows: readonly (readonly [string, () => Response, number, RegExp])[] = [
    ["feishu", () => new Response("oops", { status: 500 }), 500, /^feishu: HTTP 500: oops$/],
    ["feishu", () => new Response("ok"), 200, /no JSON object; code or StatusCode was expected: ok$/],
    [
      "feishu",
      () => Response.json({ code: 19024, msg: "keyword missing" }),
      200,
      /^feishu: code 19024: keyword missing$/,
    ],
    ["feishu", () => Response.json({ code: 0 }, { status: 500 }), 500, /HTTP 500/],
    ["wechat_work", () => new Response(null, { status: 503 }), 503, /^wechat_work: HTTP 503$/],
    ["wechat_work", () => Response.json({ errcode: 45009, errmsg: "too many" }), 200, /errcode 45009: too many/],
    ["dingtalk", () => Response.json({ errcode: "0" }), 200, /errcode "0"/],
    ["dingtalk", () => new Response("<html>login</html>"), 200, /no JSON object.*<html>login/],
    ["dingtalk", () => new Response(""), 200, /answer is empty/],
  ];
  for (const [provider, answer, status, words] of rows) {
    await using recorder = startRecorder(answer);
    const { ending } = await send({ provider, webhook_url: recorder.url });
    assert.equal(ending.kind, "transport_failed", provider);
    assert.equal("status" in ending && ending.status, status);
    assert.match(reasonOf(ending), words);
    assert.equal(recorder.requests.length, 1, "no second try");
  }
});

Deno.test("a redirect is not followed: the other side sees no request, and the host is named", async () => {
  await using other = startRecorder();
  for (const status of [302, 307, 308]) {
    await using recorder = startRecorder(() =>
      new Response(null, { status, headers: { Location: `${other.url}/sink` } })
    );
    const { ending } = await send({ webhook_url: recorder.url, secret: "s3cret" });
    const host = new URL(other.url).host;
    assert.deepEqual(ending, {
      kind: "transport_failed",
      status,
      reason: `feishu: HTTP ${status}: redirected to ${host}, not followed`,
    });
  }
  assert.deepEqual(other.requests, []);
});

Deno.test("the time limit holds for a service that never answers, and for a channel in code that never ends", async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await using recorder = startRecorder(() => released.then(() => new Response("late")));
  const slow = await send({ webhook_url: recorder.url }, { timeout_ms: 50 });
  assert.deepEqual(slow.ending, { kind: "timed_out", limit_ms: 50 });
  const channels = [{ name: "never", url: "https://h.invalid", send: () => new Promise<never>(() => {}) }];
  const never = await send({ provider: "never" }, { timeout_ms: 30, channels });
  assert.deepEqual(never.ending, { kind: "timed_out", limit_ms: 30 });
  release();
});

Deno.test("a cancel is a cancel, before and while the message is sent (O-64)", async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const controller = new AbortController();
  await using recorder = startRecorder(() => {
    controller.abort();
    return released.then(() => new Response("late"));
  });
  const running = await send({ webhook_url: recorder.url }, { signal: controller.signal });
  assert.deepEqual(running.ending, { kind: "cancelled" });
  const before = await send({ webhook_url: recorder.url }, { signal: AbortSignal.abort() });
  assert.deepEqual(before.ending, { kind: "cancelled" });
  assert.equal(recorder.requests.length, 1);
  release();
});

Deno.test("a secret that is empty, or useless, leaves the message unsigned and is said aloud with the variable", async () => {
  const unsigned = layerOf({ plain: { url: "https://h.example", body: { t: "{{Text}}" } } });
  const unset = {
    code: "unset_variable",
    message: 'the environment variable NO_SUCH in "secret" is not set and stands for nothing',
  };
  const empty = {
    code: "unsigned_message",
    message: 'signing was asked for, but "secret" is empty; the message is sent unsigned',
  };
  const useless = {
    code: "unsigned_message",
    message: '"secret" has no use: the provider plain declares no signing; the message is sent unsigned',
  };
  const rows: readonly (readonly [Partial<NotificationSettings>, SendOptions, HookRun["warnings"]])[] = [
    [{ secret: "${NO_SUCH}" }, {}, [empty, unset]],
    [{ secret: "${EMPTY}" }, { env: { EMPTY: " " } }, [empty]],
    [{ secret: "" }, {}, [empty]],
    [{ provider: "plain", secret: "s3cret" }, unsigned, [useless]],
  ];
  for (const [hook, options, warnings] of rows) {
    await using recorder = startRecorder(feishuBot());
    const run = await send({ webhook_url: recorder.url, ...hook }, options);
    assert.deepEqual(run.ending, { kind: "returned", status: 200 });
    assert.deepEqual(run.warnings, warnings);
    const [request] = recorder.requests;
    assert.equal(request?.raw_query, "");
    assert.ok(!/sign|timestamp/.test(request?.body ?? ""));
  }
});

Deno.test("all variables that are not set are one warning, with their places", async () => {
  const sources = layerOf({ gate: { url: "https://h.example", headers: { "X-Key": "${KEY}" }, body: {} } });
  await using recorder = startRecorder();
  const run = await send({ provider: "gate", webhook_url: `${recorder.url}/\${A}hook` }, sources);
  assert.deepEqual(run.warnings, [{
    code: "unset_variable",
    message:
      'the environment variables A in "webhookUrl", KEY in the header "X-Key" of the provider gate are not set ' +
      "and stand for nothing",
  }]);
});

Deno.test("nothing secret is in what a failed message leaves behind, however it fails", async () => {
  const key = "S3CRET/KEY+1=";
  const encoded = encodeURIComponent(key);
  const env = { KEY: key, SIGN: "S3CRETSIGN", TOKEN: "S3CRETTOKEN" };
  const sources = layerOf({
    gate: {
      url: "https://h.example",
      headers: { Authorization: "Bearer ${TOKEN}", "X-Key": "S3CRETLITERAL" },
      body: { t: "{{Text}}" },
      signing: { preset: "dingtalk" },
      success: { field: "errcode", equals: 0 },
    },
  });
  await using recorder = startRecorder(({ path, raw_query, headers, body }) => {
    const echo = `${path} ${raw_query} ${decodeURIComponent(raw_query)} ${headers.get("authorization")} ${
      headers.get("x-key")
    } ${body}`;
    return path.startsWith("/json")
      ? Response.json({ code: 1, errcode: 1, msg: echo, errmsg: echo })
      : new Response(echo, { status: 404 });
  });
  const { port } = new URL(recorder.url);
  const hosts = [
    `http://127.0.0.1:${port}`,
    `https://127.0.0.1:${port}`,
    "https://127.0.0.1:1",
    "https://no-such-host.invalid",
  ];
  const paths = [`/json/S3CRETPATH/send?key=${encoded}`, `/plain?key=${encoded}#S3CRETPART`, `/S3CRETPATH/\${KEY}`];
  for (const provider of ["feishu", "wechat_work", "gate"]) {
    for (
      const webhookUrl of [...hosts.flatMap((host) => paths.map((path) => host + path)), "https://u:S3CRETPW@[bad"]
    ) {
      const run = await send({ provider, webhook_url: webhookUrl, secret: "${SIGN}" }, { ...sources, env });
      const shown = JSON.stringify(run);
      assert.ok(["transport_failed", "not_started"].includes(run.ending.kind), webhookUrl);
      assert.ok(!/S3CRET|KEY%2B|KEY\+1/.test(shown), `${webhookUrl}: ${shown}`);
      if (run.ending.kind === "transport_failed") assert.match(reasonOf(run.ending), new RegExp(`^${provider}: `));
    }
  }
  for (const request of recorder.requests) {
    const sign = request.query.get("sign") ?? JSON.parse(request.body).sign;
    assert.ok(sign, "what arrived was signed");
  }
});

Deno.test("the signature of a message is hidden when the service repeats it", async () => {
  const bots = { feishu: feishuBot, wechat_work: wechatWorkBot, dingtalk: dingtalkBot };
  for (const provider of ["feishu", "wechat_work", "dingtalk"] as const) {
    const signs: string[] = [];
    await using recorder = startRecorder(async (request) => {
      assert.ok((await bots[provider]("S3CRETSIGN")(request)).ok);
      const sign = request.query.get("sign") ?? JSON.parse(request.body).sign;
      signs.push(sign);
      const said = `sign ${sign} ${encodeURIComponent(sign)} does not match S3CRETSIGN`;
      return Response.json({ code: 19021, errcode: 310000, msg: said, errmsg: said });
    });
    const { ending } = await send({ provider, webhook_url: recorder.url, secret: "S3CRETSIGN" });
    assert.match(reasonOf(ending), /sign \*\*\* \*\*\* does not match \*\*\*$/);
    assert.ok(!reasonOf(ending).includes(signs[0]!));
  }
});
