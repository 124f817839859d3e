/** What a hook that speaks agent-hooks/0.1 said: a valid verdict, or the failure that its slot stands for (section 6.3). */
import { type HookRun, parseJson, type Point, type Slot } from "../../protocol/mod.ts";
import { failedEnding } from "../classify_ending.ts";
import type { Classified } from "../dialect.ts";
import { readVerdict } from "./verdict.ts";

/** Reads one run, of a process (stdout is one JSON document) or of an interceptor (`value`). Pure. */
export function classifyAgentHooks(run: HookRun, point: Point): Classified {
  return { slot: slotOf(run, point), extras: { warnings: [] } };
}

function slotOf(run: HookRun, point: Point): Slot {
  const failure = failedEnding(run);
  if (failure !== undefined) return { kind: "undecided", ...failure };
  const returned = run.ending.kind === "returned" && Object.hasOwn(run, "value");
  const value = returned ? run.value : documentOf(run);
  const reading = readVerdict(value, point);
  if (reading.ok) return { kind: "verdict", verdict: reading.verdict };
  const { reserved_reason, problem } = reading;
  return { kind: "undecided", cause: "output", detail: problem, reserved_reason };
}

/** The one document on stdout; undefined when it is none. */
function documentOf(run: HookRun): unknown {
  if (run.stdout_truncated) return undefined;
  try {
    return parseJson(new TextDecoder("utf-8", { fatal: true }).decode(run.stdout));
  } catch {
    return undefined;
  }
}
