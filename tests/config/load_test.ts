import assert from "node:assert/strict";
import { type Config, loadConfig } from "../../src/config/mod.ts";
import { type Diagnostic, formatDiagnostic } from "../../src/protocol/mod.ts";

const ALLOWLIST = ["PATH", "HOME"];

function load(content: string | Uint8Array, projectDir = "/srv/project") {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const read = (path: string) => {
    assert.equal(path, "/home/u/.soong-agent/config.toml");
    return bytes;
  };
  const places = { home: "/home/u/.soong-agent", user_home: "/home/u", project_dir: projectDir };
  return loadConfig({ ...places, default_env_allowlist: ALLOWLIST, read });
}

function clean(content: string, projectDir?: string): Config {
  const loaded = load(content, projectDir);
  assert.deepEqual(loaded.diagnostics.map(formatDiagnostic), []);
  return loaded.config;
}

function only(content: string | Uint8Array): Diagnostic {
  const { diagnostics } = load(content);
  assert.equal(diagnostics.length, 1, diagnostics.map(formatDiagnostic).join("\n"));
  return diagnostics[0]!;
}

/** `line:column code message hint` of the only finding. */
function finding(content: string | Uint8Array): string {
  const { line, column, code, message, hint } = only(content);
  return `${line}:${column} ${code} ${message}${hint === undefined ? "" : ` | ${hint}`}`;
}

Deno.test("a missing file means defaults", () => {
  const loaded = loadConfig({
    home: "/h",
    user_home: undefined,
    project_dir: "/p",
    default_env_allowlist: ALLOWLIST,
    read: Deno.readFileSync,
  });
  assert.deepEqual(loaded, {
    path: "/h/config.toml",
    exists: false,
    diagnostics: [],
    config: {
      max_turns: 50,
      hooks: {
        enabled: true,
        strict: false,
        sources: ["soong", "onecode"],
        mode: "enforce",
        on_failure: "allow",
        default_timeout_ms: 60_000,
        max_stop_denials: 8,
        fail_closed_when_empty: false,
        profile: "sequential/run_all",
        on_approval: "stop",
        on_disagreement: "deny",
        on_transform_conflict: "deny",
        incremental: false,
      },
      permissions: {
        mode: "ask",
        allow: [],
        deny: [],
        sensitive: [".env", ".env.*", "*.pem", "*.key", "id_*", "~/.ssh", "~/.gnupg", "~/.aws", "~/.config/gcloud"],
        added_dirs: [],
      },
      runner: { env_allowlist: ALLOWLIST, kill_grace_ms: 2000, max_output_bytes: 1048576 },
      tools: { bash_timeout_ms: 120_000 },
      models: { idle_timeout_ms: 120_000, max_retries: 4 },
      plan: { default_dir: ".soong-agent/plans" },
      providers: {},
      trust: { directories: [], user_hooks: "trusted", pin: false },
    },
  });
});

Deno.test("every setting is read, in whatever spelling TOML has for it", () => {
  const config = clean(`
model = "local/qwen" # note
max_turns = 1_000
"max_tokens" = 0x10
hooks.enabled = false
hooks.strict = true
hooks.sources = ["soong", 'claude',]
hooks.mode = "evaluate_only"
hooks.on_failure = "deny"
hooks.default_timeout_ms = 1500
hooks.max_stop_denials = 0
hooks.fail_closed_when_empty = true
hooks.profile = "parallel/unanimous"
hooks.on_disagreement = "approval"
hooks.incremental = true

[permissions]
mode = "full"
allow = [
  "Bash(git status:*)", # one
  "Edit(src/**)",
]
deny = ['Bash(rm:*)']
sensitive = []
added_dirs = ["~/lib", "../shared", "<project>/x", "\${SOONG_AGENT_HOME}/plans"]

[runner]
env_allowlist = ["PATH", "LC_*", "ProgramFiles(x86)"]
kill_grace_ms = 0
max_output_bytes = 4096

[tools]
bash_timeout_ms = 1

[models]
idle_timeout_ms = 5000
max_retries = 0

[plan]
default_dir = "docs/plans"
[trust]
directories = ["~/src", "/srv/work"]
user_hooks = "always"
pin = true

[providers.local]
base_url = "http://127.0.0.1:8080/v1"

[providers."my.gateway"]
type = "anthropic"
base_url = "https://gw.example/x"
api_key_env = "GW_KEY"
headers = { "X-Team" = "a", 'x-b' = "c" }
`);
  assert.deepEqual(config, {
    model: "local/qwen",
    max_turns: 1000,
    max_tokens: 16,
    hooks: {
      enabled: false,
      strict: true,
      sources: ["soong", "claude"],
      mode: "evaluate_only",
      on_failure: "deny",
      default_timeout_ms: 1500,
      max_stop_denials: 0,
      fail_closed_when_empty: true,
      profile: "parallel/unanimous",
      on_approval: "stop",
      on_disagreement: "approval",
      on_transform_conflict: "deny",
      incremental: true,
    },
    permissions: {
      mode: "full",
      allow: ["Bash(git status:*)", "Edit(src/**)"],
      deny: ["Bash(rm:*)"],
      sensitive: [],
      added_dirs: ["/home/u/lib", "/srv/shared", "/srv/project/x", "/home/u/.soong-agent/plans"],
    },
    runner: { env_allowlist: ["PATH", "LC_*", "ProgramFiles(x86)"], kill_grace_ms: 0, max_output_bytes: 4096 },
    tools: { bash_timeout_ms: 1 },
    models: { idle_timeout_ms: 5000, max_retries: 0 },
    plan: { default_dir: "docs/plans" },
    trust: { directories: ["~/src", "/srv/work"], user_hooks: "always", pin: true },
    providers: {
      local: { type: "openai-compatible", base_url: "http://127.0.0.1:8080/v1", headers: {} },
      "my.gateway": {
        type: "anthropic",
        base_url: "https://gw.example/x",
        api_key_env: "GW_KEY",
        headers: { "X-Team": "a", "x-b": "c" },
      },
    },
  });
});

const TAKE_OUT = " | take it out: a setting that has no effect must not look as if it had one";
const NOT_EXPANDED = " is not expanded here: only ${SOONG_AGENT_HOME}, <project> and ~ at the beginning are";
const USE_SINGLE_QUOTES = " | in double quotes a backslash begins an escape (\\n is a line break): use single quotes";
const ROOT_KEYS =
  " | the keys here are model, max_turns, max_tokens, hooks, permissions, runner, tools, models, plan, " +
  "providers, trust, mcp_servers";
const HOOKS_KEYS = " | the keys here are enabled, strict, sources, mode, on_failure, default_timeout_ms, " +
  "max_stop_denials, fail_closed_when_empty, profile, on_approval, on_disagreement, on_transform_conflict, incremental";

Deno.test("slips of every kind are one finding with line, column and what to do", () => {
  const rows: [string, string][] = [
    [
      '[hooks]\nenabled = "false"\n',
      "2:11 wrong-type hooks.enabled is a string where true or false belongs | write false, without quotes",
    ],
    [
      "[hooks]\nenabled = true\nenabled = false\n",
      "3:1 duplicate-key hooks.enabled is set twice | it is set on line 2 already; keep one of the two",
    ],
    [
      '[hooks]\nenabled = false\n[plan]\ndefault_dir = "m"\n[hooks]\nenabled = true\n',
      "5:2 duplicate-key hooks is set twice | it is set on line 1 already; keep one of the two",
    ],
    [
      '[trust]\ndirectories = ["C:\\Users\\me"]\n',
      "2:21 syntax a backslash in a double-quoted string begins an escape, and this one is none | " +
      "put a Windows path in single quotes ('C:\\Users\\me'), or double each backslash",
    ],
    [
      "[hooks]\nenabled = true timeout = 5\n",
      "2:16 syntax something follows the value on the same line | write each key = value on a line of its own",
    ],
    ["[hooks]\nenabeld = true\n", '2:1 unknown-key unknown key "enabeld" in hooks | did you mean enabled?'],
    [
      "[hooks]\nenabled = true\n[__proto__]\npolluted = true\n",
      '3:2 unknown-key unknown key "__proto__"' + ROOT_KEYS,
    ],
    [
      "[hooks]\nx.y.z = 1",
      '2:1 unknown-key unknown key "x" in hooks' + HOOKS_KEYS,
    ],
    ["hooks = 5", "1:9 wrong-type hooks is a whole number where a table belongs"],
    ["[[hooks]]\nenabled = true", "1:3 wrong-type hooks is a list where a table belongs"],
    ["hooks.sources = 'soong'", "1:17 wrong-type hooks.sources is a string where a list in [ ] belongs"],
    [
      'hooks.sources = ["soong",\n  "onecod"]',
      '2:3 unknown-value hooks.sources[1] is "onecod", and it has to be "soong", ' +
      '"onecode" or "claude" | did you mean onecode?',
    ],
    [
      "hooks.sources = [true]",
      '1:18 wrong-type hooks.sources[0] is a boolean where one of "soong", "onecode" or "claude" belongs',
    ],
    ["max_turns = 0", "1:13 out-of-range max_turns is 0, and it has to be from 1 to 10000"],
    ["max_turns = 1.5", "1:13 wrong-type max_turns is a number with a fraction where a whole number belongs"],
    ["max_turns = 2026-01-01", "1:13 wrong-type max_turns is a date where a whole number belongs"],
    [
      "max_turns = 99999999999999999999",
      "1:13 out-of-range max_turns is 99999999999999999999, and it has to be from 1 to 10000",
    ],
    [
      "runner = { kill_grace_ms = 9223372036854775807 }",
      "1:28 out-of-range runner.kill_grace_ms is 9223372036854775807, and it has to be from 0 to 60000 milliseconds",
    ],
    ['model = ""', "1:9 invalid-value model: it is empty"],
    [
      'plan.default_dir = "C:\\new"',
      '1:20 invalid-value plan.default_dir: "C:\\new" holds a line break or control character' + USE_SINGLE_QUOTES,
    ],
    [
      'plan.default_dir = "${HOME}/x"',
      "1:20 unknown-placeholder plan.default_dir: ${HOME}" + NOT_EXPANDED,
    ],
    [
      'permissions.sensitive = [".env", "${X}/y"]',
      "1:34 unknown-placeholder permissions.sensitive[1]: ${X}" + NOT_EXPANDED,
    ],
    [
      '[permissions]\ndeny = [\n  "Bash(rm:*)",\n  "Bash(rm:*",\n]',
      '4:3 invalid-value permissions.deny[1]: "Bash(rm:*": at its character 10, the closing parenthesis is missing',
    ],
    ["[providers.x]\ntype = 'google'", "1:12 missing-key providers.x has no base_url | add a line: base_url = …"],
    ["providers.x.base_url = 'ftp://a'", "1:24 invalid-value providers.x.base_url: this is no http or https URL"],
    [
      "[providers.'a/b']\nbase_url = 'http://a'",
      '1:12 invalid-name providers."a/b": a provider\'s name has letters, digits, _, - and dots only',
    ],
    [
      "[providers.demo]\nbase_url = 'http://a'",
      "1:12 invalid-name providers.demo: demo means the scripted model: choose another name",
    ],
    [
      "[providers.x]\nbase_url = 'http://a'\nheaders = { 'a b' = 'x' }",
      '3:13 invalid-name providers.x.headers."a b": this is no name of an HTTP header',
    ],
    [
      "[providers.x]\nbase_url = 'http://a'\nheaders.a = '界'",
      "3:13 invalid-value providers.x.headers.a: an HTTP header holds Latin-1 characters only",
    ],
    [
      "[providers.x]\nbase_url = 'http://a'\napi_key_env = 'sk-123'",
      "3:15 invalid-value providers.x.api_key_env: " +
      "this is no name of an environment variable (the name, not its value)",
    ],
    [
      'runner.env_allowlist = ["PATH", "*"]',
      "1:33 invalid-value runner.env_allowlist[1]: " +
      "* would hand every variable, keys included, to every child: list the names",
    ],
    [
      "[mcp_servers.x]\ncommand = 'y'",
      "1:2 not-in-this-version mcp_servers (MCP servers) is not in this version of soong-agent" + TAKE_OUT,
    ],
    [
      "# one\n[[tools]]\nname = 'x'\n[[tools]]\nname = 'y'",
      "2:3 not-in-this-version tools (declarative tools) is not in this version of soong-agent" + TAKE_OUT,
    ],
    [
      "model = yes",
      "1:9 syntax a value is missing here, or it is none that TOML knows" +
      " | text stands in quotes, true and false do not, numbers are plain",
    ],
    ["model", "1:1 syntax this is neither key = value nor a [table]"],
  ];
  for (const [text, expected] of rows) assert.equal(finding(text), expected, text);
});

Deno.test("every problem is reported, in the order of the file, and what is right is kept", () => {
  const { config, diagnostics } = load("[hooks]\nstrict = 1\nenabled = false\n[plam]\n[models]\nmax_retries = 99\n");
  assert.deepEqual(diagnostics.map((one) => [one.line, one.column, one.code, one.path]), [
    [2, 10, "wrong-type", "hooks.strict"],
    [4, 2, "unknown-key", "plam"],
    [6, 15, "out-of-range", "models.max_retries"],
  ]);
  assert.deepEqual([config.hooks.enabled, config.hooks.strict, config.models.max_retries], [false, false, 4]);
});

Deno.test("a name of a prototype is data, and nothing is polluted", () => {
  for (const key of ["__proto__", "constructor", "toString", "hooks.__proto__", "providers.x.headers.__proto__"]) {
    load(`${key}.polluted = "x"\n`);
    load(`[${key}]\npolluted = true\n`);
  }
  const { config } = load('[providers.x]\nbase_url = "http://a"\n[providers.x.headers]\n__proto__ = "x"\n');
  assert.deepEqual(Object.entries(config.providers.x!.headers), [["__proto__", "x"]]);
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
});

Deno.test("a byte-order mark and CRLF change nothing, and places stay right", () => {
  assert.equal(clean("\ufeff[hooks]\r\nenabled = false\r\n").hooks.enabled, false);
  assert.match(finding("\ufeffmax_turns = 0\r\n"), /^1:13 /);
  assert.match(finding("\ufeff[hooks]\r\n\r\nenabeld = true\r\n"), /^3:1 unknown-key/);
  assert.match(finding("[hooks]\r\nenabled = tru\r\n"), /^2:11 syntax/);
});

Deno.test("another encoding is refused by its name, with the place of the first bad byte", () => {
  const utf16 = (mark: readonly number[], swap: boolean) =>
    new Uint8Array([
      ...mark,
      ...[..."[hooks]\n"].flatMap((unit) => swap ? [0, unit.charCodeAt(0)] : [unit.charCodeAt(0), 0]),
    ]);
  for (const bytes of [utf16([0xff, 0xfe], false), utf16([0xfe, 0xff], true), utf16([], false), utf16([], true)]) {
    assert.equal(finding(bytes), "1:1 encoding this file is UTF-16, save it as UTF-8");
  }
  const latin = new Uint8Array([...new TextEncoder().encode('# \ufffd 界\nmodel = "'), 0xe9, 0x22]);
  assert.equal(finding(latin), "2:10 encoding this file is not UTF-8, save it as UTF-8");
});

Deno.test("a file that is there and cannot be read is a finding, not a default", () => {
  const loaded = loadConfig({
    home: "/h",
    user_home: undefined,
    project_dir: "/p",
    default_env_allowlist: [],
    read: () => Deno.readFileSync("/"),
  });
  assert.equal(loaded.exists, true);
  assert.match(loaded.diagnostics[0]!.message, /cannot be read: Is a directory/);
});

Deno.test("tools.env_allowlist is another name of runner.env_allowlist, not a second list", () => {
  assert.deepEqual(clean('tools.env_allowlist = ["PATH", "MY_KEY"]').runner.env_allowlist, ["PATH", "MY_KEY"]);
  assert.match(
    finding('[runner]\nenv_allowlist = ["PATH"]\n[tools]\nenv_allowlist = ["PATH"]'),
    /^4:1 duplicate-key tools.env_allowlist is another name/,
  );
});

Deno.test("an allow-list without PATH is warned about", () => {
  const warning = only('tools.env_allowlist = ["HOME"]');
  assert.equal(warning.severity, "warning");
  assert.match(warning.message, /has no PATH/);
  assert.deepEqual(load('runner.env_allowlist = ["PA*"]').diagnostics, []);
});
