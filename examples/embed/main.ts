/**
 * soong-agent inside another program: hooks registered and fired from code, and an agent whose every step passes through
 * them. Run it in an empty folder, with the path of this file:
 *
 *     npx -y deno@2.9.6 run --allow-read --allow-write --allow-run --allow-env /path/to/soong-agent/examples/embed/main.ts
 */
import { resolve } from "node:path";
import { createHooks, endAllGroups, type Model, openAgent } from "../../src/mod.ts";

const project_dir = await Deno.realPath(".");
const place = { project_dir, home: resolve(project_dir, ".agent"), env: Deno.env.toObject() };
const signal = new AbortController().signal;

// A plugin registers hooks under names of its own; they survive every reload of hook files.
const hooks = createHooks(place);
hooks.register({
  id: "my-plugin:audit",
  point: "post_tool_call",
  matcher: "Bash",
  priority: 150,
  timeout_ms: 3000,
  executor: { type: "command", command: "cat >> audit.jsonl" },
});
hooks.register({
  id: "my-plugin:no-secrets",
  point: "input",
  executor: {
    type: "command",
    command: "if grep -q password; then echo 'prompts with passwords are refused' >&2; exit 2; fi",
  },
});

// A host asks the hooks at a point of its own.
for (const prompt of ["summarise the notes", "my password is 1234"]) {
  const { effect, verdict } = await hooks.fire({ point: "input", prompt });
  console.log(`input: ${effect}`, verdict.decision === "deny" ? verdict.reasons : []);
}
console.log("anything on Bash results:", hooks.hasActive("post_tool_call", "Bash"));
console.log("anything on Read results:", hooks.hasActive("post_tool_call", "Read"));

// An agent with a model of the host's own: it calls one tool, then answers.
let requests = 0;
const model: Model = {
  id: "host-model",
  provider: "host",
  async *stream() {
    const first = ++requests === 1;
    yield await Promise.resolve({
      type: "finish",
      answer: {
        text: first ? "" : "The folder is listed.",
        tool_calls: first ? [{ id: "c1", name: "Bash", arguments_text: '{"command":"ls"}' }] : [],
        finish_reason: first ? "tool_calls" : "stop",
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    });
  },
};
const agent = openAgent({ ...place, model, hooks, permission_mode: "full" });
const turn = agent.prompt("list the folder", signal);
for (let next = await turn.next();; next = await turn.next()) {
  if (next.done) {
    console.log(`agent: ${next.value.reason}: ${next.value.text}`);
    break;
  }
  const event = next.value;
  if (event.type === "hook_finished") console.log(`hook: ${event.hook_id} at ${event.point}: ${event.outcome}`);
}
console.log(
  "audited:",
  (await Deno.readTextFile("audit.jsonl")).trim().split("\n").map((line) => JSON.parse(line).toolName),
);
await endAllGroups({ grace_ms: 200 });
