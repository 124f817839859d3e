import assert from "node:assert/strict";
import { join } from "node:path";
import type { JsonObject } from "../../src/protocol/mod.ts";
import { createBuiltinTools, type FileTools } from "../../src/tools/mod.ts";
import { runCommand } from "../../src/process/mod.ts";
import { inProject, projectTest, shell } from "./temporary_project.ts";

const TABLE = [
  ["Read", "readonly", "code filesystem readonly", "file_path", "limit offset"],
  ["Glob", "readonly", "code filesystem search readonly", "pattern", "path"],
  ["Grep", "readonly", "code filesystem search readonly", "pattern", "-i glob head_limit output_mode path"],
  ["LS", "readonly", "code filesystem readonly", "", "path"],
  ["Write", "write", "code filesystem write", "content file_path", ""],
  ["Edit", "write", "code filesystem write", "file_path new_string old_string", "replace_all"],
  ["Bash", "dangerous", "code shell write dangerous", "command", "description timeout"],
  ["TodoWrite", "readonly", "internal plan readonly", "todos", ""],
  ["agent.plan_template", "readonly", "agent plan readonly", "", "goal suggested_dir"],
];

Deno.test("names, tiers, tags and arguments are those of the table", () =>
  inProject(({ tools }) => {
    const rows = tools.tools.map((tool) => {
      const { properties, required = [], additionalProperties, $schema } = tool.parameters as Record<
        string,
        JsonObject
      >;
      assert.deepEqual([additionalProperties, $schema], [false, undefined]);
      const needed = required as unknown as string[];
      const optional = Object.keys(properties!).filter((name) => !needed.includes(name));
      return [tool.name, tool.tier, tool.tags.join(" "), needed.toSorted().join(" "), optional.toSorted().join(" ")];
    });
    assert.deepEqual(rows, TABLE);
    return Promise.resolve();
  }));

const PROBLEMS: readonly (readonly [tool: string, input: JsonObject, problems: readonly string[]])[] = [
  ["Bash", {}, ["command: is missing"]],
  ["Bash", { command: 5 }, ["command: must be a string, not a number"]],
  ["Bash", { command: null }, ["command: must be a string, not null"]],
  ["Bash", { command: 12345678901234567890n }, ["command: must be a string, not a bigint"]],
  ["Bash", { cmd: "x" }, [
    "command: is missing",
    '"cmd": unknown argument; known arguments: command, timeout, description',
  ]],
  ["Bash", { command: "" }, ["command: must not be empty"]],
  ["Bash", { command: "x", timeout: 600001 }, ["timeout: must be 600000 or less"]],
  ["Bash", { command: "x", timeout: 0 }, ["timeout: must be 1 or more"]],
  ["Bash", { command: "x", timeout: 1.5 }, ["timeout: must be an integer, not a fraction"]],
  ["Bash", { command: "x", constructor: "y" }, [
    '"constructor": unknown argument; known arguments: command, timeout, description',
  ]],
  ["Read", { file_pth: "x" }, ["file_path: is missing", '"file_pth": unknown argument; did you mean "file_path"?']],
  ["Read", { path: "x" }, ["file_path: is missing", '"path": unknown argument; did you mean "file_path"?']],
  ["Grep", { pattern: "x", output_mode: "lines" }, [
    'output_mode: must be one of "content", "files_with_matches", "count"',
  ]],
  ["Edit", { file_path: "x", old_string: "a", new_string: "b", replace_all: "yes" }, [
    "replace_all: must be a boolean, not a string",
  ]],
  ["TodoWrite", { todos: [{ content: "x", status: "doing" }] }, [
    'todos.0.status: must be one of "pending", "in_progress", "completed"',
  ]],
  ["TodoWrite", { todos: {} }, ["todos: must be an array, not an object"]],
];

for (const [tool, input, problems] of PROBLEMS) {
  const title = JSON.stringify(input, (_, value) => typeof value === "bigint" ? String(value) : value);
  Deno.test(`${tool} ${title} is refused with the field named`, () =>
    inProject(({ tools }) => {
      assert.deepEqual(tools.resolve(tool)!.validate(input), { ok: false, problems });
      return Promise.resolve();
    }));
}

projectTest("every spelling of a path has the same target", async ({ tools, dir }) => {
  await shell("mkdir -p secret src; echo k > secret/key; ln -s secret link", dir);
  const target = (path: string) => tools.resolve("Read")!.target({ file_path: path });
  const spellings = [
    "secret/key",
    "./secret/key",
    "secret//key",
    "src/../secret/key",
    join(dir, "secret/key"),
    "link/key",
    "link/../secret/key",
  ];
  for (const path of spellings) assert.equal(await target(path), join(dir, "secret/key"), path);
  assert.equal(await target("link/new/file"), join(dir, "secret/new/file"));
  assert.equal(await target("secret/"), join(dir, "secret"));
  assert.equal(await target("../x"), join(dir, "../x"));
});

projectTest("a target is told for every input, whatever it is", async ({ tools, dir }) => {
  await shell("ln -s circle circle; : > file", dir);
  const target = (tool: string, input: JsonObject) => tools.resolve(tool)!.target(input);
  assert.equal(await target("Glob", { pattern: "*" }), dir);
  assert.equal(await target("Grep", { pattern: "x", path: "file" }), join(dir, "file"));
  assert.equal(await target("LS", {}), dir);
  assert.equal(await target("Write", { file_path: "circle" }), join(dir, "circle"));
  assert.equal(await target("Edit", { file_path: "file/x" }), join(dir, "file/x"));
  assert.equal(await target("Bash", { command: "x" }), undefined);
  for (const path of ["a\0b", "x".repeat(10_000), ""]) {
    assert.ok((await target("Read", { file_path: path }))?.startsWith("/"));
  }
});

projectTest("the list of tasks comes back as it was given", async ({ call }) => {
  const outcome = await call("TodoWrite", {
    todos: [
      { content: "one", status: "completed", activeForm: "doing one", id: "1", priority: "high" },
      { content: "two\nlines", status: "in_progress" },
      { content: "three", status: "pending" },
    ],
  });
  assert.deepEqual(outcome, {
    is_error: false,
    content: "[x] one\n[~] two lines\n[ ] three",
    metadata: { total: 3, pending: 1, in_progress: 1, completed: 1 },
  });
  assert.equal((await call("TodoWrite", { todos: [] })).content, "The list of tasks is empty");
});

projectTest("a plan template is text with its facts, and nothing is written", async ({ call, dir }) => {
  const outcome = await call("agent_plan_template", { goal: "Add login" });
  assert.match(outcome.content, /in \.soong-agent\/plans .*\n\n# Plan: Add login\n/s);
  assert.deepEqual(outcome.metadata, {
    node_type: "plan_instruction",
    template_id: "template.plan.default",
    template_version: "1",
    goal: "Add login",
    suggested_dir: ".soong-agent/plans",
  });
  assert.match((await call("agent_plan_template", { suggested_dir: "docs/" })).content, /docs\/add-login\.md/);
  assert.deepEqual([...Deno.readDirSync(dir)], []);
});

Deno.test("file tools go through the one door that they are given, with what can be cloned", async () => {
  const calls: unknown[] = [];
  const files: FileTools = {
    run: (tool, input) => {
      calls.push(structuredClone([tool, input]));
      return Promise.resolve({ is_error: false, content: "from the door" });
    },
  };
  const environment = {
    project_dir: "/nowhere",
    added_dirs: [],
    run_command: runCommand,
    child_env: {},
    kill_grace_ms: 1,
    max_output_bytes: 1,
    sensitive: [],
    plans_dir: "plans",
  };
  const { tools } = createBuiltinTools(environment, files);
  for (const tool of tools.slice(0, 6)) {
    const outcome = await tool.run({ x: 1 }, { signal: new AbortController().signal, call_id: "c" });
    assert.equal(outcome.content, "from the door");
  }
  assert.deepEqual(calls, ["Read", "Glob", "Grep", "LS", "Write", "Edit"].map((name) => [name, { x: 1 }]));
});
