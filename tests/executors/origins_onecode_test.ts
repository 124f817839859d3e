/** What OneCode's own tests assert of secrets, messages, channels and their files: one row for each, by its number. */
import assert from "node:assert/strict";
import type { NotificationSettings } from "../../src/executors/providers/prepare.ts";
import { createProviders } from "../../src/executors/providers/registry.ts";
import { expandSecrets } from "../../src/executors/secrets.ts";
import { loadProviderFile } from "../../src/hooks/mod.ts";
import { classifyOnecode } from "../../src/hooks/onecode/classify.ts";
import type { HookRun } from "../../src/protocol/mod.ts";
import { type Answering, mac, type RecordedRequest, startRecorder } from "../support/recorder.ts";
import { layerOf, send, type SendOptions } from "./notification_support.ts";

const never = new AbortController().signal;
const OK_FEISHU: Answering = () => Response.json({ code: 0 });
const OK_WECHAT: Answering = () => Response.json({ errcode: 0 });

/** Sends one message to a receiver; gives the run and what arrived. */
async function sent(
  answer: Answering,
  hook: Partial<NotificationSettings>,
  options: SendOptions & { readonly path?: string } = {},
): Promise<{ readonly run: HookRun; readonly request: RecordedRequest | undefined; readonly count: number }> {
  await using recorder = startRecorder(answer);
  const run = await send({ webhook_url: `${recorder.url}${options.path ?? "/hook"}`, ...hook }, options);
  return { run, request: recorder.requests[0], count: recorder.requests.length };
}

function reasonOf({ ending }: HookRun): string {
  return "reason" in ending ? ending.reason : "";
}

async function expanded(text: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const result = await expandSecrets(text, { variable: (name) => env[name] }, never);
  assert.ok(result.ok);
  return result.text;
}

function bodyOf(request: RecordedRequest | undefined): Record<string, unknown> {
  return JSON.parse(request?.body ?? "null");
}

function load(text: string) {
  return loadProviderFile("/p.json", new TextEncoder().encode(text), "user");
}

function judged(success: unknown, answer: () => Response) {
  return sent(answer, { provider: "gate" }, layerOf({ gate: { url: "https://unused.example", body: {}, success } }));
}

const ROWS: Readonly<Record<string, () => void | Promise<void>>> = {
  "O-49 an empty setting stays empty": async () => assert.equal(await expanded(""), ""),
  "O-50 a plain address stays as it is": async () =>
    assert.equal(await expanded("https://h.example/p?x=1"), "https://h.example/p?x=1"),
  "O-52 a variable that is not set stands for nothing, and is said once": async () => {
    assert.equal(await expanded("${UNDEFINED}/hook"), "/hook");
    await using recorder = startRecorder(OK_FEISHU);
    const run = await send({ webhook_url: `${recorder.url}/\${UNDEFINED}hook` });
    assert.deepEqual(recorder.requests.map(({ path }) => path), ["/hook"]);
    assert.equal(run.warnings?.length, 1);
    assert.match(run.warnings[0]!.message, /UNDEFINED in "webhookUrl" is not set/);
  },
  "O-53 two variables in one setting": async () =>
    assert.equal(await expanded("${A}:${A_2}", { A: "v1", A_2: "v2" }), "v1:v2"),
  "O-56 a message without a provider is not sent, and the field is named": async () => {
    const { run, count } = await sent(OK_FEISHU, { provider: "" });
    assert.equal(run.ending.kind, "not_started");
    assert.match(reasonOf(run), /provider/);
    assert.equal(count, 0);
  },
  "O-58 feishu without an address is not sent, and the field is named": async () => {
    const run = await send({ webhook_url: "" });
    assert.equal(run.ending.kind, "not_started");
    assert.match(reasonOf(run), /webhookUrl/);
  },
  "O-59 the template of a message is filled in, and it is sent once to the address": async () => {
    const { run, request, count } = await sent(OK_FEISHU, { message: "Hello {{Point}}" }, {
      fields: { Point: "input" },
    });
    assert.equal(run.ending.kind, "returned");
    assert.deepEqual([count, request?.path, bodyOf(request)["content"]], [1, "/hook", { text: "Hello input" }]);
  },
  "O-61 what a channel throws is a failure with its text": async () => {
    const channels = [{ name: "own", send: () => Promise.reject(new Error("network unreachable")) }];
    const run = await send({ provider: "own", webhook_url: "https://h.example" }, { channels });
    assert.equal(run.ending.kind, "transport_failed");
    assert.match(reasonOf(run), /network unreachable/);
  },
  "O-62 a channel that never answers is left at the limit": async () => {
    const channels = [{ name: "own", send: () => new Promise<never>(() => {}) }];
    const run = await send({ provider: "own", webhook_url: "https://h.example" }, { channels, timeout_ms: 50 });
    assert.deepEqual(run.ending, { kind: "timed_out", limit_ms: 50 });
    const { slot, extras } = classifyOnecode(run, "output", "notification");
    assert.ok(slot.kind === "undecided" && slot.cause === "timeout");
    assert.match(extras.message ?? "", /timed out.* 50 ms/);
  },
  "O-71 the name of a provider is found in any case": () => {
    assert.equal(createProviders().lookup("FEISHU")?.name, "feishu");
  },
  "O-72 feishu without a secret is not signed anywhere": async () => {
    const { request } = await sent(OK_FEISHU, {});
    assert.deepEqual(bodyOf(request), { msg_type: "text", content: { text: "hello" } });
    assert.equal(request?.raw_query, "");
  },
  "O-73 (difference) feishu with a secret is signed in the body, not in the query": async () => {
    const { request } = await sent(OK_FEISHU, { secret: "s" });
    assert.deepEqual(Object.keys(bodyOf(request)).sort(), ["content", "msg_type", "sign", "timestamp"]);
    assert.equal(request?.raw_query, "");
  },
  "O-74 the signature of feishu has time and secret as key, and an empty message": async () => {
    const { request } = await sent(OK_FEISHU, { secret: "s" });
    const { timestamp, sign } = bodyOf(request);
    assert.equal(sign, mac(`${timestamp}\ns`, ""));
  },
  "O-76 feishu: HTTP 500 is a failure with its status": async () => {
    const { run } = await sent(() => new Response("x", { status: 500 }), {});
    assert.ok(run.ending.kind === "transport_failed" && run.ending.status === 500);
  },
  "O-77 feishu: 200 with a text that is no JSON is a failure": async () => {
    assert.equal((await sent(() => new Response("ok"), {})).run.ending.kind, "transport_failed");
  },
  "O-79 wechat_work without a secret": async () => {
    const { request } = await sent(OK_WECHAT, { provider: "wechat_work" });
    assert.deepEqual(bodyOf(request), { msgtype: "text", text: { content: "hello" } });
    assert.equal(request?.raw_query, "");
  },
  "O-80 wechat_work with a secret is signed in the query": async () => {
    const { request } = await sent(OK_WECHAT, { provider: "wechat_work", secret: "s" });
    assert.deepEqual([...request?.query.keys() ?? []], ["timestamp", "sign"]);
  },
  "O-82 wechat_work: an error code in a 200 is a failure that names it": async () => {
    const { run } = await sent(() => Response.json({ errcode: 93000 }), { provider: "wechat_work" });
    assert.equal(run.ending.kind, "transport_failed");
    assert.match(reasonOf(run), /93000/);
  },
  "O-83 wechat_work: HTTP 503 is a failure with its status": async () => {
    const { run } = await sent(() => new Response(null, { status: 503 }), { provider: "wechat_work" });
    assert.ok(run.ending.kind === "transport_failed" && run.ending.status === 503);
  },
  "O-85 wechat_work: an empty secret means unsigned": async () => {
    assert.equal((await sent(OK_WECHAT, { provider: "wechat_work", secret: "" })).request?.raw_query, "");
  },
  "O-86 (difference) dingtalk keeps what is in the query; key is the secret, message is time and secret": async () => {
    const { request } = await sent(
      OK_WECHAT,
      { provider: "dingtalk", secret: "s" },
      { path: "/send?access_token=abc", now: new Date(1767225600000) },
    );
    const sign = encodeURIComponent(mac("s", "1767225600000\ns"));
    assert.equal(request?.raw_query, `access_token=abc&timestamp=1767225600000&sign=${sign}`);
  },
  "O-87 a declared key in full: the query is timestamp, then sign, percent-encoded": async () => {
    const signing = { keyTemplate: "{Timestamp}\n{Secret}" };
    const options = {
      ...layerOf({ gate: { url: "https://h.example", body: {}, signing } }),
      now: new Date(1767225600000),
    };
    const { request } = await sent(() => new Response(), { provider: "gate", secret: "my-secret" }, options);
    const sign = encodeURIComponent("XxAhYlJjqt74KViuSdIoQe0Cc5HdYF37POmg7EM+hy8=");
    assert.equal(request?.raw_query, `timestamp=1767225600&sign=${sign}`);
  },
  "O-89 headers of a definition are templates, and plain ones stay": async () => {
    const headers = { "X-Event": "{{Event}}", "X-Sign": "fixed" };
    const { request } = await sent(() => new Response(), { provider: "gate" }, {
      ...layerOf({ gate: { url: "https://h.example", body: {}, headers } }),
      fields: { Point: "input" },
    });
    assert.deepEqual([request?.headers.get("x-event"), request?.headers.get("x-sign")], ["input", "fixed"]);
  },
  "O-91 the field of success has its value": async () => {
    const { run } = await judged({ field: "errcode", equals: 0 }, () => Response.json({ errcode: 0 }));
    assert.equal(run.ending.kind, "returned");
  },
  "O-93 the field of success is missing: a failure that names it": async () => {
    const { run } = await judged({ field: "errcode", equals: 0 }, () => Response.json({}));
    assert.equal(run.ending.kind, "transport_failed");
    assert.match(reasonOf(run), /errcode/);
  },
  "O-94 success is defined and the answer is no JSON: a failure": async () => {
    const { run } = await judged({ field: "errcode", equals: 0 }, () => new Response("ok"));
    assert.equal(run.ending.kind, "transport_failed");
  },
  "O-96 a declared channel: HTTP 500 is a failure with its status": async () => {
    const { run } = await judged(undefined, () => new Response("x", { status: 500 }));
    assert.ok(run.ending.kind === "transport_failed" && run.ending.status === 500);
  },
  "O-97 a blank webhookUrl means the address of the definition": async () => {
    await using recorder = startRecorder();
    const sources = layerOf({ gate: { url: `${recorder.url}/own`, body: {} } });
    await send({ provider: "gate", webhook_url: " " }, sources);
    assert.deepEqual(recorder.requests.map(({ path }) => path), ["/own"]);
  },
  "O-99 no provider file is normal": () => {
    const { status, diagnostics } = loadProviderFile("/p.json", { status: "not_found" }, "user");
    assert.deepEqual([status, diagnostics], ["not_found", []]);
  },
  "O-101 a definition named DingTalk is found as dingtalk": () => {
    const { definitions } = load('{ "DingTalk": { "url": "https://own.example", "body": { "t": "x" } } }');
    const providers = createProviders({ layers: [{ layer: "user", definitions }] });
    assert.equal(providers.lookup("dingtalk")?.url, "https://own.example");
  },
  "O-102 an http address beside an https one: one warning, one definition": () => {
    const { definitions, diagnostics } = load(
      '{ "a": { "url": "http://a.example", "body": {} }, "b": { "url": "https://b.example", "body": {} } }',
    );
    assert.deepEqual(definitions.map(({ name }) => name), ["b"]);
    assert.deepEqual(diagnostics.map(({ severity }) => severity), ["warning"]);
    assert.match(diagnostics[0]!.message, /https/);
  },
  "O-104 a definition without a body is skipped, and the field is named": () => {
    const { definitions, diagnostics } = load('{ "a": { "url": "https://a.example" } }');
    assert.deepEqual(definitions, []);
    assert.deepEqual(diagnostics.map(({ severity }) => severity), ["warning"]);
    assert.match(diagnostics[0]!.message, /body/);
  },
  "O-105 a file that breaks off is refused with its line": () => {
    const { status, definitions, diagnostics } = load('{ "dingtalk": ');
    assert.deepEqual([status, definitions.length, diagnostics.length], ["failed", 0, 1]);
    assert.equal(diagnostics[0]!.line, 1);
  },
  "O-107 three layers: each name from the highest that has it, as a whole": () => {
    const definition = (name: string, url: string) =>
      load(`{ "${name}": { "url": "${url}", "body": {} } }`).definitions[0]!;
    const channel = (name: string) => ({ name, url: "https://built-in.example", send: () => assert.fail("not sent") });
    const providers = createProviders({
      channels: [channel("a"), channel("b")],
      layers: [
        { layer: "user", definitions: [definition("b", "https://user.example")] },
        { layer: "project", definitions: [definition("c", "https://project.example")] },
      ],
    });
    assert.deepEqual(
      ["a", "b", "c"].map((name) => providers.lookup(name)?.url),
      ["https://built-in.example", "https://user.example", "https://project.example"],
    );
  },
};

for (const [title, check] of Object.entries(ROWS)) Deno.test(title, check);
