import assert from "node:assert/strict";
import { childEnvironment, DEFAULT_ENV_ALLOWLIST } from "../../src/process/mod.ts";
import { run } from "./children.ts";

const SOURCE = {
  PATH: "/bin",
  HOME: "/home/u",
  LC_ALL: "C",
  LC_TIME: "de_DE",
  LCX: "no",
  ANTHROPIC_API_KEY: "secret",
  path: "lower",
};

Deno.test("only listed names pass, LC_* by their beginning, and no key reaches a child", () => {
  const expected = { PATH: "/bin", HOME: "/home/u", LC_ALL: "C", LC_TIME: "de_DE" };
  assert.deepEqual(childEnvironment(SOURCE, DEFAULT_ENV_ALLOWLIST, {}), expected);
});

Deno.test("a listed key passes, extra variables are added and win", () => {
  const environment = childEnvironment(SOURCE, ["ANTHROPIC_*", "HOME"], { HOME: "/other", SOONG_HOOK_EVENT: "Stop" });
  assert.deepEqual(environment, { ANTHROPIC_API_KEY: "secret", HOME: "/other", SOONG_HOOK_EVENT: "Stop" });
});

Deno.test("an empty list passes nothing, a lone star everything", () => {
  assert.deepEqual(childEnvironment(SOURCE, [], {}), {});
  assert.deepEqual(childEnvironment(SOURCE, ["*"], {}), SOURCE);
});

Deno.test("a child sees its environment, the mark of the agent, and nothing else", async () => {
  const { stdout } = await run(["/usr/bin/env"], { env: { ONLY: "this" } });
  const names = stdout.trim().split("\n").map((line) => line.split("=")[0]).sort();
  assert.deepEqual(names, ["ONLY", "PATH", "SOONG_AGENT_PROCESS", "SOONG_TEST_MARK"]);
});
