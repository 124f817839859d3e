/**
 * protocol/ — the shared words of the program: points, verdicts, events, messages, tool calls, diagnostics, JSON.
 *
 * Types, constant tables and pure functions only: no I/O, no clock, no environment. Every other room may import it; it
 * imports nothing.
 */
export * from "./conversation.ts";
export * from "./diagnostic.ts";
export * from "./events.ts";
export * from "./json.ts";
export * from "./occasion.ts";
export * from "./points.ts";
export * from "./tool_call.ts";
export * from "./verdict.ts";
