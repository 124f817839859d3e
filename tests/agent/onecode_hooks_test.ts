/** The loop with onecode hooks: what blocks, what only observes, and what never holds back the stream. */
import assert from "node:assert/strict";
import { createAgent } from "../../src/agent/mod.ts";
import { createHookEngine, createRegistry, DIALECTS, type Executor, hookFromCode } from "../../src/hooks/mod.ts";
import type { CodeHook } from "../../src/hooks/mod.ts";
import type { HookRun } from "../../src/protocol/mod.ts";
import type { Model } from "../../src/model/mod.ts";
import { engineOf, NOW, SCOPE } from "../hooks/engine_support.ts";
import { ended, executorsOf, runOf } from "../hooks/engine_support.ts";
import { collect, noteTool, of, partsOf, playModel } from "./support.ts";

const never = new AbortController().signal;
const DENY = runOf("", { code: 2, stderr: "no" });

function hook(id: string, more: Pick<CodeHook, "point"> & Partial<CodeHook>): CodeHook {
  return { id, executor: { type: "command", command: id }, ...more };
}

function engineWith(hooks: readonly CodeHook[], executor: Executor) {
  return engineOf(hooks.map(hookFromCode), executor);
}

/** Answers by the id of the hook; notes who was asked. */
function answering(runs: Readonly<Record<string, HookRun>>, asked: string[] = []): Executor {
  return ({ registration: { id } }) => {
    asked.push(id);
    return Promise.resolve(runs[id] ?? runOf(""));
  };
}

const three = { calls: ["c1", "c2", "c3"].map((id) => ({ id, name: "Write" })) };

Deno.test("a onecode deny fails its call and the batch goes on, each call with its own verdict", async () => {
  const ran: string[] = [];
  const { model, requests } = playModel([three, { text: "ok" }]);
  let calls = 0;
  const hooks = engineWith(
    [hook("guard", { point: "pre_tool_call" })],
    () => Promise.resolve(++calls === 2 ? DENY : runOf("")),
  );
  const agent = createAgent(partsOf({ model, hooks }, [noteTool("Write", "write", ran)]));
  const { events, result } = await collect(agent.prompt("go", never));
  assert.equal(result.reason, "completed");
  assert.deepEqual(ran, ["c1", "c3"]);
  assert.deepEqual(of(events, "tool_skipped"), []);
  assert.deepEqual(of(events, "tool_result").map(({ call_id, is_error }) => [call_id, is_error]), [
    ["c1", false],
    ["c2", true],
    ["c3", false],
  ]);
  assert.equal(requests[1]!.messages.filter(({ role }) => role === "tool").length, 3);
});

Deno.test("where a soong hook denies beside a onecode hook, the soong rule of the batch holds", async () => {
  const ran: string[] = [];
  const { model } = playModel([three, { text: "ok" }]);
  const hooks = engineWith(
    [
      hook("onecode", { point: "pre_tool_call" }),
      hook("soong", { point: "pre_tool_call", executor: { type: "static", reason: "never" } }),
    ],
    ({ registration: { speech } }) =>
      Promise.resolve(speech === "onecode" ? DENY : runOf('{"decision":"deny","reason":"never"}')),
  );
  const agent = createAgent(partsOf({ model, hooks }, [noteTool("Write", "write", ran)]));
  const { events } = await collect(agent.prompt("go", never));
  assert.deepEqual(ran, []);
  assert.deepEqual(of(events, "tool_skipped").map(({ call_id }) => call_id), ["c2", "c3"]);
});

Deno.test("a fault of the hook service fails the call closed, and the batch goes on", async () => {
  const ran: string[] = [];
  const { model } = playModel([three, { text: "ok" }]);
  const registry = createRegistry();
  registry.register(hookFromCode(hook("guard", { point: "pre_tool_call" })));
  let emissions = 0;
  const faulty = {
    ...DIALECTS.onecode!,
    payload: (...given: Parameters<NonNullable<typeof DIALECTS.onecode>["payload"]>) => {
      if (++emissions === 2) throw new Error("the service broke");
      return DIALECTS.onecode!.payload(...given);
    },
  };
  const hooks = createHookEngine(registry, { onecode: faulty }, {
    scope: SCOPE,
    executors: executorsOf(answering({})),
    on_failure: "allow",
    mode: "enforce",
    fail_closed_when_empty: false,
    now: () => NOW,
  });
  const agent = createAgent(partsOf({ model, hooks }, [noteTool("Write", "write", ran)]));
  const { events, result } = await collect(agent.prompt("go", never));
  assert.equal(result.reason, "completed");
  assert.deepEqual(ran, ["c1", "c3"]);
  const [, denied] = of(events, "tool_result");
  assert.match(denied!.content, /hooks could not be asked[^]*the service broke/);
  assert.deepEqual(of(events, "error").map(({ code }) => code), ["hook_engine_fault"]);
});

Deno.test("a fault of the hook service after a call keeps the tool's result", async () => {
  const ran: string[] = [];
  const { model } = playModel([{ calls: [{ id: "c1", name: "Write" }] }, { text: "ok" }]);
  const breaks = {
    ...DIALECTS.onecode!,
    classify: () => {
      throw new Error("the service broke");
    },
  };
  const hooks = engineOf([hookFromCode(hook("audit", { point: "post_tool_call" }))], answering({}), {}, {
    onecode: breaks,
  });
  const { events } = await collect(
    createAgent(partsOf({ model, hooks }, [noteTool("Write", "write", ran)])).prompt("go", never),
  );
  assert.deepEqual(of(events, "tool_result").map(({ content, is_error }) => [content, is_error]), [[
    "Write ran",
    false,
  ]]);
});

Deno.test("post hooks are asked for calls that ran or failed, not for denied or invalid ones", async () => {
  const asked: string[] = [];
  const { model } = playModel([
    {
      calls: [
        { id: "ran", name: "Write" },
        { id: "denied", name: "Write" },
        { id: "invalid", name: "Write", arguments_text: '{"bad":1}' },
        { id: "failed", name: "Read" },
      ],
    },
    { text: "ok" },
  ]);
  const failing = { ...noteTool("Read", "readonly", []), run: () => Promise.reject(new Error("disk")) };
  const hooks = engineWith(
    [hook("guard", { point: "pre_tool_call" }), hook("audit", { point: "post_tool_call" })],
    ({ registration: { id }, payload }) => {
      const call = JSON.parse(new TextDecoder().decode(payload));
      if (id === "audit") asked.push(`${call.toolUseId} ${call.toolError ?? "-"}`);
      return Promise.resolve(id === "guard" && call.toolUseId === "denied" ? DENY : runOf(""));
    },
  );
  await collect(createAgent(partsOf({ model, hooks }, [noteTool("Write", "write", []), failing])).prompt("go", never));
  assert.deepEqual(asked, ["ran -", "failed Read failed: disk"]);
});

Deno.test("an input deny leaves no trace of the prompt and never asks the model (O-118)", async () => {
  const { model, requests } = playModel([{ text: "hi" }]);
  const hooks = engineWith([hook("gate", { point: "input" })], answering({ gate: DENY }));
  const { events, result } = await collect(createAgent(partsOf({ model, hooks })).prompt("a secret", never));
  assert.equal(result.reason, "blocked");
  assert.deepEqual(requests, []);
  assert.deepEqual(of(events, "error").length, 1);
  assert.deepEqual(of(events, "input_blocked").length, 1);
  assert.deepEqual(of(events, "user_message"), []);
  assert.ok(!JSON.stringify(events).includes("a secret"));
});

Deno.test("additionalContext at input is put before the prompt; a message reaches nobody but the report", async () => {
  const { model, requests } = playModel([{ text: "hi" }]);
  const hooks = engineWith(
    [hook("context", { point: "input" })],
    answering({
      context: runOf('{"additionalContext":"the branch is main","message":"diagnostic only"}'),
    }),
  );
  const { events } = await collect(createAgent(partsOf({ model, hooks })).prompt("go", never));
  const texts = requests[0]!.messages.map((message) => message.role === "user" && message.text);
  assert.equal(texts.length, 2);
  assert.match(String(texts[0]), /the branch is main/);
  assert.equal(texts[1], "go");
  assert.ok(!JSON.stringify(requests).includes("diagnostic only"));
  assert.deepEqual(of(events, "hook_finished").map(({ message }) => message), ["diagnostic only"]);
});

Deno.test("a deny at a model point is dropped: the model is asked once and its answer delivered (O-108, O-112)", async () => {
  const asked: string[] = [];
  const { model, requests } = playModel([{ text: "answer" }]);
  const hooks = engineWith(
    [hook("before", { point: "pre_model_call", matcher: "M-*" }), hook("after", { point: "post_model_call" })],
    answering({ before: DENY, after: DENY }, asked),
  );
  const { events, result } = await collect(createAgent(partsOf({ model, hooks })).prompt("go", never));
  assert.deepEqual(asked, ["before", "after"]);
  assert.equal(requests.length, 1);
  assert.deepEqual(result, { reason: "completed", text: "answer" });
  assert.deepEqual(of(events, "hook_finished").map(({ outcome }) => outcome), ["observed", "observed"]);
});

Deno.test("without a deny there is one run, no error, and the final text is delivered (O-116)", async () => {
  const { model, requests } = playModel([{ text: "forty-two" }]);
  const points = ["input", "pre_model_call", "post_model_call", "output"] as const;
  const asked: string[] = [];
  const hooks = engineWith(points.map((point) => hook(point, { point })), answering({}, asked));
  const { events, result } = await collect(createAgent(partsOf({ model, hooks })).prompt("go", never));
  assert.deepEqual(result, { reason: "completed", text: "forty-two" });
  assert.deepEqual(asked, points);
  assert.equal(requests.length, 1);
  assert.deepEqual(of(events, "error"), []);
});

Deno.test("where no hook is active nothing is asked at a model point, and no event says otherwise (O-113)", async () => {
  const { model } = playModel([{ text: "answer" }]);
  const asked: string[] = [];
  const hooks = engineWith(
    [hook("elsewhere", { point: "input" }), hook("other model", { point: "pre_model_call", matcher: "another-*" })],
    answering({}, asked),
  );
  const { events } = await collect(createAgent(partsOf({ model, hooks })).prompt("go", never));
  assert.deepEqual(asked, ["elsewhere"]);
  assert.deepEqual(of(events, "hook_finished").map(({ hook_id }) => hook_id), ["elsewhere"]);
  assert.deepEqual(of(events, "interception"), []);
});

Deno.test("an output deny ends the turn and keeps the answer from everyone, the next turn too (origins 71)", async () => {
  const { model, requests } = playModel([{ text: "forty-two" }, { text: "fine" }]);
  const runs = [DENY, runOf("")];
  const hooks = engineWith([hook("gate", { point: "output" })], () => Promise.resolve(runs.shift()!));
  const agent = createAgent(partsOf({ model, hooks }));
  const { events, result } = await collect(agent.prompt("go", never));
  assert.deepEqual(result, { reason: "blocked", text: "" });
  assert.ok(!JSON.stringify(events).includes("forty-two"));
  assert.equal((await collect(agent.prompt("once more", never))).result.text, "fine");
  assert.ok(!JSON.stringify(requests[1]).includes("forty-two"));
});

/** A model that makes its second piece only after the first one was seen by the reader. */
function pausingModel(): { readonly model: Model; readonly order: string[]; readonly seen: (text: string) => void } {
  const order: string[] = [];
  let release: () => void = () => {};
  const model: Model = {
    id: "m-1",
    provider: "fake",
    async *stream() {
      yield { type: "text_delta", text: "one" };
      await new Promise<void>((resolve) => {
        release = resolve;
        if (order.includes("seen one")) resolve();
      });
      order.push("made two");
      yield { type: "text_delta", text: "two" };
      const answer = {
        text: "onetwo",
        tool_calls: [],
        finish_reason: "stop",
        usage: { input_tokens: 1, output_tokens: 1 },
      } as const;
      yield { type: "finish", answer };
    },
  };
  const seen = (text: string) => {
    order.push(`seen ${text}`);
    release();
  };
  return { model, order, seen };
}

const OBSERVERS: readonly (readonly [what: string, hooks: readonly CodeHook[]])[] = [
  ["slow and denying hooks at the model points", [
    hook("before", { point: "pre_model_call" }),
    hook("after", { point: "post_model_call" }),
  ]],
  ["a notification at output", [
    hook("note", { point: "output", executor: { type: "notification", provider: "feishu", message: "m" } }),
  ]],
  ["an http hook at output, whatever on_failure says", [
    hook("post", {
      point: "output",
      on_failure: "deny",
      executor: { type: "http", url: "https://x", method: "POST", headers: {}, sends_payload: false },
    }),
  ]],
];

for (const [what, observers] of OBSERVERS) {
  Deno.test(`${what} never hold back the stream: a piece is delivered before the next is made (O-115)`, async () => {
    const { model, order, seen } = pausingModel();
    const hooks = engineWith(observers, async ({ registration: { executor } }) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return executor.type === "command" ? DENY : ended({ kind: "transport_failed", reason: "503", status: 503 });
    });
    const turn = createAgent(partsOf({ model, hooks })).prompt("go", never);
    for (;;) {
      const next = await turn.next();
      if (next.done) {
        assert.deepEqual(next.value, { reason: "completed", text: "onetwo" });
        break;
      }
      if (next.value.type === "assistant_delta") seen(next.value.text);
    }
    assert.deepEqual(order, ["seen one", "made two", "seen two"]);
  });
}

Deno.test("a command hook at output holds the text until its verdict; once it is spent, nothing is held", async () => {
  const { model } = playModel([{ text: "first" }, { text: "second" }]);
  const hooks = engineWith([hook("gate", { point: "output", once: true })], answering({}));
  const agent = createAgent(partsOf({ model, hooks }));
  const orderOf = async () => {
    const { events } = await collect(agent.prompt("go", never));
    return events.flatMap(({ type }) => ["assistant_delta", "hook_finished"].includes(type) ? [type] : []);
  };
  assert.deepEqual(await orderOf(), ["hook_finished", "assistant_delta"]);
  assert.deepEqual(await orderOf(), ["assistant_delta"]);
});
