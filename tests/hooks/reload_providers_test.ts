/** Provider files are reloaded like hook files. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { createReloadableProviders, createReloader, type ReloadedProviderFile } from "../../src/hooks/mod.ts";
import type { EventBody } from "../../src/protocol/mod.ts";
import { inFolder } from "./hook_files.ts";

const textOf = (...names: string[]) =>
  JSON.stringify(Object.fromEntries(names.map((name) => [name, { url: "https://example.com/x", body: { a: 1 } }])));

const LAYERS = ["user", "project"] as const;

interface World {
  readonly folder: string;
  readonly write: (layer: typeof LAYERS[number], text: string) => Promise<void>;
  readonly remove: (layer: typeof LAYERS[number]) => Promise<void>;
  readonly inForce: () => string[];
  readonly used: () => number;
  readonly events: () => readonly EventBody[];
}

function inWorld(work: (world: World) => Promise<void>): Promise<void> {
  return inFolder(async (folder) => {
    const pathOf = (layer: string) => join(folder, `${layer}.json`);
    let current: readonly ReloadedProviderFile[] = [];
    let used = 0;
    const providers = createReloadableProviders({
      files: () => LAYERS.map((layer) => ({ path: pathOf(layer), layer })),
      use: (files) => [current, used] = [files, used + 1],
      generation: () => 7,
      now: () => new Date("2026-01-01T00:00:00.000Z"),
      confirm_ms: 10,
    });
    await Deno.writeTextFile(pathOf("user"), textOf("a", "b"));
    await Deno.writeTextFile(pathOf("project"), textOf("c"));
    await providers.load();
    const reloader = createReloader({ sources: [providers], poll_ms: 20 });
    await reloader.start();
    try {
      await work({
        folder,
        write: async (layer, text) => {
          await Deno.writeTextFile(pathOf(layer), text);
          await reloader.reload();
        },
        remove: async (layer) => {
          await Deno.remove(pathOf(layer));
          await reloader.reload();
        },
        inForce: () => current.flatMap(({ layer, definitions }) => definitions.map(({ name }) => `${layer} ${name}`)),
        used: () => used,
        events: () => reloader.drain(),
      });
    } finally {
      await reloader.close();
    }
  });
}

Deno.test("an edit of a provider file is in force, and the event names the file and the same generation", async () => {
  await inWorld(async ({ folder, write, inForce, events }) => {
    assert.deepEqual(inForce(), ["user a", "user b", "project c"]);
    await write("user", textOf("b", "d"));
    assert.deepEqual(inForce(), ["user b", "user d", "project c"]);
    assert.deepEqual(events(), [{ type: "config_reloaded", generation: 7, changed: [`${folder}/user.json`] }]);
  });
});

Deno.test("a broken provider file keeps its last good definitions and says so, and the other file's edit counts", async () => {
  await inWorld(async ({ folder, write, inForce, events }) => {
    for (const broken of ["{", "", "[]"]) {
      await write("user", broken);
      assert.deepEqual(inForce(), ["user a", "user b", "project c"]);
      const [event, ...others] = events();
      assert.deepEqual(others, []);
      assert.ok(event?.type === "warning" && event.code === "hook_file_failed");
      assert.match(event.message, /user\.json:1:\d+: error\[.*2026-01-01T00:00:00\.000Z stays in force/);
    }
    await write("project", textOf("e"));
    assert.deepEqual(inForce(), ["user a", "user b", "project e"]);
    await write("user", textOf("a", "b"));
    assert.deepEqual(events().map((event) => event.type === "config_reloaded" && event.changed), [
      [`${folder}/project.json`],
      [`${folder}/user.json`],
    ]);
  });
});

Deno.test("a deleted provider file clears its layer; a save without a change is none", async () => {
  await inWorld(async ({ write, remove, inForce, used, events }) => {
    const before = used();
    await write("user", textOf("a", "b"));
    assert.equal(used(), before);
    assert.deepEqual(events(), []);
    await remove("user");
    assert.deepEqual(inForce(), ["project c"]);
    await write("user", "{");
    assert.deepEqual(inForce(), ["project c"]);
  });
});

Deno.test("a source that fails holds up no other one, whether it reads or swaps", async () => {
  await inFolder(async (folder) => {
    const path = join(folder, "providers.json");
    let current: readonly ReloadedProviderFile[] = [];
    const providers = createReloadableProviders({
      files: () => [{ path, layer: "user" }],
      use: (files) => current = files,
      generation: () => 1,
      now: () => new Date(),
    });
    const fail = () => {
      throw new Error("boom");
    };
    const reloader = createReloader({
      sources: [
        { name: "what cannot be read", paths: () => [], read: () => Promise.reject(new Error("boom")) },
        { name: "what cannot be swapped", paths: () => [], read: () => Promise.resolve(fail) },
        providers,
      ],
      poll_ms: 20,
    });
    await Deno.writeTextFile(path, textOf("a"));
    await reloader.start();
    assert.deepEqual(current[0]!.definitions.map(({ name }) => name), ["a"]);
    assert.deepEqual(reloader.drain().map((event) => event.type === "error" ? event.message : event.type), [
      "A reload of what cannot be read failed, and those from before stay in force: boom",
      "A reload of what cannot be swapped failed, and those from before stay in force: boom",
      "config_reloaded",
    ]);
    await reloader.close();
  });
});
