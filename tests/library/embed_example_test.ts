/** The example for embedders, as its first comment says to run it. */
import assert from "node:assert/strict";

Deno.test("examples/embed registers and fires hooks from code and runs an agent through them", async () => {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "soong-embed-" }));
  try {
    const main = new URL("../../examples/embed/main.ts", import.meta.url).pathname;
    const config = new URL("../../deno.json", import.meta.url).pathname;
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "--quiet", "--no-check", "--no-prompt", "--config", config],
        ...["--allow-read", "--allow-write", "--allow-run", "--allow-env", main],
      ],
      cwd: folder,
      env: { NO_COLOR: "1" },
    }).output();
    assert.equal(new TextDecoder().decode(stderr), "");
    assert.equal(code, 0);
    assert.deepEqual(new TextDecoder().decode(stdout).trim().split("\n"), [
      "input: proceed []",
      'input: block [ "prompts with passwords are refused" ]',
      "anything on Bash results: true",
      "anything on Read results: false",
      "hook: my-plugin:no-secrets at input: allow",
      "hook: my-plugin:audit at post_tool_call: allow",
      "agent: completed: The folder is listed.",
      'audited: [ "Bash" ]',
    ]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
