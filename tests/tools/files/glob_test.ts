import assert from "node:assert/strict";
import { join } from "node:path";
import { projectTest, shell, type TemporaryProject } from "../temporary_project.ts";

async function hiddenAndIgnored({ write }: TemporaryProject): Promise<void> {
  await write(".gitignore", "*.log\n.env\ndist/\n");
  await write(".github/workflows/a.yml", "MARKER\n");
  await write(".env", "MARKER\n");
  await write("app.log", "MARKER\n");
  await write("dist/out.js", "MARKER\n");
  await write("src/a.ts", "MARKER\n");
  await write(".git/config", "MARKER\n");
}

const SEARCHES: readonly (readonly [pattern: string, path: string | undefined, result: RegExp])[] = [
  [".github/workflows/*.yml", undefined, /^\.github\/workflows\/a\.yml$/],
  ["**/.github/**/*.yml", undefined, /^\.github\/workflows\/a\.yml\n\n\(left out 1 ignored.*\(dist\/\)/],
  [".*/**/*.yml", undefined, /^\.github\/workflows\/a\.yml$/],
  ["*.yml", ".github/workflows", /^\.github\/workflows\/a\.yml$/],
  ["{.github,src}/**", undefined, /^\.github\/workflows\/a\.yml\nsrc\/a\.ts$/],
  ["dist/out.js", undefined, /^dist\/out\.js$/],
  ["dist/*.js", undefined, /^dist\/out\.js$/],
  ["**/dist/*", undefined, /^dist\/out\.js\n\n\(left out 1 hidden.*\(\.github\/\)/],
  ["app.log", undefined, /^app\.log$/],
  [".env", undefined, /^\.env$/],
  ["**/*.ts", undefined, /^src\/a\.ts\n\n\(left out 1 hidden \(\.github\/\).*\n\(left out 1 ignored.*\(dist\/\)/],
  ["**/*.log", undefined, /^No files match.*\n\n\(left out 1 hidden.*\n\(left out 2 ignored.*\(app\.log, dist\/\)/],
  ["src/*.ts", undefined, /^src\/a\.ts$/],
  ["./src/*.ts", undefined, /^src\/a\.ts$/],
  ["src", undefined, /^No files match.*\n\n\(src is a folder/],
  ["src/", undefined, /^src\/a\.ts$/],
  ["nope/*.ts", undefined, /^No files found: nope does not exist$/],
  ["a.ts/*", "src", /^No files found: src\/a\.ts is a file/],
  [".git/*", undefined, /^\.git\/config$/],
];

for (const [pattern, path, result] of SEARCHES) {
  projectTest(
    `Glob ${pattern} in ${path ?? "the project"} finds what is there or says what it left out`,
    async (project) => {
      await hiddenAndIgnored(project);
      const outcome = await project.call("Glob", { pattern, ...(path !== undefined && { path }) });
      assert.equal(outcome.is_error, false);
      assert.match(outcome.content, result);
    },
  );
}

projectTest("an ignore file in a folder counts there, and a negation brings back", async ({ call, write }) => {
  await write(".gitignore", "*.log\n/only-here\n");
  await write("a/.gitignore", "!keep.log\nlocal.txt\n");
  for (const path of ["x.log", "a/x.log", "a/keep.log", "a/local.txt", "local.txt", "only-here", "a/only-here"]) {
    await write(path, "");
  }
  const { content } = await call("Glob", { pattern: "**/*" });
  assert.equal(content.split("\n\n")[0], "a/keep.log\na/only-here\nlocal.txt");
});

projectTest("names in odd spellings stay on one line each, in a stable order", async ({ call, write }) => {
  for (const name of ["b", "a\nb", "-x", "A", "é", "a b", "-x*"]) await write(name, "");
  const first = await call("Glob", { pattern: "*" });
  assert.equal(first.content, '-x\n-x*\nA\n"a\\nb"\na b\nb\né');
  assert.deepEqual(await call("Glob", { pattern: "*" }), first);
  assert.equal((await call("Glob", { pattern: "-x*" })).content, "-x\n-x*");
});

projectTest("a result cut at its limit says so with the total", async ({ call, dir }) => {
  await shell("for i in $(seq 1500); do : > f$i; done", dir);
  const outcome = await call("Glob", { pattern: "*" });
  assert.match(outcome.content, /\(showing the first 1000 of 1500 files/);
  assert.equal(outcome.metadata?.count, 1500);
});

projectTest(
  "links are not followed: loops end and the outside stays outside",
  async ({ call, write, dir, outside }) => {
    await write("a/f.txt", "");
    await Deno.symlink("..", join(dir, "a/up"));
    await Deno.symlink(outside, join(dir, "out"));
    await Deno.writeTextFile(join(outside, "secret.txt"), "");
    assert.equal((await call("Glob", { pattern: "**/*.txt" })).content, "a/f.txt");
    for (
      const input of [{ pattern: "out/*" }, { pattern: "*", path: "out" }, { pattern: "../outside/*" }, {
        pattern: "/etc/*",
      }]
    ) {
      const outcome = await call("Glob", input);
      assert.equal(outcome.is_error, true);
      assert.match(outcome.content, /outside the project/);
    }
  },
);

projectTest("a very deep tree is no problem", async ({ call, dir }) => {
  const depth = 400;
  await shell(`p=$(printf 'd/%.0s' $(seq ${depth})); mkdir -p "$p"; : > "\${p}f.txt"`, dir);
  const outcome = await call("Glob", { pattern: "**/*.txt" });
  assert.equal(outcome.content, `${"d/".repeat(depth)}f.txt`);
});

projectTest("folders that cannot match are not even looked into", async ({ call, write, dir }) => {
  await write("src/a.ts", "");
  await write("huge/b.ts", "");
  await Deno.chmod(join(dir, "huge"), 0);
  assert.equal((await call("Glob", { pattern: "src/**/*.ts" })).content, "src/a.ts");
  await Deno.chmod(join(dir, "huge"), 0o755);
});
