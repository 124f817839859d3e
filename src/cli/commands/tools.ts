/** `tools`: what the agent can use, and what each tool can do at worst. */
import { EXIT } from "../exit_codes.ts";
import type { Output } from "../output.ts";
import { describeTools } from "../tool_setup.ts";

/** Lists the tools. */
export async function listTools(output: Output): Promise<number> {
  const tools = describeTools();
  const width = Math.max(...tools.map(({ name }) => name.length));
  for (const { name, tier, tags, description } of tools) {
    const first = description.split("\n", 1)[0] ?? "";
    await output.out(`${name.padEnd(width)}  ${tier.padEnd(9)}  ${tags.join(", ")}\n    ${first}\n`);
  }
  return EXIT.done;
}
