/**
 * What agent-hooks/0.1 asks of an emission as a whole: a context that is valid and has an identity before any interceptor
 * is asked, and a refusal in the standard's words where that cannot be.
 */
import { laneOf, type Speech } from "../protocol/mod.ts";
import { agentContext } from "./agent_hooks/context.ts";
import { contextIdentity } from "./agent_hooks/identity.ts";
import type { Vote } from "./compose.ts";
import type { Emission, MatchedHook } from "./emission.ts";

const SPEECH: Speech = "agent-hooks/0.1";

/** What the checks before dispatch came to. */
export interface StandardCheck {
  /** Null when the context was refused. */
  readonly identity: string | null;
  /** Present = no interceptor is asked, and this stands in their place. */
  readonly refusal?: Vote;
}

/** Builds the context once, validates it and computes its identity. Throws for a point outside the standard. */
export async function checkStandard(emission: Emission, first: MatchedHook | undefined): Promise<StandardCheck> {
  if (first === undefined) return { identity: null, refusal: refusal("host_error:no_interceptor", "no hook at all") };
  const { occasion, moment, options, generation, timestamp, sequence } = emission;
  const context = agentContext(occasion, options.scope, moment, {
    registration: first.registration,
    generation,
    timestamp,
    ...(sequence !== undefined && { sequence }),
  });
  const result = await contextIdentity(context);
  if (result.ok) return { identity: result.identity };
  return { identity: null, refusal: refusal("host_error:context_invalid", result.problem) };
}

function refusal(reason: string, message: string): Vote {
  return {
    hook_id: SPEECH,
    hook_name: SPEECH,
    speech: SPEECH,
    lane: laneOf(SPEECH),
    index: null,
    verdict: { decision: "deny", reason, message, cause: "hook_failure", warnings: [] },
  };
}
