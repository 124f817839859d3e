import { deepEqual, equal, match, ok } from "node:assert/strict";
import config from "../../deno.json" with { type: "json" };
import { bundleArguments, compileArguments, compileRequest, PERMISSIONS, TARGETS } from "../../scripts/compile.ts";

Deno.test("without arguments it compiles a bundle for this machine into dist/soong-agent", () => {
  deepEqual(compileRequest([], "/p"), { target: undefined, output: "/p/dist/soong-agent", bundle: true });
});

Deno.test("target, output and --no-bundle are read in both spellings", () => {
  const expected = { target: "aarch64-apple-darwin", output: "/tmp/a=b", bundle: false };
  deepEqual(
    compileRequest(["--target", "aarch64-apple-darwin", "--output", "/tmp/a=b", "--no-bundle"], "/p"),
    expected,
  );
  deepEqual(compileRequest(["--target=aarch64-apple-darwin", "--output=/tmp/a=b", "--no-bundle"], "/p"), expected);
});

Deno.test("an unknown target, an unknown argument and a missing value are named", () => {
  match(String(compileRequest(["--target", "amiga"], "/p")), /unknown target amiga; .*x86_64-unknown-linux-gnu/);
  match(String(compileRequest(["--tarket", "x"], "/p")), /unknown argument --tarket/);
  match(String(compileRequest(["--output"], "/p")), /--output needs a value/);
});

for (const target of [undefined, ...TARGETS]) {
  Deno.test(`the binary for ${target ?? "this machine"} has no prompt, no remote import, no foreign functions`, () => {
    const args = compileArguments({ target, output: "/o", bundle: true }, "main.js");
    ok(args.includes("--no-prompt") && args.includes("--deny-import") && args.includes("--frozen"));
    ok(!args.some((name) => /ffi|allow-all|allow-import|^-A$/.test(name)));
    equal(args.includes("--target"), target !== undefined);
  });
}

Deno.test("the bundle keeps dynamic imports apart, so that what is not used is not loaded", () => {
  ok(bundleArguments("/b").includes("--code-splitting"));
});

Deno.test("the demo task runs with the permissions of the binary", () => {
  const flags = config.tasks.demo.split(" ").filter((word) => /^--(allow|deny|no-prompt)/.test(word));
  deepEqual(flags, PERMISSIONS);
});
