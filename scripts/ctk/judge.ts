/** Judges a run record by the expectations of its vector. */
import { isDeepStrictEqual } from "node:util";
import { type Json, type JsonObject, writeJson } from "../../src/protocol/mod.ts";
import { type Expected, type RunRecord, valueAt, type Vector } from "./vector.ts";

/** Everything that is not as expected; empty = passed. */
export function judge({ expect }: Vector, record: RunRecord): readonly string[] {
  const problems: string[] = [];
  const check = (holds: boolean, problem: string) => void (holds || problems.push(problem));
  const same = (what: string, actual: unknown, wanted: unknown) =>
    check(isDeepStrictEqual(actual, wanted), `${what} is ${writeJson(actual)}, not ${writeJson(wanted)}`);

  const points = record.recorded_contexts.map((context) => context["interception_point"]);
  if (expect.sequence_strict ?? true) {
    same("the sequence", points, expect.interceptions.map(({ interception_point: point }) => point));
  }
  problems.push(...inOrder("context", expect.interceptions, record.recorded_contexts, contextProblems));
  problems.push(...inOrder("record", expect.records ?? [], record.records, recordProblems));
  for (const point of expect.interceptions_absent ?? []) check(!points.includes(point), `${point} was asked`);
  if (expect.tool_invocations !== undefined) same("the calls", record.tool_invocations, expect.tool_invocations);
  for (const tool of expect.tool_not_invoked ?? []) {
    check(!record.tool_invocations.some(({ name }) => name === tool), `${tool} ran`);
  }
  if (expect.final_output !== undefined) same("the final output", record.final_output, expect.final_output);
  if (expect.released_output !== undefined) same("the released output", record.released_output, expect.released_output);
  const persisted = writeJson(record.persisted ?? null);
  for (const text of expect.persisted_must_not_contain ?? []) check(!persisted.includes(text), `${text} was kept`);
  const posture = expect.run_outcome_by_posture;
  const wanted = posture === undefined ? expect.run_outcome : posture.outcomes[record.postures[posture.posture] ?? ""];
  same("the outcome", record.outcome, wanted);
  if (expect.identities_equal !== undefined) {
    const equal = record.identities.every(({ input_identity: one, enforced_identity: other }) => one === other);
    same("equality of identities", equal, expect.identities_equal);
  }
  const sequences = record.records.map(({ sequence }) => Number(sequence));
  check(sequences.every((value, index) => index === 0 || value > sequences[index - 1]!), "sequence does not increase");
  return problems;
}

/** Each expectation finds an item of its point behind that of the one before; gives the problems of the nearest. */
function inOrder(
  what: string,
  expected: readonly Expected[],
  items: readonly JsonObject[],
  problemsOf: (expected: Expected, item: JsonObject) => readonly string[],
): readonly string[] {
  let from = 0;
  return expected.flatMap((one) => {
    let nearest: readonly string[] | undefined;
    for (let at = from; at < items.length; at++) {
      const item = items[at]!;
      if (item["interception_point"] !== one.interception_point) continue;
      const problems = problemsOf(one, item);
      if (problems.length === 0) {
        from = at + 1;
        return [];
      }
      nearest ??= problems;
    }
    return nearest ?? [`there is no ${what} at ${one.interception_point}`];
  });
}

function contextProblems(expected: Expected, context: JsonObject): readonly string[] {
  const text = writeJson(context);
  return [
    ...differences(expected.context ?? {}, context),
    ...(expected.context_must_contain ?? []).filter((part) => !text.includes(part)).map((part) => `${part} is missing`),
    ...(expected.context_must_not_contain ?? []).filter((part) => text.includes(part)).map((part) =>
      `${part} is there`
    ),
  ];
}

function recordProblems(expected: Expected, record: JsonObject): readonly string[] {
  return [
    ...differences(expected.assert ?? {}, record),
    ...(expected.present ?? []).filter((path) => valueAt(record, path) === undefined).map((path) =>
      `${path} is missing`
    ),
    ...(expected.absent ?? []).filter((path) => valueAt(record, path) !== undefined).map((path) => `${path} is there`),
  ];
}

function differences(expected: JsonObject, actual: Json): readonly string[] {
  return Object.entries(expected).flatMap(([path, wanted]) => {
    const value = valueAt(actual, path);
    return isDeepStrictEqual(value, wanted) ? [] : [`${path} is ${writeJson(value ?? null)}, not ${writeJson(wanted)}`];
  });
}
