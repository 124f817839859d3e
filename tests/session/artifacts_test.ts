import assert from "node:assert/strict";
import { ARTIFACT_THRESHOLD_BYTES, createArtifactStore, SessionWriteError, summarize } from "../../src/session/mod.ts";
import { testHome } from "./support.ts";

Deno.test("an artifact is kept whole, for the user only, under a numbered and harmless name", () => {
  using home = testHome();
  const store = createArtifactStore({ home: home.path, session_id: "s1" });
  const content = "line 界\n".repeat(10_000);
  const { ref, path } = store.put("Bash", content);
  assert.equal(ref, "artifacts/s1/0001-Bash.txt");
  assert.equal(path, `${home.path}/${ref}`);
  assert.equal(Deno.readTextFileSync(path), content);
  assert.equal(Deno.statSync(path).mode! & 0o777, 0o600);
  assert.equal(Deno.statSync(`${home.path}/artifacts/s1`).mode! & 0o777, 0o700);
  const names = ["agent.plan_template", "../../etc/passwd", "..", "", "a b/c\0\n", "x".repeat(300)];
  assert.deepEqual(names.map((name) => store.put(name, "").ref.slice("artifacts/s1/".length)), [
    "0002-agent.plan_template.txt",
    "0003-etc_passwd.txt",
    "0004-result.txt",
    "0005-result.txt",
    "0006-a_b_c_.txt",
    `0007-${"x".repeat(60)}.txt`,
  ]);
});

Deno.test("a store of a resumed session goes on counting and overwrites nothing", () => {
  using home = testHome();
  const place = { home: home.path, session_id: "s1" };
  createArtifactStore(place).put("Bash", "first");
  Deno.writeTextFileSync(`${home.path}/artifacts/s1/0041-Grep.txt`, "there");
  const store = createArtifactStore(place);
  assert.equal(store.put("Bash", "second").ref, "artifacts/s1/0042-Bash.txt");
  Deno.writeTextFileSync(`${home.path}/artifacts/s1/0043-Bash.txt`, "another process was quicker");
  assert.equal(store.put("Bash", "third").ref, "artifacts/s1/0044-Bash.txt");
  assert.equal(Deno.readTextFileSync(`${home.path}/artifacts/s1/0001-Bash.txt`), "first");
});

Deno.test("an artifact that cannot be written throws SessionWriteError with the path", () => {
  using home = testHome();
  Deno.writeTextFileSync(`${home.path}/artifacts`, "a file");
  const store = createArtifactStore({ home: home.path, session_id: "s1" });
  assert.throws(() => store.put("Bash", "x"), (error) => {
    assert.ok(error instanceof SessionWriteError);
    assert.equal(error.path, `${home.path}/artifacts/s1`);
    return true;
  });
});

Deno.test("the summary says size, place and how to read on, and shows whole first and last lines", () => {
  const content = Array.from({ length: 5000 }, (_, index) => `line ${index + 1}`).join("\n") + "\n";
  const text = summarize(content, "artifacts/s1/0001-Bash.txt", "/home/u/.soong-agent/artifacts/s1/0001-Bash.txt");
  assert.match(text, new RegExp(`${content.length} bytes in 5000 lines`));
  assert.match(text, /file \/home\/u\/\.soong-agent\/artifacts\/s1\/0001-Bash\.txt \(artifact_ref: artifacts\/s1\//);
  assert.match(text, /Read .*Grep/);
  assert.match(text, /Its beginning:\nline 1\n/);
  assert.match(text, /\nline 20\n\[\d+ characters left out\]\nIts end:\nline 4981\n/);
  assert.match(text, /\nline 5000$/);
  assert.ok(text.length < 1000);
});

Deno.test("the summary of huge, odd or small content stays small and never cuts a character in two", () => {
  for (
    const content of [
      "x".repeat(1_000_000),
      "😀".repeat(500_001),
      "a" + "😀".repeat(500_000),
      "\n".repeat(100_000),
      "short\n" + "y".repeat(100_000),
      "y".repeat(100_000) + "\nshort",
      "one line",
      "",
    ]
  ) {
    const text = summarize(content, "ref", "/path");
    assert.ok(text.length < 5000, `${text.length}`);
    assert.ok(text.isWellFormed());
    assert.match(text, new RegExp(`: ${new TextEncoder().encode(content).length} bytes`));
  }
  assert.ok(ARTIFACT_THRESHOLD_BYTES > 5000 * 3);
});
