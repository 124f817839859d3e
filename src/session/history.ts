/** Rebuilds the conversation of a session from its events, and mends the calls that never got a result. */
import type { AgentEvent, LoggedEvent, Message, RequestedCall } from "../protocol/mod.ts";

/** A conversation read back. */
export interface RebuiltHistory {
  /** Well paired: the results of an answer stand right behind it, in the order of its calls, one for each. */
  readonly history: readonly Message[];
  /** Number of the last prompt. */
  readonly turn: number;
  /** The made-up results as events; empty when every call had one. */
  readonly repairs: readonly AgentEvent[];
  readonly warnings: readonly string[];
}

/** Takes events in the order of the log, then gives the conversation. */
export interface HistoryBuilder {
  add(event: LoggedEvent): void;
  finish(): RebuiltHistory;
}

/** What is known of one call of an answer. */
interface CallSlot {
  readonly call: RequestedCall;
  name: string;
  started: boolean;
  result: ToolMessage | undefined;
}

type ToolMessage = Extract<Message, { role: "tool" }>;
type Entry = { readonly message: Message; readonly slots: readonly CallSlot[] };

/** An empty conversation. */
export function historyBuilder(): HistoryBuilder {
  const entries: Entry[] = [];
  /** The calls of each id, in order; more than one only in a log of another program. */
  const slots = new Map<string, CallSlot[]>();
  let turn = 0;
  let orphans = 0;

  function add(event: LoggedEvent): void {
    turn = Math.max(turn, event.turn);
    switch (event.type) {
      case "user_message":
      case "hook_context":
        entries.push({ message: { role: "user", text: event.text }, slots: [] });
        break;
      case "assistant_message":
        entries.push(answerEntry(event));
        break;
      case "tool_call":
        note(event.call_id, (slot) => slot.name = event.name);
        break;
      case "tool_started":
        note(event.call_id, (slot) => slot.started = true);
        break;
      case "tool_result":
        addResult(event);
        break;
    }
  }

  function answerEntry(event: Extract<LoggedEvent, { type: "assistant_message" }>): Entry {
    const own = event.tool_calls.map((call): CallSlot => ({
      call,
      name: call.name,
      started: false,
      result: undefined,
    }));
    for (const slot of own) slots.set(slot.call.id, [...slots.get(slot.call.id) ?? [], slot]);
    const metadata = event.provider_metadata && { provider_metadata: event.provider_metadata };
    return {
      message: { role: "assistant", text: event.text, tool_calls: event.tool_calls, ...metadata },
      slots: own,
    };
  }

  function addResult(event: Extract<LoggedEvent, { type: "tool_result" }>): void {
    const slot = openSlot(event.call_id);
    if (slot === undefined) {
      orphans += 1;
      return;
    }
    const { call_id, name, content, is_error } = event;
    slot.result = { role: "tool", call_id, name, content, is_error };
  }

  function note(callId: string, change: (slot: CallSlot) => void): void {
    const slot = openSlot(callId);
    if (slot) change(slot);
  }

  function openSlot(callId: string): CallSlot | undefined {
    return slots.get(callId)?.find((slot) => slot.result === undefined);
  }

  function finish(): RebuiltHistory {
    const open = entries.flatMap((entry) => entry.slots).filter((slot) => slot.result === undefined);
    for (const slot of open) slot.result = madeUpResult(slot);
    const warnings = [
      ...(orphans > 0
        ? [`${counted(orphans, "tool result")} without a call of its own left out of the conversation`]
        : []),
      ...(open.length > 0
        ? [`${counted(open.length, "call")} without a result: the session ended before it had one`]
        : []),
    ];
    return {
      history: entries.flatMap(({ message, slots }) => [message, ...slots.map((slot) => slot.result!)]),
      turn,
      repairs: repairEvents(turn, open),
      warnings,
    };
  }

  return { add, finish };
}

function madeUpResult({ call, name, started }: CallSlot): ToolMessage {
  return { role: "tool", call_id: call.id, name, content: started ? STARTED : NOT_STARTED, is_error: true };
}

const STARTED =
  "soong-agent ended while this call ran: it was interrupted after it had started and may have had effects. " +
  "It was not run again; look at what is there before you repeat it.";
const NOT_STARTED = "soong-agent ended before this call could run: it never started and had no effects.";

function repairEvents(turn: number, open: readonly CallSlot[]): readonly AgentEvent[] {
  if (open.length === 0) return [];
  return [
    { turn, type: "aborted_tools", call_ids: open.map((slot) => slot.call.id) },
    ...open.map(({ result }): AgentEvent => {
      const { call_id, name, content, is_error } = result!;
      return { turn, type: "tool_result", call_id, name, content, is_error, aborted: true };
    }),
  ];
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
