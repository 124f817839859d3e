/** The conformance vectors of agent-hooks/0.1 over the production loop, used in place where they lie beside the project. */
import assert from "node:assert/strict";
import { judge } from "../../scripts/ctk/judge.ts";
import { reportLines } from "../../scripts/ctk/report.ts";
import { runVectors } from "../../scripts/ctk/run.ts";
import type { RunRecord, Vector } from "../../scripts/ctk/vector.ts";
import { STANDARD_FOLDER, standardValidators } from "../support/standard_schemas.ts";

const VECTORS = new URL("conformance/vectors/", STANDARD_FOLDER);

Deno.test("every vector passes; contexts and records are valid by the standard's schemas", async () => {
  const validators = standardValidators();
  if (validators === undefined) {
    console.log("  the agent-hooks vectors are not beside the project: nothing was compared");
    return;
  }
  let count = 0;
  for await (const { vector, record } of runVectors(VECTORS.pathname)) {
    count += 1;
    assert.deepEqual(judge(vector, record), [], vector.id);
    for (const context of record.recorded_contexts) assert.deepEqual(validators.context(context), [], vector.id);
    for (const one of record.records) {
      assert.deepEqual(validators.record(one), [], `${vector.id} ${JSON.stringify(one)}`);
    }
  }
  assert.equal(count, 51);
});

const VECTOR: Vector = {
  id: "x",
  title: "x",
  capabilities: [],
  scenario: { input: { content: "hi", role: "user" } },
  expect: {
    sequence_strict: false,
    interceptions: [{ interception_point: "input", context: { "input.content": "hi" } }],
    interceptions_absent: ["output"],
    tool_not_invoked: ["rm"],
    final_output: "done",
    run_outcome: "completed",
    identities_equal: true,
    records: [{ interception_point: "input", assert: { "verdict.decision": "allow" }, absent: ["trace"] }],
  },
};

const RECORD: RunRecord = {
  id: "x",
  outcome: "completed",
  final_output: "done",
  tool_invocations: [],
  error: null,
  identities: [{ interception_point: "input", input_identity: "a", enforced_identity: "a" }],
  records: [{ interception_point: "input", sequence: 0, verdict: { decision: "allow" } }],
  recorded_contexts: [{ interception_point: "input", input: { content: "hi" } }],
  postures: { tool_seam_host_error: "continue" },
};

Deno.test("the judge passes what is as expected and names each thing that is not", () => {
  assert.deepEqual(judge(VECTOR, RECORD), []);
  const wrong: readonly Partial<RunRecord>[] = [
    { outcome: "blocked" },
    { final_output: null },
    { tool_invocations: [{ name: "rm", args: {} }] },
    { identities: [{ interception_point: "input", input_identity: "a", enforced_identity: "b" }] },
    { records: [] },
    { records: [{ interception_point: "input", sequence: 0, verdict: { decision: "deny" } }] },
    { records: [{ interception_point: "input", sequence: 0, verdict: { decision: "allow" }, trace: {} }] },
    { recorded_contexts: [{ interception_point: "input", input: { content: "other" } }] },
    { recorded_contexts: [...RECORD.recorded_contexts, { interception_point: "output" }] },
  ];
  for (const change of wrong) assert.equal(judge(VECTOR, { ...RECORD, ...change }).length, 1, JSON.stringify(change));
});

Deno.test("the report has a row for each part and one for all", () => {
  assert.deepEqual(
    reportLines([{ part: "b", passed: true }, { part: "a", passed: false }, { part: "b", passed: true }]),
    [
      "| part | vectors | passed | failed |",
      "|---|---|---|---|",
      "| a | 1 | 0 | 1 |",
      "| b | 2 | 2 | 0 |",
      "| all | 3 | 2 | 1 |",
    ],
  );
});
