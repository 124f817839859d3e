import assert from "node:assert/strict";
import { join } from "node:path";
import { projectTest, shell } from "../temporary_project.ts";

projectTest("lines come with their numbers", async ({ call, write, dir }) => {
  await write("f.txt", "one\ntwo\n\nfour");
  assert.deepEqual(await call("Read", { file_path: "f.txt" }), {
    is_error: false,
    content: "     1\tone\n     2\ttwo\n     3\t\n     4\tfour",
    metadata: { path: join(dir, "f.txt"), total_bytes: 13, first_line: 1, last_line: 4, total_lines: 4 },
  });
});

projectTest("offset and limit show a part and say how to go on", async ({ call, write }) => {
  await write("f.txt", "1\n2\n3\n4\n5\n");
  const outcome = await call("Read", { file_path: "f.txt", offset: 2, limit: 2 });
  assert.equal(outcome.content, "     2\t2\n     3\t3\n\n(lines 2-3 of 5; continue with offset 4)");
  const last = await call("Read", { file_path: "f.txt", offset: 4, limit: 2 });
  assert.equal(last.content, "     4\t4\n     5\t5");
});

projectTest("2000 lines are shown unless told otherwise", async ({ call, write }) => {
  await write("f.txt", "x\n".repeat(3000));
  const outcome = await call("Read", { file_path: "f.txt" });
  assert.match(outcome.content, / 2000\tx\n\n\(lines 1-2000 of 3000; continue with offset 2001\)$/);
});

projectTest("an offset behind the end is an error that says how many lines there are", async ({ call, write }) => {
  await write("f.txt", "1\n2\n");
  const outcome = await call("Read", { file_path: "f.txt", offset: 9 });
  assert.deepEqual([outcome.is_error, outcome.content], [true, "f.txt has 2 lines only; there is no line 9"]);
});

projectTest("a long line is cut on a character boundary and says its size", async ({ call, write }) => {
  await write("f.txt", "é".repeat(5000) + "\nnext\n");
  const { content } = await call("Read", { file_path: "f.txt" });
  assert.match(content, /^ {5}1\té{1000} \[line cut: 10000 bytes in all\]\n {5}2\tnext$/);
});

projectTest("byte-order mark and CRLF are noted and not shown", async ({ call, write }) => {
  await write("f.txt", "\ufeffa\r\nb\r\n");
  const { content } = await call("Read", { file_path: "f.txt" });
  assert.match(content, /^ {5}1\ta\n {5}2\tb\n\n\(the lines end in CRLF.*byte-order mark/);
});

projectTest("text that is no UTF-8 is shown leniently, with a note", async ({ call, write }) => {
  await write("f.txt", new Uint8Array([0x61, 0xe9, 0x62, 0x0a]));
  const outcome = await call("Read", { file_path: "f.txt" });
  assert.equal(outcome.is_error, false);
  assert.match(outcome.content, /a\ufffdb\n\n\(the file is not valid UTF-8/);
});

projectTest("a UTF-16 file is named as such", async ({ call, write }) => {
  await write("f.txt", new Uint8Array([0xff, 0xfe, 0x61, 0, 0x0a, 0]));
  assert.match((await call("Read", { file_path: "f.txt" })).content, /UTF-16/);
});

const ODD: Readonly<Record<string, readonly [path: string, error: boolean, message: RegExp]>> = {
  "a named pipe is refused at once": ["pipe", true, /named pipe, not a regular file/],
  "a socket is refused at once": ["socket", true, /socket, not a regular file/],
  "binary data is named with its size and not shown": ["bin.dat", true, /binary file \(binary data, 100000 bytes\)/],
  "an executable is named": ["prog", true, /ELF executable/],
  "an image is named": ["pic.png", true, /PNG image/],
  "an empty file is said to be empty": ["empty.txt", false, /empty/],
  "a folder is said to be one": ["dir", true, /is a folder.*use LS/],
  "a dangling link is named with its target": ["dangling", true, /is a link whose target .*nowhere.* does not exist/],
  "links in a circle are named": ["circle", true, /circle/],
  "a missing file is named": ["nope.txt", true, /nope\.txt does not exist/],
  "a device outside is refused": ["/dev/zero", true, /outside the project/],
  "a file as folder is missing": ["empty.txt/x", true, /does not exist/],
};

for (const [title, [path, error, message]] of Object.entries(ODD)) {
  projectTest(title, async ({ call, dir }) => {
    await shell(
      `mkfifo pipe; head -c 100000 /dev/urandom > bin.dat; printf '\\0\\377' | dd of=bin.dat conv=notrunc 2>/dev/null
       cp /bin/sh prog; printf '\\211PNG\\r\\n\\032\\n' > pic.png; : > empty.txt; mkdir dir
       ln -s nowhere dangling; ln -s circle circle`,
      dir,
    );
    using _socket = Deno.listen({ transport: "unix", path: join(dir, "socket") });
    const outcome = await call("Read", { file_path: path });
    assert.equal(outcome.is_error, error);
    assert.match(outcome.content, message);
    assert.ok(outcome.content.length < 500);
  });
}

projectTest("devices are refused by type where an added folder reaches them", async ({ call }) => {
  assert.match((await call("Read", { file_path: "/dev/zero" })).content, /device, not a regular file/);
}, { added_dirs: ["/dev"] });

projectTest("a sparse file of 3 GB shows its first lines and its size, with memory flat", async ({ call, dir }) => {
  await shell("truncate -s 3G big.txt; printf 'head\\nsecond\\n' | dd of=big.txt conv=notrunc 2>/dev/null", dir);
  const before = Deno.memoryUsage().rss;
  const first = await call("Read", { file_path: "big.txt", limit: 1 });
  assert.match(first.content, /^ {5}1\thead\n/);
  assert.match(first.content, /of a file of 3221225472 bytes; continue with offset 2/);
  const second = await call("Read", { file_path: "big.txt", offset: 2 });
  assert.match(second.content, /^ {5}2\tsecond\n {5}3\t\[more than \d+ bytes that are no text\]\n/);
  assert.ok(Deno.memoryUsage().rss - before < 100 * 1024 * 1024);
});

projectTest("a file without read permission says so", async ({ call, write, dir }) => {
  await write("secret.txt", "s\n");
  await Deno.chmod(join(dir, "secret.txt"), 0);
  const outcome = await call("Read", { file_path: "secret.txt" });
  // For root there is no such thing as a file without permission.
  if (Deno.uid() === 0) assert.match(outcome.content, /1\ts/);
  else assert.match(outcome.content, /permission denied/);
});

projectTest("links inside are followed, links to the outside are refused", async ({ call, write, dir, outside }) => {
  await write("a.txt", "inside\n");
  await Deno.writeTextFile(join(outside, "b.txt"), "outside\n");
  await Deno.symlink("a.txt", join(dir, "in"));
  await Deno.symlink(join(outside, "b.txt"), join(dir, "out"));
  await Deno.symlink(outside, join(dir, "folder"));
  assert.match((await call("Read", { file_path: "in" })).content, /inside/);
  for (const path of ["out", "folder/b.txt", "../outside/b.txt", join(outside, "b.txt")]) {
    const outcome = await call("Read", { file_path: path });
    assert.equal(outcome.is_error, true);
    assert.match(outcome.content, /outside the project/);
  }
});

projectTest("a name that looks like an option is a name", async ({ call, write }) => {
  await write("-n", "dash\n");
  assert.match((await call("Read", { file_path: "-n" })).content, /dash/);
});

projectTest("a cancelled call says so and reads nothing", async ({ call, write }) => {
  await write("f.txt", "x");
  const outcome = await call("Read", { file_path: "f.txt" }, AbortSignal.abort());
  assert.deepEqual([outcome.is_error, outcome.content], [true, "cancelled before it began"]);
});
