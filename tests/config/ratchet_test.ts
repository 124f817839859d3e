import assert from "node:assert/strict";
import { PERMISSIONS_BY_COMMAND, type RatchetCommand } from "../../src/config/mod.ts";

const PROGRAM = new URL("../fixtures/programs/config_ratchet.ts", import.meta.url).pathname;

async function after(command: RatchetCommand, permissions: readonly string[] = ["-A"]) {
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-q", "--no-check", "--no-prompt", ...permissions, PROGRAM, command],
  }).output();
  assert.equal(new TextDecoder().decode(stderr), "");
  return JSON.parse(new TextDecoder().decode(stdout));
}

Deno.test("each kind of command keeps exactly its permissions, and modules that load later still do", async () => {
  const expected: [RatchetCommand, readonly string[], readonly string[]][] = [
    ["run", ["read", "write", "net", "env", "run"], ["read", "write", "env", "run", "net"]],
    ["hooks validate", ["read", "env"], ["read", "env"]],
    ["hooks validate --fix", ["read", "write", "env"], ["read", "write", "env"]],
    ["version", [], []],
  ];
  for (const [command, left, works] of expected) {
    assert.deepEqual(await after(command), { left, works, zod: true }, command);
  }
});

Deno.test("a permission that was granted for one path or program only is given up as well", async () => {
  const narrow = ["--allow-read", "--allow-write=/tmp", "--allow-run=true", "--allow-net=127.0.0.1", "--allow-env"];
  assert.deepEqual((await after("hooks validate", narrow)).works, ["read", "env"]);
});

Deno.test("only run, chat and what writes a file keep more than reading", () => {
  const more = Object.entries(PERMISSIONS_BY_COMMAND)
    .filter(([, kept]) => kept.some((name) => name !== "read" && name !== "env"))
    .map(([command]) => command);
  assert.deepEqual(more, ["run", "chat", "hooks validate --fix", "trust", "config init"]);
});
