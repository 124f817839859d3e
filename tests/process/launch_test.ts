import assert from "node:assert/strict";
import { program, run } from "./children.ts";

async function notStarted(...parameters: Parameters<typeof run>): Promise<string> {
  const { result } = await run(...parameters);
  if (result.ending.kind !== "not_started") assert.fail(`it ended ${JSON.stringify(result.ending)}`);
  assert.equal(result.stdout.total_bytes, 0);
  return result.ending.reason;
}

Deno.test("a missing program is not started, and the reason names it and where it was looked for", async () => {
  const reason = await notStarted(["soong-no-such-program"], { env: { PATH: "/usr/bin:/bin" } });
  assert.equal(reason, "cannot start soong-no-such-program: there is no such program on PATH (/usr/bin:/bin)");
  assert.equal(await notStarted(["/no/such/file"]), "cannot start /no/such/file: there is no such file");
  assert.equal(
    await notStarted([""]),
    "cannot start : there is no such program on PATH (" + Deno.env.get("PATH") + ")",
  );
});

Deno.test("a file that is not executable is not started; through the shell it is exit 126", async () => {
  const path = program("process_plain_file.txt");
  assert.equal(await notStarted([path]), `cannot start ${path}: the file is not executable`);
  const { result } = await run(path);
  assert.deepEqual(result.ending, { kind: "exited", code: 126 });
});

Deno.test("a script whose interpreter is missing is not started", async () => {
  const reason = await notStarted([program("process_no_interpreter.sh")]);
  assert.match(reason, /process_no_interpreter\.sh.*No such file/);
});

Deno.test("a missing working directory, a file and a folder outside are no missing programs", async () => {
  const base = Deno.realPathSync(Deno.makeTempDirSync());
  try {
    Deno.mkdirSync(`${base}/project`);
    Deno.writeTextFileSync(`${base}/project/file`, "");
    Deno.symlinkSync("/usr", `${base}/project/leaves`);
    const root = `${base}/project`;
    const reasons: Record<string, string> = {
      [`${root}/gone`]: `the working directory ${root}/gone does not exist`,
      [`${root}/file`]: `the working directory ${root}/file is not a folder`,
      [`${root}/leaves`]: `the working directory ${root}/leaves lies outside the project ${root}`,
      [base]: `the working directory ${base} lies outside the project ${root}`,
    };
    for (const [cwd, reason] of Object.entries(reasons)) assert.equal(await notStarted("pwd", { cwd, root }), reason);
    assert.equal((await run("pwd", { cwd: root, root })).stdout, `${root}\n`);
    assert.equal((await run(["./file"], { cwd: root, root })).result.ending.kind, "not_started");
  } finally {
    Deno.removeSync(base, { recursive: true });
  }
});

Deno.test("a program with arguments runs without a shell: nothing in them is expanded or split", async () => {
  const words = ["a b", "$HOME", "*", "'\"", "", "-n", "拒绝"];
  const { stdout } = await run(["printf", "<%s>", ...words]);
  assert.equal(stdout, words.map((word) => `<${word}>`).join(""));
});

Deno.test("a command that the system refuses is not started, with the system's words", async () => {
  assert.match(await notStarted(`: ${"x".repeat(300_000)}`), /^cannot start the shell: Argument list too long$/);
  assert.match(await notStarted(["printf", "a\0b"]), /^cannot start printf: nul byte/);
  assert.match(await notStarted("true", { cwd: "/\0" }), /cannot be read/);
});

Deno.test("the child leads a session and a group of its own, and has no terminal", async () => {
  const { stdout } = await run("echo $$; ps -o pid= -o pgid= -o sid= -o tty= -p $$");
  const [pid, row] = stdout.trim().split("\n");
  assert.deepEqual(row!.trim().split(/\s+/), [pid, pid, pid, "?"]);
});

Deno.test("a run works when the agent's own working directory has been deleted", async () => {
  const before = Deno.cwd();
  const gone = Deno.makeTempDirSync();
  try {
    Deno.chdir(gone);
    Deno.removeSync(gone);
    assert.equal((await run("pwd", { cwd: "/", root: "/" })).stdout, "/\n");
    assert.equal((await run("sleep 57 & exit 0")).result.background_ended, 1);
    assert.equal(await notStarted("pwd", { cwd: gone, root: gone }), `the working directory ${gone} does not exist`);
  } finally {
    Deno.chdir(before);
  }
});
