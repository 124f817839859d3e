/** `run`: one prompt from the command line to its end. */
import { createAgent, type TurnOutcome } from "../../agent/mod.ts";
import { endAllGroups, startWatchdog } from "../../process/mod.ts";
import type { AgentEvent, FinishedReason } from "../../protocol/mod.ts";
import { SessionWriteError } from "../../session/mod.ts";
import type { RunCommand } from "../arguments/command.ts";
import { type ComposedRun, composeRun } from "../compose.ts";
import { EXIT, EXIT_BY_REASON } from "../exit_codes.ts";
import { describeCrash, VERSION } from "../program.ts";
import { createOutput, type Output } from "../output.ts";
import { createJsonRenderer, createStreamJsonRenderer } from "../render_json.ts";
import { createTextRenderer } from "../render_text.ts";
import type { Renderer } from "../renderer.ts";
import { createShutdown, type Shutdown, SHUTDOWN_TABLE } from "../shutdown.ts";

/** Runs one prompt; gives the exit code. */
export async function runAgent(command: RunCommand): Promise<number> {
  const shutdown = createShutdown({
    endChildren: (graceMs) => endAllGroups({ grace_ms: graceMs }),
    exit: (code) => Deno.exit(code),
  });
  const output = createOutput(Deno.env, () => shutdown.begin("stdout_closed"));
  const unlisten = shutdown.listen();
  const crashed = async (error: unknown) => {
    await output.err(`${describeCrash(error)}\n`);
    shutdown.begin("crash");
  };
  const unwatch = watchRejections(crashed);
  const watchdog = startWatchdog();
  try {
    const composed = await composeRun(command, output, shutdown.signal);
    if (composed.kind === "refused") {
      await output.err(`error: ${composed.message}\n`);
      return shutdown.cause ? SHUTDOWN_TABLE[shutdown.cause].exit_code : composed.exit_code;
    }
    const { introduction } = composed.run;
    if (introduction !== undefined && command.output === "text") await output.out(`${introduction}\n\n`);
    try {
      return await runComposed(composed.run, rendererOf(command, output), output, shutdown);
    } finally {
      await composed.run.close();
    }
  } catch (error) {
    await crashed(error);
    return SHUTDOWN_TABLE.crash.exit_code;
  } finally {
    await endAllGroups({ grace_ms: 200 });
    await watchdog.stop();
    unwatch();
    unlisten();
  }
}

/** A promise that nobody waits for and that fails is a fault of the program: it ends the run, and never as a stack trace. */
function watchRejections(crashed: (error: unknown) => Promise<void>): () => void {
  const listener = (event: PromiseRejectionEvent) => {
    event.preventDefault();
    void crashed(event.reason);
  };
  globalThis.addEventListener("unhandledrejection", listener);
  return () => globalThis.removeEventListener("unhandledrejection", listener);
}

function rendererOf(command: RunCommand, output: Output): Renderer {
  switch (command.output) {
    case "text":
      return createTextRenderer(output, {
        all_hooks: command.demo || Deno.env.get("SOONG_DEBUG") === "1",
        on_stdout: command.demo,
      });
    case "json":
      return createJsonRenderer(output);
    case "stream-json":
      return createStreamJsonRenderer(output);
  }
}

async function runComposed(run: ComposedRun, renderer: Renderer, output: Output, shutdown: Shutdown): Promise<number> {
  const agent = createAgent(run.parts);
  const { log } = run;
  let outcome: TurnOutcome = { reason: "error", text: "" };
  const play = async <Result>(events: AsyncGenerator<AgentEvent, Result>): Promise<Result> => {
    for (;;) {
      const next = await events.next();
      if (next.done) return next.value;
      await renderer.show(log.append(next.value));
    }
  };
  try {
    for (const event of run.before) await renderer.show(log.append(event));
    const start = {
      version: VERSION,
      source: run.resumed ? "resume" : "startup",
      project_dir: run.project_dir,
      hooks_enabled: run.hooks_enabled,
    } as const;
    await run.start();
    const accepted = await play(agent.start(start, shutdown.signal));
    for (const event of run.notes) await renderer.show(log.append(event));
    outcome = accepted ? await play(agent.prompt(run.prompt, shutdown.signal)) : { reason: "blocked", text: "" };
    log.sync();
  } catch (error) {
    if (!(error instanceof SessionWriteError)) throw error;
    await output.err(`error: ${error.message}\n`);
    return EXIT.failure;
  }
  const reason: FinishedReason = shutdown.cause ? "aborted" : outcome.reason;
  const exitCode = shutdown.cause ? SHUTDOWN_TABLE[shutdown.cause].exit_code : EXIT_BY_REASON[reason];
  try {
    await play(agent.finish(reason, finishSignal(shutdown)));
    log.sync();
  } catch (error) {
    if (!(error instanceof SessionWriteError)) throw error;
    await output.err(`error: ${error.message}\n`);
  }
  await renderer.end({
    session_id: log.id,
    transcript_path: log.path,
    reason,
    exit_code: exitCode,
    result: outcome.text,
    head: log.head,
  });
  log.close();
  return exitCode === EXIT.done && output.failed ? EXIT.failure : exitCode;
}

/** Hooks of `agent_shutdown` have their own limits; after a signal they share what the table gives them. */
function finishSignal(shutdown: Shutdown): AbortSignal {
  if (shutdown.cause === undefined) return shutdown.signal;
  const { hooks_ms: limit } = SHUTDOWN_TABLE[shutdown.cause];
  return limit === 0 ? AbortSignal.abort() : AbortSignal.timeout(limit);
}
