/**
 * Ends the children of an agent that was killed with `kill -9`, which nothing inside the agent can do.
 *
 * A small shell, in a session of its own, reads `+ number` and `- number` lines from a pipe whose other end only the
 * agent holds. When the pipe closes the agent is gone, however it went, and the shell ends the groups that are still on
 * its list, and every process that carries the agent's mark: TERM, KILL after a second. After a normal end it
 * does the same with what is left over: a child of a child that left its group and lost its parent is found by the mark only.
 */
import { observeGroups } from "./groups.ts";
import { startLeader } from "./launch.ts";
import { MARK } from "./mark.ts";

/** A watchdog on duty. */
export interface Watchdog {
  /** Lets the shell go, and waits for its end. Groups that are still alive are ended by it. */
  stop(): Promise<void>;
}

/**
 * Puts the watchdog on duty. The shell starts at once, so that the first child finds it waiting; it does not keep the
 * event loop alive and ends with the agent. Does nothing on Windows. A watchdog that cannot start or dies is no failure of any run.
 */
export function startWatchdog(): Watchdog {
  if (Deno.build.os === "windows") return { stop: () => Promise.resolve() };
  const shell = startShell();
  const stopObserving = observeGroups({
    added: (number) => shell.write(`+ ${number}\n`),
    removed: (number) => shell.write(`- ${number}\n`),
  });
  return {
    async stop() {
      stopObserving();
      await shell.close();
    },
  };
}

/**
 * `$1` is the mark that every child carries in its environment. Groups are what the agent told; marked processes are found by
 * looking: a child that started in the agent's last moment, and descendants that left their group.
 */
const SCRIPT = `
groups=' '
started=
clean=
while read -r change number; do
  case $change in
    +) groups="$groups$number "; started=1 ;;
    -) case $groups in *" $number "*) groups="\${groups%% $number *} \${groups#* $number }" ;; esac ;;
    .) [ -n "$started" ] || exit 0; clean=1; break ;;
  esac
done
[ -n "$clean" ] || sleep 0.1 # A child that was being started when the agent died has its environment now.
signal() {
  left=
  for number in $groups; do kill -s "$1" -- "-$number" && left="$left $number"; done
  groups=$left
  for file in $(grep -ls -- "$mark" /proc/[0-9]*/environ); do
    number=\${file#/proc/}
    number=\${number%/environ}
    kill -s "$1" "$number" && left="$left $number"
  done
}
mark=$1
signal TERM
for tenth in 1 2 3 4 5 6 7 8 9 10; do
  [ -n "$left" ] || exit 0
  sleep 0.1
  signal 0
done
signal KILL
`;

interface Shell {
  write(line: string): void;
  close(): Promise<void>;
}

function startShell(): Shell {
  try {
    const child = startLeader(["/bin/sh", "-c", SCRIPT, "soong-agent-watchdog", `${MARK.name}=${MARK.value}`], {
      cwd: "/",
      env: { PATH: "/usr/bin:/bin" },
      stdin: "piped",
      stdout: "null",
      stderr: "null",
    });
    child.unref();
    const writer = child.stdin.getWriter();
    writer.closed.catch(ignore);
    const encoder = new TextEncoder();
    return {
      write(line) {
        writer.write(encoder.encode(line)).catch(ignore);
      },
      async close() {
        child.ref();
        await writer.write(encoder.encode(".\n")).catch(ignore);
        await writer.close().catch(ignore);
        await child.status;
      },
    };
  } catch {
    return { write: ignore, close: () => Promise.resolve() };
  }
}

function ignore(): void {}
