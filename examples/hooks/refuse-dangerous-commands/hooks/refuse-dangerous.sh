#!/bin/sh
# PreToolUse, tool Bash: refuses commands that destroy what no one can bring back.
#
# The payload is one line of JSON on stdin. A text rule stops accidents, not someone who hides what a command does
# (sh -c "$(base64 -d …)"): for that the agent has to run in a sandbox of the system.

command=$(sed -nE 's/.*"command": ?"(([^"\\]|\\.)*)".*/\1/p' | sed 's/\\[nrt]/ /g')

deny() {
  printf '{ "decision": "deny", "reason": "%s" }\n' "$1"
  exit 0
}

says() {
  printf '%s\n' "$command" | grep -Eq "(^|[^A-Za-z0-9_.-])$1"
}

says 'rm +([^;&|]* )?(-[A-Za-z]*[rR]|--recursive)' && deny "deleting whole folders is refused; name single files, or ask the user to do it"
says 'git +push +([^;&|]* )?(-f|--force)( |$)' && deny "a forced push is refused; push to a new branch"
says 'git +(reset +--hard|clean +-[A-Za-z]*f)' && deny "this throws uncommitted work away; commit or stash it first"
says 'dd +[^;&|]*of=/dev/' && deny "writing to a device is refused"
says 'mkfs[. ]' && deny "making a file system is refused"
says 'chmod +([^;&|]* )?-R +0*777' && deny "opening a whole folder to everybody is refused"
says '(curl|wget) [^;&]*\| *(sudo +)?(ba|z|da)?sh' && deny "running what was just downloaded is refused; save it and read it first"

echo '{ "decision": "allow" }'
