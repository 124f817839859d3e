/** Nothing secret is in anything that the program writes, whatever goes wrong. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { type RecordedRequest, startRecorder } from "../support/recorder.ts";
import { createWorld } from "../support/world.ts";

/** One secret for each place that may hold one. */
const SECRETS = {
  "a variable in a URL": "env-url-Secret&1",
  "a variable in a header": "env-header-secret-2",
  "a file in a header": "file-header-secret-3",
  "a variable as signing secret": "env-sign-secret-4",
  "a variable in a webhook address": "env-hook-secret-5",
  "a token written in a webhook address": "literal-token-secret-6",
  "a signing secret written in the file": "literal-sign-secret-7",
  "a password written in a URL": "literal-password-secret-8",
  "a key written in a query": "literal-query-secret-9",
  "a header written in the file": "literal-header-secret-10",
  "a variable in the address of a provider": "env-provider-secret-11",
} as const;

/** Repeats all it was sent, in the body and in a header, and refuses. */
function echo({ path, raw_query: query, headers, body }: RecordedRequest): Response {
  const said = JSON.stringify({ errcode: 40001, errmsg: `${path}?${query} ${JSON.stringify([...headers])} ${body}` });
  return path.includes("moved")
    ? new Response(said, { status: 302, headers: { location: `${path}?${query}` } })
    : new Response(said, {
      status: path.includes("fail") ? 500 : 200,
      headers: { "x-echo": encodeURIComponent(query) },
    });
}

Deno.test("no secret is in any output, event, session, error or list, also where a server repeats all it was sent", async () => {
  await using server = startRecorder(echo);
  await using world = await createWorld();
  const secretFile = join(world.userHome, "secret.txt");
  await world.write(secretFile, SECRETS["a file in a header"] + "\n", 0o600);
  const { host } = new URL(server.url);
  const http = (path: string, more: Record<string, unknown> = {}) => ({
    type: "http",
    url: `${server.url}${path}`,
    ...more,
  });
  const message = (provider: string, webhookUrl: string, secret?: string) => ({
    type: "notification",
    provider,
    webhookUrl,
    message: "{{Point}}",
    ...(secret && { secret }),
  });
  const dead = "http://127.0.0.1:1";
  await world.write(
    join(world.userHome, ".onecode/hooks.json"),
    JSON.stringify({
      input: [{
        hooks: [
          http("/fail?key=${URL_SECRET}", {
            headers: { "X-One": "Bearer ${HEADER_SECRET}", "X-Two": `file:${secretFile}` },
          }),
          http("/moved?key=${URL_SECRET}"),
          http("/ok?key=${URL_SECRET}"),
          {
            type: "http",
            url: `http://u:${SECRETS["a password written in a URL"]}@${host}/fail?key=${
              SECRETS["a key written in a query"]
            }`,
          },
          http("/fail", { headers: { "X-Key": SECRETS["a header written in the file"] } }),
          { type: "http", url: `${dead}/x?key=\${URL_SECRET}` },
          { type: "http", url: "${URL_SECRET}" },
          message("feishu", `${server.url}/fail/\${HOOK_SECRET}`, "${SIGN_SECRET}"),
          message(
            "feishu",
            `${server.url}/bot/${SECRETS["a token written in a webhook address"]}`,
            SECRETS["a signing secret written in the file"],
          ),
          message("wechat_work", `${server.url}/send?key=\${HOOK_SECRET}`, "${SIGN_SECRET}"),
          message("dingtalk", `${server.url}/moved?access_token=\${HOOK_SECRET}`, "${SIGN_SECRET}"),
          message(
            "dingtalk",
            `${dead}/send?access_token=${SECRETS["a token written in a webhook address"]}`,
            "${SIGN_SECRET}",
          ),
          message("unknown", `${server.url}/\${HOOK_SECRET}`, "${SIGN_SECRET}"),
          { type: "notification", provider: "own", message: "x" },
          { type: "notification", provider: "feishu", webhookUrl: "${HOOK_SECRET}", message: "x" },
        ],
      }],
    }),
  );
  await world.write(
    join(world.home, "notification-providers.json"),
    JSON.stringify({
      own: {
        url: `${server.url}/fail?key=\${PROVIDER_SECRET}`,
        headers: { "X-Key": "${HEADER_SECRET}" },
        body: { t: "{{Text}}" },
      },
    }),
  );
  await world.config('[trust]\nuser_hooks = "always"\n');
  const env = {
    URL_SECRET: SECRETS["a variable in a URL"],
    HEADER_SECRET: SECRETS["a variable in a header"],
    SIGN_SECRET: SECRETS["a variable as signing secret"],
    HOOK_SECRET: SECRETS["a variable in a webhook address"],
    PROVIDER_SECRET: SECRETS["a variable in the address of a provider"],
    SOONG_DEBUG: "1",
  };
  const model = await world.script([{ tool_calls: [{ name: "Bash", id: "c1", input: { command: "env" } }] }, {
    text: "ok",
  }]);
  const written: string[] = [];
  for (
    const args of [
      ["run", "go", "--model", model, "--permission-mode", "full"],
      ["run", "go", "--model", model, "--permission-mode", "full", "--output", "stream-json"],
      ["run", "go", "--model", model, "--permission-mode", "full", "--output", "json"],
      ["hooks"],
      ["hooks", "list"],
      ["hooks", "status"],
      ["hooks", "validate"],
      ["hooks", "validate", "--format", "json"],
      ["trust"],
      ["sessions", "list"],
    ]
  ) {
    const { stdout, stderr } = await world.run(args, { env });
    written.push(stdout, stderr);
  }
  for await (const { name } of Deno.readDir(join(world.home, "sessions"))) {
    written.push(await world.read(join(world.home, "sessions", name)));
  }
  const everything = written.join("\n");
  assert.ok(
    everything.includes("HTTP 500") && everything.includes("40001"),
    "failures are told with the service's words",
  );
  for (const [place, secret] of Object.entries(SECRETS)) {
    for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), btoa(secret)]) {
      assert.ok(!everything.includes(form), `${place}: ${form} in ${excerpt(everything, form)}`);
    }
  }
  const sent = server.requests.map(({ path, raw_query: query, headers }) => `${path}?${query} ${[...headers]}`).join(
    "\n",
  );
  for (
    const place of ["a variable in a header", "a file in a header", "a token written in a webhook address"] as const
  ) {
    assert.ok(sent.includes(SECRETS[place]), `${place} was sent`);
  }
  for (const [, signature] of sent.matchAll(/[?&]sign=([^& ]+)/g)) {
    assert.ok(!everything.includes(signature!) && !everything.includes(decodeURIComponent(signature!)));
  }
});

function excerpt(text: string, part: string): string {
  const at = text.indexOf(part);
  return JSON.stringify(text.slice(Math.max(0, at - 300), at + part.length + 50));
}
