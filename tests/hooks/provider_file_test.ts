import assert from "node:assert/strict";
import { join } from "node:path";
import { loadProviderFile, type ProviderFile, readHookFile } from "../../src/hooks/mod.ts";

const FILE = "/home/me/.soong-agent/notification-providers.json";
const GOOD = `"good": { "url": "https://good.example/send", "body": { "t": "{{Text}}" } }`;

function load(text: string): ProviderFile {
  return loadProviderFile(FILE, new TextEncoder().encode(text), "user");
}

function names(file: ProviderFile): readonly string[] {
  return file.definitions.map(({ name }) => name);
}

/** `line:column severity code`, and the message with its hint. */
function findings(file: ProviderFile): readonly (readonly [string, string])[] {
  return file.diagnostics.map(({ line, column, severity, code, message, hint }) => [
    `${line}:${column} ${severity} ${code}`,
    `${message} (${hint ?? ""})`,
  ]);
}

Deno.test("a definition is read with all its fields, from a file with a mark, comments and trailing commas", () => {
  const file = load(`\uFEFF{
  // gateway of the company
  "$schema": "x",
  "Gate": {
    "displayName": "Gateway", "method": "put", "url": "https://gate.example/send?k=1",
    "headers": { "X-Event": "{{Event}}", "Authorization": "Bearer \${TOKEN}", },
    "body": { "text": "{{Text}}", "n": 1.50, "big": 12345678901234567890, "l": [true, null] },
    "signing": {
      "keyTemplate": "{Secret}", "messageTemplate": "{TimestampMs}", "encoding": "HEX", "placement": "header",
      "paramName": "X-Sign", "timestampParamName": "X-Time", "timestampMs": true,
    },
    "success": { "field": "status", "equals": { "ok": true } }, /* all */
  },
}`);
  assert.deepEqual(file, {
    path: FILE,
    layer: "user",
    status: "loaded",
    definitions: [{
      name: "Gate",
      display_name: "Gateway",
      method: "PUT",
      url: "https://gate.example/send?k=1",
      headers: { "X-Event": "{{Event}}", Authorization: "Bearer ${TOKEN}" },
      body: { text: "{{Text}}", n: 1.5, big: 12345678901234567890n, l: [true, null] },
      signing: {
        key_template: "{Secret}",
        message_template: "{TimestampMs}",
        encoding: "hex",
        placement: "header",
        param_name: "X-Sign",
        timestamp_param_name: "X-Time",
        timestamp_ms: true,
      },
      success: { field: "status", equals: { ok: true } },
    }],
    diagnostics: [],
  });
});

Deno.test("what a definition leaves out has a default", () => {
  const file = load(`{ "a": { "url": "https://a.example", "body": {}, "signing": { "keyTemplate": "{Secret}" } } }`);
  assert.deepEqual(file.definitions, [{
    name: "a",
    method: "POST",
    url: "https://a.example",
    headers: {},
    body: {},
    signing: {
      key_template: "{Secret}",
      message_template: "",
      encoding: "base64",
      placement: "query",
      param_name: "sign",
      timestamp_param_name: "timestamp",
      timestamp_ms: false,
    },
  }]);
});

Deno.test("with a preset the rest of signing is ignored", () => {
  const signing = `{ "preset": "DingTalk", "keyTemplate": 7, "encoding": "rot13" }`;
  const file = load(`{ "a": { "url": "https://a.example", "body": {}, "signing": ${signing} } }`);
  assert.deepEqual(file.definitions[0]?.signing, { preset: "dingtalk" });
  assert.deepEqual(file.diagnostics, []);
});

const B = `"body": {}`;
const U = `"url": "https://h.example"`;

/** What is wrong with a definition: its text, the code of the warning, and a word of the message or hint. */
const SKIPPED: readonly (readonly [definition: string, code: string, words: RegExp])[] = [
  [`{ "url": "http://h.example/send", ${B} }`, "insecure-url", /https/],
  [`{ "url": "http://127.0.0.1.evil.example/", ${B} }`, "insecure-url", /https/],
  [`{ "url": "http://localhost@evil.example/", ${B} }`, "insecure-url", /https/],
  [`{ "url": "http://evil.example/\${NAME}", ${B} }`, "insecure-url", /https/],
  [`{ "url": "ftp://h.example/", ${B} }`, "insecure-url", /ftp: address; it must be https/],
  [`{ "url": "h.example", ${B} }`, "insecure-url", /not a URL/],
  [`{ ${B} }`, "missing-key", /no "url"/],
  [`{ "url": " ", ${B} }`, "missing-key", /no "url"/],
  [`{ "url": 7, ${B} }`, "wrong-type", /"url" is a number/],
  [`{ ${U} }`, "missing-key", /no "body"/],
  [`{ ${U}, "body": null }`, "missing-key", /no "body"/],
  [`{ ${U}, "body": "text" }`, "wrong-type", /"body" is a string/],
  [`{ ${U}, "body": [] }`, "wrong-type", /"body" is a list/],
  [`{ ${U}, ${B}, "method": "SEND" }`, "bad-method", /unknown method "SEND"/],
  [`{ ${U}, ${B}, "signing": { "preset": "dingtlak" } }`, "bad-preset", /did you mean "dingtalk"/],
  [`{ ${U}, ${B}, "signing": { "preset": "slack" } }`, "bad-preset", /feishu, wechat_work, dingtalk/],
  [`{ ${U}, ${B}, "signing": {} }`, "missing-key", /keyTemplate.*empty key/],
  [`{ ${U}, ${B}, "signing": { "keyTemplate": "" } }`, "missing-key", /keyTemplate/],
  [`{ ${U}, ${B}, "signing": { "keyTemplate": "{Secret}", "encoding": "base32" } }`, "bad-encoding", /base64/],
  [`{ ${U}, ${B}, "signing": { "keyTemplate": "{Secret}", "placement": "body" } }`, "bad-placement", /query, header/],
  [`{ ${U}, ${B}, "signing": { "keyTemplate": "{Secret}", "timestampMs": 1 } }`, "wrong-type", /timestampMs/],
  [`{ ${U}, ${B}, "signing": { "keyTemplate": "{Secret}", "paramName": "" } }`, "bad-name", /""/],
  [`{ ${U}, ${B}, "signing": { "keyTemplate": "k", "timestampParamName": "Sign" } }`, "bad-name", /the same/],
  [`{ ${U}, ${B}, "signing": "dingtalk" }`, "wrong-type", /"preset"/],
  [`{ ${U}, ${B}, "headers": { "a b": "x" } }`, "bad-header", /no valid name/],
  [`{ ${U}, ${B}, "headers": { "A": 1 } }`, "wrong-type", /header "A".*is a number/],
  [`{ ${U}, ${B}, "headers": [] }`, "wrong-type", /"headers" is a list/],
  [`{ ${U}, ${B}, "success": { "field": "code" } }`, "missing-key", /no "equals"/],
  [`{ ${U}, ${B}, "success": { "equals": 0 } }`, "missing-key", /no "field"/],
  [`{ ${U}, ${B}, "success": true }`, "wrong-type", /"success" is true or false/],
  [`{ ${U}, ${B}, "sucess": { "field": "code", "equals": 0 } }`, "unknown-key", /did you mean "success"/],
  [`"https://h.example"`, "wrong-type", /is a string; it must be an object/],
];

for (const [definition, code, words] of SKIPPED) {
  Deno.test(`skipped with one warning, the rest works: ${definition}`, () => {
    const file = load(`{\n  "bad": ${definition},\n  ${GOOD}\n}`);
    assert.equal(file.status, "loaded");
    assert.deepEqual(names(file), ["good"]);
    const [found, ...others] = findings(file);
    assert.deepEqual(others, []);
    assert.match(found?.[0] ?? "", new RegExp(`^2:\\d+ warning ${code}$`));
    assert.match(found?.[1] ?? "", words);
    assert.match(found?.[1] ?? "", /skipped/);
  });
}

Deno.test("a warning about an address never quotes it: a key may be in it", () => {
  for (const url of ["http://h.example/S3CRETKEY", "S3CRETKEY", "htp//S3CRETKEY bad", "https://S3CRETKEY bad/"]) {
    const file = load(`{ "bad": { "url": ${JSON.stringify(url)}, "body": {} } }`);
    assert.deepEqual(names(file), []);
    assert.ok(!JSON.stringify(file.diagnostics).includes("S3CRETKEY"), url);
  }
});

Deno.test("an address of this machine may be http, and one that a secret holds is judged when it is used", () => {
  const urls = [
    "http://127.0.0.1:8080/a",
    "http://[::1]/a",
    "http://localhost/a",
    "${URL}",
    "http://${HOST}/a",
    "https://h.example/${KEY}",
    "file:~/url",
    "dpapi:AAAA",
  ];
  const definitions = urls.map((url, index) => `"p${index}": { "url": ${JSON.stringify(url)}, "body": {} }`);
  const file = load(`{ ${definitions.join(", ")} }`);
  assert.deepEqual(file.definitions.map(({ url }) => url), urls);
  assert.deepEqual(file.diagnostics, []);
});

Deno.test("a key that is like none of ours costs itself alone", () => {
  const file = load(`{ "a": { "url": "https://h.example", "body": {}, "retries": 3, "comment": "why" } }`);
  assert.deepEqual(names(file), ["a"]);
  assert.deepEqual(findings(file).map(([place]) => place), ["1:50 warning unknown-key"]);
});

Deno.test("templates of signatures that the service can only refuse are told and kept", () => {
  const signing = `{ "keyTemplate": "{Secert}\\n{Timestamp}" }`;
  const file = load(`{ "a": { "url": "https://h.example", "body": {}, "signing": ${signing} } }`);
  assert.deepEqual(names(file), ["a"]);
  const [unknown, unused] = findings(file);
  assert.match(unknown?.join() ?? "", /warning unknown-variable,.*did you mean \{Secret\}/);
  assert.match(unused?.join() ?? "", /warning unused-secret/);
});

Deno.test("a GET has no body, which is said", () => {
  const file = load(`{ "a": { "url": "https://h.example", "body": {}, "method": "GET" } }`);
  assert.equal(file.definitions[0]?.method, "GET");
  assert.match(findings(file)[0]?.join() ?? "", /warning body-ignored/);
});

Deno.test("a name that stands twice, in any case, is an error, and so is a key: neither is guessed at", () => {
  const twice = load(`{\n"Bot": { ${U}, ${B} },\n"bot": { ${U}, ${B} },\n${GOOD} }`);
  assert.deepEqual(names(twice), ["good"]);
  assert.deepEqual(findings(twice).map(([place]) => place), ["3:1 error duplicate-key"]);
  assert.match(findings(twice)[0]?.[1] ?? "", /first at 2:1/);
  const keys = [
    `{ ${U}, ${B}, ${U} }`,
    `{ ${U}, "URL": "https://x.example", ${B} }`,
    `{ ${U}, "body": { "a": { "b": 1, "b": 2 } } }`,
  ];
  for (const definition of keys) {
    const file = load(`{ "a": ${definition}, ${GOOD} }`);
    assert.deepEqual(names(file), ["good"], definition);
    assert.deepEqual(file.diagnostics.map(({ severity, code }) => [severity, code]), [["error", "duplicate-key"]]);
  }
});

Deno.test("a file that is not JSON contributes nothing and is one error with line and column", () => {
  const rows: readonly (readonly [string, string])[] = [
    [`{ "dingtalk": `, "1:15 error invalid-json"],
    [`{\n  ${GOOD}\n  "b": {} }`, "3:3 error invalid-json"],
    [``, "1:1 error empty-file"],
    [`[]`, "1:1 error root-not-an-object"],
  ];
  for (const [text, place] of rows) {
    const file = load(text);
    assert.equal(file.status, "failed", text);
    assert.deepEqual(file.definitions, []);
    assert.deepEqual(findings(file).map(([found]) => found), [place]);
    assert.ok(!findings(file)[0]![1].includes("version"), "the hint is about provider files");
  }
});

Deno.test("a missing file is normal; one that cannot be read is an error; what was read is loaded", async () => {
  const folder = await Deno.makeTempDir({ prefix: "soong-providers-" });
  try {
    const path = join(folder, "notification-providers.json");
    const loaded = async () => loadProviderFile(path, await readHookFile(path), "project");
    assert.deepEqual(await loaded(), { path, layer: "project", status: "not_found", definitions: [], diagnostics: [] });
    await Deno.writeTextFile(path, `{ ${GOOD} }`);
    assert.deepEqual(names(await loaded()), ["good"]);
    await Deno.remove(path);
    await Deno.mkdir(path);
    const folderInItsPlace = await loaded();
    assert.equal(folderInItsPlace.status, "failed");
    assert.match(findings(folderInItsPlace)[0]?.join() ?? "", /unreadable-file.*no definition/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
