/** What onecode hooks are given on stdin: the table of design.md, section 5.3, whole values. */
import assert from "node:assert/strict";
import { onecodePayload } from "../../../src/hooks/onecode/payload.ts";
import { type JsonObject, type Occasion, parseJson, type RunScope, writeAsciiJson } from "../../../src/protocol/mod.ts";
import { CALL, MOMENT, OCCASIONS, registration, SCOPE } from "../engine_support.ts";

function payload(occasion: Occasion, scope: RunScope = SCOPE): JsonObject {
  const facts = {
    registration: registration("h", { speech: "onecode" }),
    generation: 7,
    timestamp: new Date("2026-07-18T10:00:00.000Z"),
  };
  return onecodePayload(occasion, scope, MOMENT, facts);
}

const COMMON = { sessionId: "session-1", cwd: "/project", timestamp: "2026-07-18T10:00:00.000+00:00", generation: 7 };
const CALL_FIELDS = { toolName: "Bash", toolInput: { command: "touch MARK" }, toolUseId: "call-1" };
const RESULT = OCCASIONS.post_tool_call.result;

const PAYLOADS: readonly (readonly [what: string, occasion: Occasion, fields: JsonObject])[] = [
  ["input has the prompt", OCCASIONS.input, { userMessage: "hello" }],
  [
    "pre_model_call has the model and the messages as role and text",
    {
      point: "pre_model_call",
      model_id: "gpt-5",
      messages: [
        { role: "user", text: "hello" },
        { role: "assistant", text: "", tool_calls: [{ id: "c", name: "Read", arguments_text: "{}" }] },
        { role: "tool", call_id: "c", name: "Read", content: "file", is_error: false },
      ],
    },
    {
      modelId: "gpt-5",
      requestMessages: [
        { role: "user", text: "hello" },
        { role: "assistant", text: "" },
        { role: "tool", text: "file" },
      ],
    },
  ],
  [
    "post_model_call has the answer and why it ended (O-110)",
    {
      point: "post_model_call",
      model_id: "gpt-5",
      answer: { text: "answer", tool_calls: [], finish_reason: "stop", usage: MOMENT.usage },
    },
    { modelId: "gpt-5", modelResponse: "answer", finishReason: "stop" },
  ],
  ["pre_tool_call has the call", OCCASIONS.pre_tool_call, CALL_FIELDS],
  [
    "a call without arguments has an empty toolInput",
    { point: "pre_tool_call", call: { ...CALL, input: {} } },
    { ...CALL_FIELDS, toolInput: {} },
  ],
  ["post_tool_call has the result", OCCASIONS.post_tool_call, { ...CALL_FIELDS, toolResponse: "ok" }],
  [
    "a failed call has its error as well (case 07)",
    { point: "post_tool_call", call: CALL, result: { ...RESULT, is_error: true, content: "exit code 1" } },
    { ...CALL_FIELDS, toolResponse: "exit code 1", toolError: "exit code 1" },
  ],
  [
    "a large result is its summary and reference",
    { point: "post_tool_call", call: CALL, result: { ...RESULT, content: "head", artifact_ref: "artifacts/s/1" } },
    { ...CALL_FIELDS, toolResponse: { summary: "head", artifact_ref: "artifacts/s/1" } },
  ],
  [
    "a result that is more than text keeps its shape (origins 7)",
    {
      point: "post_tool_call",
      call: CALL,
      result: { ...RESULT, is_error: true, content: "2 rows", value: { rows: [1, null, { a: [] }] } },
    },
    { ...CALL_FIELDS, toolResponse: { rows: [1, null, { a: [] }] }, toolError: "2 rows" },
  ],
  [
    "a result that is nothing is null, not its text",
    { point: "post_tool_call", call: CALL, result: { ...RESULT, content: "", value: null } },
    { ...CALL_FIELDS, toolResponse: null },
  ],
  [
    "a large result is its summary, whatever its shape",
    {
      point: "post_tool_call",
      call: CALL,
      result: { ...RESULT, content: "head", value: ["all of it"], artifact_ref: "artifacts/s/1" },
    },
    { ...CALL_FIELDS, toolResponse: { summary: "head", artifact_ref: "artifacts/s/1" } },
  ],
  ["output has the answer", OCCASIONS.output, { outputText: "done" }],
];

for (const [what, occasion, fields] of PAYLOADS) {
  Deno.test(`onecode payload: ${what}`, () => {
    assert.deepEqual(payload(occasion), { point: occasion.point, ...COMMON, ...fields });
  });
}

Deno.test("onecode payload: agentId and agentType are there in a sub-agent only", () => {
  const inside = payload(OCCASIONS.pre_tool_call, { ...SCOPE, agent: { id: "agent-2", type: "explore" } });
  assert.deepEqual([inside["agentId"], inside["agentType"]], ["agent-2", "explore"]);
  assert.ok(!("agentId" in payload(OCCASIONS.pre_tool_call)));
});

Deno.test("onecode payload: it is one ASCII line whatever the call holds, and large integers keep their digits", () => {
  const call = { ...CALL, input: { command: "echo 拒绝\n✅", id: 9007199254740993n } };
  const line = writeAsciiJson(payload({ point: "pre_tool_call", call }));
  assert.match(line, /^[\x20-\x7e]+$/);
  assert.deepEqual((parseJson(line) as { toolInput: unknown }).toolInput, call.input);
});
