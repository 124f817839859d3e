import assert from "node:assert/strict";
import { join } from "node:path";
import { projectTest, shell } from "../temporary_project.ts";

const CONF = "def dev():\n    debug = True\n\ndef prod():\n    debug = True\n";

interface EditRow {
  readonly before: string;
  readonly old: string;
  readonly new: string;
  readonly all?: boolean;
  readonly after: string;
}

const EDITS: Readonly<Record<string, EditRow>> = {
  "CRLF stays when the model sends LF": {
    before: "one\r\ntwo\r\nthree\r\n",
    old: "one\ntwo",
    new: "ONE\nNEW\ntwo",
    after: "ONE\r\nNEW\r\ntwo\r\nthree\r\n",
  },
  "a file of mixed line ends changes in the edited place only": {
    before: "a\r\nb\nc\r\nd\n",
    old: "b",
    new: "B",
    after: "a\r\nB\nc\r\nd\n",
  },
  "lines inside the edited place keep the ends they had": {
    before: "a\r\nb\nc\r\nd\n",
    old: "a\nb\nc\nd",
    new: "a\nb\nC\nd",
    after: "a\r\nb\nC\r\nd\n",
  },
  "a new line in a CRLF file gets CRLF even where the old text has no line end": {
    before: "x\r\ny\r\n",
    old: "y",
    new: "y\nz",
    after: "x\r\ny\r\nz\r\n",
  },
  "no newline at the end stays none": { before: "x\ny", old: "y", new: "z", after: "x\nz" },
  "tabs stay tabs": { before: "if:\n\tgo\n", old: "\tgo", new: "\tgone", after: "if:\n\tgone\n" },
  "CRLF from the model works on an LF file and leaves LF": {
    before: "l1\nl2\n",
    old: "l1\r\nl2",
    new: "L1\r\nL2",
    after: "L1\nL2\n",
  },
  "the byte-order mark stays": { before: "\ufeffa\nb\n", old: "a\nb", new: "A\nb", after: "\ufeffA\nb\n" },
  "dollar signs in the new text are text": {
    before: "before OLD after\n",
    old: "OLD",
    new: "A$&B $$ $1 $' $` ${x} $<n>",
    after: "before A$&B $$ $1 $' $` ${x} $<n> after\n",
  },
  "dollar signs are text with replace_all too": {
    before: "OLD OLD\n",
    old: "OLD",
    new: "$$$$",
    all: true,
    after: "$$$$ $$$$\n",
  },
  "regular-expression characters in the old text are text": {
    before: "a.b(c)\n",
    old: ".b(",
    new: "+",
    after: "a+c)\n",
  },
  "replace_all changes every match": {
    before: CONF,
    old: "debug = True",
    new: "debug = False",
    all: true,
    after: CONF.replaceAll("True", "False"),
  },
  "an empty new text deletes": { before: "a\nb\nc\n", old: "b\n", new: "", after: "a\nc\n" },
};

for (const [title, row] of Object.entries(EDITS)) {
  projectTest(title, async ({ call, write, read }) => {
    await write("f.txt", row.before);
    const outcome = await call("Edit", {
      file_path: "f.txt",
      old_string: row.old,
      new_string: row.new,
      ...(row.all && { replace_all: true }),
    });
    assert.equal(outcome.is_error, false, outcome.content);
    assert.equal(await read("f.txt"), row.after);
  });
}

interface RefusalRow {
  readonly before?: string;
  readonly old: string;
  readonly new: string;
  readonly message: RegExp;
}

const REFUSALS: Readonly<Record<string, RefusalRow>> = {
  "two matches are refused with their number and lines": {
    before: CONF,
    old: "    debug = True",
    new: "x",
    message: /2 times \(lines 2, 5\)/,
  },
  "matches that overlap are two matches": { before: "aaa\n", old: "aa", new: "b", message: /2 times \(lines 1, 1\)/ },
  "an absent text is refused with the nearest one": {
    before: CONF,
    old: "def production():",
    new: "x",
    message: /nearest text is line 4: "def prod\(\):"/,
  },
  "an absent text that is like nothing still gets a place to look at": {
    before: CONF,
    old: "verbose",
    new: "x",
    message: /nearest text is line \d: "/,
  },
  "wrong indentation is named": {
    before: CONF,
    old: "def prod():\n\tdebug = True",
    new: "x",
    message: /white space only from what begins at line 4/,
  },
  "an empty old text is refused": { before: CONF, old: "", new: "X", message: /old_string is empty/ },
  "an empty old text for a missing file points to Write": { old: "", new: "x", message: /use Write/ },
  "an old text equal to the new one is refused": {
    before: CONF,
    old: "def dev()",
    new: "def dev()",
    message: /the same/,
  },
  "a difference in line ends only is refused": {
    before: "a\r\nb\r\n",
    old: "a\r\nb",
    new: "a\nb",
    message: /line ends only/,
  },
  "a missing file is refused": { old: "a", new: "b", message: /f\.txt does not exist/ },
  "a binary file is refused": { before: "a\0b", old: "a", new: "b", message: /binary/ },
};

for (const [title, row] of Object.entries(REFUSALS)) {
  projectTest(`${title}, and the file stays as it was`, async ({ call, write, read, dir }) => {
    if (row.before !== undefined) await write("f.txt", row.before);
    const outcome = await call("Edit", { file_path: "f.txt", old_string: row.old, new_string: row.new });
    assert.equal(outcome.is_error, true);
    assert.match(outcome.content, row.message);
    if (row.before !== undefined) assert.equal(await read("f.txt"), row.before);
    else assert.deepEqual([...Deno.readDirSync(dir)], []);
  });
}

projectTest("bytes that are no UTF-8 survive an edit beside them", async ({ call, dir }) => {
  const path = join(dir, "gbk.txt");
  await Deno.writeFile(path, new Uint8Array([0xc4, 0xe3, 0x0a, 0x78, 0x0a, 0xe9]));
  assert.equal((await call("Edit", { file_path: path, old_string: "x", new_string: "中" })).is_error, false);
  assert.deepEqual([...await Deno.readFile(path)], [0xc4, 0xe3, 0x0a, 0xe4, 0xb8, 0xad, 0x0a, 0xe9]);
});

projectTest(
  "a file changed by someone else since it was read is not edited until it is read again",
  async (project) => {
    const { call, write, read } = project;
    await write("n.txt", "1\n2\n");
    await call("Read", { file_path: "n.txt" });
    await write("n.txt", "1\n2\n3\n");
    const input = { file_path: "n.txt", old_string: "1\n", new_string: "one\n" };
    const refused = await call("Edit", input);
    assert.equal(refused.is_error, true);
    assert.match(refused.content, /has changed on disk.*Read it again/);
    assert.equal(await read("n.txt"), "1\n2\n3\n");
    await call("Read", { file_path: "n.txt" });
    assert.equal((await call("Edit", input)).is_error, false);
  },
);

projectTest("a file that was only touched has not changed", async ({ call, write, dir }) => {
  await write("n.txt", "1\n");
  await call("Read", { file_path: "n.txt" });
  await Deno.utime(join(dir, "n.txt"), new Date(0), new Date(0));
  const outcome = await call("Edit", { file_path: "n.txt", old_string: "1", new_string: "2" });
  assert.equal(outcome.is_error, false);
});

projectTest("edits of one file in one answer all land, however its path is written", async (project) => {
  const { call, write, read, dir } = project;
  const lines = Array.from({ length: 100 }, (_, index) => `${index + 1}\n`).join("");
  for (let round = 0; round < 10; round++) {
    await write("n.txt", lines);
    await call("Read", { file_path: "n.txt" });
    await Deno.symlink("n.txt", join(dir, "link.txt")).catch(() => {});
    const outcomes = await Promise.all([
      call("Edit", { file_path: "n.txt", old_string: "50\n", new_string: "FIFTY\n" }),
      call("Edit", { file_path: "./n.txt", old_string: "75\n", new_string: "SEVENTY-FIVE\n" }),
      call("Edit", { file_path: join(dir, "link.txt"), old_string: "99\n", new_string: "NINETY-NINE\n" }),
    ]);
    assert.deepEqual(outcomes.map((outcome) => outcome.is_error), [false, false, false]);
    const wanted = lines.replace("50\n", "FIFTY\n").replace("75\n", "SEVENTY-FIVE\n").replace("99\n", "NINETY-NINE\n");
    assert.equal(await read("n.txt"), wanted);
  }
});

projectTest("mode stays, a link stays a link, and no temporary file is left", async ({ call, write, dir }) => {
  await write("run.sh", "echo old\n");
  await Deno.chmod(join(dir, "run.sh"), 0o754);
  await Deno.symlink("run.sh", join(dir, "link.sh"));
  const outcome = await call("Edit", { file_path: "link.sh", old_string: "old", new_string: "new" });
  assert.equal(outcome.is_error, false);
  assert.equal((await Deno.stat(join(dir, "run.sh"))).mode! & 0o7777, 0o754);
  assert.equal(await Deno.readLink(join(dir, "link.sh")), "run.sh");
  assert.deepEqual([...Deno.readDirSync(dir)].map((entry) => entry.name).sort(), ["link.sh", "run.sh"]);
});

projectTest("a read-only file is not edited", async ({ call, write, dir }) => {
  await write("f.txt", "a\n");
  await Deno.chmod(join(dir, "f.txt"), 0o444);
  const outcome = await call("Edit", { file_path: "f.txt", old_string: "a", new_string: "b" });
  assert.match(outcome.content, /read-only/);
});

projectTest("the outcome says what changed and where, with a diff in its facts", async ({ call, write, dir }) => {
  await write("f.txt", "a\nb\nc\n");
  assert.deepEqual(await call("Edit", { file_path: "f.txt", old_string: "b", new_string: "B" }), {
    is_error: false,
    content: "Edited f.txt: 1 replacement (line 2)",
    metadata: {
      path: join(dir, "f.txt"),
      replacements: 1,
      diff: "--- f.txt\n+++ f.txt\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n",
      added_lines: 1,
      removed_lines: 1,
    },
  });
});

projectTest("a large file of long repetition is edited in reasonable time", async ({ call, write, read, dir }) => {
  await write("big.txt", "ab\r\n".repeat(500_000));
  const edits = { file_path: "big.txt", old_string: "ab\nab", new_string: "ab\nxy", replace_all: true };
  assert.equal((await call("Edit", edits)).is_error, false);
  assert.equal(await read("big.txt"), "ab\r\nxy\r\n".repeat(250_000));
  assert.equal((await shell("ls", dir)).trim(), "big.txt");
});
