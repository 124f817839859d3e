import assert from "node:assert/strict";
import { createToolRegistry, type Tool } from "../../src/tools/mod.ts";
import { inProject } from "./temporary_project.ts";

function named(name: string): Tool {
  return {
    name,
    description: "",
    tier: "readonly",
    tags: ["readonly"],
    parameters: { type: "object" },
    validate: (input) => ({ ok: true, input }),
    target: () => Promise.resolve(undefined),
    run: () => Promise.resolve({ is_error: false, content: "" }),
  };
}

Deno.test("wire names are unique, within what providers take, and lead back to their tool", () => {
  const tools = ["a.b", "a_b", "a b", "x".repeat(100), "x".repeat(99) + "y", "工具"].map(named);
  const registry = createToolRegistry(tools);
  const names = tools.map((tool) => registry.wireName(tool));
  assert.deepEqual(names.slice(0, 3), ["a_b", "a_b_2", "a_b_3"]);
  assert.equal(new Set(names).size, tools.length);
  for (const [index, name] of names.entries()) {
    assert.match(name, /^[A-Za-z0-9_-]{1,64}$/);
    assert.equal(registry.resolve(name), tools[index]);
  }
});

Deno.test("blanks around a known name are trimmed; unknown names and names of object built-ins are unknown", () =>
  inProject(({ tools }) => {
    assert.equal(tools.resolve(" Bash\n")?.name, "Bash");
    assert.equal(tools.resolve("agent_plan_template")?.name, "agent.plan_template");
    assert.equal(tools.resolve("agent.plan_template")?.name, "agent.plan_template");
    for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty", "", " ", "bash", "Bash2"]) {
      assert.equal(tools.resolve(name), undefined);
    }
    return Promise.resolve();
  }));
