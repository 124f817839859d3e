import assert from "node:assert/strict";
import { resolveInside } from "../../src/process/mod.ts";

function withFolders(test: (base: string) => void): void {
  const base = Deno.realPathSync(Deno.makeTempDirSync());
  try {
    for (const folder of ["project/sub/deep", "project-old", "outside"]) {
      Deno.mkdirSync(`${base}/${folder}`, { recursive: true });
    }
    Deno.writeTextFileSync(`${base}/project/file`, "");
    Deno.symlinkSync(`${base}/outside`, `${base}/project/leaves`);
    Deno.symlinkSync(`${base}/project/sub`, `${base}/project/stays`);
    Deno.symlinkSync(`${base}/project`, `${base}/link-to-project`);
    Deno.symlinkSync(`${base}/project/loop`, `${base}/project/loop`);
    test(base);
  } finally {
    Deno.removeSync(base, { recursive: true });
  }
}

Deno.test("a folder of the project is found by any path to it, through links that stay inside too", () => {
  withFolders((base) => {
    const root = `${base}/project`;
    const inside: Record<string, string> = {
      [root]: root,
      [`${root}/`]: root,
      ".": root,
      "sub": `${root}/sub`,
      "sub/../sub/deep": `${root}/sub/deep`,
      "stays/deep": `${root}/sub/deep`,
      [`${base}/link-to-project/sub`]: `${root}/sub`,
    };
    for (const [path, real] of Object.entries(inside)) {
      assert.deepEqual(resolveInside(root, path), { kind: "inside", path: real }, path);
    }
    assert.deepEqual(resolveInside(`${base}/link-to-project`, "sub"), { kind: "inside", path: `${root}/sub` });
    assert.deepEqual(resolveInside("/", base), { kind: "inside", path: base });
  });
});

Deno.test("what is missing, no folder or outside is told apart, and the sentence names the path", () => {
  withFolders((base) => {
    const root = `${base}/project`;
    const refused: Record<string, [string, string]> = {
      "gone": ["missing", `the working directory ${root}/gone does not exist`],
      "file/below": ["missing", `the working directory ${root}/file/below does not exist`],
      "file": ["not_a_folder", `the working directory ${root}/file is not a folder`],
      "..": ["outside", `the working directory ${base} lies outside the project ${root}`],
      "../project-old": ["outside", `the working directory ${base}/project-old lies outside the project ${root}`],
      "leaves": ["outside", `the working directory ${root}/leaves lies outside the project ${root}`],
    };
    for (const [path, [kind, reason]] of Object.entries(refused)) {
      assert.deepEqual(resolveInside(root, path), { kind, reason }, path);
    }
    const loop = resolveInside(root, "loop");
    assert.equal(loop.kind, "unreadable");
    const noProject = resolveInside(`${base}/nowhere`, root);
    assert.deepEqual(noProject, { kind: "missing", reason: `the project folder ${base}/nowhere does not exist` });
  });
});
