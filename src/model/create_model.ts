/** From a spec to a model. */
import { nearest } from "../protocol/mod.ts";
import type { Model, ModelCreation, ModelOptions, ModelProblem, ProviderSettings } from "./port.ts";
import { anthropic } from "./providers/anthropic.ts";
import { google } from "./providers/google.ts";
import { openaiCompatible } from "./providers/openai_compatible.ts";
import type { WireProtocol } from "./providers/wire.ts";
import { remoteModel } from "./remote_model.ts";
import { type RetryPolicy, sleepFor } from "./retry.ts";
import { parseScript, type ScriptParsing } from "./script_file.ts";
import { scriptModel } from "./script_model.ts";

/** A provider that needs no configuration. */
interface BuiltInProvider {
  readonly protocol: WireProtocol;
  readonly key_variable: string;
  readonly base_url_variable: string;
  readonly base_url: string;
}

const BUILT_IN = {
  anthropic: {
    protocol: anthropic,
    key_variable: "ANTHROPIC_API_KEY",
    base_url_variable: "ANTHROPIC_BASE_URL",
    base_url: "https://api.anthropic.com",
  },
  openai: {
    protocol: openaiCompatible,
    key_variable: "OPENAI_API_KEY",
    base_url_variable: "OPENAI_BASE_URL",
    base_url: "https://api.openai.com/v1",
  },
  google: {
    protocol: google,
    key_variable: "GEMINI_API_KEY",
    base_url_variable: "GOOGLE_GEMINI_BASE_URL",
    base_url: "https://generativelanguage.googleapis.com",
  },
} as const satisfies Record<string, BuiltInProvider>;

const PROTOCOLS = {
  "openai-compatible": openaiCompatible,
  anthropic,
  google,
} as const satisfies Record<ProviderSettings["type"], WireProtocol>;

const DEMO_IS_A_FLAG =
  "The demo is no model for a project: it is played by soong-agent run --demo, in a project of its own";
const HOW_TO_SPELL = "write PROVIDER/MODEL, for example anthropic/claude-sonnet-4-5, or script/FILE";

/**
 * Makes the model that `spec` names: `anthropic/ID`, `openai/ID`, `google/ID`, `NAME/ID` for a provider of the
 * configuration (which wins over a built-in one of the same name), `script/FILE`, or the name of an embedded script.
 *
 * The library of a provider is loaded in the background from here on.
 */
export async function createModel(spec: string, options: ModelOptions): Promise<ModelCreation> {
  if (Object.hasOwn(options.embedded_scripts, spec)) {
    const text = JSON.stringify(options.embedded_scripts[spec]);
    return scripted(spec, parseScript(text, `the embedded script ${spec}`), options);
  }
  const slash = spec.indexOf("/");
  const name = slash === -1 ? spec : spec.slice(0, slash);
  const id = slash === -1 ? "" : spec.slice(slash + 1);
  if (name === "script" && id !== "") return await scriptOfFile(id, options);

  const named = Object.hasOwn(options.providers, name) ? options.providers[name] : undefined;
  const builtIn = Object.hasOwn(BUILT_IN, name) ? BUILT_IN[name as keyof typeof BUILT_IN] : undefined;
  if (named === undefined && builtIn === undefined) return unknownProvider(spec, name, slash !== -1, options);
  if (id === "") return problem("bad_spec", `The model "${spec}" has no name behind its provider: ${HOW_TO_SPELL}`);
  return remote(name, id, named === undefined ? settingsOf(builtIn!, options) : namedSettings(named), options);
}

/** A provider, built in or named, in one form. */
interface RemoteSettings {
  readonly protocol: WireProtocol;
  readonly base_url: string;
  /** Where the base URL was written, for messages. */
  readonly base_url_source: string;
  readonly key_variable: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

function settingsOf(provider: BuiltInProvider, options: ModelOptions): RemoteSettings {
  const { protocol, key_variable, base_url_variable } = provider;
  const base_url = options.readEnvironment(base_url_variable)?.trim() || provider.base_url;
  return { protocol, base_url, base_url_source: base_url_variable, key_variable, headers: {} };
}

function namedSettings(provider: ProviderSettings): RemoteSettings {
  const { type, base_url, api_key_env, headers } = provider;
  return { protocol: PROTOCOLS[type], base_url, base_url_source: "base_url", key_variable: api_key_env, headers };
}

function remote(name: string, id: string, settings: RemoteSettings, options: ModelOptions): ModelCreation {
  const { protocol, key_variable, headers } = settings;
  const key = key_variable === undefined ? "" : options.readEnvironment(key_variable)?.trim() ?? "";
  if (key_variable !== undefined && key === "") {
    return problem(
      "missing_key",
      `The model "${name}/${id}" needs a key: set the environment variable ${key_variable}`,
    );
  }
  const address = addressOf(settings.base_url);
  if (address === undefined) {
    return problem(
      "bad_base_url",
      `${settings.base_url_source} of the provider "${name}" must be an http(s) address without query and password`,
    );
  }
  for (const [header, value] of [[key_variable ?? "", key], ...Object.entries(headers)] as const) {
    if (HEADER_VALUE.test(value)) continue;
    return problem("bad_header", `${header} holds a character that no HTTP header can carry: write it again`);
  }
  const base_url = protocol.completeBaseUrl(address);
  const connect = protocol.open({ model_id: id, base_url, key, headers });
  // A failed load is told by the first request; until then nobody waits for it.
  connect.catch(() => {});
  const model = remoteModel({
    provider: name,
    model_id: id,
    protocol,
    connect,
    policy: policyOf(options),
    idle_timeout_ms: options.idle_timeout_ms,
    server: base_url,
    secrets: [key, ...Object.values(headers)].filter((secret) => secret !== ""),
    ...(key_variable !== undefined && { key_variable }),
  });
  return { kind: "model", model };
}

/** Printable Latin-1: `fetch` throws on anything else. */
const HEADER_VALUE = /^[\x20-\x7e\xa0-\xff\t]*$/;

/** The address without a slash at its end; undefined when it is none that a request can be sent to. */
function addressOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const usable = (url.protocol === "http:" || url.protocol === "https:") && url.search === "" && url.hash === "" &&
    url.username === "" && url.password === "";
  return usable ? url.href.replace(/\/+$/, "") : undefined;
}

function unknownProvider(spec: string, name: string, hasSlash: boolean, options: ModelOptions): ModelCreation {
  if (spec === "demo") return problem("bad_spec", DEMO_IS_A_FLAG);
  if (!hasSlash) return problem("bad_spec", `"${spec}" names no provider: ${HOW_TO_SPELL}`);
  const known = [...Object.keys(BUILT_IN), "script", ...Object.keys(options.providers)];
  const near = nearest(name, known);
  const guess = near === undefined ? "" : ` (did you mean "${near}"?)`;
  const message = `The provider "${name}" is not known${guess}: use one of ${known.join(", ")}, ` +
    `or describe it as [providers.${name}] in config.toml`;
  return problem("unknown_provider", message);
}

async function scriptOfFile(file: string, options: ModelOptions): Promise<ModelCreation> {
  let text: string;
  try {
    text = await options.readTextFile(file);
  } catch (error) {
    const reason = error instanceof Deno.errors.NotFound
      ? "there is no such file"
      : `it cannot be read: ${messageOf(error)}`;
    return problem("unreadable_script", `The script ${file} of the model "script/${file}": ${reason}`);
  }
  return scripted("script", parseScript(text, file), options);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function scripted(provider: string, parsing: ScriptParsing, options: ModelOptions): ModelCreation {
  if (parsing.kind === "invalid") {
    const { message, diagnostics } = parsing;
    return { kind: "problem", problem: { code: "bad_script", message, diagnostics } };
  }
  const model: Model = scriptModel(parsing.script, { provider, policy: policyOf(options) });
  return { kind: "model", model };
}

function policyOf(options: ModelOptions): RetryPolicy {
  return {
    max_retries: options.max_retries,
    random: options.random ?? Math.random,
    sleep: options.sleep ?? sleepFor,
  };
}

function problem(code: ModelProblem["code"], message: string): ModelCreation {
  return { kind: "problem", problem: { code, message } };
}
