import { deepEqual, equal, ok } from "node:assert/strict";
import { join } from "node:path";
import { checkRooms } from "../../scripts/check_rooms.ts";

const ROOT = join(import.meta.dirname!, "../..");

/** Breaches of a small tree as `file:line: problem`. */
function breachesOf(tree: Readonly<Record<string, string>>, rooms?: Parameters<typeof checkRooms>[1]): string[] {
  const files = Object.entries(tree).map(([path, text]) => ({ path, text }));
  return checkRooms(files, rooms).map(({ file, line, problem }) => `${file}:${line}: ${problem}`);
}

Deno.test("a tree that keeps the rules has no breach", () => {
  deepEqual(
    breachesOf({
      "src/protocol/mod.ts": `export * from "./points.ts";`,
      "src/protocol/points.ts": `export const POINTS = ["stop"];`,
      "src/process/mod.ts":
        `import { resolve } from "node:path";\nexport const run = () => new Deno.Command(resolve("a"));`,
      "src/hooks/mod.ts":
        `import { POINTS } from "../protocol/mod.ts";\nexport type { Point } from "../protocol/mod.ts";`,
      "src/executors/mod.ts":
        `import type { Executor } from "../hooks/mod.ts";\nimport { run } from "../process/mod.ts";`,
      "src/agent/mod.ts": `import type { Model } from "../model/mod.ts";\nimport { POINTS } from "../protocol/mod.ts";`,
      "src/cli/mod.ts":
        `import config from "../../deno.json" with { type: "json" };\nconst { run } = await import("../agent/mod.ts");\nconsole.log(Deno.env.get("A"), Deno.args, Deno.cwd());`,
      "src/mod.ts": `export { run } from "./agent/mod.ts";`,
    }),
    [],
  );
});

const BREACHES: readonly (readonly [rule: string, tree: Record<string, string>, expected: string])[] = [
  [
    "another room's inner file",
    { "src/tools/read.ts": `// tools\n\nimport { a } from "../protocol/points.ts";` },
    "src/tools/read.ts:3: ../protocol/points.ts: protocol/ is entered by its mod.ts only",
  ],
  [
    "an inner file by import type",
    { "src/tools/read.ts": `import type { a } from "../protocol/points.ts";` },
    "src/tools/read.ts:1: ../protocol/points.ts: protocol/ is entered by its mod.ts only",
  ],
  [
    "a room that the table does not allow",
    { "src/hooks/a.ts": `import { run } from "../process/mod.ts";` },
    "src/hooks/a.ts:1: ../process/mod.ts: hooks may not import process",
  ],
  [
    "the same by re-export over several lines",
    { "src/protocol/mod.ts": `export {\n  a,\n  type B,\n} from "../text/mod.ts";` },
    "src/protocol/mod.ts:1: ../text/mod.ts: protocol may not import text",
  ],
  [
    "the same by export * as",
    { "src/session/mod.ts": `export * as words from "../text/mod.ts";` },
    "src/session/mod.ts:1: ../text/mod.ts: session may not import text",
  ],
  [
    "the same by a side-effect import",
    { "src/session/mod.ts": `import "../text/mod.ts";` },
    "src/session/mod.ts:1: ../text/mod.ts: session may not import text",
  ],
  [
    "the same by a dynamic import",
    { "src/model/mod.ts": `export const load = () =>\n  import("../config/mod.ts");` },
    "src/model/mod.ts:2: ../config/mod.ts: model may not import config",
  ],
  [
    "the same by a dynamic import inside a template",
    { "src/model/mod.ts": "const a = `x ${(await import(`../config/mod.ts`)).b} y`;" },
    "src/model/mod.ts:1: ../config/mod.ts: model may not import config",
  ],
  [
    "values where only types are allowed",
    { "src/agent/turn.ts": `import { createEngine } from "../hooks/mod.ts";` },
    "src/agent/turn.ts:1: ../hooks/mod.ts: agent may import types only from hooks (import type)",
  ],
  [
    "an inline type modifier where import type is required",
    { "src/agent/turn.ts": `import { type Engine } from "../hooks/mod.ts";` },
    "src/agent/turn.ts:1: ../hooks/mod.ts: agent may import types only from hooks (import type)",
  ],
  [
    "a default import that is named type",
    { "src/agent/turn.ts": `import type from "../hooks/mod.ts";` },
    "src/agent/turn.ts:1: ../hooks/mod.ts: agent may import types only from hooks (import type)",
  ],
  [
    "a child process outside process/",
    { "src/tools/bash.ts": `const a = 1;\nnew Deno.Command("sh");` },
    "src/tools/bash.ts:2: Deno.Command: only process/ starts children",
  ],
  [
    "the same in cli/",
    { "src/cli/run.ts": `const child = (globalThis as any).Deno?.Command;` },
    "src/cli/run.ts:1: Deno.Command: only process/ starts children",
  ],
  [
    "Deno under another name",
    { "src/tools/bash.ts": `const { Command } = Deno;` },
    "src/tools/bash.ts:1: Deno as a value: name the member that is used (Deno.readFile)",
  ],
  [
    "Deno.run",
    { "src/executors/a.ts": `Deno.run({ cmd: [] });` },
    "src/executors/a.ts:1: Deno.run: only process/ starts children",
  ],
  [
    "node:child_process",
    { "src/tools/bash.ts": `const { spawn } = await import("node:child_process");` },
    "src/tools/bash.ts:1: node:child_process: only process/ starts children",
  ],
  [
    "the environment below cli/",
    { "src/config/home.ts": `export const home = Deno.env.get("HOME");` },
    "src/config/home.ts:1: Deno.env: only cli/ may use it; pass what is needed",
  ],
  [
    "the working directory below cli/",
    { "src/tools/run.ts": `Deno\n  .cwd();` },
    "src/tools/run.ts:1: Deno.cwd: only cli/ may use it; pass what is needed",
  ],
  [
    "the arguments below cli/",
    { "src/model/a.ts": `if (Deno.args.length) { /* nothing */ }` },
    "src/model/a.ts:1: Deno.args: only cli/ may use it; pass what is needed",
  ],
  [
    "the end of the program below cli/",
    { "src/session/a.ts": `Deno.exit(1);` },
    "src/session/a.ts:1: Deno.exit: only cli/ ends the program",
  ],
  [
    "the console below cli/",
    { "src/agent/a.ts": `console.error("x");` },
    "src/agent/a.ts:1: console: only cli/ writes to the terminal",
  ],
  [
    "a JSR package",
    { "src/text/a.ts": `import { join } from "jsr:@std/path";` },
    "src/text/a.ts:1: jsr:@std/path: only npm packages and what Deno has built in",
  ],
  [
    "an address on the net",
    { "src/text/a.ts": `export * from 'https://esm.sh/zod';` },
    "src/text/a.ts:1: https://esm.sh/zod: only npm packages and what Deno has built in",
  ],
  [
    "an npm address that is not pinned in deno.json",
    { "src/text/a.ts": `import z from "npm:zod";` },
    "src/text/a.ts:1: npm:zod: npm packages are pinned in deno.json and imported by name",
  ],
  [
    "a computed address",
    { "src/model/a.ts": "await import(`./${name}.ts`);" },
    "src/model/a.ts:1: a dynamic import needs a literal address, or it is missing in the binary",
  ],
  [
    "a way out of src/",
    { "src/text/a.ts": `import config from "../../deno.json" with { type: "json" };` },
    "src/text/a.ts:1: ../../deno.json: leaves src/",
  ],
  [
    "a folder that is no room",
    { "src/utils/a.ts": `export {};` },
    "src/utils/a.ts:1: utils is not in the table of rooms (scripts/check_rooms.ts)",
  ],
  [
    "the library's door used from inside",
    { "src/cli/a.ts": `import { run } from "../mod.ts";` },
    "src/cli/a.ts:1: ../mod.ts: the library's door is for users of the library",
  ],
  [
    "source that cannot be read",
    { "src/text/a.ts": `const a = "open;\n` },
    "src/text/a.ts:1: cannot be read: line 1: a string is not closed",
  ],
];

for (const [rule, tree, expected] of BREACHES) {
  Deno.test(`refused with file and line: ${rule}`, () => deepEqual(breachesOf(tree), [expected]));
}

Deno.test("a cycle between rooms is refused even where the table would allow it", () => {
  const rooms = { a: { imports: { b: "all" } }, b: { imports: { c: "types" } }, c: { imports: { a: "all" } } } as const;
  deepEqual(
    breachesOf({
      "src/a/mod.ts": `import "../b/mod.ts";`,
      "src/b/mod.ts": `import type { C } from "../c/mod.ts";`,
      "src/c/mod.ts": `\nexport { a } from "../a/mod.ts";`,
    }, rooms),
    [
      "src/a/mod.ts:1: a imports b, and b reaches a: a cycle between rooms",
      "src/b/mod.ts:1: b imports c, and c reaches b: a cycle between rooms",
      "src/c/mod.ts:2: c imports a, and a reaches c: a cycle between rooms",
    ],
  );
});

Deno.test("text that only looks like code is no breach", () => {
  const text = [
    `// import { run } from "../process/mod.ts"; Deno.Command`,
    `/* console.log("x")`,
    `   import "jsr:@std/path" */`,
    `export const a = 'import "../process/mod.ts"';`,
    "export const b = `Deno.env ${1 + `console.log ${'x'}`.length} from \"jsr:x\"`;",
    `export const c = /"Deno.cwd()\\/[/"]import/.test(a) ? a.length! / 2 / 3 : "console.log";`,
    `export const d = { console: 1, import: 2, Deno: 3 };`,
    `export const e = { from: d.import }; // 'unclosed`,
    `export const f = a.split("/").map((part) => part.length / 2).join('"');`,
  ].join("\n");
  deepEqual(breachesOf({ "src/hooks/a.ts": text }), []);
});

Deno.test("the line is right after comments, templates and strings with several lines", () => {
  const text = "/*\n\n*/\nconst a = `\n${1}\n`;\nconst b = 'x\\\ny';\nconsole.log(a, b);\n";
  deepEqual(breachesOf({ "src/text/a.ts": text }), ["src/text/a.ts:9: console: only cli/ writes to the terminal"]);
});

Deno.test("the script reads a folder, prints each breach and exits 1; without one it exits 0", async () => {
  const folder = await Deno.makeTempDir({ prefix: "rooms-" });
  try {
    await Deno.mkdir(join(folder, "src/text/deep"), { recursive: true });
    await Deno.writeTextFile(join(folder, "src/text/deep/a.ts"), `\nconsole.log(1);\n`);
    const run = () =>
      new Deno.Command(Deno.execPath(), {
        args: ["run", "--no-check", "--quiet", "--allow-read", join(ROOT, "scripts/check_rooms.ts"), folder],
      }).output();
    const broken = await run();
    equal(broken.code, 1);
    equal(
      new TextDecoder().decode(broken.stderr),
      "src/text/deep/a.ts:2: console: only cli/ writes to the terminal\n",
    );
    await Deno.writeTextFile(join(folder, "src/text/deep/a.ts"), "export {};\n");
    const clean = await run();
    equal(clean.code, 0);
    ok(new TextDecoder().decode(clean.stdout).includes("1 files, 0 breach(es)"));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
