#!/bin/sh
# PreToolUse: keeps the folder named by the first argument as it is. For a shell command it is enough that the text names the
# folder: reading it is what the Read tool is for.

payload=$(cat)
case $payload in
  *'"tool_name":"Bash"'*)
    command=$(printf '%s\n' "$payload" | sed -nE 's/.*"command": ?"(([^"\\]|\\.)*)".*/\1/p' | sed 's/\\[nrt]/ /g')
    if ! printf '%s\n' "$command" | grep -Eq "(^|[^A-Za-z0-9_.-])$1(/|[^A-Za-z0-9_.-]|\$)"; then
      echo '{ "decision": "allow" }'
      exit 0
    fi
    ;;
esac
printf '{ "decision": "deny", "reason": "%s/ is kept as it is; write a new file beside it, or ask the user" }\n' "$1"
