/** Every way in which a file can come to hold something else is noticed. */
import assert from "node:assert/strict";
import { createReloader } from "../../src/hooks/mod.ts";
import {
  hookText,
  HOUR_MS,
  inReloadWorld,
  pause,
  QUICK_SAVES,
  type ReloadWorld,
  type Save,
  shell,
  SLOW_SAVES,
} from "./reload_support.ts";

const textOf = (version: number) => hookText(`echo version-${version}`);
const commandOf = (version: number) => `echo version-${version}`;

for (const [how, save] of Object.entries<Save>({ ...QUICK_SAVES, ...SLOW_SAVES })) {
  Deno.test(`a file saved ${how} is noticed, time after time`, async () => {
    const prepare = (folder: string) => Deno.writeTextFile(`${folder}/hooks.json`, textOf(1));
    await inReloadWorld({ prepare }, async ({ folder, registry, commands, untilCommands }) => {
      for (let version = 2; version <= 4; version++) {
        const before = registry.snapshot().generation;
        assert.deepEqual(commands(), [commandOf(version - 1)]);
        await save(`${folder}/hooks.json`, textOf(version), textOf(version - 1));
        await untilCommands(commandOf(version));
        if (how in QUICK_SAVES) assert.equal(registry.snapshot().generation, before + 1);
      }
    });
  });
}

/** Changes of what the path leads to, without a write to the file under its own name. */
const MOVES: readonly {
  readonly what: string;
  readonly prepare: (folder: string) => Promise<void>;
  readonly path?: string;
  readonly steps: readonly ((folder: string) => Promise<void>)[];
}[] = [
  {
    what: "a link that leads to another file",
    prepare: (folder) => shell(`cd "$1"; ${put("a", 1)}; ${put("b", 2)}; ln -s a hooks.json`, folder),
    steps: [
      (folder) => shell('cd "$1"; ln -sfn b hooks.json', folder),
      (folder) => shell(`cd "$1"; ${put("c", 3)}; ln -s c hooks.new; mv -T hooks.new hooks.json`, folder),
    ],
  },
  {
    what: "an edit of the target of a link in another folder",
    prepare: (folder) => shell(`cd "$1"; mkdir far; ${put("far/a", 1)}; ln -s "$1/far/a" hooks.json`, folder),
    steps: [
      (folder) => shell(`cd "$1"; ${put("far/a", 2)}`, folder),
      (folder) => shell(`cd "$1"; ${put("far/t", 3)}; mv far/t far/a`, folder),
    ],
  },
  {
    what: "a change in the middle of a chain of links",
    prepare: (folder) =>
      shell(
        `cd "$1"; mkdir one two three; ${put("three/a", 1)}; ${put("three/b", 2)};
         ln -s ../three/a two/next; ln -s ../two/next one/next; ln -s one/next hooks.json`,
        folder,
      ),
    steps: [
      (folder) => shell('cd "$1"; ln -sfn ../three/b two/next', folder),
      (folder) => shell(`cd "$1"; ${put("three/b", 3)}`, folder),
    ],
  },
  {
    what: "a folder that is a link and leads elsewhere",
    path: "conf/hooks.json",
    prepare: (folder) =>
      shell(`cd "$1"; mkdir a b; ${put("a/hooks.json", 1)}; ${put("b/hooks.json", 2)}; ln -s a conf`, folder),
    steps: [
      (folder) => shell('cd "$1"; ln -s b conf.new; mv -T conf.new conf', folder),
      (folder) => shell(`cd "$1"; ${put("b/hooks.json", 3)}`, folder),
    ],
  },
  {
    what: "a volume of Kubernetes that swaps its data folder",
    prepare: (folder) =>
      shell(
        `cd "$1"; mkdir ..v1; ${put("..v1/hooks.json", 1)}; ln -s ..v1 ..data; ln -s ..data/hooks.json hooks.json`,
        folder,
      ),
    steps: [2, 3].map((version) => (folder: string) =>
      shell(
        `cd "$1"; mkdir ..v${version}; ${put(`..v${version}/hooks.json`, version)};
         ln -s ..v${version} ..tmp; mv -T ..tmp ..data; rm -r ..v${version - 1}`,
        folder,
      )
    ),
  },
  {
    what: "a folder that is deleted and made again",
    path: "conf/hooks.json",
    prepare: (folder) => shell(`cd "$1"; mkdir conf; ${put("conf/hooks.json", 1)}`, folder),
    steps: [
      (folder) => shell(`cd "$1"; rm -r conf; mkdir conf; ${put("conf/hooks.json", 2)}`, folder),
      (folder) => shell(`cd "$1"; ${put("conf/hooks.json", 3)}`, folder),
    ],
  },
  {
    what: "a folder that is swapped for another one",
    path: "conf/hooks.json",
    prepare: (folder) =>
      shell(`cd "$1"; mkdir conf next; ${put("conf/hooks.json", 1)}; ${put("next/hooks.json", 2)}`, folder),
    steps: [
      (folder) => shell('cd "$1"; mv conf old; mv next conf', folder),
      (folder) => shell(`cd "$1"; ${put("conf/hooks.json", 3)}`, folder),
    ],
  },
];

/** A shell command that writes the file of a version. */
function put(path: string, version: number): string {
  return `printf '%s' '${textOf(version)}' > ${path}`;
}

for (const { what, prepare, path = "hooks.json", steps } of MOVES) {
  Deno.test(`${what} is noticed`, async () => {
    await inReloadWorld({ prepare, files: [{ path }] }, async ({ folder, commands, untilCommands }) => {
      assert.deepEqual(commands(), [commandOf(1)]);
      for (const [index, step] of steps.entries()) {
        await step(folder);
        await untilCommands(commandOf(index + 2));
      }
    });
  });
}

Deno.test(`a file that comes later in folders that come later is noticed`, async () => {
  const files = [{ path: "a/b/hooks.json" }];
  await inReloadWorld({ files }, async ({ folder, registry, untilCommands }) => {
    assert.equal(registry.snapshot().generation, 1);
    await Deno.mkdir(`${folder}/a`);
    await pause(100);
    await Deno.mkdir(`${folder}/a/b`);
    await pause(100);
    await Deno.writeTextFile(`${folder}/a/b/hooks.json`, textOf(1));
    await untilCommands(commandOf(1));
    await Deno.remove(`${folder}/a`, { recursive: true });
    await untilCommands();
    await Deno.mkdir(`${folder}/a/b`, { recursive: true });
    await Deno.writeTextFile(`${folder}/a/b/hooks.json`, textOf(2));
    await untilCommands(commandOf(2));
    assert.equal(registry.snapshot().generation, 4);
  });
});

Deno.test("a folder further up that is moved away and replaced is noticed by the poll", async () => {
  const prepare = (folder: string) =>
    shell(`cd "$1"; mkdir -p a/b/c n/b/c; ${put("a/b/c/hooks.json", 1)}; ${put("n/b/c/hooks.json", 2)}`, folder);
  const files = [{ path: "a/b/c/hooks.json" }];
  await inReloadWorld({ prepare, files, poll_ms: 50 }, async ({ folder, untilCommands }) => {
    await shell('cd "$1"; mv a old; mv n a', folder);
    await untilCommands(commandOf(2));
    await Deno.writeTextFile(`${folder}/a/b/c/hooks.json`, textOf(3));
    await untilCommands(commandOf(3));
  });
});

Deno.test("links in a circle are no file, and a repair of them is noticed", async () => {
  const prepare = (folder: string) => shell('cd "$1"; ln -s b hooks.json; ln -s hooks.json b', folder);
  await inReloadWorld({ prepare }, async ({ folder, untilCommands }) => {
    await shell(`cd "$1"; rm b; ${put("b", 1)}`, folder);
    await untilCommands(commandOf(1));
  });
});

Deno.test("files beside the watched one never count, and its moving away does", async () => {
  const prepare = (folder: string) => Deno.writeTextFile(`${folder}/hooks.json`, textOf(1));
  await inReloadWorld({ prepare }, async ({ folder, registry, events, until, untilCommands }) => {
    for (const name of ["hooks.json~", ".hooks.json.swp", "hooks.json.tmp", "4913"]) {
      await Deno.writeTextFile(`${folder}/${name}`, textOf(9));
    }
    await Deno.writeTextFile(`${folder}/hooks.json`, textOf(2));
    await untilCommands(commandOf(2));
    assert.equal(registry.snapshot().generation, 2);
    await Deno.rename(`${folder}/hooks.json`, `${folder}/hooks.json.away`);
    await untilCommands();
    await until("it is said", () => events().some((event) => event.type === "warning"));
    assert.deepEqual(events().filter(({ type }) => type === "warning"), [{
      type: "warning",
      code: "config_file_gone",
      message: `${folder}/hooks.json is gone: nothing of it is active any more`,
    }]);
  });
});

/** What happens while nothing that is watched changes. */
const UNCHANGED: Readonly<Record<string, (folder: string) => Promise<void>>> = {
  "a touch": (folder) => shell('touch "$1/hooks.json"', folder),
  "a save of the same": (folder) => Deno.writeTextFile(`${folder}/hooks.json`, textOf(1)),
  "a save of the same by rename": (folder) => shell('cd "$1"; cp hooks.json x; mv x hooks.json', folder),
  "a space at the end": (folder) => Deno.writeTextFile(`${folder}/hooks.json`, textOf(1) + " \n// and a comment\n"),
  "a link to a copy": (folder) => shell('cd "$1"; cp hooks.json x; ln -sf x hooks.json', folder),
};

for (const [what, change] of Object.entries(UNCHANGED)) {
  Deno.test(`${what} makes no generation and no event`, async () => {
    const prepare = (folder: string) => Deno.writeTextFile(`${folder}/hooks.json`, textOf(1));
    let looks = 0;
    const select = (loaded: ReloadWorld["hooks"]["loaded"]) => (looks++, loaded.registrations);
    await inReloadWorld({ prepare, select }, async ({ folder, registry, events, until }) => {
      const [snapshot, before] = [registry.snapshot(), looks];
      await change(folder);
      await until("it was looked at", () => looks > before);
      assert.equal(registry.snapshot(), snapshot);
      assert.deepEqual(events(), []);
    });
  });
}

Deno.test("a pipe beside the file, and one in its place, hold nothing up", async () => {
  await inReloadWorld({}, async ({ folder, until, untilCommands, events }) => {
    await shell('cd "$1"; mkfifo beside', folder);
    await Deno.writeTextFile(`${folder}/hooks.json`, textOf(1));
    await untilCommands(commandOf(1));
    await shell('cd "$1"; rm hooks.json; mkfifo hooks.json', folder);
    await until("it is said", () => events().some(({ type }) => type === "warning"));
    await shell(`cd "$1"; rm hooks.json; ${put("hooks.json", 2)}`, folder);
    await untilCommands(commandOf(2));
  });
});

Deno.test("a file that changes without end is looked at all the same", async () => {
  const prepare = (folder: string) => Deno.writeTextFile(`${folder}/hooks.json`, textOf(1));
  const slow = { debounce_ms: 2_000, longest_wait_ms: 200 };
  await inReloadWorld({ prepare, ...slow }, async ({ folder, registry, until }) => {
    let version = 1;
    await until("a change is in force while they go on", async () => {
      await Deno.writeTextFile(`${folder}/hooks.json.tmp`, textOf(++version));
      await Deno.rename(`${folder}/hooks.json.tmp`, `${folder}/hooks.json`);
      return registry.snapshot().generation > 1;
    });
  });
});

Deno.test("what changed between the load and the start of the watch is in force when the start is done", async () => {
  await inReloadWorld({}, async ({ folder, hooks, reloader, commands }) => {
    await reloader.close();
    await Deno.writeTextFile(`${folder}/hooks.json`, textOf(1));
    const second = createReloader({ sources: [hooks], poll_ms: HOUR_MS });
    await second.start();
    assert.deepEqual(commands(), [commandOf(1)]);
    assert.equal(second.drain().length, 1);
    await second.close();
  });
});

Deno.test("after the end nothing is noticed any more, and what is in force stays", async () => {
  await inReloadWorld({ poll_ms: 20 }, async ({ folder, reloader, commands, events }) => {
    await Deno.writeTextFile(`${folder}/hooks.json`, textOf(1));
    await reloader.reload();
    assert.deepEqual(commands(), [commandOf(1)]);
    const before = events().length;
    await reloader.close();
    await Deno.writeTextFile(`${folder}/hooks.json`, textOf(2));
    await pause(150);
    await reloader.reload();
    assert.deepEqual(commands(), [commandOf(1)]);
    assert.equal(events().length, before);
  });
});
