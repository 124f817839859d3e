/**
 * tools/ — what the model can do: the tools, their arguments, and the registry that finds them by name.
 *
 * In: the arguments of a call as the model wrote them (a JSON object). Out: first what is wrong with them, each problem
 * naming its field; then one outcome a call, plain text for the model with facts beside it. A tool never throws for
 * anything a file, a command or an argument does: failure is an outcome with `is_error`.
 *
 * The file tools live in `files/` behind the `FileTools` port: they touch real paths inside the project and the added
 * folders only, change files in one step, and remember what was read. Bash runs through the process room and nothing
 * else. Adding a tool is one file that makes a `Tool` and one row in `builtin_tools.ts`.
 */
export type * from "./port.ts";
export { createBuiltinTools } from "./builtin_tools.ts";
export { createFileTools } from "./files/file_tools.ts";
export { createToolRegistry } from "./registry.ts";
