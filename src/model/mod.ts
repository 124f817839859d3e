/**
 * model/ — the model as a port with one streaming method, its providers, and the scripted model.
 *
 * In: a spec (`provider/id`, `script/FILE`, `demo`) with what the outside has to give (`ModelOptions`), then requests.
 * Out: events of a stream: text as it comes, retries, and one last event, the complete answer or a failure.
 * Failure: a spec that gives no model is a problem value that says what to set. A request never throws. Tool calls are
 * given only with a properly finished answer: a stream that is cut, breaks, reports an error or goes idle gives none.
 * Rate limits, 5xx, lost connections and cut or idle streams are tried again a bounded number of times, each announced.
 * No failure text holds a key, a header value, the prompt or the query of a URL.
 *
 * The SDK of a provider is loaded when a model of that provider is made, and no other.
 */
export type * from "./port.ts";
export { createModel } from "./create_model.ts";
