/** What a reload keeps, what it swaps, and what it says. */
import assert from "node:assert/strict";
import { createRegistry, createReloadableHooks } from "../../src/hooks/mod.ts";
import type { EventBody } from "../../src/protocol/mod.ts";
import { NOW, registration } from "./engine_support.ts";
import { hookText, inReloadWorld, onecodeText, pause } from "./reload_support.ts";

const TWO_FILES = [
  { path: "hooks.json" },
  { path: "project.json", source: "project", dialect: "onecode", base_priority: 200 },
] as const;

function writeBoth(folder: string): Promise<void> {
  Deno.writeTextFileSync(`${folder}/hooks.json`, hookText("user-1"));
  Deno.writeTextFileSync(`${folder}/project.json`, onecodeText("project-1"));
  return Promise.resolve();
}

/** Contents that cannot be used, and what is said about them. */
const BROKEN: readonly { readonly what: string; readonly text: string; readonly said: RegExp }[] = [
  { what: "cut in the middle", text: '{ "version": 1, "hooks": {', said: /hooks\.json:1:27: error\[invalid-json\]/ },
  { what: "empty", text: "", said: /hooks\.json:1:1: error\[empty-file\]/ },
  { what: "blank", text: " \n\t\n", said: /error\[empty-file\]/ },
  { what: "an array", text: "[]", said: /hooks\.json:1:1: error\[root-not-an-object\]/ },
  { what: "of an unknown version", text: '{ "version": 7, "hooks": {} }', said: /hooks\.json:1:14: error\[/ },
  { what: "of no known form", text: '{ "permissions": {} }', said: /error\[unknown-form\]/ },
];

for (const { what, text, said } of BROKEN) {
  Deno.test(`a file that becomes ${what} keeps its last good hooks, and an edit of the other file counts`, async () => {
    await inReloadWorld({ prepare: writeBoth, files: TWO_FILES }, async (world) => {
      const { folder, registry, hooks, reloader, commands, events, until, untilCommands } = world;
      await Deno.writeTextFile(`${folder}/hooks.json`, text);
      await until("the failure is said", () => events().length > 0);
      assert.equal(registry.snapshot().generation, 1);
      assert.deepEqual(commands(), ["user-1", "project-1"]);
      const [event] = events();
      assert.equal(events().length, 1);
      assert.ok(event?.type === "warning" && event.code === "hook_file_failed");
      assert.match(event.message, said);
      const [report] = hooks.loaded.files;
      assert.deepEqual([report!.status, report!.hook_count], ["failed", 1]);
      assert.ok(event.message.endsWith(
        `; what was loaded at ${report!.kept_since} stays in force until the file is ` +
          "repaired",
      ));

      await Deno.writeTextFile(`${folder}/project.json`, onecodeText("project-2"));
      await untilCommands("user-1", "project-2");
      assert.equal(registry.snapshot().generation, 2);
      await reloader.reload();
      assert.equal(events().filter(({ type }) => type === "warning").length, 1);

      await Deno.writeTextFile(`${folder}/hooks.json`, hookText("user-2"));
      await untilCommands("user-2", "project-2");
      assert.equal(registry.snapshot().generation, 3);
      assert.equal(hooks.loaded.files[0]!.kept_since, undefined);
    });
  });
}

Deno.test("a file that cannot be read any more keeps its last good hooks", async () => {
  await inReloadWorld({ prepare: writeBoth, files: TWO_FILES }, async ({ folder, commands, events, until }) => {
    await Deno.remove(`${folder}/hooks.json`);
    await Deno.mkdir(`${folder}/hooks.json`);
    await until("the failure is said", () => events().length > 0);
    assert.deepEqual(commands(), ["user-1", "project-1"]);
    assert.match(JSON.stringify(events()), /error\[unreadable-file\].*stays in force/);
  });
});

Deno.test("a repair to what was in force makes no generation, and is said", async () => {
  await inReloadWorld({ prepare: writeBoth, files: TWO_FILES }, async ({ folder, registry, events, until }) => {
    await Deno.writeTextFile(`${folder}/hooks.json`, "{");
    await until("the failure is said", () => events().length > 0);
    await Deno.writeTextFile(`${folder}/hooks.json`, hookText("user-1"));
    await until("the repair is said", () => events().length > 1);
    assert.equal(registry.snapshot().generation, 1);
    assert.deepEqual(events()[1], {
      type: "config_reloaded",
      generation: 1,
      previous_generation: 1,
      changed: [`${folder}/hooks.json`],
      hooks: { added: [], removed: [], changed: [] },
    });
  });
});

Deno.test("a deleted file clears its layer and no other", async () => {
  await inReloadWorld({ prepare: writeBoth, files: TWO_FILES }, async ({ folder, registry, events, untilCommands }) => {
    await Deno.remove(`${folder}/hooks.json`);
    await untilCommands("project-1");
    assert.equal(registry.snapshot().generation, 2);
    assert.deepEqual(events().map((event) => event.type), ["config_reloaded", "warning"]);
    await Deno.writeTextFile(`${folder}/hooks.json`, "{");
    await Deno.remove(`${folder}/project.json`);
    await untilCommands();
  });
});

Deno.test("a file that is missing for a moment only is never missed", async () => {
  const options = { prepare: writeBoth, files: TWO_FILES, confirm_ms: 3_000 };
  await inReloadWorld(options, async ({ folder, registry, commands, reloader }) => {
    await Deno.rename(`${folder}/hooks.json`, `${folder}/hooks.json~`);
    const looking = reloader.reload();
    await pause(50);
    assert.deepEqual(commands(), ["user-1", "project-1"]);
    await Deno.writeTextFile(`${folder}/hooks.json`, hookText("user-2"));
    await looking;
    assert.deepEqual(commands(), ["user-2", "project-1"]);
    assert.equal(registry.snapshot().generation, 2);
  });
});

Deno.test("a slow write in pieces never takes a hook away, and the end of it is in force", async () => {
  await inReloadWorld({ prepare: writeBoth, files: TWO_FILES }, async ({ folder, commands, untilCommands }) => {
    const path = `${folder}/hooks.json`;
    const text = hookText("user-2");
    let isDone = false;
    const watching = (async () => {
      while (!isDone) {
        assert.ok(["user-1,project-1", "user-2,project-1"].includes(String(commands())), String(commands()));
        await pause(2);
      }
    })();
    await Deno.writeTextFile(path, "");
    for (let at = 0; at < text.length; at += Math.ceil(text.length / 4)) {
      await pause(200);
      await Deno.writeTextFile(path, text.slice(at, at + Math.ceil(text.length / 4)), { append: true });
    }
    await untilCommands("user-2", "project-1");
    isDone = true;
    await watching;
  });
});

Deno.test("the event names the files, the generations and the hooks that came, went and changed", async () => {
  const prepare = (folder: string) => Deno.writeTextFile(`${folder}/hooks.json`, hookText("a", "b", "c"));
  await inReloadWorld({ prepare }, async ({ folder, registry, events, untilCommands }) => {
    const [a, b, c] = registry.snapshot().registrations.map(({ id }) => id);
    await Deno.writeTextFile(`${folder}/hooks.json`, hookText("c", "b", "d"));
    await untilCommands("c", "b", "d");
    const d = registry.snapshot().registrations[2]!.id;
    assert.deepEqual(events(), [{
      type: "config_reloaded",
      generation: 2,
      previous_generation: 1,
      changed: [`${folder}/hooks.json`],
      hooks: { added: [d], removed: [a], changed: [c] },
    }]);
    assert.equal(registry.snapshot().registrations[1]!.id, b);
  });
});

Deno.test("a bad entry costs only itself, and its finding is said once", async () => {
  const prepare = (folder: string) => Deno.writeTextFile(`${folder}/hooks.json`, hookText("a"));
  await inReloadWorld({ prepare }, async ({ folder, events, untilCommands, reloader }) => {
    const bad = { version: 1, hooks: { PreToolUse: [{ hooks: [{ type: "command", command: "b" }] }], Stopp: [] } };
    await Deno.writeTextFile(`${folder}/hooks.json`, JSON.stringify(bad));
    await untilCommands("b");
    const warnings = () => events().filter(({ type }) => type === "warning");
    assert.equal(warnings().length, 1);
    assert.match(JSON.stringify(warnings()), /hooks\.json:1:\d+: error\[.*Stopp/);
    bad.hooks.PreToolUse[0]!.hooks[0]!.command = "c";
    await Deno.writeTextFile(`${folder}/hooks.json`, JSON.stringify(bad));
    await untilCommands("c");
    await reloader.reload();
    assert.equal(warnings().length, 1);
  });
});

Deno.test("hooks from code survive every swap, and ids that begin with config: stay closed to them", async () => {
  const prepare = (folder: string) => Deno.writeTextFile(`${folder}/hooks.json`, hookText("a"));
  await inReloadWorld({ prepare }, async ({ folder, registry, untilCommands }) => {
    const audit = registration("my-plugin:audit", { source: "plugin", priority: 300 });
    const remove = registry.register(audit);
    await Deno.writeTextFile(`${folder}/hooks.json`, hookText("b", "c"));
    await untilCommands("b", "c", "my-plugin:audit");
    await Deno.remove(`${folder}/hooks.json`);
    await untilCommands("my-plugin:audit");
    assert.throws(() => registry.register(registration("config:mine")), TypeError);
    remove();
    await untilCommands();
  });
});

Deno.test("a fault while a snapshot is built keeps the one in force, its generation too, and is an error event", async () => {
  const faults: Readonly<Record<string, () => never>> = {
    reading: () => {
      throw new Error("the settings are gone");
    },
  };
  let fault: (() => never) | undefined;
  let isDouble = false;
  const prepare = (folder: string) => Deno.writeTextFile(`${folder}/hooks.json`, hookText("a"));
  const select = (loaded: { registrations: readonly ReturnType<typeof registration>[] }) => {
    fault?.();
    return isDouble ? [...loaded.registrations, ...loaded.registrations] : loaded.registrations;
  };
  await inReloadWorld({ prepare, select }, async ({ folder, registry, events, until, untilCommands }) => {
    const snapshot = registry.snapshot();
    fault = faults["reading"];
    await Deno.writeTextFile(`${folder}/hooks.json`, hookText("b"));
    await until("the fault is said", () => events().length > 0);
    assert.equal(registry.snapshot(), snapshot);
    assert.deepEqual(events(), [{
      type: "error",
      code: "reload_failed",
      message: "A reload of the hooks failed, and those from before stay in force: the settings are gone",
    }]);

    fault = undefined;
    isDouble = true;
    await Deno.writeTextFile(`${folder}/hooks.json`, hookText("c"));
    await until("the fault of the swap is said", () => events().length > 1);
    assert.equal(registry.snapshot(), snapshot);
    assert.match(JSON.stringify(events()[1]), /Cannot register hook .* twice/);

    isDouble = false;
    await Deno.writeTextFile(`${folder}/hooks.json`, hookText("d"));
    await untilCommands("d");
    assert.equal(registry.snapshot().generation, 2);
  });
});

Deno.test("a change of a file beside the hook files decides anew which hooks count", async () => {
  let folderOfTrust = "";
  const isTrusted = () => {
    try {
      return Deno.readTextFileSync(`${folderOfTrust}/home/trust`) === "yes";
    } catch {
      return false;
    }
  };
  const select = (loaded: { registrations: readonly ReturnType<typeof registration>[] }) =>
    loaded.registrations.filter(({ source }) => source === "user" || isTrusted());
  const prepare = (folder: string) => {
    folderOfTrust = folder;
    return writeBoth(folder);
  };
  const options = { prepare, files: TWO_FILES, select, extra_paths: () => [`${folderOfTrust}/home/trust`] };
  await inReloadWorld(options, async ({ folder, hooks, events, registry, commands, untilCommands }) => {
    assert.deepEqual(commands(), ["user-1"]);
    assert.equal(hooks.loaded.registrations.length, 2);
    await Deno.mkdir(`${folder}/home`);
    await Deno.writeTextFile(`${folder}/home/trust`, "yes");
    await untilCommands("user-1", "project-1");
    await Deno.remove(`${folder}/home/trust`);
    await untilCommands("user-1");
    assert.equal(registry.snapshot().generation, 3);
    assert.deepEqual(events().map((event) => event.type === "config_reloaded" && event.changed), [
      [`${folder}/project.json`],
      [`${folder}/project.json`],
    ]);
  });
});

Deno.test("a report has the digest of what is on the disk, also of a content that is not in force", async () => {
  await inReloadWorld({}, async ({ folder, hooks, reloader }) => {
    const digestOf = async (text: string) => {
      await Deno.writeTextFile(`${folder}/hooks.json`, text);
      await reloader.reload();
      return hooks.loaded.files[0]!.sha256;
    };
    const good = await digestOf(hookText("a"));
    assert.match(good!, /^[0-9a-f]{64}$/);
    assert.equal(await digestOf("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert.equal(hooks.loaded.files[0]!.hook_count, 1);
    assert.equal(await digestOf(hookText("a")), good);
  });
});

Deno.test("a project's file that becomes a link to the user's is loaded once, as the user's", async () => {
  await inReloadWorld({ prepare: writeBoth, files: TWO_FILES }, async ({ folder, registry, hooks, untilCommands }) => {
    await Deno.remove(`${folder}/project.json`);
    await Deno.symlink("hooks.json", `${folder}/project.json`);
    await untilCommands("user-1");
    assert.equal(hooks.loaded.files[1]!.same_as, `${folder}/hooks.json`);
    assert.equal(registry.snapshot().registrations[0]!.source, "user");
    await Deno.writeTextFile(`${folder}/hooks.json`, "{");
    await untilCommands("user-1");
  });
});

Deno.test("the home folder as project, listed twice, keeps its hooks when the file breaks", async () => {
  const files = [{ path: "hooks.json" }, { path: "hooks.json", source: "project", base_priority: 200 }] as const;
  const prepare = (folder: string) => Deno.writeTextFile(`${folder}/hooks.json`, hookText("a"));
  await inReloadWorld({ prepare, files }, async ({ folder, commands, events, until, untilCommands }) => {
    await Deno.writeTextFile(`${folder}/hooks.json`, "{");
    await until("the failure is said", () => events().length > 0);
    assert.deepEqual(commands(), ["a"]);
    await Deno.writeTextFile(`${folder}/hooks.json`, hookText("b"));
    await untilCommands("b");
  });
});

Deno.test("a first load is generation 1, also without a hook and with hooks from code before it", async () => {
  const registry = createRegistry();
  registry.register(registration("my-plugin:audit", { source: "plugin" }));
  const options = () => ({ files: [], project_dir: "/", default_timeout_ms: 1 });
  const hooks = createReloadableHooks({ registry, options, now: () => NOW });
  assert.deepEqual(await hooks.load(), { registrations: [], diagnostics: [], files: [] });
  assert.equal(registry.snapshot().generation, 1);
  const swap = await hooks.read();
  assert.deepEqual(swap() as EventBody[], []);
  assert.equal(registry.snapshot().generation, 1);
});
