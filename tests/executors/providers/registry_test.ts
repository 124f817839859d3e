import assert from "node:assert/strict";
import type { NotificationChannel } from "../../../src/executors/providers/channel.ts";
import { createProviders, type DefinitionLayer } from "../../../src/executors/providers/registry.ts";
import type { ProviderDefinition } from "../../../src/hooks/mod.ts";

function definition(name: string, url: string): ProviderDefinition {
  return { name, method: "POST", url, headers: {}, body: { t: "{{Text}}" } };
}

function channel(name: string): NotificationChannel {
  return { name, url: "https://code.example", send: () => Promise.resolve({ kind: "sent" }) };
}

const USER: DefinitionLayer = {
  layer: "user",
  file: "/home/me/providers.json",
  definitions: [definition("b", "https://user.example/b"), definition("Feishu", "https://user.example/feishu")],
};

Deno.test("feishu, wechat_work and dingtalk are there without any file, in any case of letters", () => {
  const providers = createProviders();
  assert.deepEqual(providers.names, ["dingtalk", "feishu", "wechat_work"]);
  assert.deepEqual(providers.replaced, []);
  for (const name of ["FEISHU", " WeChat_Work ", "DingTalk"]) assert.ok(providers.lookup(name), name);
  assert.equal(providers.lookup("dingtalk")?.url, "https://oapi.dingtalk.com/robot/send");
  for (const name of ["slack", "", "constructor", "__proto__"]) assert.equal(providers.lookup(name), undefined);
});

Deno.test("a higher layer replaces a whole entry of the same name; the others stay", () => {
  const layers: readonly DefinitionLayer[] = [
    {
      layer: "user",
      definitions: [definition("a", "https://low.example/a"), definition("b", "https://low.example/b")],
    },
    USER,
    { layer: "project", file: "/work/.onecode/p.json", definitions: [definition("c", "https://project.example/c")] },
  ];
  const providers = createProviders({ layers });
  const urls = ["a", "b", "c"].map((name) => providers.lookup(name)?.url);
  assert.deepEqual(urls, ["https://low.example/a", "https://user.example/b", "https://project.example/c"]);
});

Deno.test("a declared definition wins over the built-in channel, and what replaced what is said with the file", () => {
  const project: DefinitionLayer = {
    layer: "project",
    file: "/work/.onecode/p.json",
    definitions: [definition("FEISHU", "https://project.example")],
  };
  const { lookup, replaced } = createProviders({ layers: [USER, project] });
  assert.equal(lookup("feishu")?.url, "https://project.example");
  assert.deepEqual(replaced, [
    {
      name: "feishu",
      by: "user",
      file: "/home/me/providers.json",
      replaced: "built_in",
      message: "the notification provider feishu of the user's definitions (/home/me/providers.json) replaces that " +
        "of this program",
    },
    {
      name: "feishu",
      by: "project",
      file: "/work/.onecode/p.json",
      replaced: "user",
      message: "the notification provider feishu of the project's definitions (/work/.onecode/p.json) replaces that " +
        "of the user's definitions (/home/me/providers.json)",
    },
  ]);
});

Deno.test("a channel written in code needs no file; it replaces what the program brings and yields to a file", () => {
  const channels = [channel("Slack"), channel("dingtalk"), channel("b")];
  const providers = createProviders({ layers: [USER], channels });
  assert.equal(providers.lookup("slack"), channels[0]);
  assert.equal(providers.lookup("dingtalk"), channels[1]);
  assert.equal(providers.lookup("b")?.url, "https://user.example/b");
  const said = providers.replaced.map(({ name, by, replaced }) => [name, by, replaced]);
  assert.deepEqual(said, [["dingtalk", "code", "embedded"], ["b", "user", "code"], ["feishu", "user", "built_in"]]);
  assert.throws(() => createProviders({ channels: [channel(" ")] }), TypeError);
});
