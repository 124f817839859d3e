/** Hook files that change while the agent works. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { startRecorder, wechatWorkBot } from "../support/recorder.ts";
import { createWorld, of, type World } from "../support/world.ts";

function deny(reason: string): string {
  const hooks = [{ type: "command", decision: "deny", reason }];
  return JSON.stringify({ version: 1, hooks: { PreToolUse: [{ matcher: { tool_name: "Write" }, hooks }] } });
}

const WRITE = (id: string) => ({ name: "Write", id, input: { file_path: `${id}.txt`, content: id } });
const bash = (id: string, command: string) => ({ name: "Bash", id, input: { command } });

/** A call that replaces a file from outside the agent's own tools, and waits until it is noticed. */
function replace(world: World, id: string, path: string, text: string) {
  const temporary = join(world.root, `${id}.new`);
  return bash(id, `printf %s '${text.replaceAll("'", "'\\''")}' > ${temporary}; mv ${temporary} ${path}; sleep 1.5`);
}

Deno.test("a guard that is added, broken, repaired and deleted while the agent works holds as it stands", async () => {
  await using world = await createWorld();
  const file = join(world.home, "hooks.json");
  const { code, events, stderr } = await world.play([
    { tool_calls: [WRITE("before")] },
    { tool_calls: [replace(world, "r1", file, deny("first"))] },
    { tool_calls: [WRITE("denied-1")] },
    { tool_calls: [replace(world, "r2", file, '{ "version": 1, "hooks": {')] },
    { tool_calls: [WRITE("denied-2")] },
    { tool_calls: [replace(world, "r3", file, deny("second"))] },
    { tool_calls: [WRITE("denied-3")] },
    { tool_calls: [bash("r4", `rm ${file}; sleep 2.5`)] },
    { tool_calls: [WRITE("after")] },
    { text: "ok" },
  ]);
  assert.equal(code, 0, stderr);
  const reasons = of(events, "hook_denied").map(({ tool_call_id, reasons: [reason] }) => [tool_call_id, reason]);
  assert.deepEqual(reasons, [["denied-1", "first"], ["denied-2", "first"], ["denied-3", "second"]]);
  assert.ok(await world.exists("before.txt") && await world.exists("after.txt"));
  assert.deepEqual(of(events, "config_reloaded").map(({ generation, changed }) => [generation, changed]), [
    [2, [file]],
    [3, [file]],
    [4, [file]],
  ]);
  const warnings = of(events, "warning").map(({ message }) => message);
  assert.ok(warnings.some((text) => text.startsWith(`${file}:1:`) && /stays in force/.test(text)), warnings.join("\n"));
  const generations = of(events, "hook_finished").map(({ hook_id }) => hook_id);
  assert.equal(new Set(generations).size, 2);
});

Deno.test("trust that is given and taken while the agent works counts from then on", async () => {
  await using world = await createWorld();
  await world.write(
    ".onecode/hooks.json",
    JSON.stringify({
      pre_tool_call: [{ matcher: "Write", hooks: [{ type: "command", command: "echo no >&2; exit 2" }] }],
    }),
  );
  const config = join(world.home, "config.toml");
  const { code, events, stderr } = await world.play([
    { tool_calls: [WRITE("one")] },
    { tool_calls: [replace(world, "r1", config, `[trust]\ndirectories = ["${world.project}"]\n`)] },
    { tool_calls: [WRITE("two")] },
    { tool_calls: [replace(world, "r2", config, "[trust]\ndirectories = []\n")] },
    { tool_calls: [WRITE("three")] },
    { text: "ok" },
  ]);
  assert.equal(code, 0, stderr);
  assert.deepEqual(of(events, "hook_denied").map(({ tool_call_id }) => tool_call_id), ["two"]);
  assert.deepEqual(of(events, "warning").filter(({ code }) => code === "hooks_skipped").length, 2);
});

Deno.test("a provider file that changes while the agent works gives the next message another form", async () => {
  await using bot = startRecorder(wechatWorkBot());
  await using world = await createWorld();
  await world.config('[trust]\nuser_hooks = "always"\n');
  const hook = { type: "notification", provider: "wechat_work", webhookUrl: bot.url, message: "done" };
  await world.write(
    join(world.userHome, ".onecode/hooks.json"),
    JSON.stringify({ post_tool_call: [{ matcher: "Write", hooks: [hook] }] }),
  );
  const file = join(world.home, "notification-providers.json");
  const own = JSON.stringify({ wechat_work: { url: bot.url, body: { mine: "{{Text}}!" } } });
  const { code, stderr } = await world.play([
    { tool_calls: [WRITE("one")] },
    { tool_calls: [replace(world, "r1", file, own)] },
    { tool_calls: [WRITE("two")] },
    { text: "ok" },
  ]);
  assert.equal(code, 0, stderr);
  assert.deepEqual(bot.requests.map(({ body }) => JSON.parse(body)), [
    { msgtype: "text", text: { content: "done" } },
    { mine: "done!" },
  ]);
});
