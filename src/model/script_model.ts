/** The scripted model: plays the turns of a script, one a request, without any network. */
import { type RequestedCall, writeJson } from "../protocol/mod.ts";
import { cancelled, isTransientStatus, type RetryPolicy, streamWithRetries, type TryEvent } from "./retry.ts";
import type { Model, ModelFailure, ModelRequest } from "./port.ts";
import type { Script, ScriptedTurn } from "./script_file.ts";

/** How the script is played. */
export interface ScriptOptions {
  /** `script`, or the name of the embedded script. */
  readonly provider: string;
  readonly policy: RetryPolicy;
}

/**
 * Makes the model. It has one place in the script for all its streams.
 *
 * Every try takes one turn. A turn with a transient `error.status` (429, 408, 5xx) is a failed try, and its retry plays
 * the *next* turn: `[{ "error": { "status": 529 } }, { "text": "ok" }]` is one request that succeeds at its second try.
 * Any other status and `"cut"` end the request at that turn: a scripted cut shows what the program does when no retry
 * helps.
 */
export function scriptModel(script: Script, options: ScriptOptions): Model {
  let played = 0;
  const takeTurn = (): { readonly turn: ScriptedTurn | undefined; readonly number: number } => {
    const { turns, on_exhausted } = script;
    const number = ++played;
    if (turns.length === 0 || (number > turns.length && on_exhausted === "error")) return { turn: undefined, number };
    const index = on_exhausted === "loop" ? (number - 1) % turns.length : Math.min(number, turns.length) - 1;
    return { turn: turns[index], number };
  };
  return {
    id: script.model_id,
    provider: options.provider,
    stream(request, signal) {
      const runTry = () => playTurn(script, takeTurn(), request, options.policy, signal);
      return streamWithRetries(runTry, options.policy, signal);
    },
  };
}

async function* playTurn(
  script: Script,
  { turn, number }: { readonly turn: ScriptedTurn | undefined; readonly number: number },
  request: ModelRequest,
  policy: RetryPolicy,
  signal: AbortSignal,
): AsyncGenerator<TryEvent> {
  if (turn === undefined) return yield failed({ kind: "script", message: exhausted(script, number) });
  const difference = differenceTo(turn, request);
  if (difference !== undefined) {
    return yield failed({ kind: "script", message: `Turn ${number} of ${script.file}: ${difference}` });
  }
  if (turn.delay_ms > 0) await policy.sleep(turn.delay_ms, signal);
  if (signal.aborted) return yield failed(cancelled().failure);
  if (typeof turn.error === "object") return yield failedStatus(script, turn.error.status, number);
  for (const text of turn.pieces) {
    if (signal.aborted) return yield failed(cancelled().failure);
    yield { type: "text_delta", text };
  }
  if (turn.error === "cut") {
    return yield failed({ kind: "cut", message: `The answer of ${script.model_id} was cut: ${script.file} says so` });
  }
  yield { type: "finish", answer: answerOf(turn, number, request) };
}

function failed(failure: ModelFailure): TryEvent {
  return { type: "failed", outcome: { failure, transient: false } };
}

function failedStatus(script: Script, status: number, number: number): TryEvent {
  const message = `${script.model_id} answered with status ${status}, as turn ${number} of ${script.file} says`;
  return {
    type: "failed",
    outcome: { failure: { kind: "status", status, message }, transient: isTransientStatus(status) },
  };
}

function exhausted(script: Script, number: number): string {
  const count = script.turns.length;
  return `The script ${script.file} has ${count} ${count === 1 ? "turn" : "turns"} and was asked for a further one ` +
    `(number ${number}); add a turn, or set "on_exhausted" to "repeat_last" or "loop"`;
}

function answerOf(turn: ScriptedTurn, number: number, request: ModelRequest) {
  const text = turn.pieces.join("");
  const tool_calls: RequestedCall[] = turn.tool_calls.map((call, index) => ({
    id: call.id ?? `call_${number}_${index + 1}`,
    name: call.name,
    arguments_text: call.arguments_text,
  }));
  const written = tool_calls.reduce((sum, call) => sum + call.arguments_text.length, text.length);
  return {
    text,
    tool_calls,
    finish_reason: tool_calls.length > 0 ? "tool_calls" as const : "stop" as const,
    usage: { input_tokens: tokensOf(lengthOf(request)), output_tokens: tokensOf(written) },
  };
}

/** Four characters a token: a figure for budgets and pages, the same in every run. */
function tokensOf(length: number): number {
  return Math.ceil(length / 4);
}

function lengthOf(request: ModelRequest): number {
  return request.messages.reduce(
    (sum, message) => sum + ("text" in message ? message.text : message.content).length,
    request.system.length,
  );
}

const SHOWN = 400;

/** What the request should hold and does not, or the other way round; undefined when it is as expected. */
function differenceTo(turn: ScriptedTurn, request: ModelRequest): string | undefined {
  const { contains, not_contains } = turn.expect;
  if (contains.length === 0 && not_contains.length === 0) return undefined;
  const json = writeJson(request);
  for (const expected of contains) {
    if (placeOf(expected, json) !== -1) continue;
    const last = writeJson(request.messages.slice(-3));
    const shown = last.length > SHOWN ? `…${last.slice(-SHOWN)}` : last;
    return `the request does not hold ${JSON.stringify(expected)}; its last messages are ${shown}`;
  }
  for (const unexpected of not_contains) {
    const place = placeOf(unexpected, json);
    if (place === -1) continue;
    const from = Math.max(0, place - SHOWN / 4);
    const shown = json.slice(from, place + unexpected.length + SHOWN / 4);
    return `the request holds ${JSON.stringify(unexpected)}, which it must not: …${shown}…`;
  }
  return undefined;
}

/** Where the text stands in the JSON, as it is or as JSON writes it. */
function placeOf(text: string, json: string): number {
  const place = json.indexOf(text);
  return place !== -1 ? place : json.indexOf(JSON.stringify(text).slice(1, -1));
}
