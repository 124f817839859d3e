/** What OneCode's own tests assert of matchers, loading and reloading: one row for each, by its number. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { createHooks } from "../../src/mod.ts";
import { createRegistry, loadHookFiles } from "../../src/hooks/mod.ts";
import { classifyOnecode } from "../../src/hooks/onecode/classify.ts";
import { compileMatcher } from "../../src/hooks/onecode/matcher.ts";
import type { Occasion } from "../../src/protocol/mod.ts";
import { renderTemplate } from "../../src/text/mod.ts";
import { answers, engineOf, MOMENT, NEVER, OCCASIONS, registration, runOf, SCOPE } from "./engine_support.ts";
import { callOf, inFolder, loadText } from "./hook_files.ts";
import { commandOf, hookText, inReloadWorld, onecodeText } from "./reload_support.ts";

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
  "O-31 (difference) the updatedInput of two hooks rewrites nothing, and of each it is said": async () => {
    const engine = engineOf(
      ["alone", "beside"].map((id) => registration(id, { speech: "onecode" })),
      answers({ alone: '{"updatedInput":{"command":"x"}}', beside: '{"message":"m","updatedInput":{"command":"y"}}' }),
    );
    const result = await engine.emit(OCCASIONS.pre_tool_call, MOMENT, NEVER);
    assert.deepEqual([result.effect, result.rewritten, result.message], ["proceed", undefined, "m"]);
    assert.deepEqual(result.reports.map(({ outcome, cause }) => [outcome, cause]), [
      ["undecided", "output"],
      ["allow", undefined],
    ]);
    assert.equal(result.notices.length, 2);
    for (const { message } of result.notices) assert.match(message, /updatedInput/);
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
    const found = (occasion: Occasion) =>
      registry.snapshot().matching(occasion).map(({ registration }) => registration);
    const groupOf = (command: string, matcher: string) => [{ matcher, hooks: [{ command }] }];
    registry.replaceConfig((await loadText(onecodeText("old"), { dialect: "onecode" })).registrations);
    assert.deepEqual(found(callOf("Read")).map(commandOf), ["old"]);
    const next = { pre_tool_call: groupOf("new-1", "Bash"), output: groupOf("new-2", "*") };
    registry.replaceConfig((await loadText(next, { dialect: "onecode" })).registrations);
    assert.equal(registry.snapshot().registrations.length, 2);
    assert.deepEqual(found(callOf("Bash")).map(commandOf), ["new-1"]);
    assert.deepEqual(found(callOf("Read")), []);
    assert.deepEqual(found(OCCASIONS.output).map(commandOf), ["new-2"]);
    registry.replaceConfig([]);
    assert.deepEqual(registry.snapshot().registrations, []);
  },
  "O-43 loading gives hooks whose ids begin with config:, and registers nothing": () =>
    inReloadWorld(
      { prepare: (folder) => Deno.writeTextFile(join(folder, "hooks.json"), onecodeText("live")) },
      async ({ folder, registry }) => {
        const live = registry.snapshot();
        const path = join(folder, "other.json");
        await Deno.writeTextFile(path, onecodeText("a", "b"));
        const { registrations } = await loadHookFiles({
          files: [{ path, source: "user", dialect: "onecode", base_priority: 100 }],
          project_dir: folder,
          default_timeout_ms: 1000,
        });
        assert.deepEqual(registrations.map(commandOf), ["a", "b"]);
        for (const { id } of registrations) assert.match(id, /^config:pre_tool_call:Command:[0-9a-f]{6}$/);
        assert.equal(registry.snapshot(), live);
      },
    ),
  "O-47 a hook from code is still there after its neighbours' file was rewritten with two": () =>
    inReloadWorld(
      { prepare: (folder) => Deno.writeTextFile(join(folder, "hooks.json"), onecodeText("old")) },
      async ({ folder, registry, reloader, commands }) => {
        registry.register(registration("my-plugin:audit", { speech: "onecode", source: "plugin", priority: 300 }));
        await Deno.writeTextFile(join(folder, "hooks.json"), onecodeText("a", "b"));
        await reloader.reload();
        assert.deepEqual(commands(), ["a", "b", "my-plugin:audit"]);
      },
    ),
  "O-65 each field alone is the value of the payload": async () => {
    const scope = { ...SCOPE, agent: { id: "agent-2", type: "explore" } };
    const values: Readonly<Record<string, string>> = {
      Point: "input",
      SessionId: SCOPE.session_id,
      Cwd: SCOPE.project_dir,
      UserMessage: OCCASIONS.input.prompt,
      AgentId: "agent-2",
      AgentType: "explore",
    };
    const rendered: string[] = [];
    const engine = engineOf([registration("a", { speech: "onecode", point: "input" })], ({ fields }) => {
      for (const name of [...Object.keys(values), "ToolName"]) {
        rendered.push(renderTemplate(`{{${name}}}`, fields(), "text"));
      }
      return Promise.resolve(runOf(""));
    }, { scope });
    await engine.emit(OCCASIONS.input, MOMENT, NEVER);
    assert.deepEqual(rendered, [...Object.values(values), ""]);
  },
  "origins 27: matchers that differ in case only, or not at all, leave hooks in the order of the file": async () => {
    const matchers = ["Bash", "*", "bash", "Read", "BASH", "B*", "Bash", "bash|Read", "*"];
    const { registrations } = await loadText({
      pre_tool_call: matchers.map((matcher, index) => ({ matcher, hooks: [{ command: `${index} ${matcher}` }] })),
    }, { dialect: "onecode" });
    const asked: string[] = [];
    const engine = engineOf(registrations, ({ registration }) => {
      asked.push(commandOf(registration));
      return Promise.resolve(runOf(""));
    });
    await engine.emit(callOf("Bash"), MOMENT, NEVER);
    assert.deepEqual(asked, ["0 Bash", "1 *", "2 bash", "4 BASH", "5 B*", "6 Bash", "7 bash|Read", "8 *"]);
  },
};

for (const [title, check] of Object.entries(ROWS)) Deno.test(title, check);
