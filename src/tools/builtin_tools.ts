import { bashTool } from "./bash.ts";
import { fileTools } from "./file_tool_definitions.ts";
import { createFileTools } from "./files/file_tools.ts";
import { planTemplateTool } from "./plan_template.ts";
import type { FileTools, ToolEnvironment, ToolRegistry } from "./port.ts";
import { createToolRegistry } from "./registry.ts";
import { todoWriteTool } from "./todo_write.ts";

/** The built-in tools. `files` is what stands behind the door of the file tools; by default they run right here. */
export function createBuiltinTools(
  environment: ToolEnvironment,
  files: FileTools = createFileTools(environment),
): ToolRegistry {
  return createToolRegistry([
    ...fileTools(environment, files),
    bashTool(environment),
    todoWriteTool(),
    planTemplateTool(environment.plans_dir),
  ]);
}
