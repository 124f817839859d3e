/**
 * What the demo's model says, in the form of a script file (docs/models.md): it reads, is refused a dangerous command, edits,
 * wants to stop too early, is sent back, repairs and is done. Each `expect` fails the demo when a hook did not do its part.
 */

/** The task of the demo. */
export const demoPrompt = "Fix the greeting in greet.sh and clean the folder up.";

/** What is shown before the demo begins: what to look at. */
export const demoIntroduction = `This is a demo: the model is a script, the hooks, the tools and the files are real.
Look at the lines that begin with "hook", "denied" and "sent back":
  - before a command runs, a PreToolUse hook decides: rm -rf is denied and the folder stays
  - after every call, a PostToolUse hook keeps a line for the record
  - when the model says that it is done, a Stop hook runs the project's check and sends it back`;

/** The turns of the model. */
export const demoScript = {
  model_id: "demo",
  turns: [
    {
      text: "I read the script first.",
      tool_calls: [{ name: "Read", input: { file_path: "greet.sh" } }],
    },
    {
      expect: { contains: ["Helo"] },
      text: "There is a folder that nobody seems to need. I delete it.",
      tool_calls: [{ name: "Bash", input: { command: "rm -rf notes" } }],
    },
    {
      expect: { contains: ["deleting whole folders is refused here"] },
      text: "The folder stays, then. I correct the greeting.",
      tool_calls: [
        {
          name: "Edit",
          input: { file_path: "greet.sh", old_string: 'echo "Helo, $1"', new_string: 'echo "Hello, $1"' },
        },
      ],
    },
    {
      text: "The greeting is spelt rightly now. I am done.",
    },
    {
      expect: { contains: ["prevented completion", "expected Hello, World! but got Hello, World"] },
      text: "The check wants an exclamation mark as well. I repair it and run the check myself.",
      tool_calls: [
        {
          name: "Edit",
          input: { file_path: "greet.sh", old_string: 'echo "Hello, $1"', new_string: 'echo "Hello, $1!"' },
        },
        { name: "Bash", input: { command: "sh check.sh", description: "Run the check" } },
      ],
    },
    {
      expect: { contains: ["the check passes"] },
      text:
        'greet.sh now greets with "Hello, NAME!", and the check passes. The folder notes is untouched: a hook refused to ' +
        "have it deleted.",
    },
  ],
} as const;
