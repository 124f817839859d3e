import assert from "node:assert/strict";
import { join } from "node:path";
import { projectTest } from "../temporary_project.ts";

projectTest("a new file is made with its folders", async ({ call, read, dir }) => {
  const outcome = await call("Write", { file_path: "a/b/c.txt", content: "x\n" });
  assert.deepEqual([outcome.is_error, outcome.content], [false, "Created a/b/c.txt (2 bytes)"]);
  assert.equal(outcome.metadata?.path, join(dir, "a/b/c.txt"));
  assert.equal(await read("a/b/c.txt"), "x\n");
});

projectTest("an existing file that was not read is not overwritten", async ({ call, write, read }) => {
  await write("f.txt", "precious\n");
  const outcome = await call("Write", { file_path: "f.txt", content: "new\n" });
  assert.equal(outcome.is_error, true);
  assert.match(outcome.content, /not read in this session.*Read it first/);
  assert.equal(await read("f.txt"), "precious\n");
});

projectTest("a file that changed since it was read is not overwritten", async ({ call, write, read }) => {
  await write("f.txt", "old\n");
  await call("Read", { file_path: "f.txt" });
  await write("f.txt", "not\n");
  const outcome = await call("Write", { file_path: "f.txt", content: "new\n" });
  assert.match(outcome.content, /has changed on disk since it was last read.*Read it again/);
  assert.equal(await read("f.txt"), "not\n");
});

projectTest("a file that was read, written or edited by this session can be overwritten", async ({ call, read }) => {
  await call("Write", { file_path: "f.txt", content: "1\n" });
  await call("Edit", { file_path: "f.txt", old_string: "1", new_string: "2" });
  const outcome = await call("Write", { file_path: "f.txt", content: "3\n" });
  assert.equal(outcome.is_error, false);
  assert.match(String(outcome.metadata?.diff), /-2\n\+3/);
  assert.equal(await read("f.txt"), "3\n");
});

projectTest("an empty file has nothing to lose", async ({ call, write, read }) => {
  await write("f.txt", "");
  assert.equal((await call("Write", { file_path: "f.txt", content: "x" })).is_error, false);
  assert.equal(await read("f.txt"), "x");
});

projectTest(
  "byte-order mark and CRLF of the old file come back, and the result says so",
  async ({ call, write, read }) => {
    await write("f.txt", "\ufeffa\r\nb\r\n");
    await call("Read", { file_path: "f.txt" });
    const outcome = await call("Write", { file_path: "f.txt", content: "a\nc\n" });
    assert.match(outcome.content, /CRLF line ends were kept; its byte-order mark was kept/);
    assert.equal(await read("f.txt"), "\ufeffa\r\nc\r\n");
  },
);

projectTest("mode stays and a link inside the project is written through", async ({ call, write, read, dir }) => {
  await write("run.sh", "old\n");
  await Deno.chmod(join(dir, "run.sh"), 0o755);
  await Deno.symlink("run.sh", join(dir, "link"));
  await call("Read", { file_path: "link" });
  assert.equal((await call("Write", { file_path: "link", content: "new\n" })).is_error, false);
  assert.equal((await Deno.lstat(join(dir, "link"))).isSymlink, true);
  assert.equal((await Deno.stat(join(dir, "run.sh"))).mode! & 0o777, 0o755);
  assert.equal(await read("run.sh"), "new\n");
});

projectTest("a new file has the mode that the user's mask gives", async ({ call, write, dir }) => {
  await write("usual", "");
  await call("Write", { file_path: "f.txt", content: "x" });
  assert.equal((await Deno.stat(join(dir, "f.txt"))).mode, (await Deno.stat(join(dir, "usual"))).mode);
});

projectTest("a dangling link inside is filled in at its target", async ({ call, read, dir }) => {
  await Deno.symlink("later.txt", join(dir, "link"));
  assert.equal((await call("Write", { file_path: "link", content: "x" })).is_error, false);
  assert.equal(await read("later.txt"), "x");
});

projectTest("nothing is written outside, not through links either", async ({ call, dir, outside }) => {
  await Deno.symlink(outside, join(dir, "out"));
  await Deno.symlink(join(outside, "new.txt"), join(dir, "dangling"));
  await Deno.writeTextFile(join(outside, "f.txt"), "x");
  await Deno.symlink(join(outside, "f.txt"), join(dir, "file"));
  for (
    const path of ["out/new.txt", "dangling", "file", "../outside/new.txt", join(outside, "new.txt"), "out/../../x"]
  ) {
    const outcome = await call("Write", { file_path: path, content: "evil" });
    assert.equal(outcome.is_error, true, path);
    assert.match(outcome.content, /outside the project/);
  }
  assert.deepEqual([...Deno.readDirSync(outside)].map((entry) => entry.name), ["f.txt"]);
  assert.equal(await Deno.readTextFile(join(outside, "f.txt")), "x");
});

projectTest("a folder, a file as folder and an impossible name are refused in words", async ({ call, write }) => {
  await write("dir/f.txt", "x");
  const attempts = [["dir", /is a folder/], ["dir/f.txt/g", /a file/], ["n".repeat(300), /too long/], [
    "a\0b",
    /NUL/,
  ]] as const;
  for (const [path, message] of attempts) {
    const outcome = await call("Write", { file_path: path, content: "x" });
    assert.equal(outcome.is_error, true);
    assert.match(outcome.content, message);
  }
});
