/** The engine over hooks that are reloaded. */
import assert from "node:assert/strict";
import { createHookEngine, DIALECTS } from "../../src/hooks/mod.ts";
import { executorsOf, MOMENT, NEVER, NOW, OCCASIONS, runOf, SCOPE } from "./engine_support.ts";
import { hookText, inReloadWorld } from "./reload_support.ts";

Deno.test("an emission in flight keeps the hooks it began with", async () => {
  const prepare = (folder: string) => Deno.writeTextFile(`${folder}/hooks.json`, hookText("old-1", "old-2", "old-3"));
  await inReloadWorld({ prepare }, async ({ folder, registry, untilCommands }) => {
    const gate = Promise.withResolvers<void>();
    const asked: string[] = [];
    const engine = createHookEngine(registry, DIALECTS, {
      scope: SCOPE,
      executors: executorsOf(async ({ registration: { executor }, payload }) => {
        assert.ok(executor.type === "command");
        const { generation } = JSON.parse(new TextDecoder().decode(payload)) as { generation: number };
        asked.push(`${String(executor.command)} of generation ${generation}`);
        await gate.promise;
        return runOf("");
      }),
      on_failure: "allow",
      mode: "enforce",
      fail_closed_when_empty: false,
      now: () => NOW,
    });
    const emission = engine.emit(OCCASIONS.pre_tool_call, MOMENT, NEVER);
    await Deno.writeTextFile(`${folder}/hooks.json`, hookText("new"));
    await untilCommands("new");
    gate.resolve();
    assert.equal((await emission).generation, 1);
    assert.equal((await engine.emit(OCCASIONS.pre_tool_call, MOMENT, NEVER)).generation, 2);
    assert.deepEqual(asked, [
      "old-1 of generation 1",
      "old-2 of generation 1",
      "old-3 of generation 1",
      "new of generation 2",
    ]);
  });
});

Deno.test("a spent once hook stays spent across reloads of the file, and fires again when its entry is another", async () => {
  const text = (once: string, other: string) =>
    JSON.stringify({
      pre_tool_call: [{
        matcher: "*",
        hooks: [{ type: "command", command: once, once: true }, { type: "command", command: other }],
      }],
    });
  const prepare = (folder: string) => Deno.writeTextFile(`${folder}/hooks.json`, text("hello", "other-1"));
  await inReloadWorld({ prepare }, async ({ folder, registry, untilCommands, events, until }) => {
    const asked: string[] = [];
    const engine = createHookEngine(registry, DIALECTS, {
      scope: SCOPE,
      executors: executorsOf(({ registration: { executor } }) => {
        asked.push(executor.type === "command" ? String(executor.command) : executor.type);
        return Promise.resolve(runOf(""));
      }),
      on_failure: "allow",
      mode: "enforce",
      fail_closed_when_empty: false,
      now: () => NOW,
    });
    const ask = async () => {
      asked.length = 0;
      await engine.emit(OCCASIONS.pre_tool_call, MOMENT, NEVER);
      return asked.join(" ");
    };
    const save = async (content: string) => {
      const before = events().length;
      await Deno.writeTextFile(`${folder}/hooks.json`, content);
      await until("the save is said", () => events().length > before);
    };
    assert.equal(await ask(), "hello other-1");
    assert.equal(await ask(), "other-1");
    await save(text("hello", "other-2"));
    assert.equal(await ask(), "other-2");
    await save("{ broken");
    assert.equal(await ask(), "other-2");
    await Deno.remove(`${folder}/hooks.json`);
    await untilCommands();
    await save(text("hello", "other-2"));
    assert.equal(await ask(), "other-2");
    await save(text("hello again", "other-2"));
    assert.equal(await ask(), "hello again other-2");
  });
});
