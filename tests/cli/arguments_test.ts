import { deepEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { type Command, parseArguments, parsePending, type RunCommand } from "../../src/cli/arguments.ts";
import { COMMAND_ROWS, PLAIN_RUN, PLAIN_VALIDATE } from "../../src/cli/arguments/command.ts";
import { quickAnswer } from "../../src/cli/arguments/quick.ts";

const ROOT = join(import.meta.dirname!, "../..");

const RUN: RunCommand = PLAIN_RUN;
const VALIDATE = PLAIN_VALIDATE;
const HASH = "0123456789abcdef".repeat(4);
const prompt = (text: string) => ({ from: "argument", text }) as const;

const COMMANDS: readonly (readonly [line: readonly string[], command: Command])[] = [
  [["run"], RUN],
  [["run", "fix the bug"], { ...RUN, prompt: prompt("fix the bug") }],
  [["run", "-"], { ...RUN, prompt: { from: "stdin" } }],
  [["run", "help"], { ...RUN, prompt: prompt("help") }],
  [["run", "--", "--allow-read"], { ...RUN, prompt: prompt("--allow-read") }],
  [["run", "--model", "x/y", "--", "-A"], { ...RUN, prompt: prompt("-A"), model: "x/y" }],
  [["run", "--", "--help"], { ...RUN, prompt: prompt("--help") }],
  [["run", "--demo"], { ...RUN, demo: true }],
  [["run", "--demo", "--output", "json", "--max-turns", "9"], { ...RUN, demo: true, output: "json", maxTurns: 9 }],
  [["run", "--resume", "last"], { ...RUN, resume: "last" }],
  [
    [
      ..."run go --model=script/a=b.json --project /tmp/a --permission-mode accept-edits --output stream-json".split(
        " ",
      ),
      ..."--max-turns 3 --max-tokens=100000 --resume 2026-a --no-hooks".split(" "),
    ],
    {
      ...RUN,
      prompt: prompt("go"),
      model: "script/a=b.json",
      project: "/tmp/a",
      permissionMode: "accept-edits",
      output: "stream-json",
      maxTurns: 3,
      maxTokens: 100000,
      resume: "2026-a",
      noHooks: true,
    },
  ],
  [["hooks"], { name: "hooks overview" }],
  [["hooks", "list"], { name: "hooks list" }],
  [["hooks", "ls"], { name: "hooks list" }],
  [["hooks", "events"], { name: "hooks events" }],
  [["hooks", "status"], { name: "hooks status" }],
  [["hooks", "validate"], VALIDATE],
  [
    ["hooks", "validate", "a.json", "--strict", "b c.json", "--format", "json", "--dialect", "soong"],
    { ...VALIDATE, files: ["a.json", "b c.json"], format: "json", strict: true, dialect: "soong" },
  ],
  [["hooks", "validate", "--", "-a.json"], { ...VALIDATE, files: ["-a.json"] }],
  [["sessions", "list"], { name: "sessions list" }],
  [["sessions", "ls"], { name: "sessions list" }],
  [["sessions", "show", "abc"], { name: "sessions show", id: "abc" }],
  [["sessions", "verify", "abc"], { name: "sessions verify", id: "abc", head: undefined }],
  [
    ["sessions", "verify", "--head", HASH.toUpperCase(), "abc"],
    { name: "sessions verify", id: "abc", head: HASH },
  ],
  [["tools"], { name: "tools" }],
];

for (const [line, command] of COMMANDS) {
  Deno.test(`"${line.join(" ").slice(0, 60)}" is read as its command`, () => {
    const parsed = parseArguments(line, "1.2.3");
    deepEqual(parsed.kind === "command" ? { ...parsed.command } : parsed, command);
  });
}

const WRONG: readonly (readonly [line: readonly string[], says: RegExp])[] = [
  [["rum"], /there is no command "rum"; did you mean "run"\?\n {2}commands: run, hooks, trust, sessions, tools\n/],
  [["eval", "1"], /there is no command "eval"\n {2}commands: run, hooks/],
  [["--allow-read"], /there is no option "--allow-read" here/],
  [["-A", "run"], /there is no option "-A" here/],
  [["--"], /there is no option "--" here/],
  [[""], /there is no command ""/],
  [["--version", "--json"], /--version takes nothing after it/],
  [["--help", "run"], /--help comes after the command: run --help/],
  [["help", "hooks", "lst"], /there is no command "lst"; did you mean "list"\?/],
  [
    ["hooks", "validte"],
    /did you mean "validate"\?\n {2}commands: hooks validate, hooks list, hooks events, hooks status/,
  ],
  [["hooks", "--strict"], /there is no option "--strict" here[\s\S]*help: soong-agent hooks --help/],
  [["sessions"], /sessions needs a word after it\n {2}commands: sessions list, sessions show, sessions verify/],
  [["sessions", "show"], /the session's ID is missing; "sessions list" shows them/],
  [["sessions", "show", "a", "b"], /Unexpected option or argument: "b"/],
  [["sessions", "verify", "a", "--head", "12"], /`--head`: a head is 64 hexadecimal digits, not "12"/],
  [["tools", "x"], /Unexpected option or argument: "x"[\s\S]*help: soong-agent tools --help/],
  [["run", "fix", "it"], /Unexpected option or argument: "it".*\n {2}hint: .*quotes/],
  [["run", "-A"], /Unexpected option or argument: "-A".*\n {2}hint: .*comes after "--"/],
  [["run", "--modle", "a/b"], /"--modle"\. Did you mean `--model`\?/],
  [["run", "--model"], /`--model` requires/],
  [["run", "--model", "--no-hooks", "go"], /`--model`: a value is missing before "--no-hooks"/],
  [["run", "--model", "a", "--model", "b"], /`--model` cannot be used multiple times/],
  [["run", "--max-turns", "0"], /`--max-turns`: .*1/],
  [["run", "--max-tokens", "1e3"], /`--max-tokens`: .*"1e3"/],
  [
    ["run", "--permission-mode", "read_only"],
    /"ask", "accept-edits", "read-only", and "full".*Did you mean "read-only"\?/,
  ],
  [["run", "--output", "yaml"], /"text", "json", and "stream-json"/],
  [["run", " "], /the prompt is empty/],
  [["run", "--project="], /`--project`: the value is empty/],
  [["run", "--demo", "go", "--no-hooks"], /--demo brings its own .*; leave out PROMPT, --no-hooks/],
  [["hooks", "validate", "--dialect", "sung"], /Did you mean "soong"\?/],
];

for (const [line, says] of WRONG) {
  Deno.test(`"${line.join(" ")}" is wrong usage, says what is wrong and where help is`, () => {
    const parsed = parseArguments(line, "1.2.3");
    equal(parsed.kind, "wrong_usage");
    ok(parsed.kind === "wrong_usage");
    equal(parsed.exit, 2);
    match(parsed.text, says);
    match(parsed.text, /^error: [^\n]+\n( {2}[^\n]+\n)* {2}help: soong-agent[^\n]* --help$/);
  });
}

Deno.test("no arguments, help, --help and -h are the same text, which names every command", () => {
  const texts = [[], ["help"], ["--help"], ["-h"]].map((line) => textOf(parseArguments(line, "1.2.3")));
  equal(new Set(texts).size, 1);
  for (const [, { words, brief }] of COMMAND_ROWS) {
    ok(texts[0]!.includes(`  ${words.join(" ")}`), words.join(" "));
    ok(texts[0]!.includes(brief), brief);
  }
});

Deno.test("help and --help at a first word show its commands only", () => {
  const texts = [["hooks", "help"], ["hooks", "--help"], ["help", "hooks"]]
    .map((line) => textOf(parseArguments(line, "1.2.3")));
  equal(new Set(texts).size, 1);
  ok(texts[0]!.includes("hooks validate") && !texts[0]!.includes("sessions"));
});

for (const [name, { words, alias, brief }] of COMMAND_ROWS.filter(([name]) => name !== "hooks overview")) {
  Deno.test(`"${name} --help" and "help ${name}" show what the command takes`, () => {
    const text = textOf(parseArguments([...words, "--help"], "1.2.3"));
    ok(text.startsWith(`${brief}.\nUsage: soong-agent ${words.join(" ")}`), text);
    equal(textOf(parseArguments(["help", ...words], "1.2.3")), text);
    if (alias !== undefined) equal(textOf(parseArguments([words[0], alias, "--help"], "1.2.3")), text);
  });
}

Deno.test("help stands wherever it stands after the command, and shows every option of run", () => {
  const text = textOf(parseArguments(["run", "fix it", "--no-hooks", "--help"], "1.2.3"));
  const options = "--model --project --permission-mode --output --max-turns --max-tokens --resume --no-hooks --demo";
  for (const option of options.split(" ")) ok(text.includes(`  ${option}`), option);
});

Deno.test("the quick answer covers the version, help and commands without options, and leaves the rest", () => {
  deepEqual(quickAnswer(["--version"], "1.2.3"), { kind: "text", text: "soong-agent 1.2.3", exit: 0 });
  equal(quickAnswer([], "1.2.3")?.kind, "text");
  deepEqual(quickAnswer(["hooks", "list"], "1.2.3"), { kind: "command", command: { name: "hooks list" } });
  for (
    const line of [["run", "-"], ["run", "a", "b"], ["run", " "], ["run", "--help"], ["hooks", "validate", ""], [
      "tools",
      "x",
    ]]
  ) {
    equal(quickAnswer(line, "1.2.3"), undefined, line.join(" "));
  }
});

for (
  const line of [["run"], ["run", "fix the bug"], ["hooks", "validate"], ["hooks", "validate", "a.json", "b c.json"]]
) {
  Deno.test(`"${line.join(" ")}" means the same with and without the command-line library`, () => {
    const [name, row] = COMMAND_ROWS.find(([name]) => line.join(" ").startsWith(name))!;
    const { command } = parsePending({ kind: "pending", name, row, rest: line.slice(row.words.length) }) as {
      command: Command;
    };
    deepEqual(quickAnswer(line, "1.2.3"), { kind: "command", command: { ...command } });
  });
}

Deno.test("neither the quick answer nor the entry point loads a package", async () => {
  /** Packages that are loaded when a module is: along imports that are neither of types nor dynamic. */
  const packages = async (file: string) => {
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["info", "--json", join(ROOT, file)],
      cwd: ROOT,
      stderr: "null",
    }).output();
    const { roots, modules } = JSON.parse(new TextDecoder().decode(stdout)) as {
      roots: string[];
      modules: {
        specifier: string;
        dependencies?: { code?: { specifier?: string }; isDynamic?: boolean }[];
      }[];
    };
    const reached = new Set(roots);
    for (const specifier of reached) {
      const dependencies = modules.find((module) => module.specifier === specifier)?.dependencies ?? [];
      for (const { code, isDynamic } of dependencies) {
        if (code?.specifier !== undefined && !isDynamic) reached.add(code.specifier);
      }
    }
    return [...reached].filter((specifier) => specifier.startsWith("npm:"));
  };
  ok((await packages("src/cli/arguments.ts")).some((name) => name.includes("@optique/core")));
  deepEqual(await packages("src/cli/arguments/quick.ts"), []);
  deepEqual(await packages("main.ts"), []);
});

function textOf(parsed: ReturnType<typeof parseArguments>): string {
  ok(parsed.kind === "text", JSON.stringify(parsed));
  equal(parsed.exit, 0);
  return parsed.text;
}
