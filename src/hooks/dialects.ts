/** How each speech speaks: one row each. A speech without a row cannot be registered. */
import type { Speech } from "../protocol/mod.ts";
import { classifyAgentHooks } from "./agent_hooks/classify.ts";
import { agentContext } from "./agent_hooks/context.ts";
import type { DialectModule } from "./dialect.ts";
import { classifyOnecode } from "./onecode/classify.ts";
import { onecodePayload } from "./onecode/payload.ts";
import { classifySoongOne } from "./soong/classify.ts";
import { soongPayload } from "./soong/payload.ts";

/** The module of a speech; undefined for one that this version does not speak. */
export const DIALECTS: { readonly [S in Speech]?: DialectModule & { readonly speech: S } } = {
  "soong/1": { speech: "soong/1", payload: soongPayload, classify: classifySoongOne },
  onecode: { speech: "onecode", payload: onecodePayload, classify: classifyOnecode },
  "agent-hooks/0.1": { speech: "agent-hooks/0.1", payload: agentContext, classify: classifyAgentHooks },
};
