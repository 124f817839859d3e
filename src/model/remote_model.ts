/** A model behind a provider's API. */
import { isJsonObject } from "../protocol/mod.ts";
import { collectAnswer, type FinishedStream } from "./answer.ts";
import { cutFailure, failedAnswer, type FailureContext, libraryFailure, reportedFailure } from "./failure.ts";
import type { Model, ModelRequest } from "./port.ts";
import { toCallOptions } from "./prompt.ts";
import type { Connect, WireProtocol } from "./providers/wire.ts";
import { cancelled, type RetryPolicy, streamWithRetries, type TryEvent, type TryFailure } from "./retry.ts";
import { errorOfValue } from "./server_text.ts";
import { openWatch, type Watch, type WatchOptions } from "./watched_fetch.ts";

/** What a remote model is made of. */
export interface RemoteModelParts {
  readonly provider: string;
  readonly model_id: string;
  readonly protocol: WireProtocol;
  /** The provider's library, loaded or on its way. */
  readonly connect: Promise<Connect>;
  readonly policy: RetryPolicy;
  readonly idle_timeout_ms: number;
  /** For failure texts. */
  readonly server: string;
  readonly key_variable?: string;
  readonly secrets: readonly string[];
}

/** Makes the model. */
export function remoteModel(parts: RemoteModelParts): Model {
  return {
    id: parts.model_id,
    provider: parts.provider,
    stream(request, signal) {
      const options = watchOptions(parts, request);
      return streamWithRetries(() => runTry(parts, request, options, signal), parts.policy, signal);
    },
  };
}

function watchOptions(parts: RemoteModelParts, request: ModelRequest): WatchOptions {
  const { provider, model_id, server, key_variable, secrets, idle_timeout_ms } = parts;
  const prompt = [
    request.system,
    ...request.messages.map((message) => "text" in message ? message.text : message.content),
  ];
  const context = {
    provider,
    model_id,
    server,
    confidential: { secrets, prompt },
    ...(key_variable !== undefined && { key_variable }),
  };
  return { context, idle_timeout_ms };
}

async function* runTry(
  parts: RemoteModelParts,
  request: ModelRequest,
  options: WatchOptions,
  signal: AbortSignal,
): AsyncGenerator<TryEvent> {
  const { protocol } = parts;
  const collector = collectAnswer(protocol);
  const watch = openWatch(options, signal);
  let reported: TryFailure | undefined;
  let complete = false;
  try {
    for await (const part of partsOf(await parts.connect, request, protocol, watch)) {
      if (part.type === "raw") {
        const error = errorIn(part.rawValue, options.context);
        reported ??= error;
        if (isJsonObject(part.rawValue) && protocol.endsAnswer(part.rawValue)) {
          complete = true;
          watch.answerCompleted();
        }
      } else if (part.type === "error") {
        reported ??= cutFailure(options.context, "the stream ended early or does not follow the protocol");
      }
      if (reported !== undefined) break;
      const text = collector.take(part);
      if (text !== "") yield { type: "text_delta", text };
    }
  } catch {
    // What went wrong on the network is in the watch; anything else is the library's.
    if (!signal.aborted) reported ??= libraryFailure(options.context);
  } finally {
    watch.close();
  }
  if (signal.aborted) return yield { type: "failed", outcome: { ...cancelled(), transient: false } };
  const failure = watch.failure() ?? reported;
  yield lastEvent(failure, complete ? collector.finish() : undefined, options.context);
}

/** The parts of the library's stream; ends with an error as soon as the watch's signal aborts. */
async function* partsOf(connect: Connect, request: ModelRequest, protocol: WireProtocol, watch: Watch) {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  aborted.catch(() => {});
  const onAbort = () => reject(new Error("The try is over"));
  watch.signal.addEventListener("abort", onAbort);
  if (watch.signal.aborted) onAbort();
  const call = connect(watch.fetch).doStream({
    ...toCallOptions(request, protocol),
    includeRawChunks: true,
    abortSignal: watch.signal,
  });
  Promise.resolve(call).catch(() => {});
  const reader = (await Promise.race([call, aborted])).stream.getReader();
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), aborted]);
      if (done) return;
      yield value;
    }
  } finally {
    watch.signal.removeEventListener("abort", onAbort);
    reader.cancel().catch(() => {});
  }
}

/** An error that the server sends as an event of the stream. */
function errorIn(event: unknown, context: FailureContext): TryFailure | undefined {
  if (!isJsonObject(event) || event["error"] === undefined || event["error"] === null) return undefined;
  return reportedFailure(context, errorOfValue(event));
}

function lastEvent(
  failure: TryFailure | undefined,
  finished: FinishedStream | undefined,
  context: FailureContext,
): TryEvent {
  if (failure !== undefined) return { type: "failed", outcome: failure };
  if (finished === undefined || finished.reason.raw === undefined) {
    return { type: "failed", outcome: cutFailure(context, "the stream ended before the answer did") };
  }
  if (finished.reason.unified === "error") {
    return { type: "failed", outcome: failedAnswer(context, finished.reason.raw) };
  }
  return { type: "finish", answer: finished.answer };
}
