/** Sessions for the tests: a temporary home, a clock that counts, and logs with the events of a small run. */
import assert from "node:assert/strict";
import { createSession, type ResumedSession, resumeSession, type SessionLog } from "../../src/session/mod.ts";
import type { AgentEvent, EventBody, LoggedEvent } from "../../src/protocol/mod.ts";

export const PROJECT = "/project";

export interface TestHome extends Disposable {
  readonly path: string;
  create(): SessionLog;
  resume(id: string): ResumedSession;
}

export function testHome(): TestHome {
  const path = Deno.makeTempDirSync({ prefix: "soong-session-" });
  let moment = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
  const now = () => new Date(moment++);
  const open: SessionLog[] = [];
  return {
    path,
    create() {
      const log = createSession({ home: path, now, new_id: () => crypto.randomUUID() });
      open.push(log);
      return log;
    },
    resume(id) {
      const outcome = resumeSession({ home: path, id, project_dir: PROJECT, now });
      assert.ok(outcome.kind === "resumed", Deno.inspect(outcome));
      open.push(outcome.session.log);
      return outcome.session;
    },
    [Symbol.dispose]() {
      for (const log of open) log.close();
      Deno.removeSync(path, { recursive: true });
    },
  };
}

export function started(projectDir = PROJECT, source: "startup" | "resume" = "startup"): AgentEvent {
  return {
    turn: 0,
    type: "session_started",
    version: "0.1.0",
    source,
    project_dir: projectDir,
    model: "script/script-1",
    permission_mode: "full",
    hooks_enabled: true,
    hook_count: 0,
    generation: 1,
  };
}

export function user(text: string, turn = 1): AgentEvent {
  return { turn, type: "user_message", text };
}

export function answer(text: string, callIds: readonly string[] = [], turn = 1): AgentEvent {
  return {
    turn,
    type: "assistant_message",
    text,
    tool_calls: callIds.map((id) => ({ id, name: "Bash", arguments_text: `{"command":"${id}"}` })),
    finish_reason: callIds.length > 0 ? "tool_calls" : "stop",
    usage: { input_tokens: 1, output_tokens: 2 },
  };
}

export function result(callId: string, content: string, turn = 1): AgentEvent {
  return { turn, type: "tool_result", call_id: callId, name: "Bash", is_error: false, content };
}

export function finished(turn = 1): AgentEvent {
  return {
    turn,
    type: "session_finished",
    reason: "completed",
    usage: { input_tokens: 1, output_tokens: 2 },
    tool_call_count: 0,
    hook_count: 0,
    hook_time_ms: 0,
    duration_ms: 1,
  };
}

export function event(body: EventBody, turn = 1): AgentEvent {
  return { turn, ...body };
}

/** The lines of a file without their line ends; the file has to end with one. */
export function linesOf(path: string): string[] {
  const text = Deno.readTextFileSync(path);
  assert.ok(text === "" || text.endsWith("\n"), `${path} ends in half a line`);
  return text.split("\n").slice(0, -1);
}

export function eventsOf(path: string): LoggedEvent[] {
  return linesOf(path).map((line) => JSON.parse(line));
}

/** A log of a whole small run, closed. */
export function writtenLog(
  home: TestHome,
  more: readonly AgentEvent[] = [],
): { path: string; id: string; head: string } {
  const log = home.create();
  const events = [
    started(),
    user("list the files"),
    answer("Let me look.", ["c1"]),
    event({ type: "tool_call", call_id: "c1", name: "Bash", input: { command: "c1" } }),
    event({ type: "tool_started", call_id: "c1", name: "Bash" }),
    result("c1", "README.md"),
    answer("There is one."),
    ...more,
    finished(),
  ];
  for (const one of events) log.append(one);
  log.close();
  return { path: log.path, id: log.id, head: log.head };
}
