#!/bin/sh
# Stop: runs the command in its arguments in the project; the work is done when that succeeds. The end of its output is the
# reason that the model reads.

cd "$SOONG_PROJECT_DIR" || exit 1
if output=$("$@" 2>&1 </dev/null); then
  echo '{ "decision": "allow" }'
  exit 0
fi
# As JSON: line breaks as \n, quotes and backslashes escaped, other control characters left out.
reason=$(printf '%s' "$output" | tail -n 20 | tr '\t' ' ' | tr -d '\000-\011\013-\037' |
  sed 's/\\/\\\\/g; s/"/\\"/g' | awk '{ printf "%s\\n", $0 }')
printf '{ "decision": "deny", "reason": "the tests fail (%s):\\n%s" }\n' "$(printf '%s' "$*" | tr -d '"\\')" "$reason"
