/** What a command line means: one shape a command, and the commands with what help says of them. Costs nothing to import. */
import type { PermissionMode } from "../../config/mod.ts";
import type { Dialect } from "../../protocol/mod.ts";

/** How `run` shows what happens. */
export const OUTPUT_FORMATS = ["text", "json", "stream-json"] as const;
export type OutputFormat = typeof OUTPUT_FORMATS[number];

/** How `hooks validate` prints its findings. */
export const FINDING_FORMATS = ["text", "json"] as const;
export type FindingFormat = typeof FINDING_FORMATS[number];

/** The permission modes, mildest question first. */
export const PERMISSION_MODES = [
  "ask",
  "accept-edits",
  "read-only",
  "full",
] as const satisfies readonly PermissionMode[];

/** The dialects that a hook file can be validated as. */
export const FILE_DIALECTS = ["soong", "onecode"] as const satisfies readonly Dialect[];

/** Where the task comes from. `nothing`: the command line has none. */
export type PromptSource =
  | { readonly from: "argument"; readonly text: string }
  | { readonly from: "stdin" }
  | { readonly from: "nothing" };

/** `run`. What is undefined was not given: the configuration or a default decides. */
export interface RunCommand {
  readonly name: "run";
  readonly prompt: PromptSource;
  readonly model: string | undefined;
  readonly project: string | undefined;
  readonly permissionMode: PermissionMode | undefined;
  readonly output: OutputFormat;
  /** Model requests for one prompt, from 1. */
  readonly maxTurns: number | undefined;
  /** Tokens for the whole run, from 1. */
  readonly maxTokens: number | undefined;
  /** A session id, or `last`. */
  readonly resume: string | undefined;
  readonly noHooks: boolean;
  readonly demo: boolean;
}

/** `hooks validate`. Without files: the hook files of this user. */
export interface ValidateCommand {
  readonly name: "hooks validate";
  readonly files: readonly string[];
  readonly format: FindingFormat;
  /** Warnings count as errors. */
  readonly strict: boolean;
  /** Undefined: the path or the content decides. */
  readonly dialect: typeof FILE_DIALECTS[number] | undefined;
}

type BareName = "hooks overview" | "hooks list" | "hooks events" | "hooks status" | "sessions list" | "tools";

/** A command without arguments of its own: one member of the union for each name. */
export type BareCommand = { [Name in BareName]: { readonly name: Name } }[BareName];

/** `sessions show`. */
export interface ShowSessionCommand {
  readonly name: "sessions show";
  readonly id: string;
}

/** `sessions verify`. */
export interface VerifySessionCommand {
  readonly name: "sessions verify";
  readonly id: string;
  /** The expected SHA-256 (hex, lower case) of the last line. */
  readonly head: string | undefined;
}

/** `trust`: what is done with the trust in a project. */
export interface TrustCommand {
  readonly name: "trust";
  /** The project; undefined: the working directory. */
  readonly folder: string | undefined;
  readonly action: "content" | "folder" | "list" | "remove" | "diff";
  /** The answer to the question is yes. */
  readonly yes: boolean;
}

/** What the user asked for. */
export type Command =
  | RunCommand
  | ValidateCommand
  | BareCommand
  | ShowSessionCommand
  | VerifySessionCommand
  | TrustCommand;

/** The meaning of a command line. `text` ends without a line break. */
export type ParsedArguments =
  | { readonly kind: "command"; readonly command: Command }
  /** For stdout. */
  | { readonly kind: "text"; readonly text: string; readonly exit: 0 }
  /** For stderr. */
  | { readonly kind: "wrong_usage"; readonly text: string; readonly exit: 2 };

/** `run` without options. */
export const PLAIN_RUN = {
  name: "run",
  prompt: { from: "nothing" },
  model: undefined,
  project: undefined,
  permissionMode: undefined,
  output: "text",
  maxTurns: undefined,
  maxTokens: undefined,
  resume: undefined,
  noHooks: false,
  demo: false,
} as const satisfies RunCommand;

/** `hooks validate` without options. */
export const PLAIN_VALIDATE = {
  name: "hooks validate",
  files: [],
  format: "text",
  strict: false,
  dialect: undefined,
} as const satisfies ValidateCommand;

/** One command of the program. */
export interface CommandRow {
  /** The words that name it; `hooks` alone is the overview. */
  readonly words: readonly [string, ...string[]];
  /** Another last word for the same. */
  readonly alias?: string;
  /** What follows the words, for help. */
  readonly takes: string;
  readonly brief: string;
  /** Said when an argument is one too many or an option does not exist. */
  readonly hint?: string;
  /**
   * The command for words that are all arguments and no options, so that the common command lines start without the
   * command-line library. Undefined leaves it to the library, which also says what is wrong.
   */
  readonly plain?: (words: readonly string[]) => Command | undefined;
}

/** Every command, in the order of help. A new command is one row here and one parser in `parsers.ts`. */
export const COMMANDS = {
  "run": {
    words: ["run"],
    takes: "[PROMPT|-] [OPTIONS]",
    brief: "Give the agent a task",
    hint: 'the prompt is one argument: put it in quotes; a prompt that begins with a dash comes after "--"',
    plain: ([text, ...more]) => {
      if (text === undefined) return PLAIN_RUN;
      if (text.trim() === "" || more.length > 0) return undefined;
      return { ...PLAIN_RUN, prompt: { from: "argument", text } };
    },
  },
  "hooks overview": { words: ["hooks"], takes: "", brief: "Show the hooks and how they stand" },
  "hooks validate": {
    words: ["hooks", "validate"],
    takes: "[FILE...] [OPTIONS]",
    brief: "Check hook files",
    plain: (files) => ({ ...PLAIN_VALIDATE, files }),
  },
  "hooks list": { words: ["hooks", "list"], alias: "ls", takes: "", brief: "List the registered hooks by point" },
  "hooks events": { words: ["hooks", "events"], takes: "", brief: "List the points and their event names" },
  "hooks status": { words: ["hooks", "status"], takes: "", brief: "Show hook files, what was loaded and what was not" },
  "trust": {
    words: ["trust"],
    takes: "[DIR] [OPTIONS]",
    brief: "Look at what a project's hooks would run, and trust them",
    plain: ([folder, ...more]) =>
      more.length > 0 ? undefined : { name: "trust", folder, action: "content", yes: false },
  },
  "sessions list": { words: ["sessions", "list"], alias: "ls", takes: "", brief: "List the recorded sessions" },
  "sessions show": { words: ["sessions", "show"], takes: "ID", brief: "Show what happened in a session" },
  "sessions verify": {
    words: ["sessions", "verify"],
    takes: "ID [--head HASH]",
    brief: "Check that a session's log was not changed",
  },
  "tools": { words: ["tools"], takes: "", brief: "List the tools and what they can do at worst" },
} as const satisfies Record<Command["name"], CommandRow>;

/** The rows of `COMMANDS` with their names. */
export const COMMAND_ROWS: readonly (readonly [Command["name"], CommandRow])[] = Object.entries(COMMANDS) as [
  Command["name"],
  CommandRow,
][];
