import assert from "node:assert/strict";
import { normalize } from "node:path";
import fc from "fast-check";
import { commandWords, type HookCommand, scriptOfCommand } from "../../src/hooks/command_words.ts";

const VARIABLES = { HOME: "/home/me", SOONG_PROJECT_DIR: "/project" };

const WORDS: readonly (readonly [command: HookCommand, words: readonly (string | undefined)[]])[] = [
  ["python3 check.py --all", ["python3", "check.py", "--all"]],
  ["  ./a\t'b c' \"d e\" f\\ g ", ["./a", "b c", "d e", "f g"]],
  ['"a\\"b" "c\\d" \'e\\f\'', ['a"b', "c\\d", "e\\f"]],
  ["A=1 B='x y' ./run.sh", ["./run.sh"]],
  ["cd sub && ./run.sh; exit 2", ["cd", "sub", "./run.sh", "exit", "2"]],
  ["cat<in>out|sort", ["cat", "in", "out", "sort"]],
  ["./run.sh # and why\n./next.sh", ["./run.sh", "./next.sh"]],
  ['"$SOONG_PROJECT_DIR"/check.sh ${HOME}/x ~/y', ["/project/check.sh", "/home/me/x", "/home/me/y"]],
  ['$OTHER/check.sh *.sh `pwd`/x $(pwd) "$(a)"', [undefined, undefined, undefined, undefined, "pwd", undefined]],
  ["'$HOME/x'", ["$HOME/x"]],
  ["''", [""]],
  ["'open", ["open"]],
  ["", []],
  [["python3", "a b.py"], ["python3", "a b.py"]],
  [["sh", "-c", "./run.sh now"], ["sh", "-c", "./run.sh now", "./run.sh", "now"]],
];

for (const [command, words] of WORDS) {
  Deno.test(`the words of ${JSON.stringify(command)} are known without a shell`, () => {
    assert.deepEqual(commandWords(command, VARIABLES).map(({ text }) => text), words);
  });
}

Deno.test("each command of a line starts with a program", () => {
  const starts = commandWords("A=1 cd x && ./b y | c; (d)").filter((word) => word.starts).map(({ text }) => text);
  assert.deepEqual(starts, ["cd", "./b", "c", "d"]);
});

const FILES = ["/project/check.py", "/project/tools/run.sh", "/usr/bin/python3", "/home/me/x.sh", "/project/a b.py"];

const SCRIPTS: readonly (readonly [command: HookCommand, script: string | undefined])[] = [
  ["python3 check.py", "/project/check.py"],
  ["/usr/bin/python3 check.py", "/project/check.py"],
  ["/usr/bin/python3 -", "/usr/bin/python3"],
  ["./tools/../check.py", "/project/check.py"],
  ["env A=1 tools/run.sh check.py", "/project/tools/run.sh"],
  ["test -f x && tools/run.sh", "/project/tools/run.sh"],
  ["~/x.sh", "/home/me/x.sh"],
  ['"$SOONG_PROJECT_DIR/tools/run.sh"', "/project/tools/run.sh"],
  [["python3", "a b.py"], "/project/a b.py"],
  [["bash", "-ec", "tools/run.sh"], "/project/tools/run.sh"],
  ["echo hello", undefined],
  ["$UNKNOWN/check.py", undefined],
  ["", undefined],
];

for (const [command, script] of SCRIPTS) {
  Deno.test(`the script of ${JSON.stringify(command)} is ${script ?? "none"}`, () => {
    // A disk without links, where a way up and down is what it looks like.
    const fileAt = (path: string) => FILES.find((file) => file === normalize(path));
    assert.equal(scriptOfCommand(command, "/project", fileAt, VARIABLES), script);
  });
}

Deno.test("the script is the resolved file, not the link that names it", () => {
  const fileAt = (path: string) => path === "/project/link.sh" ? "/opt/real.sh" : undefined;
  assert.equal(scriptOfCommand("sh link.sh", "/project", fileAt), "/opt/real.sh");
});

Deno.test("no line makes it throw, and long ones take no longer than their length", () => {
  fc.assert(fc.property(fc.string(), (line) => {
    commandWords(line);
  }));
  for (const piece of ["a ", "'", '"$', "$", "\\", "A=", "((", "#"]) commandWords(piece.repeat(200_000));
});
