/** The approval seam (agent-hooks/0.1, section 9): the one way in which a liftable deny can be lifted. */
import { isJsonObject, type JsonObject, type Point, type Verdict } from "../../protocol/mod.ts";
import { contextIdentity, type IdentityProvider } from "./identity.ts";
import { readVerdict, wireVerdict } from "./verdict.ts";

/** What a resolver is shown. */
export interface ApprovalRequest {
  /** Identity of `context` as it is here, after redaction; null without an identity provider. */
  readonly context_identity: string | null;
  readonly interception_point: Point;
  readonly verdict: JsonObject;
  readonly context: JsonObject;
}

/** Answers a request with an `ApprovalResolution`; the answer is validated, whatever it is. */
export type ApprovalResolver = (request: ApprovalRequest, signal: AbortSignal) => Promise<unknown>;

/** What consulting needs. */
export interface ApprovalSeam {
  readonly resolver: ApprovalResolver;
  /** Gives the context that is shown; a pure function. A throw fails the consultation. */
  readonly redactor?: ((context: JsonObject) => JsonObject) | undefined;
  readonly identity_provider: IdentityProvider | null;
  readonly signal: AbortSignal;
}

/** What a consultation came to: a verdict that stands in the place of the deny, or a deny. */
export interface Resolution {
  readonly lifted: boolean;
  readonly verdict: Verdict;
}

/** Consults the resolver about a liftable deny. Never throws. */
export async function consult(
  seam: ApprovalSeam,
  context: JsonObject,
  denied: Extract<Verdict, { decision: "deny" }>,
): Promise<Resolution> {
  const point = context["interception_point"] as Point;
  let request: ApprovalRequest;
  try {
    const shown = structuredClone(context) as JsonObject;
    const presented = seam.redactor === undefined ? shown : seam.redactor(shown);
    const identity = await contextIdentity(presented, seam.identity_provider);
    if (!identity.ok) return refused("approval_resolver_failed");
    request = {
      context_identity: identity.identity,
      interception_point: point,
      verdict: wireVerdict(denied),
      context: presented,
    };
  } catch {
    return refused("approval_resolver_failed");
  }
  let answer: unknown;
  try {
    answer = await seam.resolver(request, seam.signal);
  } catch {
    return refused("approval_resolver_failed");
  }
  return judge(answer, request, point, denied);
}

/** The order of the checks is the standard's, so that every host gives one reason for one fault. */
function judge(
  answer: unknown,
  request: ApprovalRequest,
  point: Point,
  denied: Extract<Verdict, { decision: "deny" }>,
): Resolution {
  if (!isJsonObject(answer)) return refused("approval_resolver_failed");
  if ((answer["context_identity"] ?? null) !== request.context_identity) return refused("approval_identity_mismatch");
  const { outcome, verdict } = answer;
  const known = outcome === "approve" || outcome === "reject" || outcome === "unresolved";
  const isThere = verdict !== undefined && verdict !== null;
  if (!known || isThere !== (outcome !== "unresolved")) return refused("approval_resolver_failed");
  if (outcome === "unresolved") return refused("approval_unresolved");
  const reading = readVerdict(verdict, point);
  if (!reading.ok) {
    const { reserved_reason: reason } = reading;
    return refused(reason.includes("transform") ? reason.replace("host_error:", "") : "verdict_invalid");
  }
  if ((outcome === "approve") !== (reading.verdict.decision !== "deny")) return refused("verdict_invalid");
  if (outcome === "approve") return { lifted: true, verdict: reading.verdict };
  const { verdict: own } = reading;
  const reason = own.reason || denied.reason;
  return { lifted: false, verdict: { ...denied, ...own, decision: "deny", reason, cause: "user" } };
}

function refused(reason: string): Resolution {
  return {
    lifted: false,
    verdict: { decision: "deny", reason: `host_error:${reason}`, cause: "hook_failure", warnings: [] },
  };
}
