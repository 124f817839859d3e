/** Models against a model server, and streams as lists. */
import assert from "node:assert/strict";
import { createModel, type Model, type ModelEvent, type ModelOptions, type ModelRequest } from "../../src/model/mod.ts";
import type { ModelAnswer } from "../../src/protocol/mod.ts";
import type { ModelServer, WireName } from "../support/model_server.ts";

export const WIRES = ["openai", "anthropic", "google"] as const satisfies readonly WireName[];

/** Options that reach nothing: no keys, no files, no waits between tries. */
export function optionsFor(
  environment: Readonly<Record<string, string>>,
  more: Partial<ModelOptions> = {},
): ModelOptions {
  return {
    readEnvironment: (name) => environment[name],
    readTextFile: (path) => Promise.reject(new Deno.errors.NotFound(path)),
    providers: {},
    embedded_scripts: {},
    idle_timeout_ms: 30_000,
    max_retries: 0,
    random: () => 0.5,
    sleep: () => Promise.resolve(),
    ...more,
  };
}

/** The model `spec`; a problem fails the test. */
export async function modelOf(spec: string, options: ModelOptions): Promise<Model> {
  const creation = await createModel(spec, options);
  if (creation.kind === "problem") assert.fail(creation.problem.message);
  return creation.model;
}

/** The message of the problem that `spec` gives. */
export async function problemOf(spec: string, options: ModelOptions): Promise<{ code: string; message: string }> {
  const creation = await createModel(spec, options);
  if (creation.kind === "model") assert.fail(`"${spec}" gave a model`);
  return creation.problem;
}

/** A built-in provider's model against the server. */
export function serverModel(wire: WireName, server: ModelServer, more: Partial<ModelOptions> = {}): Promise<Model> {
  return modelOf(`${wire}/test-model`, optionsFor(server.environment, more));
}

/** A request with one user message and one tool. */
export function requestOf(more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    system: "You are a test.",
    messages: [{ role: "user", text: "Please list the files of this folder." }],
    tools: [{
      name: "Bash",
      description: "Runs a command.",
      parameters: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
    }],
    ...more,
  };
}

/** Every event of one request. */
export async function eventsOf(
  model: Model,
  request: ModelRequest = requestOf(),
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(request, signal)) events.push(event);
  const last = events.filter((event) => event.type === "finish" || event.type === "failure");
  assert.equal(last.length, 1, "a stream has exactly one last event");
  assert.equal(events.at(-1), last[0], "finish or failure comes last");
  return events;
}

/** The answer of one request; a failure fails the test. */
export async function answerOf(model: Model, request: ModelRequest = requestOf()): Promise<ModelAnswer> {
  const last = (await eventsOf(model, request)).at(-1)!;
  if (last.type !== "finish") assert.fail(JSON.stringify(last));
  return last.answer;
}

/** The failure of one request; an answer fails the test. */
export async function failureOf(model: Model, request: ModelRequest = requestOf(), signal?: AbortSignal) {
  const last = (await eventsOf(model, request, signal)).at(-1)!;
  if (last.type !== "failure") assert.fail(JSON.stringify(last));
  return last.failure;
}
