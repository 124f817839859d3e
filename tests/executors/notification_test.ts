import assert from "node:assert/strict";
import type { NotificationSettings } from "../../src/executors/providers/prepare.ts";
import {
  type Answering,
  dingtalkBot,
  feishuBot,
  mac,
  type RecordedRequest,
  startRecorder,
  wechatWorkBot,
} from "../support/recorder.ts";
import { layerOf, send, type SendOptions } from "./notification_support.ts";

type BotName = "feishu" | "wechat_work" | "dingtalk";
const BOTS = { feishu: feishuBot, wechat_work: wechatWorkBot, dingtalk: dingtalkBot } as const;
const BODY = { feishu: FEISHU_BODY, wechat_work: TEXT_BODY, dingtalk: TEXT_BODY } as const;

function FEISHU_BODY(text: string): unknown {
  return { msg_type: "text", content: { text } };
}

function TEXT_BODY(text: string): unknown {
  return { msgtype: "text", text: { content: text } };
}

/** Sends to a receiver of its own and gives what arrived, too. */
async function sendTo(
  answer: Answering,
  hook: Partial<NotificationSettings>,
  options: SendOptions = {},
  path = "/hook",
) {
  await using recorder = startRecorder(answer);
  const run = await send({ webhook_url: recorder.url + path, ...hook }, options);
  return { run, requests: recorder.requests, url: recorder.url };
}

function only(requests: readonly RecordedRequest[]): RecordedRequest {
  assert.equal(requests.length, 1, "exactly one request");
  return requests[0]!;
}

for (const provider of ["feishu", "wechat_work", "dingtalk"] as const satisfies readonly BotName[]) {
  Deno.test(`${provider}: a message without a secret arrives unsigned`, async () => {
    const { run, requests } = await sendTo(BOTS[provider](), { provider, message: "tool {{ToolName}} ü" });
    assert.deepEqual({ ...run, duration_ms: 0 }, {
      ending: { kind: "returned", status: 200 },
      stdout: new Uint8Array(0),
      stdout_truncated: false,
      stderr: "",
      duration_ms: 0,
    });
    const { method, headers, raw_query, body } = only(requests);
    assert.deepEqual([method, headers.get("content-type"), raw_query], ["POST", "application/json", ""]);
    assert.deepEqual(JSON.parse(body), BODY[provider]("tool Bash ü"));
  });

  Deno.test(`${provider}: the service accepts the signature and refuses that of another secret`, async () => {
    const path = "/hook?access_token=a%2fb";
    const accepted = await sendTo(BOTS[provider]("密 s3cret+/="), { provider, secret: "密 s3cret+/=" }, {}, path);
    assert.deepEqual(accepted.run.ending, { kind: "returned", status: 200 });
    assert.match(only(accepted.requests).raw_query, /^access_token=a%2fb(?:$|&)/);
    const refused = await sendTo(BOTS[provider]("the right one"), { provider, secret: "a wrong one" });
    assert.equal(refused.run.ending.kind, "transport_failed");
    assert.match(JSON.stringify(refused.run.ending), new RegExp(`${provider}: (?:err)?code \\d+: .*sign`));
  });
}

Deno.test("feishu is signed in the body, with seconds as text; its query stays empty", async () => {
  const now = new Date(1735689600999);
  const { requests } = await sendTo(feishuBot(), { secret: "soong-test-secret" }, { now });
  const { raw_query, body } = only(requests);
  assert.equal(raw_query, "");
  assert.deepEqual(JSON.parse(body), {
    msg_type: "text",
    content: { text: "hello" },
    timestamp: "1735689600",
    sign: "IkeeDA+MUBQ9v7DOkwch9/n9+avjBiL2xfMKvLDXYpg=",
  });
});

Deno.test("wechat_work and dingtalk are signed in the query, and what stood there is set, not doubled", async () => {
  const now = new Date(1735689600130);
  const rows: readonly (readonly [BotName, string, string])[] = [
    ["wechat_work", "1735689600", mac("soong-test-secret", "1735689600\nsoong-test-secret")],
    ["dingtalk", "1735689600130", "Nt2BDos1ZZcpGbhYaM/nkTHf4Fia0HXxrrVPU8+veOo="],
  ];
  for (const [provider, timestamp, sign] of rows) {
    const path = "/hook?sign=old&access_token=abc&timestamp=1#part";
    const { requests } = await sendTo(BOTS[provider](), { provider, secret: "soong-test-secret" }, { now }, path);
    const { raw_query, query, body } = only(requests);
    assert.equal(
      raw_query,
      `sign=${encodeURIComponent(sign)}&access_token=abc&timestamp=${timestamp}`,
    );
    assert.equal(query.get("sign"), sign);
    assert.deepEqual(JSON.parse(body), TEXT_BODY("hello"));
  }
});

Deno.test("a message is data: quotes, line breaks, templates and keys in it change nothing but the text", async () => {
  const text = 'say "hi"\n\ttab \\ C:\\temp\n","evil":true,"x":"  emoji ✅ {{Cwd}} {{Title}} {Text} ${HOME}';
  for (const provider of ["feishu", "wechat_work", "dingtalk"] as const) {
    const { requests } = await sendTo(
      BOTS[provider](),
      { provider, message: "{{UserMessage}}|{{Unknown}}|{{AgentId}}|{{toolname}}" },
      { fields: { UserMessage: text }, env: { HOME: "/root" } },
    );
    assert.deepEqual(JSON.parse(only(requests).body), BODY[provider](`${text}|{{Unknown}}||{{toolname}}`));
  }
});

Deno.test("a message is cut to what its service takes, and an empty one is sent", async () => {
  const limits = { feishu: 20 * 1024, wechat_work: 2048, dingtalk: 20_000 };
  for (const provider of ["feishu", "wechat_work", "dingtalk"] as const) {
    const message = '汉"'.repeat(10_000);
    const { requests } = await sendTo(BOTS[provider]("s3cret"), { provider, secret: "s3cret", message });
    const { body } = only(requests);
    const { content, text } = JSON.parse(body);
    const sent: string = provider === "feishu" ? content.text : text.content;
    assert.match(sent, /^(?:汉")+汉?\n\[\d+ of 40000 bytes left out\]$/);
    const size = new TextEncoder().encode(provider === "wechat_work" ? sent : body).length;
    assert.ok(size <= limits[provider] && size > limits[provider] - 200, `${provider}: ${size}`);
  }
  const { run, requests } = await sendTo(feishuBot(), { message: "" });
  assert.equal(run.ending.kind, "returned");
  assert.deepEqual(JSON.parse(only(requests).body), FEISHU_BODY(""));
});

Deno.test("a declared channel renders body and headers, signs, and judges as its definition says", async () => {
  const sources = layerOf({
    Gate: {
      method: "PUT",
      url: "https://gate.invalid/unused",
      headers: { "X-Event": "{{Event}}", "X-Fixed": "fixed", "Authorization": "Bearer ${TOKEN}", "X-Title": "{Title}" },
      body: { title: "{{Title}}", text: "[{Text}]", at: "{{Timestamp}}", n: 1, keep: ["{{Other}}", null] },
      signing: { keyTemplate: "{Timestamp}\n{Secret}", placement: "header", paramName: "X-Sign", encoding: "hex" },
      success: { field: "result", equals: { ok: [1] } },
    },
  });
  const { run, requests } = await sendTo(
    () => Response.json({ result: { ok: [1] } }),
    { provider: "gATE", title: "标题\r\nX-Evil: 1", message: "{{Point}}", secret: "${SECRET}" },
    { ...sources, env: { TOKEN: "{{Event}}", SECRET: "my-secret" }, now: new Date(1767225600_000) },
  );
  assert.deepEqual(run.ending, { kind: "returned", status: 200 });
  const { method, headers, raw_query, body } = only(requests);
  assert.deepEqual([method, raw_query], ["PUT", ""]);
  assert.deepEqual(
    ["x-event", "x-fixed", "authorization", "timestamp", "x-evil"].map((name) => headers.get(name)),
    ["pre_tool_call", "fixed", "Bearer {{Event}}", "1767225600", undefined],
  );
  assert.match(headers.get("x-sign") ?? "", /^5f1021625263aadef8/);
  assert.ok(headers.has("x-title"));
  assert.deepEqual(JSON.parse(body), {
    title: "标题\r\nX-Evil: 1",
    text: "[pre_tool_call]",
    at: "2026-01-02 03:04:05",
    n: 1,
    keep: ["{{Other}}", null],
  });
});

Deno.test("a declared channel with the preset feishu signs in the body as well", async () => {
  const body = { msg_type: "text", content: { text: "{{Text}}" }, timestamp: "old" };
  const sources = layerOf({ lark: { url: "https://h.example", body, signing: { preset: "feishu" } } });
  const { run, requests } = await sendTo(feishuBot("s3cret"), { provider: "lark", secret: "s3cret" }, sources);
  assert.deepEqual(run.ending, { kind: "returned", status: 200 });
  assert.equal(only(requests).raw_query, "");
});

Deno.test("the seed's formula for DingTalk can still be declared", async () => {
  const signing = { keyTemplate: "{TimestampMs}\n{Secret}", encoding: "base64-urlencoded", timestampMs: true };
  const sources = layerOf({ old: { url: "https://h.example", body: {}, signing } });
  const secret = "test-secret";
  const { requests } = await sendTo(
    () => new Response(),
    { provider: "old", secret },
    { ...sources, now: new Date(1700000000123) },
  );
  assert.equal(
    only(requests).raw_query,
    "timestamp=1700000000123&sign=E12aaGdu%2BNTHqMIReZbez1W20wIM52gzokW13f%2FncrM%3D",
  );
});

Deno.test("the url of a definition is used when the hook has none, and may hold a secret", async () => {
  await using recorder = startRecorder();
  const sources = layerOf({ gate: { url: "${GATE}/send?key=${KEY}", body: { t: "{{Text}}" } } });
  const env = { GATE: recorder.url, KEY: "k" };
  for (const hook of [{}, { webhook_url: " " }]) {
    const run = await send({ provider: "gate", ...hook }, { ...sources, env });
    assert.deepEqual(run.ending, { kind: "returned", status: 200 });
  }
  assert.deepEqual(recorder.requests.map(({ path, raw_query }) => [path, raw_query]), [["/send", "key=k"], [
    "/send",
    "key=k",
  ]]);
});

Deno.test("a channel written in code sends as many requests as it takes, and its error is a failure with its text", async () => {
  await using recorder = startRecorder(({ path }) =>
    path === "/token"
      ? Response.json({ token: "T0KEN-OF-LOGIN" })
      : new Response("T0KEN-OF-LOGIN is wrong", { status: 401 })
  );
  const channels = [{
    name: "oauth",
    url: recorder.url,
    async send({ url, fields, headers }, post) {
      const request = { method: "POST", headers, body: {} } as const;
      const login = await post({ ...request, url: `${url}/token` });
      if (login.kind !== "answered") throw new Error("no login");
      const { token } = JSON.parse(new TextDecoder().decode(login.body));
      const body = { text: fields.Text, token };
      const answer = await post({ ...request, url: `${url}/send`, body, secrets: [token] });
      if (answer.kind !== "answered") throw new Error("network unreachable");
      return { kind: "refused", reason: new TextDecoder().decode(answer.body), status: answer.status };
    },
  }, {
    name: "broken",
    url: recorder.url,
    send: () => Promise.reject(new Error("network unreachable")),
  }] satisfies SendOptions["channels"];
  const run = await send({ provider: "OAuth" }, { channels });
  assert.deepEqual(run.ending, { kind: "transport_failed", reason: "oauth: *** is wrong", status: 401 });
  assert.deepEqual(recorder.requests.map(({ path }) => path), ["/token", "/send"]);
  const broken = await send({ provider: "broken" }, { channels });
  assert.deepEqual(broken.ending, { kind: "transport_failed", reason: "broken: network unreachable" });
});
