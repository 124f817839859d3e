/**
 * The `jcs-sha256` identity of an AgentContext (agent-hooks/0.1, section 10.2): SHA-256 over the canonical JSON (RFC 8785)
 * of the closed projection to required and conditional members. Values outside I-JSON are refused, never rewritten.
 */
import { isJsonObject, type Json, type JsonObject } from "../../protocol/mod.ts";
import { CONDITIONAL_FIELDS } from "./context.ts";

/** Maps a context to an opaque string (section 10.1). */
export interface IdentityProvider {
  /** As records carry it: small letters, digits, `_` and `-`; the prefix `jcs` belongs to the standard. */
  readonly name: string;
  /** A throw, or anything but a string, refuses the emission. */
  readonly identify: (context: JsonObject) => string | Promise<string>;
}

/** The provider of the standard; what it refuses, it refuses with a message that names the member, never its value. */
export const JCS_SHA256: IdentityProvider = {
  name: "jcs-sha256",
  async identify(context) {
    const result = await jcsIdentity(context);
    if (!result.ok) throw new OutsideDomain(result.problem);
    return result.identity;
  },
};

/** Checks the name of a provider of the host's own. Throws `TypeError`. */
export function checkProviderName(name: string): void {
  if (name !== JCS_SHA256.name && (!/^[a-z][a-z0-9_-]*$/.test(name) || name.startsWith("jcs"))) {
    throw new TypeError(`Cannot use the identity provider "${name}": the name must match [a-z][a-z0-9_-]* without jcs`);
  }
}

/** An identity (null without a provider), or why the context has none; a problem names the member, never its value. */
export type IdentityResult<Identity extends string | null = string | null> =
  | { readonly ok: true; readonly identity: Identity }
  | { readonly ok: false; readonly problem: string };

/** The identity of a context by its provider. Never throws. */
export async function contextIdentity(
  context: JsonObject,
  provider: IdentityProvider | null = JCS_SHA256,
): Promise<IdentityResult> {
  if (provider === null) return { ok: true, identity: null };
  try {
    const identity: unknown = await provider.identify(context);
    if (typeof identity === "string") return { ok: true, identity };
    return { ok: false, problem: `the identity provider ${provider.name} gave no text` };
  } catch (error) {
    const problem = error instanceof OutsideDomain ? error.message : `the identity provider ${provider.name} failed`;
    return { ok: false, problem };
  }
}

/** Computes the identity `sha256:<hex>`. */
async function jcsIdentity(context: JsonObject): Promise<IdentityResult<string>> {
  const projected = project(context);
  if (typeof projected === "string") return { ok: false, problem: projected };
  const canonical = canonicalJson(projected);
  if (!canonical.ok) return canonical;
  const bytes = new TextEncoder().encode(canonical.text);
  if (bytes.length > LARGEST_CONTEXT_BYTES) {
    return { ok: false, problem: `the context has ${bytes.length} bytes, more than ${LARGEST_CONTEXT_BYTES}` };
  }
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return { ok: true, identity: `sha256:${digest.toHex()}` };
}

/** Canonical JSON by RFC 8785, or why the value has none. */
export function canonicalJson(
  value: Json,
): { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: string } {
  try {
    return { ok: true, text: canonical(value, "$", 0) };
  } catch (error) {
    if (error instanceof OutsideDomain) return { ok: false, problem: error.message };
    throw error;
  }
}

/** Recommended bounds of section 12.3. */
const LARGEST_CONTEXT_BYTES = 5 * 1024 * 1024;
const DEEPEST_NESTING = 128;

/** Nested members that count; a member that is not listed counts whole. */
const WHITELISTS: Readonly<Record<string, readonly string[]>> = {
  agent: ["id", "framework"],
  session: ["id"],
  model: ["id"],
  tool_call: ["id", "name", "args"],
  tool_result: ["value", "is_error"],
  response: ["content", "tool_calls", "finish_reason"],
  input: ["content", "role"],
  agent_init: ["tools_registered"],
  output: ["content"],
  summary: ["reason"],
};

const CORE = ["spec", "interception_point", "timestamp", "sequence", "agent", "session", "target"] as const;

/** The projection, or a sentence that says which member is missing. */
function project(context: JsonObject): JsonObject | string {
  const point = context["interception_point"];
  if (typeof point !== "string" || !Object.hasOwn(CONDITIONAL_FIELDS, point)) {
    return "interception_point is not one of the eight of the standard";
  }
  const projected: Record<string, Json> = {};
  for (const name of [...CORE, ...CONDITIONAL_FIELDS[point as keyof typeof CONDITIONAL_FIELDS]]) {
    const value = Object.hasOwn(context, name) ? context[name] : undefined;
    if (value === undefined) return `${name} is missing at ${point}`;
    const whitelist = WHITELISTS[name];
    if (whitelist === undefined) {
      projected[name] = value;
      continue;
    }
    if (!isJsonObject(value)) return `${name} is no object`;
    const missing = whitelist.find((member) => value[member] === undefined);
    if (missing !== undefined) return `${name}.${missing} is missing`;
    projected[name] = Object.fromEntries(whitelist.map((member) => [member, value[member]!]));
  }
  return projected;
}

class OutsideDomain extends Error {}

function canonical(value: Json, path: string, depth: number): string {
  if (depth > DEEPEST_NESTING) throw new OutsideDomain(`the context is nested deeper than ${DEEPEST_NESTING} levels`);
  switch (typeof value) {
    case "string":
      if (!value.isWellFormed()) throw new OutsideDomain(`${path} holds a lone surrogate`);
      return JSON.stringify(value);
    case "number":
      return canonicalNumber(value, path);
    case "bigint":
      throw tooLarge(path);
    case "boolean":
      return String(value);
    default:
      return value === null ? "null" : canonicalNested(value, path, depth);
  }
}

function canonicalNested(value: readonly Json[] | JsonObject, path: string, depth: number): string {
  if (!isJsonObject(value)) {
    return `[${value.map((item, index) => canonical(item, `${path}[${index}]`, depth + 1)).join(",")}]`;
  }
  // The default sort compares UTF-16 code units, as RFC 8785 asks.
  const members = Object.keys(value).filter((name) => value[name] !== undefined).sort().map((name) => {
    if (!name.isWellFormed()) throw new OutsideDomain(`a name in ${path} holds a lone surrogate`);
    return `${JSON.stringify(name)}:${canonical(value[name]!, `${path}.${name}`, depth + 1)}`;
  });
  return `{${members.join(",")}}`;
}

function canonicalNumber(value: number, path: string): string {
  if (!Number.isFinite(value)) throw new OutsideDomain(`${path} is not a finite number`);
  const text = JSON.stringify(value);
  if (Number.isInteger(value) && !Number.isSafeInteger(value) && !text.includes("e")) throw tooLarge(path);
  return text;
}

function tooLarge(path: string): OutsideDomain {
  return new OutsideDomain(`the integer at ${path} exceeds 2^53; write 64-bit identifiers as strings`);
}
