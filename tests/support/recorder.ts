/**
 * A receiver on 127.0.0.1 that keeps every request and answers as the chat services do: with a secret it computes the
 * signature itself (with `node:crypto`, not with the code under test) and refuses a wrong one with HTTP 200.
 */
import { createHmac } from "node:crypto";

/** One request as it arrived. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  /** Without the question mark, as on the wire. */
  readonly raw_query: string;
  /** Decoded once. */
  readonly query: ReadonlyMap<string, string>;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

export interface Recorder extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`, without a slash at its end. */
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
}

/** What a receiver answers; the services below are such functions. */
export type Answering = (request: RecordedRequest) => Response | Promise<Response>;

/** Starts a receiver on a free port. */
export function startRecorder(answer: Answering = () => new Response("ok")): Recorder {
  const requests: RecordedRequest[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const url = new URL(request.url);
    const recorded: RecordedRequest = {
      method: request.method,
      path: url.pathname,
      raw_query: url.search.slice(1),
      query: new Map(url.searchParams),
      headers: new Map(request.headers),
      body: await request.text(),
    };
    requests.push(recorded);
    return await answer(recorded);
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    requests,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** A bot of Feishu: `timestamp` (seconds, text) and `sign` in the body. */
export function feishuBot(secret?: string): Answering {
  return ({ body }) => {
    const document = parsed(body);
    if (document === undefined) return Response.json({ code: 9499, msg: "Bad Request" });
    const { timestamp, sign } = document;
    const right = secret === undefined || (typeof timestamp === "string" && isFresh(timestamp, 1000) &&
      sign === mac(`${timestamp}\n${secret}`, ""));
    return Response.json(right ? { code: 0, msg: "success", data: {} } : { code: 19021, msg: "sign match fail" });
  };
}

/** A bot of DingTalk: `timestamp` (milliseconds) and `sign` in the query. */
export function dingtalkBot(secret?: string): Answering {
  return ({ query }) => {
    const timestamp = query.get("timestamp") ?? "";
    const right = secret === undefined ||
      (isFresh(timestamp, 1) && query.get("sign") === mac(secret, `${timestamp}\n${secret}`));
    return Response.json(right ? { errcode: 0, errmsg: "ok" } : { errcode: 310000, errmsg: "sign not match" });
  };
}

/** A bot of WeChat Work behind a gateway: `timestamp` (seconds) and `sign` in the query. */
export function wechatWorkBot(secret?: string): Answering {
  return ({ query }) => {
    const timestamp = query.get("timestamp") ?? "";
    const right = secret === undefined ||
      (isFresh(timestamp, 1000) && query.get("sign") === mac(secret, `${timestamp}\n${secret}`));
    return Response.json(right ? { errcode: 0, errmsg: "ok" } : { errcode: 93000, errmsg: "invalid signature" });
  };
}

/** base64(HMAC-SHA256). */
export function mac(key: string, message: string): string {
  return createHmac("sha256", key).update(message).digest("base64");
}

function isFresh(timestamp: string, unitMs: number): boolean {
  return /^\d+$/.test(timestamp) && Math.abs(Date.now() - Number(timestamp) * unitMs) < 3_600_000;
}

function parsed(body: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
