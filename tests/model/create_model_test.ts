/** Specs: which model they give, and what to set when they give none. */
import assert from "node:assert/strict";
import { SERVER_KEY, startModelServer } from "../support/model_server.ts";
import { answerOf, failureOf, modelOf, optionsFor, problemOf } from "./support.ts";

Deno.test("a missing or blank key names the variable to set", async () => {
  const table = [
    ["anthropic/claude", "ANTHROPIC_API_KEY"],
    ["openai/gpt", "OPENAI_API_KEY"],
    ["google/gemini", "GEMINI_API_KEY"],
  ] as const;
  for (const [spec, variable] of table) {
    const { code, message } = await problemOf(spec, optionsFor({ [variable]: " \n" }));
    assert.equal(code, "missing_key");
    assert.equal(message, `The model "${spec}" needs a key: set the environment variable ${variable}`);
  }
});

Deno.test("a spec that names nothing says how to write one", async () => {
  const table = [
    ["gpt-5", "bad_spec", /names no provider: write PROVIDER\/MODEL/],
    ["", "bad_spec", /names no provider/],
    ["openai/", "bad_spec", /no name behind its provider/],
    ["openia/gpt-5", "unknown_provider", /did you mean "openai"/],
    ["ollama/llama3", "unknown_provider", /\[providers\.ollama\] in config\.toml/],
    ["constructor/x", "unknown_provider", /not known/],
    ["script/none.json", "unreadable_script", /none\.json.*there is no such file/],
  ] as const;
  for (const [spec, code, message] of table) {
    const problem = await problemOf(spec, optionsFor({ OPENAI_API_KEY: "k" }));
    assert.equal(problem.code, code, spec);
    assert.match(problem.message, message);
  }
});

Deno.test("base URLs work as users of the official programs write them, with slash or version too", async () => {
  await using server = startModelServer(Array.from({ length: 8 }, () => ({ text: "ok" })));
  const table = [
    ["openai", "OPENAI_BASE_URL", "/v1", "/v1/chat/completions"],
    ["openai", "OPENAI_BASE_URL", "/gateway/openai/", "/gateway/openai/chat/completions"],
    ["anthropic", "ANTHROPIC_BASE_URL", "", "/v1/messages"],
    ["anthropic", "ANTHROPIC_BASE_URL", "/v1/", "/v1/messages"],
    ["anthropic", "ANTHROPIC_BASE_URL", "/gateway", "/gateway/v1/messages"],
    ["google", "GOOGLE_GEMINI_BASE_URL", "/", "/v1beta/models/m:streamGenerateContent?alt=sse"],
    ["google", "GOOGLE_GEMINI_BASE_URL", "/v1beta", "/v1beta/models/m:streamGenerateContent?alt=sse"],
  ] as const;
  for (const [provider, variable, path, expected] of table) {
    const environment = { ...server.environment, [variable]: server.url + path };
    await answerOf(await modelOf(`${provider}/m`, optionsFor(environment)));
    assert.equal(server.requests.at(-1)?.path, expected);
  }
});

Deno.test("a base URL that no request can be sent to is a problem that does not repeat it", async () => {
  for (const base of ["no url", "ftp://host", "http://h/v1?key=S3CRET", "http://user:S3CRET@h/v1"]) {
    const options = optionsFor({ OPENAI_API_KEY: "k", OPENAI_BASE_URL: base });
    const { code, message } = await problemOf("openai/m", options);
    assert.equal(code, "bad_base_url");
    assert.match(message, /OPENAI_BASE_URL/);
    assert.doesNotMatch(message, /S3CRET/);
  }
});

Deno.test("a key that no header can carry is a problem that names the variable and not the key", async () => {
  for (const key of ["S3CRET-密钥", "S3CRET\nx"]) {
    const { code, message } = await problemOf("openai/m", optionsFor({ OPENAI_API_KEY: key }));
    assert.equal(code, "bad_header");
    assert.match(message, /OPENAI_API_KEY/);
    assert.doesNotMatch(message, /S3CRET/);
  }
});

Deno.test("a named provider needs no key, sends its headers, and keeps slashes of the model name", async () => {
  await using server = startModelServer([{ text: "a" }, { text: "b" }, { text: "c" }, {
    error: { status: 400, message: "gw-t0ken-123 no" },
  }]);
  const headers = { "x-gateway": "gw-t0ken-123" };
  const providers = {
    local: { type: "openai-compatible", base_url: `${server.url}/v1`, headers },
    relay: { type: "anthropic", base_url: server.url, headers },
    gem: { type: "google", base_url: server.url, headers },
  } as const;
  // Keys of the built-in providers are no business of a named one.
  const options = optionsFor({ ...server.environment }, { providers });
  const model = await modelOf("local/meta/llama-3:8b", options);
  assert.deepEqual([model.provider, model.id], ["local", "meta/llama-3:8b"]);
  await answerOf(model);
  await answerOf(await modelOf("relay/m", options));
  await answerOf(await modelOf("gem/m", options));
  assert.equal(server.requests[0]?.body.model, "meta/llama-3:8b");
  for (const request of server.requests) {
    assert.equal(request.headers["x-gateway"], "gw-t0ken-123");
    assert.doesNotMatch(JSON.stringify(request.headers), /S3CRET|authorization|x-api-key|x-goog-api-key/);
  }
  assert.doesNotMatch((await failureOf(model)).message, /t0ken/);
});

Deno.test("a named provider sends the key of its variable and asks for it when it is not set", async () => {
  await using server = startModelServer([{ text: "ok" }]);
  const provider = {
    type: "openai-compatible",
    base_url: `${server.url}/v1`,
    api_key_env: "GATEWAY_KEY",
    headers: {},
  } as const;
  const providers = { gateway: provider };
  assert.match((await problemOf("gateway/m", optionsFor({}, { providers }))).message, /GATEWAY_KEY/);
  await answerOf(await modelOf("gateway/m", optionsFor({ GATEWAY_KEY: `${SERVER_KEY}\n` }, { providers })));
  assert.equal(server.requests[0]?.headers["authorization"], `Bearer ${SERVER_KEY}`);
});

Deno.test("a provider of the configuration wins over the built-in one of its name", async () => {
  await using server = startModelServer([{ text: "ok" }]);
  const providers = { openai: { type: "openai-compatible", base_url: `${server.url}/mine`, headers: {} } } as const;
  await answerOf(await modelOf("openai/m", optionsFor({}, { providers })));
  assert.equal(server.requests[0]?.path, "/mine/chat/completions");
});

Deno.test("an embedded script is a model of its own name", async () => {
  assert.match((await problemOf("demo", optionsFor({}))).message, /run --demo/);
  const embedded_scripts = { demo: { model_id: "demo-1", turns: [{ text: "hello" }] } };
  const model = await modelOf("demo", optionsFor({}, { embedded_scripts }));
  assert.deepEqual([model.provider, model.id], ["demo", "demo-1"]);
  assert.equal((await answerOf(model)).text, "hello");
});
