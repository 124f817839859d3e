/** The types of onecode hooks: one row each, with the fields of the type and how they are read. */
import { nearest } from "../../protocol/mod.ts";
import { insecureUrl, templateInHost } from "../../text/mod.ts";
import type { ObjectNode } from "../document.ts";
import { type Findings, kindOf, quoteKey, quoteNode } from "../findings.ts";
import { HTTP_METHODS, type HttpMethod } from "../http_methods.ts";
import type { ExecutorSettings } from "../port.ts";
import { readCommand } from "../read_command.ts";
import { BAD, fieldOf, type Fields, readString, reportWrongType } from "./fields.ts";

/** A hook that is being read. */
export interface TypedHook {
  readonly node: ObjectNode;
  readonly fields: Fields;
  readonly findings: Findings;
}

interface TypeRow {
  readonly keys: readonly string[];
  /** The settings, or undefined (with a finding) when the hook must be skipped. */
  readonly read: (hook: TypedHook) => ExecutorSettings | undefined;
}

/** What differs by type. */
export const HOOK_TYPES = {
  command: { keys: ["command"], read: readCommandHook },
  http: { keys: ["url", "method", "headers", "body"], read: readHttpHook },
  notification: { keys: ["provider", "webhookUrl", "secret", "message"], read: readNotificationHook },
} as const satisfies Record<string, TypeRow>;

/** A type of hook. */
export type HookType = keyof typeof HOOK_TYPES;

/** All types. */
export const HOOK_TYPE_NAMES = Object.keys(HOOK_TYPES) as readonly HookType[];

/** The type that has this field; undefined for a field of every type. */
export function ownerOf(key: string): HookType | undefined {
  return HOOK_TYPE_NAMES.find((type) => (HOOK_TYPES[type].keys as readonly string[]).includes(key));
}

function readCommandHook({ node, fields, findings }: TypedHook): ExecutorSettings | undefined {
  const command = fieldOf(fields, "command");
  if (command === undefined) {
    findings.about(node, {
      severity: "error",
      code: "missing-command",
      message: 'this hook has no "command"; it is skipped',
      hint: 'write { "type": "command", "command": "…" }',
    });
    return undefined;
  }
  const line = readCommand(command, findings);
  return line === undefined ? undefined : { type: "command", command: line };
}

function readHttpHook(hook: TypedHook): ExecutorSettings | undefined {
  const { fields, findings } = hook;
  const url = readUrl(hook, "url");
  const body = readString(fields, "body", findings);
  const method = readMethod(hook);
  const headers = readHeaders(hook);
  if (url === BAD || body === BAD || method === undefined || headers === undefined) return undefined;
  if (url === undefined) warnOfMissing(hook, "url", "every request will fail");
  if (method === "GET" && body !== undefined) {
    const message = "a GET sends no body; this one has no effect";
    findings.aboutKey(fields.get("body")!, { severity: "warning", code: "body-ignored", message });
  }
  return {
    type: "http",
    url: url ?? "",
    method,
    headers,
    ...(body !== undefined && { body }),
    sends_payload: false,
  };
}

function readNotificationHook(hook: TypedHook): ExecutorSettings | undefined {
  const { fields, findings } = hook;
  const provider = readString(fields, "provider", findings);
  const webhookUrl = readUrl(hook, "webhookUrl");
  const secret = readString(fields, "secret", findings);
  const message = readString(fields, "message", findings);
  const title = fieldOf(fields, "statusMessage");
  if (provider === BAD || webhookUrl === BAD || secret === BAD || message === BAD) return undefined;
  if (provider === undefined) warnOfMissing(hook, "provider", "no message can be sent");
  if (webhookUrl === undefined && NEEDS_URL.has((provider ?? "").trim().toLowerCase())) {
    warnOfMissing(hook, "webhookUrl", `no message can be sent unless notification-providers.json has a url for it`);
  }
  if (message === undefined) warnOfMissing(hook, "message", "an empty message is sent");
  return {
    type: "notification",
    provider: provider ?? "",
    ...(webhookUrl !== undefined && { webhook_url: webhookUrl }),
    ...(secret !== undefined && { secret }),
    message: message ?? "",
    ...(title?.type === "string" && { title: String(title.value) }),
  };
}

/** Built-in providers without an address of their own. */
const NEEDS_URL: ReadonlySet<string> = new Set(["feishu", "wechat_work"]);

/** What a hook lacks to do its work; it is loaded, and says so each time it cannot. */
function warnOfMissing({ node, fields, findings }: TypedHook, key: string, consequence: string): void {
  const type = fieldOf(fields, "type");
  findings.about(type ?? node, {
    severity: "warning",
    code: "missing-key",
    message: `this hook has no "${key}": ${consequence}`,
    hint: `add "${key}"`,
  });
}

/** A URL as written; it may hold a secret, so no message quotes it. */
function readUrl({ fields, findings }: TypedHook, key: "url" | "webhookUrl"): string | undefined | typeof BAD {
  const url = readString(fields, key, findings);
  if (url === BAD || url === undefined || url.trim() === "") return url === BAD ? BAD : undefined;
  if (templateInHost(url) === undefined) {
    const problem = IS_SECRET.test(url) ? undefined : URL_PROBLEMS[key](url);
    if (problem !== undefined) {
      const hint = "write a whole address, for example https://host/path";
      const message = `this "${key}" ${problem}: the hook fails each time`;
      findings.about(fields.get(key)!.value, { severity: "warning", code: "unusable-url", message, hint });
    }
    return url;
  }
  findings.about(fields.get(key)!.value, {
    severity: "error",
    code: "template-in-host",
    message:
      `a template in the scheme, host or port of "${key}" would let the model choose where to send; the hook is skipped`,
    hint: "write the host itself; templates may stand in path and query",
  });
  return BAD;
}

/** Written as a secret, in whole or in part: what it comes to is known when the hook fires. */
const IS_SECRET = /^(?:file|dpapi):|\$\{/;

/** Why no request can be sent to an address as it is written. */
const URL_PROBLEMS: Readonly<Record<"url" | "webhookUrl", (url: string) => string | undefined>> = {
  url: (url) =>
    /^\s*https?:[/\\]{2}/i.test(url) && URL.canParse(url) ? undefined : "is no absolute http or https address",
  webhookUrl: insecureUrl,
};

function readMethod({ fields, findings }: TypedHook): HttpMethod | undefined {
  const written = readString(fields, "method", findings);
  if (written === BAD) return undefined;
  if (written === undefined) return "POST";
  const folded = written.trim().toUpperCase();
  const method = HTTP_METHODS.find((known) => known === folded);
  if (method !== undefined) return method;
  const near = nearest(folded, HTTP_METHODS);
  const node = fields.get("method")!.value;
  findings.about(node, {
    severity: "error",
    code: "bad-method",
    message: `unknown method ${quoteNode(findings.document, node)}; the hook is skipped`,
    hint: near === undefined ? `methods: ${HTTP_METHODS.join(", ")}` : `did you mean "${near}"?`,
  });
  return undefined;
}

/** The headers; undefined when one of them cannot be sent. Their values may hold secrets: no message quotes them. */
function readHeaders({ fields, findings }: TypedHook): Readonly<Record<string, string>> | undefined {
  const node = fieldOf(fields, "headers");
  if (node === undefined) return {};
  if (node.type !== "object") {
    const message = `"headers" is ${kindOf(node)}; it must be an object of strings; the hook is skipped`;
    reportWrongType(node, findings, message, 'write "headers": { "Authorization": "Bearer ${TOKEN}" }');
    return undefined;
  }
  const headers = new Map<string, string>();
  for (const member of node.members) {
    const { key, value } = member;
    if (value.type !== "string") {
      const message = `the header ${quoteKey(key)} is ${kindOf(value)}; it must be a string; the hook is skipped`;
      reportWrongType(value, findings, message);
      return undefined;
    }
    if (headers.has(key.toLowerCase())) {
      const message = `the header ${quoteKey(key)} stands twice; the hook is skipped`;
      findings.aboutKey(member, { severity: "error", code: "duplicate-key", message, hint: "keep one of them" });
      return undefined;
    }
    headers.set(key.toLowerCase(), key);
  }
  return Object.fromEntries(
    node.members.map(({ key, value }) => [key, value.type === "string" ? String(value.value) : ""]),
  );
}
