/** What OneCode's own tests assert of matchers, loading and reloading: one row for each, by its number. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { createHooks } from "../../src/mod.ts";
import { createRegistry, loadHookFiles } from "../../src/hooks/mod.ts";
import { classifyOnecode } from "../../src/hooks/onecode/classify.ts";
import { compileMatcher } from "../../src/hooks/onecode/matcher.ts";
import { runOf } from "./engine_support.ts";
import { callOf, inFolder } from "./hook_files.ts";
import { hookText, inReloadWorld, onecodeText } from "./reload_support.ts";

const MATCHERS: readonly (readonly [number: string, matcher: string, subject: string, matches: boolean])[] = [
  ["O-01", "", "Bash", true],
  ["O-01", "*", "Bash", true],
  ["O-01", "*", "", true],
  ["O-01", "", "", true],
  ["O-01", "*", "any text", true],
  ["O-03", "Bash", "Read", false],
  ["O-04", "Bash*", "Bash", true],
  ["O-04", "Bash*", "BashRun", true],
  ["O-06", "*Tool", "MyTool", true],
  ["O-06", "*Tool", "Tool", true],
  ["O-07", "Ba*sh", "Bash", true],
  ["O-07", "B*h*", "Bash", true],
  ["O-09", "  Write  |  Read  ", "Write", true],
  ["O-09", "  Write  |  Read  ", "Read", true],
  ["O-10", "Bash", "", false],
  ["O-10", "Bash*", "", false],
];

for (const [number, matcher, subject, matches] of MATCHERS) {
  Deno.test(`${number} ${JSON.stringify(matcher)} ${matches ? "matches" : "does not match"} ${JSON.stringify(subject)}`, () => {
    assert.equal(compileMatcher(matcher).matches(callOf(subject)).matched, matches);
  });
}

const ROWS: Readonly<Record<string, () => void | Promise<void>>> = {
  "O-19 in a workspace that is not trusted nothing is active": () => {
    for (const trusted of [false, true]) {
      const hooks = createHooks({ project_dir: "/", home: "/h", env: {}, trusted });
      hooks.register({
        id: "a",
        point: "pre_model_call",
        matcher: "gpt-*",
        executor: { type: "command", command: "true" },
        requires_trust: true,
      });
      assert.equal(hooks.hasActive("pre_model_call", "gpt-5"), trusted);
    }
  },
  "O-28 a blockingError without any outcome counts as a deny": () => {
    const { slot } = classifyOnecode(runOf('{"blockingError":{"error":"no"}}'), "pre_tool_call", "command");
    assert.ok(slot.kind === "verdict" && slot.verdict.decision === "deny");
    assert.equal(slot.verdict.reason, "no");
  },
  "O-31 (difference) updatedInput changes nothing, and that is said": () => {
    const { slot, extras } = classifyOnecode(runOf('{"updatedInput":{"command":"x"}}'), "pre_tool_call", "command");
    assert.notEqual(slot.kind === "verdict" && slot.verdict.decision, "transform");
    assert.ok(slot.kind === "undecided" || extras.warnings.length > 0);
  },
  "O-42 (difference) an unknown point is one finding; a matcher at output is an error and costs its group": () =>
    inFolder(async (folder) => {
      const path = join(folder, "hooks.json");
      const group = (matcher: string) => [{ matcher, hooks: [{ command: "x" }] }];
      await Deno.writeTextFile(
        path,
        JSON.stringify({ MysteryEvent: group("*"), output: group("Completed"), input: group("") }),
      );
      const { files } = await loadHookFiles({
        files: [{ path, source: "user", dialect: "onecode", base_priority: 100 }],
        project_dir: folder,
        default_timeout_ms: 1000,
      });
      assert.deepEqual(files.map(({ status, hook_count: count }) => [status, count]), [["loaded", 1]]);
      assert.deepEqual(files[0]!.diagnostics.map(({ code }) => code), ["unknown-point", "matcher-never-matches"]);
    }),
  "O-44 after the first load the hooks are there and the report says loaded": () =>
    inReloadWorld(
      { prepare: (folder) => Deno.writeTextFile(join(folder, "hooks.json"), hookText("a")) },
      ({ hooks, commands }) => {
        assert.deepEqual(commands(), ["a"]);
        assert.deepEqual(hooks.loaded.files.map(({ status }) => status), ["loaded"]);
        return Promise.resolve();
      },
    ),
  "O-46 a file that becomes broken is reported as failed, and its hook is still registered": () =>
    inReloadWorld(
      { prepare: (folder) => Deno.writeTextFile(join(folder, "hooks.json"), onecodeText("a")) },
      async ({ folder, hooks, reloader, commands }) => {
        await Deno.writeTextFile(join(folder, "hooks.json"), '{ "pre_tool_call": [');
        await reloader.reload();
        assert.deepEqual(hooks.loaded.files.map(({ status }) => status), ["failed"]);
        assert.deepEqual(commands(), ["a"]);
      },
    ),
  "O-32, O-34 what came out of files is replaced as a whole, by nothing too": async () => {
    const registry = createRegistry();
    await inFolder(async (folder) => {
      const path = join(folder, "hooks.json");
      await Deno.writeTextFile(path, onecodeText("old"));
      const loaded = await loadHookFiles({
        files: [{ path, source: "user", dialect: "onecode", base_priority: 100 }],
        project_dir: folder,
        default_timeout_ms: 1000,
      });
      registry.replaceConfig(loaded.registrations);
      assert.equal(registry.snapshot().registrations.length, 1);
      registry.replaceConfig([]);
      assert.deepEqual(registry.snapshot().registrations, []);
    });
  },
};

for (const [title, check] of Object.entries(ROWS)) Deno.test(title, check);
