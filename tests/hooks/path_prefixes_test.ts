import assert from "node:assert/strict";
import { createPathPrefixes, resolveNearest } from "../../src/hooks/path_prefixes.ts";
import { callOf, inFolder } from "./hook_files.ts";

Deno.test("one look at the disk serves all rules with one prefix, and matching itself takes none", () => {
  const looked: string[] = [];
  const prefixes = createPathPrefixes("/project", (path) => {
    looked.push(path);
    return path;
  });
  const rules = ["a", "./a/", "b", "/project/a"].map((written) => prefixes.prefix(written));
  const first = callOf("Read");
  for (const prefix of rules) prefix.refresh(first);
  assert.deepEqual(looked.splice(0), ["/project/a", "/project/b"]);

  assert.deepEqual(rules.map((prefix) => prefix.holds("/project/a/x")), [true, true, false, true]);
  assert.deepEqual(looked, []);

  const call = callOf("Read");
  for (const prefix of [...rules, ...rules]) prefix.refresh(call);
  assert.deepEqual(looked.splice(0), ["/project/a", "/project/b"]);
  rules[0]!.refresh(callOf("Read"));
  assert.deepEqual(looked, ["/project/a"]);
});

Deno.test("the nearest existing parent is resolved, the rest stands as spelled", async () => {
  await inFolder(async (folder) => {
    await Deno.mkdir(`${folder}/real`);
    await Deno.symlink("real", `${folder}/link`);
    await Deno.symlink("nowhere", `${folder}/dangling`);
    await Deno.symlink("loop", `${folder}/loop`);
    await Deno.writeTextFile(`${folder}/file`, "");
    const resolved = (path: string) => resolveNearest(`${folder}/${path}`, Deno.realPathSync).slice(folder.length + 1);
    assert.deepEqual(["link", "link/a/b", "real/a", "dangling/a", "loop/a", "file/a"].map(resolved), [
      "real",
      "real/a/b",
      "real/a",
      "dangling/a",
      "loop/a",
      "file/a",
    ]);
  });
});

Deno.test("a prefix that nobody has looked up yet is looked up by the first question", () => {
  const prefix = createPathPrefixes("/project", () => "/elsewhere").prefix("link");
  assert.ok(prefix.holds("/elsewhere/a") && !prefix.holds("/project/link/a"));
});

Deno.test("a path that may not be looked at stands as spelled", () => {
  const refuse = () => {
    throw new Deno.errors.NotCapable("no");
  };
  assert.equal(resolveNearest("/a/b", refuse), "/a/b");
});
