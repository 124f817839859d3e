/** What is fuzzed: cases, and what has to hold for each. A throw is a failure. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { loadConfig, matchesRule, parsePermissionRule } from "../../src/config/mod.ts";
import { DIALECTS, loadHookFiles, loadProviderFile } from "../../src/hooks/mod.ts";
import { type Diagnostic, type HookRun, parseJson, POINTS } from "../../src/protocol/mod.ts";
import { globMatcher, linePattern, terminalSafe, visibleText } from "../../src/text/mod.ts";

/** Runs one target; `timed` runs one case and notes how long it took. */
export type Target = (timed: (work: () => void | Promise<void>) => Promise<void>) => fc.IAsyncProperty<unknown>;

function target<Case>(cases: fc.Arbitrary<Case>, check: (input: Case) => void | Promise<void>): Target {
  return (timed) => fc.asyncProperty(cases, (input) => timed(() => check(input))) as fc.IAsyncProperty<unknown>;
}

const HOOK_WORDS = [
  ...["version", "hooks", "PreToolUse", "Stop", "matcher", "tool_name", "type", "command", "timeout", "decision"],
  ...["pre_tool_call", "input", "output", "http", "url", "headers", "notification", "provider", "webhookUrl", "once"],
  ...["agent-hooks/0.1", "protocol", "deny", "Bash", "*", "a|b", "echo x", "https://h.example", "${X}", "{{Cwd}}"],
];

/** JSON that looks like a hook file, and what becomes of it when bytes of it are lost, doubled or changed. */
const words = fc.constantFrom(...HOOK_WORDS);
const scalar = fc.oneof(
  words,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.string({ unit: "binary" }),
);
const nested: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    scalar,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.oneof(words, fc.string()), tie("value"), { maxKeys: 5 }),
  ),
})).value;
const broken = fc.tuple(nested, fc.array(fc.tuple(fc.nat(), fc.nat(2), fc.string({ maxLength: 3 })), { maxLength: 4 }))
  .map(
    ([value, changes]) =>
      changes.reduce((text, [at, kind, piece]) => {
        const place = at % (text.length + 1);
        if (kind === 0) return text.slice(0, place) + text.slice(place + 1);
        return text.slice(0, place) + piece + text.slice(kind === 1 ? place : place + piece.length);
      }, JSON.stringify(value) ?? "null"),
  );
const file = fc.oneof(
  broken,
  fc.string({ unit: "binary" }),
  fc.uint8Array().map((bytes) => new TextDecoder().decode(bytes)),
);

/** Every finding has a place in the text it is about. */
function checkPlaces(diagnostics: readonly Diagnostic[], text: string): void {
  const lines = text.replace(/^\ufeff/, "").split(/\r\n|\r|\n/);
  for (const { line, column, message } of diagnostics) {
    assert.ok(line >= 1 && line <= lines.length, `line ${line} of ${lines.length}: ${message}`);
    assert.ok(column >= 1 && column <= lines[line - 1]!.length + 2, `column ${column} in line ${line}: ${message}`);
    assert.ok(!/\.ts:\d+|\bat \w+ \(/.test(message), message);
  }
}

const folder = Deno.makeTempDirSync({ prefix: "soong-fuzz-" });
globalThis.addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));

async function checkHookFile(text: string, dialect: "by_content" | "soong" | "onecode"): Promise<void> {
  const path = `${folder}/hooks.json`;
  await Deno.writeTextFile(path, text);
  const loaded = await loadHookFiles({
    files: [{ path, source: "user", dialect, base_priority: 100 }],
    project_dir: folder,
    default_timeout_ms: 1000,
  });
  checkPlaces(loaded.diagnostics, await Deno.readTextFile(path));
  for (const { id, timeout_ms: limit } of loaded.registrations) {
    assert.match(id, /^config:/);
    assert.ok(limit >= 1 && limit < 2 ** 31, `limit ${limit}`);
  }
}

function runOf(stdout: Uint8Array, code: number, stderr: string): HookRun {
  return { ending: { kind: "exited", code }, stdout, stdout_truncated: false, stderr, duration_ms: 1 };
}

const PLACE = { home: "/h/.soong-agent", user_home: "/h", project_dir: "/p" };
const shellPieces = fc.constantFrom(
  "rm",
  " ",
  ";",
  "&&",
  "$(",
  ")",
  "`",
  "'",
  '"',
  "\\",
  "\n",
  "<<E",
  "E",
  "{",
  "}",
  "a=1",
  "#",
  "|",
  "$x",
);
const shellLine = fc.oneof(
  fc.array(shellPieces, { maxLength: 60 }).map((pieces) => pieces.join("")),
  fc.string({ unit: "binary" }),
);

/** By name. */
export const TARGETS: Readonly<Record<string, Target>> = {
  "soong-files": target(file, (text) => checkHookFile(text, "soong")),
  "onecode-files": target(file, (text) => checkHookFile(text, "onecode")),
  "any-files": target(file, (text) => checkHookFile(text, "by_content")),
  "provider-files": target(file, (text) => {
    const { diagnostics } = loadProviderFile("/p.json", new TextEncoder().encode(text), "user");
    checkPlaces(diagnostics, new TextDecoder().decode(new TextEncoder().encode(text)));
  }),
  "config": target(
    fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(fc.constantFrom(...CONFIG_PIECES()), { maxLength: 40 }).map((one) => one.join("")),
    ),
    (text) => {
      const bytes = new TextEncoder().encode(text);
      const { diagnostics } = loadConfig({ ...PLACE, default_env_allowlist: [], read: () => bytes });
      checkPlaces(diagnostics, new TextDecoder().decode(bytes));
    },
  ),
  "hook-output": target(fc.tuple(file, fc.constantFrom(0, 1, 2, 127), fc.string()), ([text, code, stderr]) => {
    const stdout = new TextEncoder().encode(text);
    for (const dialect of Object.values(DIALECTS)) {
      for (const point of POINTS) {
        const { slot } = dialect.classify(runOf(stdout, code, stderr), point, "command");
        if (slot.kind !== "verdict" || slot.verdict.decision !== "allow") continue;
        assert.equal(code, 0, "a failed hook has not allowed");
        // Onecode takes any text as a message; elsewhere an allow is one clean document, or silence.
        if (dialect.speech !== "onecode" && text.trim() !== "") assert.doesNotThrow(() => parseJson(text));
      }
    }
  }),
  "globs": target(fc.tuple(fc.string(), fc.string()), ([glob, path]) => void globMatcher(glob).matches(path)),
  "patterns": target(fc.tuple(fc.string(), fc.string()), ([source, line]) => {
    const pattern = linePattern(source);
    if ("matches" in pattern) (pattern as { matches(text: string): boolean }).matches(line);
  }),
  "shell-rules": target(shellLine, (command) => {
    const parsed = parsePermissionRule("Bash(rm:*)");
    assert.ok(parsed.ok);
    const call = { id: "c", name: "Bash", input: { command }, tier: "dangerous", tags: ["dangerous"] } as const;
    const place = { ...PLACE, shell: "sh" } as const;
    const allowed = matchesRule(parsed.rule, "allow", call, place);
    if (allowed) assert.ok(matchesRule(parsed.rule, "deny", call, place), "what an allow takes, a deny takes as well");
  }),
  "shown-text": target(fc.string({ unit: "binary" }), (text) => {
    for (const shown of [terminalSafe(text), visibleText(text)]) {
      // deno-lint-ignore no-control-regex
      assert.doesNotMatch(shown, /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
    }
  }),
};

function CONFIG_PIECES(): readonly string[] {
  return [
    ...[
      "[hooks]\n",
      "[permissions]\n",
      "[trust]\n",
      "[[tools]]\n",
      "[providers.x]\n",
      "enabled",
      "mode",
      "allow",
      "pin",
    ],
    ...[" = ", "true", '"x"', "[", "]", "{", "}", "1", "1e400", "\n", "#", "'", '"', ".", ",", "\\", "ü", "\u0000"],
  ];
}
