import type { Tool, ToolRegistry } from "./port.ts";

/** A registry of these tools. Wire names are the canonical ones with `_` for what providers refuse, made unique. */
export function createToolRegistry(tools: readonly Tool[]): ToolRegistry {
  const byWireName = new Map<string, Tool>();
  const wireNames = new Map<Tool, string>();
  const canonical = new Map(tools.map((tool) => [tool.name, tool]));
  for (const tool of tools) {
    const name = unused(tool.name.replaceAll(NOT_ON_THE_WIRE, "_").slice(0, MAX_NAME), byWireName);
    byWireName.set(name, tool);
    wireNames.set(tool, name);
  }
  return {
    tools,
    resolve: (wireName) => byWireName.get(wireName.trim()) ?? canonical.get(wireName.trim()),
    wireName: (tool) => {
      const name = wireNames.get(tool);
      if (name === undefined) throw new TypeError(`${tool.name} is not in this registry`);
      return name;
    },
  };
}

const NOT_ON_THE_WIRE = /[^A-Za-z0-9_-]/g;
const MAX_NAME = 64;

function unused(name: string, taken: ReadonlyMap<string, Tool>): string {
  let candidate = name;
  for (let count = 2; taken.has(candidate); count++) {
    const suffix = `_${count}`;
    candidate = name.slice(0, MAX_NAME - suffix.length) + suffix;
  }
  return candidate;
}
