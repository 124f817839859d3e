import assert from "node:assert/strict";
import fc from "fast-check";
import { type Verification, verifySession } from "../../src/session/mod.ts";
import { answer, event, linesOf, result, testHome, user, writtenLog } from "./support.ts";

const MORE = Array.from({ length: 6 }, (_, index) => [
  user(`prompt ${index}`, index + 2),
  answer("looking", [`d${index}`], index + 2),
  event({ type: "tool_started", call_id: `d${index}`, name: "Bash" }, index + 2),
  result(`d${index}`, `output ${index}`, index + 2),
]).flat();

interface Change {
  readonly what: string;
  /** Detected without a head as well. */
  readonly alone: boolean;
  apply(lines: readonly string[]): string[];
}

/** Any edit of one character, cut of a block, swap of two lines, repetition, or rewrite of the end. */
function changes(count: number): fc.Arbitrary<Change> {
  const line = fc.nat(count - 1);
  return fc.oneof(
    fc.tuple(line, fc.nat(), fc.constantFrom("x", "0", " ", "\r", '"', "é")).map(([at, place, by]): Change => ({
      what: `edit of line ${at + 1}`,
      alone: at < count - 1,
      apply: (lines) => {
        const text = lines[at]!;
        const index = place % text.length;
        const changed = text[index] === by
          ? text.slice(0, index) + text.slice(index + 1)
          : text.slice(0, index) + by + text.slice(index + 1);
        return lines.with(at, changed);
      },
    })),
    fc.tuple(line, fc.integer({ min: 1, max: 5 })).map(([at, size]): Change => ({
      what: `cut of ${size} from line ${at + 1}`,
      alone: at + size < count || at === 0,
      apply: (lines) => lines.toSpliced(at, size),
    })),
    fc.tuple(line, line).filter(([left, right]) => left !== right).map(([left, right]): Change => ({
      what: `swap of ${left + 1} and ${right + 1}`,
      alone: true,
      apply: (lines) => lines.with(left, lines[right]!).with(right, lines[left]!),
    })),
    fc.tuple(line, line).map(([from, to]): Change => ({
      what: `line ${from + 1} again before ${to + 1}`,
      alone: true,
      apply: (lines) => lines.toSpliced(to, 0, lines[from]!),
    })),
  );
}

Deno.test("no edit, cut, swap or repetition passes when the head is known, nor before the last line without it", () => {
  using home = testHome();
  const { path, head } = writtenLog(home, MORE);
  const lines = linesOf(path);
  fc.assert(
    fc.property(changes(lines.length), ({ what, alone, apply }) => {
      const changed = apply(lines);
      Deno.writeTextFileSync(path, changed.map((line) => line + "\n").join(""));
      const known = verifySession(path, { head });
      assert.equal(known.kind, "broken", what);
      if (alone) assert.equal(verifySession(path).kind, "broken", what);
    }),
    { numRuns: 400 },
  );
});

Deno.test("no change of one byte passes when the head is known, the last line end included", () => {
  using home = testHome();
  const { path, head } = writtenLog(home);
  const whole = Deno.readFileSync(path);
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
      const changed = whole.slice();
      changed[at]! ^= by;
      Deno.writeFileSync(path, changed);
      assert.equal(verifySession(path, { head }).kind, "broken", `byte ${at}`);
    }),
    { numRuns: 300 },
  );
});

Deno.test("the first break is named with its line and kind", () => {
  using home = testHome();
  const { path } = writtenLog(home);
  const lines = linesOf(path);
  const edit = (at: number, from: string | RegExp, to: string) => lines.with(at, lines[at]!.replace(from, to));
  const rows: [string, readonly string[], number, string][] = [
    ["text of a line", edit(1, "list", "LIST"), 2, "edit"],
    ["text of the first line", edit(0, "0.1.0", "9.9.9"), 1, "edit"],
    ["text of the line before the last", edit(6, "one", "two"), 7, "edit"],
    ["prev of a line", edit(3, /"prev":"./, '"prev":"x'), 4, "edit"],
    ["number of a line", edit(3, '"seq":4', '"seq":7'), 4, "edit"],
    ["session id of a line", edit(7, /"session_id":"2026/, '"session_id":"2027'), 8, "edit"],
    ["no JSON any more", edit(4, "{", ""), 5, "edit"],
    ["a blank line", lines.toSpliced(2, 0, ""), 3, "edit"],
    ["one line cut", lines.toSpliced(3, 1), 4, "cut"],
    ["the first two cut", lines.slice(2), 1, "cut"],
    ["all cut", [], 1, "cut"],
    ["neighbours swapped", lines.with(2, lines[3]!).with(3, lines[2]!), 3, "swap"],
    ["far lines swapped", lines.with(1, lines[6]!).with(6, lines[1]!), 2, "swap"],
    ["a line moved to the end", [...lines.toSpliced(4, 1), lines[4]!], 5, "swap"],
    ["a line repeated", lines.toSpliced(4, 0, lines[3]!), 5, "insert"],
  ];
  for (const [what, changed, line, fault] of rows) {
    Deno.writeTextFileSync(path, changed.map((one) => one + "\n").join(""));
    const found = verifySession(path);
    assert.ok(found.kind === "broken", what);
    assert.deepEqual([found.line, found.fault], [line, fault], `${what}: ${found.detail}`);
  }
});

Deno.test("a torn last line is named as torn", () => {
  using home = testHome();
  const { path } = writtenLog(home);
  const { size } = Deno.statSync(path);
  for (const cut of [1, 2, 40]) {
    Deno.truncateSync(path, size - cut);
    const found = verifySession(path);
    assert.ok(found.kind === "broken");
    assert.deepEqual([found.line, found.fault], [8, "torn"]);
  }
});

Deno.test("the head of an earlier run is found in a log that a resume made longer, with its line", () => {
  using home = testHome();
  const { path, id, head } = writtenLog(home);
  const { log } = home.resume(id);
  log.append(user("more", 2));
  const expected: Verification = { kind: "whole", lines: 9, head: log.head, head_line: 8 };
  assert.deepEqual(verifySession(path, { head }), expected);
  assert.deepEqual(verifySession(path, { head: ` ${head.toUpperCase()}\n` }), expected);
  assert.deepEqual(verifySession(path, { head: log.head }), { ...expected, head_line: 9 });
});

Deno.test("a file that was shortened or wholly rewritten passes alone and fails against its head", () => {
  using home = testHome();
  const { path, head } = writtenLog(home);
  const other = writtenLog(home);
  for (
    const [lines, count] of [[linesOf(path).slice(0, -1), 7], [linesOf(other.path), 8]] as const
  ) {
    Deno.writeTextFileSync(path, lines.join("\n") + "\n");
    assert.equal(verifySession(path).kind, "whole");
    const found = verifySession(path, { head });
    assert.ok(found.kind === "broken");
    assert.deepEqual([found.line, found.fault], [count, "head"]);
  }
});

Deno.test("a file that cannot be read is said, not thrown", () => {
  using home = testHome();
  assert.deepEqual(verifySession(`${home.path}/none.jsonl`), {
    kind: "unreadable",
    reason: "No such file or directory",
  });
});
