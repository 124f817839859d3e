import assert from "node:assert/strict";
import { type Config, loadConfig, resolveSettings, type SettingFlags } from "../../src/config/mod.ts";

function config(text: string): Config {
  return loadConfig({
    home: "/h",
    user_home: "/u",
    project_dir: "/p",
    default_env_allowlist: [],
    read: () => new TextEncoder().encode(text),
  }).config;
}

function resolved(flags: SettingFlags, env: Record<string, string>, text: string): Config {
  const settings = resolveSettings(flags, env, config(text));
  assert.ok(settings.ok, Deno.inspect(settings));
  return settings.config;
}

const FILE = 'model = "file/m"\nmax_turns = 3\nmax_tokens = 30\n[permissions]\nmode = "read-only"\n';
const ENV = {
  SOONG_MODEL: "env/m",
  SOONG_MAX_TURNS: "2",
  SOONG_MAX_TOKENS: "20",
  SOONG_PERMISSION_MODE: "accept-edits",
};

function shown({ model, max_turns, max_tokens, permissions }: Config) {
  return [model, max_turns, max_tokens, permissions.mode];
}

Deno.test("flags win over the environment, the environment over the file, the file over defaults", () => {
  const flags: SettingFlags = { model: "flag/m", max_turns: 1, max_tokens: 10, permission_mode: "full" };
  assert.deepEqual(shown(resolved(flags, ENV, FILE)), ["flag/m", 1, 10, "full"]);
  assert.deepEqual(shown(resolved({}, ENV, FILE)), ["env/m", 2, 20, "accept-edits"]);
  assert.deepEqual(shown(resolved({}, {}, FILE)), ["file/m", 3, 30, "read-only"]);
  assert.deepEqual(shown(resolved({}, {}, "")), [undefined, 50, undefined, "ask"]);
  assert.deepEqual(shown(resolved({ model: "flag/m" }, { ...ENV, SOONG_MAX_TURNS: "" }, FILE)), [
    "flag/m",
    3,
    20,
    "accept-edits",
  ]);
});

Deno.test("--no-hooks switches hooks off whatever the file says", () => {
  assert.equal(resolved({ no_hooks: true }, {}, "hooks.enabled = true").hooks.enabled, false);
  assert.equal(resolved({ no_hooks: false }, {}, "hooks.enabled = false").hooks.enabled, false);
  assert.equal(resolved({}, {}, "").hooks.enabled, true);
});

Deno.test("a variable that cannot be right is named with what it has to be, unless a flag stands above it", () => {
  const env = { SOONG_MAX_TURNS: "many", SOONG_MAX_TOKENS: "0", SOONG_PERMISSION_MODE: "yolo" };
  assert.deepEqual(resolveSettings({}, env, config("")), {
    ok: false,
    problems: [
      'SOONG_PERMISSION_MODE is "yolo", and it has to be one of ask, accept-edits, read-only, full',
      'SOONG_MAX_TURNS is "many", and it has to be a whole number from 1 to 10000',
      'SOONG_MAX_TOKENS is "0", and it has to be a whole number from 1 to 1000000000',
    ],
  });
  const flags: SettingFlags = { max_turns: 7, max_tokens: 70, permission_mode: "ask" };
  assert.deepEqual(shown(resolved(flags, env, "")), [undefined, 7, 70, "ask"]);
});
