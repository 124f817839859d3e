/**
 * What agent-hooks/0.1 asks of an emission as a whole: a context that is valid and has an identity before any interceptor
 * is asked, and a refusal in the standard's words where that cannot be.
 */
import type { JsonObject } from "../protocol/mod.ts";
import { agentContext } from "./agent_hooks/context.ts";
import { contextIdentity, JCS_SHA256 } from "./agent_hooks/identity.ts";
import { hostDeny, laneVote } from "./agent_hooks/lane.ts";
import type { Vote } from "./compose.ts";
import type { Emission } from "./emission.ts";
import type { StandardOptions } from "./port.ts";

/** What the checks before dispatch came to. */
export interface StandardCheck {
  readonly context: JsonObject;
  /** Null when the context was refused, or where there is no identity provider. */
  readonly identity: string | null;
  /** Present = no interceptor is asked, and this stands in their place. */
  readonly refusal?: Vote;
}

/** Builds the context once, validates it and computes its identity. Throws for a point outside the standard. */
export async function checkStandard(emission: Emission, isEmpty: boolean): Promise<StandardCheck> {
  const { occasion, moment, options, generation, timestamp, sequence } = emission;
  const context = agentContext(occasion, options.scope, moment, {
    generation,
    timestamp,
    ...(sequence !== undefined && { sequence }),
  });
  const result = await contextIdentity(context, options.standard.identity_provider);
  if (!result.ok) {
    return { context, identity: null, refusal: laneVote(hostDeny("context_invalid", { message: result.problem })) };
  }
  const { identity } = result;
  if (isEmpty) return { context, identity, refusal: laneVote(hostDeny("no_interceptor", { message: NO_HOOK })) };
  if (occasion.point === "post_model_call" && occasion.refused !== undefined) {
    return { context, identity, refusal: laneVote(hostDeny(occasion.refused)) };
  }
  return { context, identity };
}

const NO_HOOK = "no hook is registered, and hooks.fail_closed_when_empty = true lets nothing happen without one";

/** What holds unless the host declares something else. */
export const DEFAULT_STANDARD: StandardOptions = {
  composition: { profile: "sequential/run_all" },
  identity_provider: JCS_SHA256,
};
