/** The embedded demo: project, hooks, the model's script, and the function that writes what has to be on the disk. */
export { demoFiles, demoHooks, demoHookScripts } from "./files.ts";
export { prepareDemo } from "./prepare.ts";
export { demoIntroduction, demoPrompt, demoScript } from "./script.ts";
