/** The demo's project and hooks as text, so that they are part of the binary. Hooks are POSIX sh: nothing has to be installed. */

/** Files of the temporary project, by path. */
export const demoFiles: Readonly<Record<string, string>> = {
  "README.md": `# Greeting

\`sh greet.sh NAME\` greets somebody. \`sh check.sh\` says whether it does so rightly.
`,
  "greet.sh": `#!/bin/sh
# Greets the person named by the first argument.
echo "Helo, $1"
`,
  "check.sh": `#!/bin/sh
# The tests of this project: exit code 0 when they pass.
expected="Hello, World!"
actual=$(sh ./greet.sh World)
if [ "$actual" = "$expected" ]; then
  echo "the check passes"
else
  echo "expected $expected but got $actual"
  exit 1
fi
`,
  "notes/keep.txt": `Nobody has a copy of this.
`,
};

/** The `hooks.json` of the demo's home. */
export const demoHooks = {
  version: 1,
  hooks: {
    PreToolUse: [
      {
        matcher: { tool_name: "Bash" },
        hooks: [{ type: "command", command: 'sh "$SOONG_AGENT_HOME/hooks/refuse-rm.sh"', timeout: 10 }],
      },
    ],
    PostToolUse: [
      { hooks: [{ type: "command", command: 'sh "$SOONG_AGENT_HOME/hooks/audit.sh"', timeout: 10 }] },
    ],
    Stop: [
      { hooks: [{ type: "command", command: 'sh "$SOONG_AGENT_HOME/hooks/require-check.sh"', timeout: 30 }] },
    ],
  },
} as const;

/** Scripts that `demoHooks` runs, by path below the home. */
export const demoHookScripts: Readonly<Record<string, string>> = {
  "hooks/refuse-rm.sh": String.raw`#!/bin/sh
# PreToolUse: refuses to delete folders. The payload is one line of JSON on stdin.
command=$(sed -nE 's/.*"command": ?"(([^"\\]|\\.)*)".*/\1/p' | sed 's/\\[nrt]/ /g')
if printf '%s\n' "$command" | grep -Eq '(^|[^A-Za-z0-9_.-])rm +([^;&|]* )?(-[A-Za-z]*[rR]|--recursive)'; then
  echo '{ "decision": "deny", "reason": "deleting whole folders is refused here" }'
else
  echo '{ "decision": "allow" }'
fi
`,
  "hooks/audit.sh": String.raw`#!/bin/sh
# PostToolUse: keeps a line of every call. It has no opinion, so it prints nothing.
cat >>"$SOONG_AGENT_HOME/audit.jsonl"
`,
  "hooks/require-check.sh": String.raw`#!/bin/sh
# Stop: the work is done when the project's check passes, and not before.
cd "$SOONG_PROJECT_DIR" || exit 1
if output=$(sh ./check.sh 2>&1); then
  echo '{ "decision": "allow" }'
else
  reason=$(printf '%s' "$output" | tr '\n\t' '  ' | tr -d '\000-\037' | sed 's/\\/\\\\/g; s/"/\\"/g')
  printf '{ "decision": "deny", "reason": "the check fails: %s" }\n' "$reason"
fi
`,
};
