import assert from "node:assert/strict";
import { DEFAULT_SENSITIVE, protectionOf, sensitivePatternOf } from "../../src/config/mod.ts";
import { PLACE } from "./support.ts";

const HOME = "/home/u/.soong-agent";

Deno.test("the home is protected but for what is in artifacts and plans", () => {
  const rows: [string, boolean][] = [
    [HOME, true],
    [`${HOME}/hooks.json`, true],
    [`${HOME}/config.toml`, true],
    [`${HOME}/sessions/x.jsonl`, true],
    [`${HOME}/new/deep/file`, true],
    [`${HOME}/artifacts`, true],
    [`${HOME}/plans`, true],
    [`${HOME}/artifacts/s/0001-Bash.txt`, false],
    [`${HOME}/plans/a.md`, false],
    [`${HOME}/plans-old/a.md`, true],
    [`${HOME}/x/plans/a.md`, true],
    ["/home/u/.SOONG-Agent/Hooks.json", true],
    [`${HOME}/Plans/a.md`, true],
    [`${HOME}/plans/.onecode/hooks.json`, true],
    ["/home/u/.soong-agent2/hooks.json", false],
    ["/home/u/x/.soong-agent/hooks.json", false],
    ["/home/u", false],
  ];
  for (const [path, expected] of rows) {
    assert.equal(protectionOf({ home: HOME, path, scripts: [] }) !== undefined, expected, path);
  }
});

Deno.test("hook files of other dialects and hook scripts are protected in every folder and spelling", () => {
  const scripts = ["/srv/project/guard.sh"];
  const rows: [string, RegExp | undefined][] = [
    ["/srv/project/.onecode/hooks.json", /\.onecode/],
    ["/srv/project/sub/.OneCode/anything/new", /\.onecode/],
    ["/srv/project/.onecode", /\.onecode/],
    ["/srv/project/.onecode2/x", undefined],
    ["/srv/project/.claude/settings.json", /Claude/],
    ["/srv/project/.claude/settings.local.json", /Claude/],
    ["/home/u/.Claude/Settings.JSON", /Claude/],
    ["/srv/project/.claude/agents/x.md", undefined],
    ["/srv/project/.claude/settings.md", undefined],
    ["/srv/project/settings.json", undefined],
    ["/srv/project/.mcp.json", /MCP/],
    ["/srv/project/sub/.MCP.json", /MCP/],
    ["/srv/project/x.mcp.json", undefined],
    ["/srv/project/guard.sh", /script that a hook runs/],
    ["/srv/project/GUARD.sh", /script that a hook runs/],
    ["/srv/project/guard.sh.bak", undefined],
  ];
  for (const [path, expected] of rows) {
    const reason = protectionOf({ home: HOME, path, scripts });
    if (expected === undefined) assert.equal(reason, undefined, path);
    else assert.match(reason ?? "", expected, path);
  }
});

Deno.test("the default sensitive files are found by name, and the folders of keys by place", () => {
  const rows: [string, string | undefined][] = [
    ["/srv/project/.env", ".env"],
    ["/srv/project/a/b/.env.local", ".env.*"],
    ["/srv/project/.ENV", ".env"],
    ["/srv/project/.environment", undefined],
    ["/srv/project/x.env", undefined],
    ["/srv/project/certs/server.pem", "*.pem"],
    ["/srv/project/server.key", "*.key"],
    ["/srv/project/id_rsa", "id_*"],
    ["/srv/project/valid_x", undefined],
    ["/srv/project/id_tools/a.ts", undefined],
    ["/home/u/.ssh", "~/.ssh"],
    ["/home/u/.ssh/config", "~/.ssh"],
    ["/home/u/.aws/deep/credentials", "~/.aws"],
    ["/home/u/.config/gcloud/x", "~/.config/gcloud"],
    ["/home/u/.config/other", undefined],
    ["/home/u/.ssh2/config", undefined],
    ["/srv/project/.ssh/config", undefined],
  ];
  for (const [path, expected] of rows) {
    assert.equal(sensitivePatternOf(path, DEFAULT_SENSITIVE, PLACE), expected, path);
  }
});

Deno.test("patterns with a folder are relative to the project and cover what is below", () => {
  const patterns = ["secrets/**", "conf/prod", "/etc/shadow*", "<project>/x", "${SOONG_AGENT_HOME}/trust.json"];
  const rows: [string, string | undefined][] = [
    ["/srv/project/secrets/a/b", "secrets/**"],
    ["/srv/project/sub/secrets/a", undefined],
    ["/srv/project/conf/prod/db.toml", "conf/prod"],
    ["/srv/project/conf/production", undefined],
    ["/etc/shadow-", "/etc/shadow*"],
    ["/srv/project/x/y", "<project>/x"],
    [`${HOME}/trust.json`, "${SOONG_AGENT_HOME}/trust.json"],
  ];
  for (const [path, expected] of rows) assert.equal(sensitivePatternOf(path, patterns, PLACE), expected, path);
});
