import assert from "node:assert/strict";
import { join } from "node:path";
import { projectTest, shell, type TemporaryProject } from "../temporary_project.ts";

async function manyKinds({ write }: TemporaryProject): Promise<void> {
  await write(".gitignore", "*.log\n.env\ndist/\n");
  await write(".github/workflows/a.yml", "MARKER\n");
  await write(".env", "MARKER\n");
  await write("app.log", "MARKER\n");
  await write("dist/out.js", "MARKER\n");
  await write("src/a.ts", "one\nMARKER two\nmarker\nMARKER\n");
  await write("src/b.md", "MARKER\n");
  await write("server.pem", "MARKER\n");
}

projectTest("what is left out is counted, named and can be included", async (project) => {
  await manyKinds(project);
  const { content, metadata } = await project.call("Grep", { pattern: "MARKER" });
  assert.equal(
    content,
    "src/a.ts\nsrc/b.md\n\n" +
      "(left out 3 hidden (.env, .github/, .gitignore); to include one, name it in path or glob)\n" +
      "(left out 2 ignored by .gitignore (app.log, dist/); to include one, name it in path or glob)\n" +
      "(left out 1 sensitive (server.pem); to search one, name the file in path)",
  );
  assert.deepEqual(metadata?.left_out, { hidden: 3, ignored: 2, sensitive: 1 });
});

for (const path of [".env", "dist", ".github", "app.log", "server.pem"]) {
  projectTest(`a path that names ${path} finds what is in it`, async (project) => {
    await manyKinds(project);
    const { content } = await project.call("Grep", { pattern: "MARKER", path });
    assert.match(content, new RegExp(`^${path.replaceAll(".", "\\.")}`));
    assert.doesNotMatch(content, /left out/);
  });
}

projectTest("a glob narrows by name or by path, and names hidden files", async (project) => {
  await manyKinds(project);
  const files = async (glob: string) =>
    (await project.call("Grep", { pattern: "MARKER", glob })).content.split("\n\n")[0];
  assert.equal(await files("*.ts"), "src/a.ts");
  assert.equal(await files("src/*.md"), "src/b.md");
  assert.equal(await files("**/*.{ts,md}"), "src/a.ts\nsrc/b.md");
  assert.match((await files(".env"))!, /^No lines match/);
  assert.match((await project.call("Grep", { pattern: "MARKER", glob: ".env" })).content, /1 sensitive \(\.env\)/);
});

projectTest("three forms of output", async (project) => {
  await manyKinds(project);
  const grep = async (input: Record<string, string | boolean | number>) =>
    (await project.call("Grep", { pattern: "MARKER", path: "src", ...input })).content;
  assert.equal(await grep({}), "src/a.ts\nsrc/b.md");
  assert.equal(await grep({ output_mode: "content" }), "src/a.ts:2:MARKER two\nsrc/a.ts:4:MARKER\nsrc/b.md:1:MARKER");
  assert.equal(await grep({ output_mode: "count" }), "src/a.ts:2\nsrc/b.md:1\n\n(3 matching lines in 2 files)");
  assert.equal(
    await grep({ output_mode: "content", "-i": true, head_limit: 2 }),
    "src/a.ts:2:MARKER two\nsrc/a.ts:3:marker\n\n" +
      "(showing the first 2 of 4 lines; narrow the search or raise head_limit)",
  );
});

const DASHES: Readonly<Record<string, readonly number[]>> = {
  "--pre=./x.sh": [1],
  "-e": [1, 2, 5],
  "->": [3],
  "-1": [4],
  "--help": [5],
};

for (const [pattern, lines] of Object.entries(DASHES)) {
  projectTest(`the pattern ${pattern} is text to search for, never an option`, async ({ call, write, dir }) => {
    await write("t.txt", "--pre=./x.sh -e\n-e\n->\n-1\n--help -e\n");
    await write("x.sh", "#!/bin/sh\ntouch PWNED\ncat\n");
    await Deno.chmod(join(dir, "x.sh"), 0o755);
    const { content } = await call("Grep", { pattern, output_mode: "content", path: "t.txt" });
    assert.deepEqual(content.split("\n").map((row) => Number(row.split(":")[1])), lines);
    assert.deepEqual([...Deno.readDirSync(dir)].map((entry) => entry.name).sort(), ["t.txt", "x.sh"]);
  });
}

projectTest("a path and a glob that look like options are names", async ({ call, write }) => {
  await write("-f", "MARKER\n");
  assert.equal((await call("Grep", { pattern: "MARKER", path: "-f" })).content, "-f");
  assert.equal((await call("Grep", { pattern: "MARKER", glob: "-f*" })).content, "-f");
});

projectTest("a bad expression says where it is wrong", async ({ call }) => {
  const outcome = await call("Grep", { pattern: "ab(" });
  assert.equal(outcome.is_error, true);
  assert.match(outcome.content, /never closed.*at character 3 of "ab\("/);
});

projectTest("an expression that makes backtracking engines hang ends at once", async ({ call, write }) => {
  await write("a.txt", "a".repeat(30_000) + "!\n");
  const started = performance.now();
  const outcome = await call("Grep", { pattern: "^(a+)+$" });
  assert.match(outcome.content, /^No lines match/);
  assert.ok(performance.now() - started < 5000);
});

projectTest("binary files are passed over with a note, or refused when named", async ({ call, write }) => {
  await write("a.bin", "MARKER\0");
  await write("a.txt", "MARKER\n");
  assert.equal((await call("Grep", { pattern: "MARKER" })).content, "a.txt\n\n(left out 1 binary (a.bin))");
  const named = await call("Grep", { pattern: "MARKER", path: "a.bin" });
  assert.deepEqual([named.is_error, named.content], [true, "a.bin is a binary file; Grep searches text only"]);
});

projectTest(
  "pipes, sockets and links do not stop a search, and a named one is refused",
  async ({ call, dir, outside }) => {
    await shell("mkfifo pipe; echo MARKER > a.txt; ln -s nowhere dangling; ln -s . loop", dir);
    await Deno.writeTextFile(join(outside, "b.txt"), "MARKER\n");
    await Deno.symlink(join(outside, "b.txt"), join(dir, "out.txt"));
    using _socket = Deno.listen({ transport: "unix", path: join(dir, "socket") });
    const { content } = await call("Grep", { pattern: "MARKER" });
    assert.match(content, /^a\.txt\n\n\(left out 1 linked \(loop\)/);
    for (const [path, message] of [["pipe", /named pipe/], ["socket", /socket/], ["out.txt", /outside/]] as const) {
      const outcome = await call("Grep", { pattern: "MARKER", path });
      assert.equal(outcome.is_error, true);
      assert.match(outcome.content, message);
    }
    assert.match((await call("Grep", { pattern: "MARKER", path: "nope" })).content, /nope does not exist/);
  },
);

projectTest("a large file is searched with memory flat, and a long line is shown cut", async ({ call, dir }) => {
  await shell("yes 'some text to fill the file' | head -c 60000000 > big.txt; echo MARKER >> big.txt", dir);
  await shell("head -c 40000 /dev/zero | tr '\\0' x > long.txt; echo MARKER >> long.txt", dir);
  const before = Deno.memoryUsage().rss;
  const { content } = await call("Grep", { pattern: "MARKER", output_mode: "content" });
  assert.match(content, /^big\.txt:\d+:.*MARKER\nlong\.txt:1:x{500} \[line cut: 40006 characters\]$/);
  assert.ok(Deno.memoryUsage().rss - before < 150 * 1024 * 1024);
});

projectTest("a line too long to be searched whole is named", async ({ call, write }) => {
  await write("long.txt", "x".repeat(2_000_000) + "MARKER\n");
  assert.match(
    (await call("Grep", { pattern: "MARKER" })).content,
    /of 1 very long lines only the beginning was searched/,
  );
});

projectTest("a cancelled search ends with a word", async ({ call, dir }) => {
  await shell("yes 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' | head -c 100000000 > big.txt", dir);
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 50);
  const outcome = await call("Grep", { pattern: "(a|b)*c" }, abort.signal);
  assert.deepEqual([outcome.is_error, outcome.content], [true, "cancelled"]);
});
