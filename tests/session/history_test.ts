import assert from "node:assert/strict";
import type { AgentEvent, Message } from "../../src/protocol/mod.ts";
import { answer, event, finished, result, started, testHome, user } from "./support.ts";

function historyOf(events: readonly AgentEvent[]): readonly Message[] {
  using home = testHome();
  const log = home.create();
  for (const one of events) log.append(one);
  log.close();
  const session = home.resume(log.id);
  assert.deepEqual(session.repairs, []);
  return session.history;
}

Deno.test("prompts, hook contexts, answers with their calls and results become the messages they were", () => {
  const metadata = { anthropic: { signature: "s", big: 9007199254740993n } };
  const call = { id: "c1", name: "agent_plan_template", arguments_text: "{not json", provider_metadata: { t: "x" } };
  const history = historyOf([
    started(),
    event({ type: "hook_context", origin: "additional_context", text: "context", hook_ids: ["h"] }),
    user("go"),
    event({
      type: "assistant_message",
      text: "",
      tool_calls: [call],
      finish_reason: "tool_calls",
      usage: { input_tokens: 1, output_tokens: 1 },
      provider_metadata: metadata,
    }),
    event({ type: "tool_result", call_id: "c1", name: "agent.plan_template", is_error: true, content: "no" }),
    answer("done?"),
    event({ type: "hook_context", origin: "stop", text: "not yet", hook_ids: ["h"] }),
    answer("done"),
    finished(),
  ]);
  assert.deepEqual(history, [
    { role: "user", text: "context" },
    { role: "user", text: "go" },
    { role: "assistant", text: "", tool_calls: [call], provider_metadata: metadata },
    { role: "tool", call_id: "c1", name: "agent.plan_template", content: "no", is_error: true },
    { role: "assistant", text: "done?", tool_calls: [] },
    { role: "user", text: "not yet" },
    { role: "assistant", text: "done", tool_calls: [] },
  ]);
});

Deno.test("a blocked prompt and a blocked answer are not in the history", () => {
  const history = historyOf([
    started(),
    event({ type: "input_blocked", reasons: ["no"], length: 10 }),
    user("allowed", 2),
    event({ type: "output_blocked", reasons: ["no"], length: 20 }, 2),
    event({ type: "error", code: "output_blocked", message: "m" }, 2),
    finished(2),
  ]);
  assert.deepEqual(history, [{ role: "user", text: "allowed" }]);
});

Deno.test("the results of an answer stand right behind it in the order of its calls, whatever came between", () => {
  const history = historyOf([
    started(),
    user("go"),
    answer("", ["c1", "c2"]),
    result("c2", "two"),
    event({ type: "hook_context", origin: "post_tool_call", text: "about c2", hook_ids: ["h"] }),
    result("c1", "one"),
  ]);
  assert.deepEqual(history.map((message) => message.role === "user" ? message.text : message.role), [
    "go",
    "assistant",
    "tool",
    "tool",
    "about c2",
  ]);
  assert.deepEqual(history.flatMap((message) => message.role === "tool" ? [message.content] : []), ["one", "two"]);
});

Deno.test("a second result of a call and a result without a call are left out and told", () => {
  using home = testHome();
  const log = home.create();
  for (const one of [started(), answer("", ["c1"]), result("c1", "one"), result("c1", "again"), result("c9", "?")]) {
    log.append(one);
  }
  log.close();
  const { history, warnings } = home.resume(log.id);
  assert.deepEqual(history.slice(1), [{
    role: "tool",
    call_id: "c1",
    name: "Bash",
    content: "one",
    is_error: false,
  }]);
  assert.deepEqual(warnings.length, 1);
  assert.match(warnings[0]!, /2 tool results/);
});

Deno.test("an answer that uses one call id twice still gets a result for each, and a second resume adds none", () => {
  using home = testHome();
  const log = home.create();
  for (const one of [started(), answer("", ["c1", "c1"]), result("c1", "one")]) log.append(one);
  log.close();
  const { history, repairs, log: again } = home.resume(log.id);
  assert.equal(history.length, 3);
  assert.equal(repairs.length, 2);
  for (const one of repairs) again.append(one);
  again.close();
  const next = home.resume(log.id);
  assert.deepEqual([next.history, next.repairs], [history, []]);
});
