import assert from "node:assert/strict";
import { resolveHome } from "../../src/config/mod.ts";

Deno.test("the home is SOONG_AGENT_HOME, else .soong-agent of the user", () => {
  const rows: [string | undefined, string | undefined, string][] = [
    ["/x/home", "/home/u", "/x/home"],
    ["/x//home/./y/../", "/home/u", "/x/home"],
    ["~/agent", "/home/u", "/home/u/agent"],
    [undefined, "/home/u", "/home/u/.soong-agent"],
    ["", "/home/u/", "/home/u/.soong-agent"],
    ["/x", undefined, "/x"],
    ["/", undefined, "/"],
  ];
  for (const [set, userHome, path] of rows) {
    assert.deepEqual(resolveHome({ env: { SOONG_AGENT_HOME: set }, user_home: userHome }), { kind: "home", path });
  }
});

Deno.test("no home, and one that is not absolute, are a sentence that says what to set", () => {
  const rows: [string | undefined, string | undefined, RegExp][] = [
    [undefined, undefined, /neither SOONG_AGENT_HOME nor HOME is set: set SOONG_AGENT_HOME/],
    ["", "", /neither/],
    ["relative/x", "/home/u", /SOONG_AGENT_HOME has to be an absolute path, and it is "relative\/x"/],
    ["~/x", undefined, /SOONG_AGENT_HOME has to be an absolute path/],
    [undefined, "home", /HOME has to be an absolute path/],
  ];
  for (const [set, userHome, says] of rows) {
    const resolved = resolveHome({ env: { SOONG_AGENT_HOME: set }, user_home: userHome });
    assert.ok(resolved.kind === "problem");
    assert.match(resolved.message, says);
  }
});
