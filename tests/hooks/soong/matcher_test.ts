import assert from "node:assert/strict";
import type { Occasion } from "../../../src/protocol/mod.ts";
import { callOf, inFolder, loadText, rule, rules, TOOLS } from "../hook_files.ts";
import { createRegistry, loadHookFiles } from "../../../src/hooks/mod.ts";
import { resolveNearest } from "../../../src/hooks/path_prefixes.ts";

async function matchOf(matcher: unknown, occasion: Occasion) {
  const { registrations } = await loadText(rules(rule(matcher)));
  return registrations[0]!.matcher.matches(occasion);
}

/** Matcher, tool, whether it fires: exact names, no glob, no alternatives, no regular expression. */
const NAMES: readonly (readonly [matcher: unknown, tool: string, fires: boolean])[] = [
  [undefined, "Bash", true],
  ["", "Bash", true],
  ["*", "Bash", false],
  ["Bash", "Bash", true],
  ["bash", "Bash", false],
  ["Bash", "BashOutput", false],
  ["Bas", "Bash", false],
  ["ash", "Bash", false],
  [" Bash ", "Bash", false],
  ["Bash*", "BashRun", false],
  ["Bash*", "Bash", false],
  ["Bash*", "Bash*", true],
  ["*Tool", "MyTool", false],
  ["Write|Edit", "Edit", false],
  ["Write|Edit", "WriteEdit", false],
  ["Write||Edit", "Bash", false],
  ["|", "Bash", false],
  ["mcp__gh", "mcp__gh__create", false],
  ["mcp__gh__*", "mcp__gh__create", false],
  ["mcp__gh__create", "mcp__gh__create", true],
  [".*", "Bash", false],
  ["^Bash$", "Bash", false],
  [{}, "Bash", true],
  [{ tool_name: "Bash" }, "Bash", true],
  [{ canonical_tool_name: "Bash" }, "Bash", true],
  [{ tool: "Bash" }, "Read", false],
  [{ tag: "dangerous" }, "Bash", true],
  [{ tag: "Dangerous" }, "Bash", false],
  [{ tag: "dangerous" }, "Read", false],
  [{ tag: "write" }, "Bash", true],
  [{ tool_name: "Bash", tag: "shell" }, "Bash", true],
  [{ tool_name: "Bash", tag: "readonly" }, "Bash", false],
  [{ tool_name: "Bash", canonical_tool_name: "Read" }, "Bash", false],
  [{ event_type: "PreToolUse", tool_name: "Bash" }, "Bash", true],
  [{ event: "tool_started" }, "Bash", true],
  [{ path_prefix: "src" }, "Bash", false],
];

for (const [matcher, tool, fires] of NAMES) {
  Deno.test(`matcher ${JSON.stringify(matcher)} ${fires ? "fires" : "does not fire"} for ${tool}`, async () => {
    assert.equal((await matchOf(matcher, callOf(tool))).matched, fires);
  });
}

const ALIASES: readonly (readonly [alias: string, tool: string, matches: boolean])[] = [
  ["code.read_file", "Read", true],
  ["code.list_dir", "LS", true],
  ["code.search", "Grep", true],
  ["code.write_file", "Write", true],
  ["code.edit_file", "Edit", true],
  ["code.run_command", "Bash", true],
  ["code.run_command", "Read", false],
  ["mcp.gh.create", "mcp__gh__create", true],
  ["mcp.my.server.tool", "mcp__my.server__tool", true],
  ["mcp.my.server.tool", "mcp__my__server.tool", true],
  ["mcp.gh", "mcp__gh__create", false],
  ["mcp.gh.creat", "mcp__gh__create", false],
];

for (const [alias, tool, matches] of ALIASES) {
  Deno.test(`the old name ${alias} ${matches ? "means" : "does not mean"} ${tool}`, async () => {
    const result = await matchOf(alias, callOf(tool));
    if (matches) assert.deepEqual(result, { matched: true, alias });
    else assert.deepEqual(result, { matched: false, field: "tool_name", expected: alias, actual: tool });
  });
}

Deno.test("a miss names the condition that stood against it", async () => {
  assert.deepEqual(await matchOf({ tag: "write" }, callOf("Read")), {
    matched: false,
    field: "tag",
    expected: "write",
    actual: "code, filesystem, readonly",
  });
  assert.deepEqual(await matchOf({ path: "src" }, callOf("Bash")), {
    matched: false,
    field: "path",
    expected: "src",
    actual: "",
  });
});

Deno.test("a path rule holds for every spelling of the path, and only on whole segments", async () => {
  await inFolder(async (project) => {
    for (const folder of ["secret", "secret2", "src/secret", "notsecret"]) {
      await Deno.mkdir(`${project}/${folder}`, { recursive: true });
      await Deno.writeTextFile(`${project}/${folder}/key`, "k");
    }
    await Deno.symlink("secret", `${project}/link`);
    const denied = [
      ...["secret/key", "./secret/key", "secret//key", "src/../secret/key", `${project}/secret/key`],
      ...["secret/new-file", "secret/new/deep/file", "link/key", "secret", "secret/"],
    ];
    const free = ["secret2/key", "src/secret/key", "notsecret/key", "secret-file", "key", "."];
    for (const prefix of ["secret", "secret/", "./secret", "src/../secret//", `${project}/secret`, "link", "link/"]) {
      const fires = await matcherIn(project, { path_prefix: prefix });
      for (const path of denied) assert.ok(fires(path), `${prefix} must hold for ${path}`);
      for (const path of free) assert.ok(!fires(path), `${prefix} must not hold for ${path}`);
    }
    const everywhere = await matcherIn(project, { path: "" });
    for (const path of [...denied, ...free]) assert.ok(everywhere(path), path);
    assert.ok(!everywhere("../elsewhere"));
    const root = await matcherIn(project, { path_prefix: "/" });
    assert.ok(root("secret/key") && root("/etc/passwd"));
  });
});

Deno.test("a path rule whose folder is made later, as a link or anew elsewhere, holds from then on", async () => {
  await inFolder(async (project) => {
    const fires = await matcherIn(project, { path_prefix: "secret/" });
    assert.ok(fires("secret/key"), "not there yet");
    await Deno.mkdir(`${project}/vault`);
    assert.ok(!fires("vault/key"));
    await Deno.symlink("vault", `${project}/secret`);
    assert.ok(fires("secret/key") && fires("vault/key"), "made as a link");
    await Deno.remove(`${project}/secret`);
    await Deno.mkdir(`${project}/secret`);
    assert.ok(fires("secret/key"), "made a folder");
    assert.ok(!fires("vault/key"), "no link any more");
  });
});

async function loadIn(project: string, items: readonly unknown[]) {
  const home = await Deno.makeTempDir();
  try {
    const path = `${home}/hooks.json`;
    await Deno.writeTextFile(path, JSON.stringify(rules(...items)));
    return await loadHookFiles({
      files: [{ path, source: "user", dialect: "soong", base_priority: 100 }],
      project_dir: project,
      default_timeout_ms: 1000,
      tools: TOOLS,
    });
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

/** Whether the matcher fires for a path as a tool resolves it. */
async function matcherIn(project: string, matcher: unknown): Promise<(path: string) => boolean> {
  const registry = createRegistry();
  registry.replaceConfig((await loadIn(project, [rule(matcher)])).registrations);
  return (path) => {
    const absolute = path.startsWith("/") ? path : `${project}/${path}`;
    const resolved = resolveNearest(new URL(`file://${absolute}`).pathname.replace(/(.)\/+$/, "$1"), Deno.realPathSync);
    const occasion = callOf("Read", { input: { file_path: path }, path: resolved });
    return registry.snapshot().matching(occasion).length === 1;
  };
}
