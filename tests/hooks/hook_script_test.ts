import assert from "node:assert/strict";
import { join } from "node:path";
import { filesNamedByHook, missingScriptOfHook, type Registration, scriptOfHook } from "../../src/hooks/mod.ts";

type Command = Extract<Registration["executor"], { type: "command" }>;

function hookOf(command: Command["command"], more: Partial<Command> = {}): Pick<Registration, "executor"> {
  return { executor: { type: "command", command, ...more } };
}

Deno.test("a link in place of a script is named as the link, and as what it leads to by scriptOfHook", async () => {
  const root = await Deno.realPath(await Deno.makeTempDir());
  try {
    const project = join(root, "p");
    await Deno.mkdir(join(project, "sub"), { recursive: true });
    await Deno.writeTextFile(join(root, "outside.sh"), "");
    await Deno.writeTextFile(join(project, "sub", "in.sh"), "");
    await Deno.symlink(join(root, "outside.sh"), join(project, "out.sh"));
    await Deno.symlink("/dev/null", join(project, "device"));
    const place = { project_dir: project, variables: { ROOT: project } };
    const rows: readonly (readonly [
      hook: Pick<Registration, "executor">,
      script: string | undefined,
      real: string | undefined,
    ])[] = [
      [hookOf("sh out.sh"), join(project, "out.sh"), join(root, "outside.sh")],
      [hookOf(["sh", "out.sh"]), join(project, "out.sh"), join(root, "outside.sh")],
      [hookOf('sh "$ROOT/./out.sh"'), join(project, "out.sh"), join(root, "outside.sh")],
      [hookOf("sh in.sh", { working_dir: "sub" }), join(project, "sub/in.sh"), join(project, "sub/in.sh")],
      [hookOf("sh device"), undefined, undefined],
      [hookOf("sh missing.sh"), undefined, undefined],
      [hookOf('sh "$UNKNOWN/out.sh"'), undefined, undefined],
    ];
    for (const [hook, script, real] of rows) {
      const what = JSON.stringify(hook);
      assert.equal(filesNamedByHook(hook, place).script, script, what);
      assert.equal(scriptOfHook(hook, place), real, what);
    }
    const { words } = filesNamedByHook(hookOf("sh device missing.sh $X ''"), place);
    assert.deepEqual(words, ["sh", "device", "missing.sh"].map((word) => join(project, word)));
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("a script that a hook names and that is not there is told from other words of a command", async () => {
  const project = await Deno.realPath(await Deno.makeTempDir());
  try {
    await Deno.writeTextFile(join(project, "there.sh"), "");
    await Deno.mkdir(join(project, "tools"));
    const place = { project_dir: project, variables: { ROOT: project } };
    const rows: readonly (readonly [command: Command["command"], missing: string | undefined])[] = [
      ["sh .onecode/late.sh", ".onecode/late.sh"],
      ["/bin/sh late.sh", "late.sh"],
      ["./late --all", "late"],
      ["python3 -u tools/late", "tools/late"],
      ['sh "$ROOT/late.sh"', "late.sh"],
      [["sh", "-c", "sh late.sh"], "late.sh"],
      ["sh there.sh late.sh", undefined],
      ["./there.sh out/late", undefined],
      ["touch FIRED", undefined],
      ["touch out/FIRED", undefined],
      ["sh tools", undefined],
      ["curl https://host.test/late.sh", undefined],
      ['sh "$UNKNOWN/late.sh"', undefined],
    ];
    for (const [command, missing] of rows) {
      const expected = missing === undefined ? undefined : join(project, missing);
      assert.equal(missingScriptOfHook(hookOf(command), place), expected, String(command));
    }
  } finally {
    await Deno.remove(project, { recursive: true });
  }
});
