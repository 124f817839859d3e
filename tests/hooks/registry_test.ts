import assert from "node:assert/strict";
import { createRegistry, type Matcher, type Registration } from "../../src/hooks/mod.ts";
import { compileMatcher } from "../../src/hooks/soong/matcher.ts";
import { createPathPrefixes } from "../../src/hooks/path_prefixes.ts";
import { callOf } from "./hook_files.ts";

const prefixes = createPathPrefixes("/project", (path) => path);

function forTool(name: string): Matcher {
  return compileMatcher([{ key: "tool_name", field: "tool", value: name }], prefixes);
}

function hook(id: string, more: Partial<Registration> = {}): Registration {
  return {
    id,
    point: "pre_tool_call",
    speech: "soong/1",
    source: "user",
    priority: 100,
    order: 0,
    matcher: compileMatcher([], prefixes),
    executor: { type: "static", reason: "no" },
    timeout_ms: 1000,
    mode: "enforce",
    ...more,
  };
}

const idsOf = (registrations: readonly Registration[]) => registrations.map(({ id }) => id);

Deno.test("the generation is 1 after the first load and one more with every swap", () => {
  const registry = createRegistry();
  assert.equal(registry.snapshot().generation, 0);
  registry.register(hook("mine"));
  assert.equal(registry.snapshot().generation, 0);
  assert.equal(registry.replaceConfig([hook("config:a")]).generation, 1);
  assert.equal(registry.replaceConfig([]).generation, 2);
  const remove = registry.register(hook("other"));
  assert.equal(registry.snapshot().generation, 3);
  remove();
  remove();
  assert.equal(registry.snapshot().generation, 4);
});

Deno.test("hooks run by lane, priority, source and file order", () => {
  const registry = createRegistry();
  const { registrations } = registry.replaceConfig([
    hook("onecode", { speech: "onecode", priority: 1 }),
    hook("soong-plugin", { source: "plugin" }),
    hook("soong-project", { source: "project" }),
    hook("soong-second", { order: 2 }),
    hook("soong-first", { order: 1 }),
    hook("soong-managed", { source: "managed" }),
    hook("soong-late", { priority: 200, source: "managed" }),
    hook("standard", { speech: "agent-hooks/0.1", priority: 900 }),
    hook("claude", { speech: "claude", priority: 999 }),
    hook("soong-2", { speech: "soong/2", order: 3 }),
  ]);
  assert.deepEqual(idsOf(registrations), [
    "claude",
    "standard",
    "soong-managed",
    "soong-first",
    "soong-second",
    "soong-2",
    "soong-project",
    "soong-plugin",
    "soong-late",
    "onecode",
  ]);
});

Deno.test("a snapshot never changes: an emission in flight keeps the one it began with", () => {
  const registry = createRegistry();
  const before = registry.replaceConfig([hook("config:a")]);
  registry.replaceConfig([hook("config:b")]);
  registry.register(hook("mine"));
  assert.deepEqual(idsOf(before.registrations), ["config:a"]);
  assert.deepEqual(idsOf(before.at("pre_tool_call")), ["config:a"]);
  assert.throws(() => (before.registrations as Registration[]).push(hook("x")), TypeError);
  assert.deepEqual(idsOf(registry.snapshot().registrations), ["config:b", "mine"]);
});

Deno.test("a swap takes everything out of files and leaves hooks from code", () => {
  const registry = createRegistry();
  registry.replaceConfig([hook("config:old")]);
  registry.register(hook("audit", { source: "plugin", priority: 300 }));
  registry.replaceConfig([hook("config:new-1", { matcher: forTool("Bash") }), hook("config:new-2", { point: "stop" })]);
  assert.deepEqual(idsOf(registry.snapshot().registrations), ["config:new-1", "config:new-2", "audit"]);
  assert.deepEqual(idsOf(registry.snapshot().at("pre_tool_call")), ["config:new-1", "audit"]);
  assert.deepEqual(idsOf(registry.snapshot().at("stop")), ["config:new-2"]);
  registry.replaceConfig([]);
  assert.deepEqual(idsOf(registry.snapshot().registrations), ["audit"]);
});

Deno.test("ids from code must be their own, and a refused one changes nothing", () => {
  const registry = createRegistry();
  registry.replaceConfig([hook("config:a")]);
  registry.register(hook("mine"));
  const before = registry.snapshot();
  assert.throws(() => registry.register(hook("config:b")), TypeError);
  assert.throws(() => registry.register(hook("mine")), TypeError);
  assert.throws(() => registry.replaceConfig([hook("config:a"), hook("config:a")]), TypeError);
  assert.equal(registry.snapshot(), before);
});

Deno.test("only what can match is asked, in order, and with the name it matched by", () => {
  const registry = createRegistry();
  const snapshot = registry.replaceConfig([
    hook("config:any", { order: 0 }),
    hook("config:read", { order: 1, matcher: forTool("Read") }),
    hook("config:alias", { order: 2, matcher: forTool("code.run_command") }),
    hook("config:bash", { order: 3, matcher: forTool("Bash") }),
    hook("config:stop", { point: "stop" }),
  ]);
  assert.deepEqual(
    snapshot.matching(callOf("Bash")).map(({ registration, alias }) => [registration.id, alias]),
    [["config:any", undefined], ["config:alias", "code.run_command"], ["config:bash", undefined]],
  );
  assert.deepEqual(idsOf(snapshot.candidates("pre_tool_call", "Read")), ["config:any", "config:read"]);
  assert.deepEqual(idsOf(snapshot.candidates("pre_tool_call", "Read")), ["config:any", "config:read"]);
  assert.deepEqual(snapshot.candidates("output", ""), []);
  assert.deepEqual(snapshot.matching({ point: "input", prompt: "x" }), []);
});

Deno.test("a prefix is looked up again before each matching", () => {
  let target = "/project/secret";
  const moving = createPathPrefixes("/project", () => target);
  const matcher = compileMatcher([{ key: "path", field: "path", value: "secret" }], moving);
  const snapshot = createRegistry().replaceConfig([hook("config:a", { matcher })]);
  const call = () => callOf("Read", { path: "/project/vault/key" });
  assert.equal(snapshot.matching(call()).length, 0);
  target = "/project/vault";
  assert.equal(snapshot.matching(call()).length, 1);
});
