/**
 * net/ — connections for HTTP requests.
 *
 * In: the URL of a request. Out: a client for it, to be closed by the caller. Requests to this machine never go through a
 * proxy of the environment, and https stays encrypted on the way. Nothing is sent here.
 */
export { type Connection, connectionTo, isLoopback } from "./connection.ts";
