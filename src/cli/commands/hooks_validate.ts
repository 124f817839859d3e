/** `hooks validate`: checks hook files without running anything. Needs read permission only. */
import { resolve } from "node:path";
import { EXIT } from "../exit_codes.ts";
import { type HookFile, lintHooks, loadHookFiles } from "../../hooks/mod.ts";
import { type Diagnostic, formatDiagnostic } from "../../protocol/mod.ts";
import { terminalSafe } from "../../text/mod.ts";
import type { ValidateCommand } from "../arguments/command.ts";
import { childVariables } from "../child_environment.ts";
import { loadSettings } from "../config_setup.ts";
import { hookFiles } from "../hook_setup.ts";
import type { Output } from "../output.ts";
import { readSurroundings } from "../surroundings.ts";
import { describeTools } from "../tool_setup.ts";

/** Validates the files given, or those that a run reads. */
export async function validateHooks(command: ValidateCommand, output: Output): Promise<number> {
  const surroundings = await readSurroundings(undefined);
  if ("problem" in surroundings) {
    await output.err(`error: ${surroundings.problem}\n`);
    return EXIT.invalid_configuration;
  }
  const settings = await loadSettings(surroundings);
  const files = command.files.length === 0
    ? hookFiles(surroundings, settings)
    : command.files.map((path): HookFile => ({
      path: resolve(path),
      source: "user",
      dialect: command.dialect ?? "by_content",
      base_priority: 100,
    }));
  const loaded = await loadHookFiles({
    files,
    project_dir: surroundings.project_dir,
    default_timeout_ms: settings.config.hooks.default_timeout_ms,
    tools: describeTools(),
  });
  const env = childVariables(surroundings, settings.config);
  const linted = await lintHooks({
    loaded,
    project_dir: surroundings.project_dir,
    path: env["PATH"],
    variables: env,
    windows: Deno.build.os === "windows",
  });
  const missing = command.files.length === 0
    ? []
    : loaded.files.flatMap((file): Diagnostic[] =>
      file.status !== "not_found" ? [] : [{
        file: file.path,
        line: 1,
        column: 1,
        severity: "error",
        code: "file-not-found",
        message: "there is no such file",
      }]
    );
  const own = command.files.length === 0 ? settings.diagnostics : [];
  const diagnostics = [...own, ...missing, ...loaded.diagnostics, ...linted];

  if (command.format === "json") await output.out(`${JSON.stringify(diagnostics, null, 2)}\n`);
  else for (const diagnostic of diagnostics) await output.out(`${terminalSafe(formatDiagnostic(diagnostic))}\n`);

  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const warnings = diagnostics.filter(({ severity }) => severity === "warning").length;
  for (const { path, status, hook_count: count } of loaded.files) {
    const what = status === "not_found" ? "no file" : `${count} hook(s)${status === "failed" ? ", file refused" : ""}`;
    await output.err(`${terminalSafe(path)}: ${what}\n`);
  }
  const { hooks } = settings.config;
  if (!hooks.enabled) await output.err("note: hooks are off (hooks.enabled = false): none of them fires\n");
  if (hooks.mode === "evaluate_only") await output.err("note: hooks.mode is evaluate_only: nothing is enforced\n");
  await output.err(`${errors} error(s), ${warnings} warning(s)\n`);
  return errors > 0 || (command.strict && warnings > 0) ? EXIT.invalid_configuration : EXIT.done;
}
