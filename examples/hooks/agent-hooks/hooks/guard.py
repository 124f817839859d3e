"""A guard that speaks agent-hooks/0.1: an AgentContext on stdin, a Verdict on stdout."""
import json
import sys

context = json.load(sys.stdin)
command = context["target"].get("command", "")
verdict = {"decision": "allow"}
if "rm -rf" in command:
    verdict = {"decision": "deny", "reason": "example:delete", "message": "recursive deletes are refused"}
elif "git push --force" in command:
    quiet = command.replace("git push --force", "git push --force --dry-run")
    verdict = {"decision": "transform", "transform": {"path": "$target.command", "value": quiet}}
elif "git push" in command:
    verdict = {"decision": "deny", "reason": "example:push", "message": "a push needs a person", "approval": {}}
print(json.dumps(verdict))
