import assert from "node:assert/strict";
import { join } from "node:path";
import { projectTest, shell } from "../temporary_project.ts";

projectTest(
  "the file tools work in a worker that may touch the project only, and nothing leads out",
  async (project) => {
    const { dir, outside } = project;
    await shell("printf '*.log\\n' > .gitignore; echo MARKER > a.txt; echo x > b.log", dir);
    await Deno.writeTextFile(join(outside, "secret.txt"), "secret");
    await Deno.symlink(outside, join(dir, "out"));
    const outcomes = await inNarrowedWorker(dir, [
      ["Grep", { pattern: "MARKER" }],
      ["Edit", { file_path: "a.txt", old_string: "MARKER", new_string: "EDITED" }],
      ["Write", { file_path: "new/b.txt", content: "new\n" }],
      ["Read", { file_path: "a.txt" }],
      ["Read", { file_path: "missing/x" }],
      ["Read", { file_path: "../outside/secret.txt" }],
      ["Read", { file_path: "out/secret.txt" }],
      ["Write", { file_path: "out/evil.txt", content: "x" }],
      ["Glob", { pattern: "*", path: "out" }],
    ]);
    const firstLines = outcomes.map((outcome) => outcome.content.split("\n")[0]!);
    assert.deepEqual(firstLines.slice(0, 5), [
      "a.txt",
      "Edited a.txt: 1 replacement (line 1)",
      "Created new/b.txt (4 bytes)",
      "     1\tEDITED",
      "missing/x does not exist",
    ]);
    for (const line of firstLines.slice(5)) assert.match(line, /is outside the project/);
    assert.deepEqual([...Deno.readDirSync(outside)].map((entry) => entry.name), ["secret.txt"]);
  },
);

type Call = readonly [tool: string, input: Readonly<Record<string, string>>];

async function inNarrowedWorker(dir: string, calls: readonly Call[]): Promise<{ readonly content: string }[]> {
  const worker = new Worker(new URL("../../fixtures/programs/tools_narrowed_worker.ts", import.meta.url), {
    type: "module",
    deno: { permissions: { read: [dir], write: [dir] } },
  });
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = (event) => {
        event.preventDefault();
        reject(new Error(event.message));
      };
      worker.postMessage({ dir, calls });
    });
  } finally {
    worker.terminate();
  }
}
