/** The shapes of vectors (`conformance/vectors.schema.json`) and of what a run leaves for a judge. */
import type { Composition } from "../../src/hooks/mod.ts";
import { isJsonObject, type Json, type JsonObject, type Point } from "../../src/protocol/mod.ts";

/** One rule of a scripted interceptor: the first that matches answers. */
export interface InterceptorRule {
  readonly at: Point;
  readonly match?: JsonObject;
  readonly return?: Json;
  readonly fault?: "raise" | "malformed_verdict" | "mutate";
}

/** One answer of the scripted resolver. */
export interface ApprovalRule {
  readonly match?: JsonObject;
  readonly resolve: {
    readonly outcome?: string;
    readonly verdict?: Json;
    readonly fault?: "raise";
    readonly identity_override?: string;
    readonly echo_recomputed?: boolean;
  };
}

/** A scripted model answer. */
export interface Respond {
  readonly content: string | null;
  readonly tool_calls: readonly { readonly id: string; readonly name: string; readonly args: JsonObject }[];
  readonly finish_reason: string;
  readonly stream?: readonly string[];
  readonly stream_truncated?: boolean;
}

/** A scripted tool. */
export interface ScriptedTool {
  readonly name: string;
  readonly behavior: readonly { readonly when_args?: JsonObject; readonly return: Json; readonly is_error?: boolean }[];
}

/** What is asserted of one emission or record. */
export interface Expected {
  readonly interception_point: Point;
  readonly context?: JsonObject;
  readonly context_must_contain?: readonly string[];
  readonly context_must_not_contain?: readonly string[];
  readonly assert?: JsonObject;
  readonly present?: readonly string[];
  readonly absent?: readonly string[];
}

/** A vector. */
export interface Vector {
  readonly id: string;
  readonly title: string;
  readonly part?: string;
  readonly mode?: "enforce" | "evaluate_only";
  readonly capabilities: readonly string[];
  readonly composition?: Composition;
  readonly identity_provider?: string | null;
  readonly redact_for_approval?: readonly string[];
  readonly interceptor_script?: readonly InterceptorRule[];
  readonly interceptor_scripts?: readonly (readonly InterceptorRule[])[];
  readonly approval_script?: readonly ApprovalRule[];
  readonly scenario: {
    readonly input: { readonly content: string; readonly role: string };
    readonly tools?: readonly ScriptedTool[];
    readonly model_script?: readonly { readonly respond: Respond }[];
  };
  readonly expect: {
    readonly interceptions: readonly Expected[];
    readonly sequence_strict?: boolean;
    readonly interceptions_absent?: readonly Point[];
    readonly tool_invocations?: Json;
    readonly tool_not_invoked?: readonly string[];
    readonly final_output?: Json;
    readonly released_output?: Json;
    readonly persisted_must_not_contain?: readonly string[];
    readonly run_outcome: string;
    readonly run_outcome_by_posture?: { readonly posture: string; readonly outcomes: Readonly<Record<string, string>> };
    readonly identities_equal?: boolean;
    readonly records?: readonly Expected[];
  };
}

/** What a run leaves. */
export interface RunRecord {
  readonly id: string;
  readonly outcome: "completed" | "blocked" | "error";
  readonly final_output: string | null;
  readonly tool_invocations: readonly { readonly name: string; readonly args: JsonObject }[];
  readonly error: string | null;
  readonly identities: readonly {
    readonly interception_point: string;
    readonly input_identity: string | null;
    readonly enforced_identity: string | null;
  }[];
  readonly records: readonly JsonObject[];
  readonly recorded_contexts: readonly JsonObject[];
  readonly postures: Readonly<Record<string, string>>;
  readonly released_output?: string;
  readonly persisted?: Json;
}

/** The value at `a.b[0].c`; undefined where there is none. */
export function valueAt(value: Json | undefined, path: string): Json | undefined {
  let at = value;
  for (const key of path.replaceAll(/\[(\d+)\]/g, ".$1").split(".")) {
    if (Array.isArray(at)) at = at[Number(key)];
    else at = isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return at;
}
