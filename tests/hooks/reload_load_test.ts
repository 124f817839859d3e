/** Emissions without a pause while the files under them are rewritten in every way. */
import assert from "node:assert/strict";
import { createExecutors } from "../../src/executors/mod.ts";
import { createHookEngine, DIALECTS } from "../../src/hooks/mod.ts";
import { runCommand } from "../../src/process/mod.ts";
import { MOMENT, NEVER, OCCASIONS, SCOPE } from "./engine_support.ts";
import { inReloadWorld, pause, QUICK_SAVES, type Save, shell, SLOW_SAVES } from "./reload_support.ts";

const EMISSIONS = 1000;
const REWRITES = 50;

/** Static rules for Bash and commands for Read; every one of them denies with the version in its reason. */
const STATIC_RULES = 12;
const COMMAND_HOOKS = 3;

function soongText(version: number): string {
  const rules = Array.from({ length: STATIC_RULES }, (_, index) => ({
    matcher: "Bash",
    hooks: [{ type: "command", decision: "deny", reason: `soong version-${version} rule ${index}` }],
  }));
  const commands = Array.from({ length: COMMAND_HOOKS }, (_, index) => ({
    type: "command",
    command: `echo '{"decision":"deny","reason":"soong version-${version} command ${index}"}'`,
  }));
  const PreToolUse = [...rules, { matcher: "Read", hooks: commands }];
  return JSON.stringify({ version: 1, hooks: { PreToolUse } }, null, 1) + "\n";
}

function onecodeText(version: number): string {
  const hooks = Array.from({ length: COMMAND_HOOKS }, (_, index) => ({
    type: "command",
    command: `echo onecode version-${version} command ${index} >&2; exit 2`,
  }));
  return JSON.stringify({ pre_tool_call: [{ matcher: "Read", hooks }] }, null, 1) + "\n";
}

const saves = Object.values<Save>({ ...QUICK_SAVES, "in pieces": SLOW_SAVES["in pieces"] });

/** The version of each file that an emission met, and that it met all of it: its hooks in order, none of another. */
function versionsOf(tool: string, reasons: readonly string[]): string {
  const expected = (file: string, kind: string, count: number) => {
    const own = reasons.filter((reason) => reason.startsWith(file));
    const [version] = own.map((reason) => /version-\d+/.exec(reason)![0]);
    assert.deepEqual(own, Array.from({ length: count }, (_, index) => `${file} ${version} ${kind} ${index}`));
    return `${file} ${version}`;
  };
  if (tool === "Bash") {
    assert.equal(reasons.length, STATIC_RULES);
    return expected("soong", "rule", STATIC_RULES);
  }
  assert.equal(reasons.length, 2 * COMMAND_HOOKS);
  return `${expected("soong", "command", COMMAND_HOOKS)}, ${expected("onecode", "command", COMMAND_HOOKS)}`;
}

Deno.test("1000 emissions while files are rewritten 50 times: each sees one generation, whole, and no hook is lost", async () => {
  const prepare = (folder: string) =>
    shell('cd "$1"; mkdir a; printf %s "$2" > a/hooks.json; ln -s a current; printf %s "$3" > onecode.json', ...[
      folder,
      soongText(0),
      onecodeText(0),
    ]);
  const files = [
    { path: "current/hooks.json" },
    { path: "onecode.json", source: "project", dialect: "onecode", base_priority: 200 },
  ] as const;
  const options = { prepare, files, debounce_ms: 5, poll_ms: 100, confirm_ms: 1000 };
  await inReloadWorld(options, async ({ folder, registry, events, until }) => {
    const engine = createHookEngine(registry, DIALECTS, {
      scope: { ...SCOPE, project_dir: folder },
      executors: createExecutors({
        runCommand,
        project_dir: folder,
        home: folder,
        child_env: { PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin" },
        kill_grace_ms: 300,
        max_output_bytes: 1 << 20,
        secrets: { variable: () => undefined },
        providers: () => assert.fail("no hook here sends a message"),
        now: () => new Date(),
      }),
      on_failure: "allow",
      mode: "enforce",
      fail_closed_when_empty: false,
      now: () => new Date(),
    });

    let rewrites = 0;
    const rewriting = (async () => {
      let versions = [0, 0];
      for (; rewrites < REWRITES; rewrites++) {
        const [soong = 0, onecode = 0] = versions;
        const save = saves[rewrites % saves.length]!;
        const path = `${folder}/current/hooks.json`;
        if (rewrites % 10 === 4) {
          await Deno.writeTextFile(`${folder}/onecode.json`, '{ "pre_tool_call": [{ "matcher"');
        } else if (rewrites % 10 === 5) {
          // The broken text has nothing that sed could change.
          const repair = save === QUICK_SAVES["by sed -i"] ? QUICK_SAVES["in place"] : save;
          await repair(`${folder}/onecode.json`, onecodeText(onecode + 1), onecodeText(onecode));
          versions = [soong, onecode + 1];
        } else if (rewrites % 10 === 8) {
          await Deno.writeTextFile(path, "");
          await pause(30);
          await Deno.writeTextFile(path, soongText(soong));
        } else if (rewrites % 10 === 9) {
          await shell(
            'cd "$1"; mkdir "v$2"; printf %s "$3" > "v$2/hooks.json"; ln -s "v$2" new; mv -T new current',
            ...[
              folder,
              String(rewrites),
              soongText(soong + 1),
            ],
          );
          versions = [soong + 1, onecode];
        } else {
          await save(path, soongText(soong + 1), soongText(soong));
          versions = [soong + 1, onecode];
        }
        await pause(25);
      }
      return versions;
    })();

    const metBy = new Map<string, string>();
    let generation = 0;
    for (let count = 0; count < EMISSIONS || rewrites < REWRITES; count++) {
      const tool = count % 20 === 0 ? "Read" : "Bash";
      const occasion = { ...OCCASIONS.pre_tool_call, call: { ...OCCASIONS.pre_tool_call.call, name: tool } };
      const result = await engine.emit(occasion, MOMENT, NEVER);
      assert.equal(result.effect, "block");
      assert.ok(result.verdict.decision === "deny");
      const met = versionsOf(tool, result.verdict.reasons);
      const key = `generation ${result.generation} for ${tool}`;
      assert.equal(metBy.get(key) ?? met, met);
      metBy.set(key, met);
      assert.ok(result.generation >= generation);
      ({ generation } = result);
      if (rewrites < REWRITES) await pause(count % 3);
    }
    const [soong, onecode] = await rewriting;
    await until("the last versions are in force", () => {
      const text = JSON.stringify(registry.snapshot().registrations);
      return text.includes(`soong version-${soong} `) && text.includes(`onecode version-${onecode} `);
    });
    const seen = new Set([...metBy.keys()].map((key) => key.split(" ")[1]));
    assert.ok(seen.size > 10, `only ${seen.size} generations were met`);
    const generations = events().flatMap((event) => event.type === "config_reloaded" ? [event.generation] : []);
    assert.deepEqual(
      [...new Set(generations)],
      Array.from({ length: registry.snapshot().generation - 1 }, (_, at) => at + 2),
    );
    assert.deepEqual(events().filter(({ type }) => type === "error"), []);
    assert.ok(!events().some((event) => event.type === "warning" && event.code === "config_file_gone"));
  });
});
