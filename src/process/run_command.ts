/** One run of a child, from the check of its working directory to the end of the last process it started. */
import type { CapturedOutput, CommandEnding, CommandRequest, CommandResult } from "./port.ts";
import { createCapture } from "./capture.ts";
import { endGroups, forgetGroup, isGone, type LiveGroup, registerGroup } from "./groups.ts";
import { launch, launcherFailure } from "./launch.ts";
import { type Pump, pumpIn, pumpOut } from "./pump.ts";

/**
 * Runs one child to its end. Resolves at the latest `timeout_ms + kill_grace_ms` plus about two seconds after the call,
 * whatever the child does. Never rejects.
 */
export async function runCommand(request: CommandRequest): Promise<CommandResult> {
  const started = performance.now();
  if (request.signal?.aborted) return withoutChild({ kind: "cancelled" }, started);
  const launched = launch(request);
  if (launched.kind === "not_started") return withoutChild(launched, started);

  const { child } = launched;
  const group = registerGroup(child);
  const status = endingOf(child, group);
  const stdout = createCapture(request.max_output_bytes);
  const stderr = createCapture(request.max_output_bytes);
  const pumps = [pumpOut(child.stdout, stdout), pumpOut(child.stderr, stderr)];
  if (request.stdin !== undefined && request.stdin.length > 0) pumps.push(pumpIn(child.stdin, request.stdin));
  const allPumped = watchPumps(pumps);

  const ending = await firstEnding(status, request, started);
  const endedFromOutside = ending.kind === "timed_out" || ending.kind === "cancelled";
  if (endedFromOutside) {
    await endGroups([group], clamp(request.kill_grace_ms || 0, 0));
    await within(DRAIN_MS, allPumped);
  } else {
    await drain(group, allPumped, () => stdout.total() + stderr.total());
  }
  const gone = isGone(group);
  const daemonSeen = gone && !allPumped.finished;
  // Before what is left is ended: its last words belong to nobody.
  pumps.forEach((pump) => pump.close());
  const backgroundEnded = gone ? 0 : await endGroups([group], LEFTOVER_GRACE_MS);
  forgetGroup(group);

  const kept = { stdout: stdout.finish(), stderr: stderr.finish() };
  return {
    ending: judgeLauncher(ending, kept.stderr),
    ...kept,
    duration_ms: performance.now() - started,
    background_ended: endedFromOutside ? 0 : backgroundEnded,
    ...(daemonSeen ? { daemon_seen: true } : {}),
  };
}

/** How long output may still come, and background processes may still end by themselves, after the child's own exit. */
const DRAIN_MS = 200;
/** From TERM to KILL for what a child left behind: a decision must not wait for the usual grace. */
const LEFTOVER_GRACE_MS = 250;
/** A drain goes on past its end as long as slices of this length bring bytes: they were there before, only unread. */
const SLICE_MS = 20;
const LONGEST_DRAIN_MS = 500;
/** The longest time a timer can hold; more would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

interface Settled {
  readonly promise: Promise<void>;
  finished: boolean;
}

/** After the child's own exit: a little time for output that is on its way and for processes that are about to end. */
async function drain(group: LiveGroup, allPumped: Settled, bytesSeen: () => number): Promise<void> {
  const started = performance.now();
  if (!allPumped.finished) await within(DRAIN_MS, allPumped);
  for (let before = -1; !allPumped.finished && bytesSeen() !== before;) {
    if (performance.now() - started > LONGEST_DRAIN_MS) return;
    before = bytesSeen();
    await within(SLICE_MS, allPumped);
  }
  for (let pause = 1; !isGone(group) && performance.now() - started < DRAIN_MS; pause = Math.min(2 * pause, SLICE_MS)) {
    await sleep(pause);
  }
}

/** The first of: the child's own exit, the deadline, the abort. Leaves neither timer nor listener. */
function firstEnding(
  status: Promise<CommandEnding>,
  request: CommandRequest,
  started: number,
): Promise<CommandEnding> {
  const limit = clamp(request.timeout_ms, 1);
  const { signal } = request;
  return new Promise((resolve) => {
    const finish = (ending: CommandEnding) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      resolve(ending);
    };
    const onAbort = () => finish({ kind: "cancelled" });
    const left = Math.max(0, limit - (performance.now() - started));
    const timer = setTimeout(() => finish({ kind: "timed_out", limit_ms: limit }), left);
    signal?.addEventListener("abort", onAbort, { once: true });
    if (signal?.aborted) return onAbort();
    void status.then(finish);
  });
}

/** The child's own ending. Deno rejects for a signal that it has no name for. */
async function endingOf(child: Deno.ChildProcess, group: LiveGroup): Promise<CommandEnding> {
  try {
    const { code, signal } = await child.status;
    return signal === null ? { kind: "exited", code } : { kind: "signalled", signal };
  } catch (error) {
    const number = /signal: (\d+)/.exec(String(error))?.[1];
    return { kind: "signalled", signal: number === undefined ? "an unknown signal" : `signal ${number}` };
  } finally {
    group.exited = true;
  }
}

function judgeLauncher(ending: CommandEnding, stderr: CapturedOutput): CommandEnding {
  if (ending.kind !== "exited") return ending;
  const failure = launcherFailure(ending.code, stderr.bytes);
  return failure === undefined ? ending : { kind: "not_started", reason: failure };
}

function watchPumps(pumps: readonly Pump[]): Settled {
  const settled: Settled = { promise: Promise.all(pumps.map((pump) => pump.done)).then(() => {}), finished: false };
  void settled.promise.then(() => settled.finished = true);
  return settled;
}

function within(ms: number, settled: Settled): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    void settled.promise.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A whole number of milliseconds that a timer can hold; what is no number means "no limit". */
function clamp(ms: number, least: number): number {
  return Number.isNaN(ms) ? MAX_TIMER_MS : Math.min(MAX_TIMER_MS, Math.max(least, Math.ceil(ms)));
}

function withoutChild(ending: CommandEnding, started: number): CommandResult {
  const none: CapturedOutput = { bytes: new Uint8Array(0), total_bytes: 0, truncated: false };
  const duration_ms = performance.now() - started;
  return { ending, stdout: none, stderr: none, duration_ms, background_ended: 0 };
}
