/** What a tool is to the loop, and what the tools need from outside. */
import type { Json, JsonObject, Tier } from "../protocol/mod.ts";
import type { RunCommand } from "../process/mod.ts";

/** What a tool run came to. Failures of the tool are values too. */
export interface ToolOutcome {
  readonly is_error: boolean;
  /** For the model: plain text. */
  readonly content: string;
  /** What the tool returned, where that is more than text. */
  readonly value?: Json;
  /** Facts for hooks and renderers: `exit_code`, `diff`, `background_ended`, … */
  readonly metadata?: JsonObject;
}

/** Arguments after validation, or what is wrong with them (each problem names the field). */
export type ValidatedInput =
  | { readonly ok: true; readonly input: JsonObject }
  | { readonly ok: false; readonly problems: readonly string[] };

/** What one call is given. */
export interface ToolCallContext {
  readonly signal: AbortSignal;
  readonly call_id: string;
  /** What `target` gave when hooks and permission judged the call: a tool must not touch another place. */
  readonly judged_path?: string;
}

/** One tool. */
export interface Tool {
  /** Canonical name, for example `Bash` or `agent.plan_template`. */
  readonly name: string;
  readonly description: string;
  readonly tier: Tier;
  /** All tags, the tier among them (a `dangerous` tool has `write` as well). */
  readonly tags: readonly string[];
  /** JSON schema of the arguments. */
  readonly parameters: JsonObject;
  validate(input: JsonObject): ValidatedInput;
  /** The absolute path a call works on, links resolved; undefined for tools without one. */
  target(input: JsonObject): Promise<string | undefined>;
  /** Never throws, except for a bug. */
  run(input: JsonObject, context: ToolCallContext): Promise<ToolOutcome>;
}

/** The tools of a run. */
export interface ToolRegistry {
  readonly tools: readonly Tool[];
  /** The tool that the model meant by this name on the wire; undefined for an unknown one. */
  resolve(wireName: string): Tool | undefined;
  /** The name of a tool on the wire: `.` replaced by `_`, unique. */
  wireName(tool: Tool): string;
}

/** What the built-in tools need. */
export interface ToolEnvironment {
  /** Real path of the project. */
  readonly project_dir: string;
  /** Real paths of further folders that file tools may use. */
  readonly added_dirs: readonly string[];
  readonly run_command: RunCommand;
  /** Environment of children (allow-list already applied). */
  readonly child_env: Readonly<Record<string, string>>;
  readonly kill_grace_ms: number;
  readonly max_output_bytes: number;
  /** Time limit of a Bash call that names none, in milliseconds; default 120 000. */
  readonly bash_timeout_ms?: number;
  /** Globs of files whose content Grep passes over unless the call names them (design.md, section 9). */
  readonly sensitive: readonly string[];
  /** Where plan files go by default, relative to the project. */
  readonly plans_dir: string;
}

/** The tools that touch files. */
export type FileToolName = "Read" | "Glob" | "Grep" | "LS" | "Write" | "Edit";

/**
 * The one door to everything that touches files. It keeps what was read when, and orders changes of one file. Settings,
 * inputs and outcomes can be cloned, so that a worker with narrowed permissions can stand behind it.
 */
export interface FileTools {
  /**
   * Never throws for anything a file or an argument does; soon after `signal` aborts it says so in its outcome. `judged` is the
   * real path that the call was judged by; when it leads elsewhere by now, nothing is done.
   */
  run(tool: FileToolName, input: JsonObject, signal: AbortSignal, judged?: string): Promise<ToolOutcome>;
}

/** What the file tools are made with. */
export type FileToolSettings = Pick<ToolEnvironment, "project_dir" | "added_dirs" | "sensitive">;
