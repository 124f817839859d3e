import assert from "node:assert/strict";
import { join } from "node:path";
import { projectTest } from "../temporary_project.ts";

projectTest("one folder is listed in order, with what was left out", async ({ call, write, dir }) => {
  await write(".gitignore", "dist/\n");
  await write("dist/out.js", "");
  await write("src/deep/a.ts", "");
  await write("README.md", "");
  await Deno.symlink("README.md", join(dir, "link"));
  assert.deepEqual(await call("LS", {}), {
    is_error: false,
    content: "README.md\nlink -> README.md\nsrc/\n\n" +
      "(left out 1 hidden (.gitignore); to include one, name it in path)\n" +
      "(left out 1 ignored by .gitignore (dist/); to include one, name it in path)",
    metadata: { count: 3, truncated: false, left_out: { hidden: 1, ignored: 1 } },
  });
  assert.equal((await call("LS", { path: "src" })).content, "deep/");
  assert.equal((await call("LS", { path: "dist" })).content, "out.js");
});

projectTest("an empty folder, a file and a missing folder are told apart", async ({ call, write, dir }) => {
  await Deno.mkdir(join(dir, "empty"));
  await write("f.txt", "abc");
  assert.equal((await call("LS", { path: "empty" })).content, "empty has no entries to show");
  assert.equal((await call("LS", { path: "f.txt" })).content, "f.txt is a file of 3 bytes, not a folder");
  const missing = await call("LS", { path: "nope" });
  assert.deepEqual([missing.is_error, missing.content], [true, "cannot list nope: it does not exist"]);
});

projectTest("the outside is not listed, an added folder is", async ({ call, outside, dir }) => {
  await Deno.symlink(outside, join(dir, "out"));
  assert.match((await call("LS", { path: "out" })).content, /outside the project/);
  assert.equal((await call("LS", { path: "/dev/fd/../shm/.." })).is_error, false);
}, { added_dirs: ["/dev"] });
