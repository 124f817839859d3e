/** `sessions list|show|verify`: what was recorded, and whether it is still as it was written. */
import type { ShowSessionCommand, VerifySessionCommand } from "../arguments/command.ts";
import { EXIT } from "../exit_codes.ts";
import { listSessions, readSession, type SessionSummary, verifySession } from "../../session/mod.ts";
import { nearest } from "../../protocol/mod.ts";
import { terminalSafe } from "../../text/mod.ts";
import type { Output } from "../output.ts";
import { createTextRenderer } from "../render_text.ts";
import { readHome } from "../surroundings.ts";

/** Runs one of the session commands. */
export async function sessionsCommand(
  command: { readonly name: "sessions list" } | ShowSessionCommand | VerifySessionCommand,
  output: Output,
): Promise<number> {
  const home = readHome();
  if (home.kind === "problem") return await fail(output, home.message, EXIT.invalid_configuration);
  const sessions = listSessions(home.path);
  if (command.name === "sessions list") return await list(sessions, output);
  const session = sessions.find(({ id }) => id === command.id);
  if (session === undefined) {
    const near = nearest(command.id, sessions.map(({ id }) => id));
    const hint = near === undefined ? "soong-agent sessions list shows them all" : `did you mean ${near}?`;
    return await fail(output, `there is no session ${JSON.stringify(command.id)}\n  hint: ${hint}`, EXIT.failure);
  }
  return command.name === "sessions show"
    ? await show(session.path, output)
    : await verify(session, command.head, output);
}

async function list(sessions: readonly SessionSummary[], output: Output): Promise<number> {
  if (sessions.length === 0) await output.err("no sessions yet\n");
  for (const session of sessions) {
    const started = session.started_at?.slice(0, 19).replace("T", " ") ?? "?".padEnd(19);
    const prompt = session.problem ?? session.first_prompt ?? "";
    await output.out(
      `${session.id}  ${started}  ${session.end.padEnd(16)} ${String(session.event_count).padStart(5)} events  ` +
        `${terminalSafe(session.project_dir ?? "?")}  ${terminalSafe(prompt)}\n`,
    );
  }
  return EXIT.done;
}

async function show(path: string, output: Output): Promise<number> {
  const renderer = createTextRenderer(output, { all_hooks: true, on_stdout: true });
  let whole = true;
  for (const line of readSession(path)) {
    switch (line.kind) {
      case "event":
        if (line.event.type === "user_message") await output.out(`> ${terminalSafe(line.event.text)}\n`);
        await renderer.show(line.event);
        break;
      case "damaged":
        whole = false;
        await output.err(`${path}:${line.line}: this line is damaged (${line.size_bytes} bytes)\n`);
        break;
      case "unreadable":
        return await fail(output, `cannot read ${path}: ${line.reason}`, EXIT.failure);
    }
  }
  if (!whole) return EXIT.failure;
  const checked = verifySession(path, {});
  if (checked.kind !== "broken") return EXIT.done;
  return await fail(
    output,
    `${path}:${checked.line}: the chain is broken (${checked.fault}): what is shown from there on may have been changed`,
    EXIT.failure,
  );
}

async function verify(session: SessionSummary, head: string | undefined, output: Output): Promise<number> {
  const checked = verifySession(session.path, head === undefined ? {} : { head });
  switch (checked.kind) {
    case "whole": {
      const later = checked.head_line !== undefined && checked.head_line < checked.lines
        ? `; the given head is line ${checked.head_line}, the lines after it were added later`
        : "";
      await output.out(`whole: ${checked.lines} lines, head ${checked.head}${later}\n`);
      return EXIT.done;
    }
    case "broken":
      return await fail(
        output,
        `${session.path}:${checked.line}: the chain is broken (${checked.fault}): ${checked.detail}`,
        EXIT.failure,
      );
    case "unreadable":
      return await fail(output, `cannot read ${session.path}: ${checked.reason}`, EXIT.failure);
  }
}

async function fail(output: Output, message: string, code: number): Promise<number> {
  await output.err(`error: ${message}\n`);
  return code;
}
