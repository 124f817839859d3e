/** One parser a command, on `@optique/core`: options, arguments, and what help says of them. */
import { object, or } from "@optique/core/constructs";
import { message, text } from "@optique/core/message";
import { map, multiple, optional, withDefault } from "@optique/core/modifiers";
import type { Parser } from "@optique/core/parser";
import { argument, constant, flag, option } from "@optique/core/primitives";
import { choice, integer, type ValueParser } from "@optique/core/valueparser";
import { type BareCommand, type Command, FILE_DIALECTS, FINDING_FORMATS } from "./command.ts";
import {
  OUTPUT_FORMATS,
  PERMISSION_MODES,
  PLAIN_RUN,
  PLAIN_VALIDATE,
  type PromptSource,
  type TrustCommand,
} from "./command.ts";

/** A command's parser. */
export type CommandParser = Parser<"sync", Command, unknown>;

/** The parser of each command, made when it is asked for. */
export const PARSERS = {
  "run": runParser,
  "hooks overview": () => bare("hooks overview"),
  "hooks validate": validateParser,
  "hooks list": () => bare("hooks list"),
  "hooks events": () => bare("hooks events"),
  "hooks status": () => bare("hooks status"),
  "sessions list": () => bare("sessions list"),
  "sessions show": () => object({ name: constant("sessions show"), id: sessionId() }, NO_SESSION),
  "sessions verify": verifyParser,
  "tools": () => bare("tools"),
  "trust": trustParser,
} as const satisfies Record<Command["name"], () => CommandParser>;

function runParser() {
  return object({
    name: constant("run"),
    prompt: map(
      optional(argument(promptText(), { description: message`The task in one argument; - reads it from stdin.` })),
      promptSource,
    ),
    model: optional(option("--model", word("PROVIDER/ID"), {
      description: message`The model, for example anthropic/claude-sonnet-4-5 or script/FILE.`,
    })),
    project: optional(option("--project", word("DIR"), {
      description: message`The folder to work in (default: the working directory).`,
    })),
    permissionMode: optional(option("--permission-mode", oneOf(PERMISSION_MODES, "MODE"), {
      description: message`What tools may do without a question: ${text(PERMISSION_MODES.join(", "))} (default: ask).`,
    })),
    output: withDefault(
      option("--output", oneOf(OUTPUT_FORMATS, "FORMAT"), {
        description: message`How to show it: ${text(OUTPUT_FORMATS.join(", "))} (default: text).`,
      }),
      PLAIN_RUN.output,
    ),
    maxTurns: optional(option("--max-turns", integer({ min: 1, metavar: "N" }), {
      description: message`Most model requests for the task.`,
    })),
    maxTokens: optional(option("--max-tokens", integer({ min: 1, metavar: "N" }), {
      description: message`Most tokens, in and out, for the whole run.`,
    })),
    resume: optional(option("--resume", word("ID|last"), {
      description: message`Go on with a recorded session.`,
    })),
    noHooks: switchedOn("--no-hooks", "Run without any hook; the run says so."),
    demo: switchedOn("--demo", "Show hooks at work in a temporary project, without a key and without a network."),
  });
}

function validateParser() {
  return object({
    name: constant("hooks validate"),
    files: multiple(
      argument(place("FILE"), {
        description:
          message`Hook files (default: hooks.json of the home, and the .onecode files of the user and the project).`,
      }),
    ),
    format: withDefault(
      option("--format", oneOf(FINDING_FORMATS, "FORMAT"), {
        description: message`How to print the findings: ${text(FINDING_FORMATS.join(", "))} (default: text).`,
      }),
      PLAIN_VALIDATE.format,
    ),
    strict: switchedOn("--strict", "Count warnings as errors."),
    dialect: optional(option("--dialect", oneOf(FILE_DIALECTS, "DIALECT"), {
      description: message`Read the files as this dialect: ${text(FILE_DIALECTS.join(", "))}.`,
    })),
  });
}

function trustParser() {
  const action = (flagName: `--${string}`, name: TrustCommand["action"], description: string) =>
    map(flag(flagName, { description: message`${text(description)}` }), () => name);
  return object({
    name: constant("trust"),
    folder: optional(argument(place("DIR"), { description: message`The project (default: the working directory).` })),
    action: withDefault(
      or(
        action("--folder", "folder", "Trust the folder with all below it, whatever comes into it."),
        action("--list", "list", "Show everything that is trusted."),
        action("--remove", "remove", "Take the trust away."),
        action("--diff", "diff", "Show what has changed since it was trusted."),
      ),
      "content",
    ),
    yes: switchedOn("--yes", "Do not ask."),
  });
}

function verifyParser() {
  return object({
    name: constant("sessions verify"),
    id: sessionId(),
    head: optional(option("--head", hash(), { description: message`The head that the run printed at its end.` })),
  }, NO_SESSION);
}

const NO_SESSION = { errors: { endOfInput: message`the session's ID is missing; "sessions list" shows them` } };

function sessionId() {
  return argument(place("ID"), { description: message`The session's id.` });
}

function bare(name: BareCommand["name"]) {
  return object({ name: constant(name) });
}

function switchedOn(name: `--${string}`, description: string) {
  return withDefault(flag(name, { description: message`${text(description)}` }), false);
}

function promptSource(prompt: string | undefined): PromptSource {
  if (prompt === undefined) return { from: "nothing" };
  return prompt === "-" ? { from: "stdin" } : { from: "argument", text: prompt };
}

function oneOf<const Word extends string>(words: readonly Word[], metavar: "MODE" | "FORMAT" | "DIALECT") {
  return choice(words, { metavar, suggest: "nearest" });
}

/** An option's value: not empty, and no option whose value was forgotten. */
function word(metavar: Metavar): ValueParser<"sync", string> {
  return checked(metavar, (value) => {
    if (value === "") return message`the value is empty`;
    return value.startsWith("-") ? message`a value is missing before ${value}` : undefined;
  });
}

/** An argument; one that begins with a dash has come after `--`. */
function place(metavar: Metavar): ValueParser<"sync", string> {
  return checked(metavar, (value) => value === "" ? message`the value is empty` : undefined);
}

function promptText(): ValueParser<"sync", string> {
  return checked("PROMPT", (value) => value.trim() === "" ? message`the prompt is empty` : undefined);
}

function hash(): ValueParser<"sync", string> {
  const parser = checked(
    "HASH",
    (value) => /^[0-9a-f]{64}$/i.test(value) ? undefined : message`a head is 64 hexadecimal digits, not ${value}`,
  );
  return {
    ...parser,
    parse(value) {
      const result = parser.parse(value);
      return result.success ? { success: true, value: result.value.toLowerCase() } : result;
    },
  };
}

type Metavar = "PROVIDER/ID" | "DIR" | "ID|last" | "FILE" | "ID" | "PROMPT" | "HASH";

function checked(
  metavar: Metavar,
  problem: (value: string) => ReturnType<typeof message> | undefined,
): ValueParser<"sync", string> {
  return {
    mode: "sync",
    metavar,
    placeholder: "",
    parse(value) {
      const error = problem(value);
      return error === undefined ? { success: true, value } : { success: false, error };
    },
    format: (value) => value,
  };
}
