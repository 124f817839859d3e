/**
 * Secrets in the settings of http and notification hooks (design.md, section 6.2).
 *
 * | written | stands for |
 * |---|---|
 * | `${NAME}`, anywhere | the environment variable; nothing when it is not set |
 * | `file:PATH`, the whole value | the content of a file that only the user can read, without its last line break |
 * | `dpapi:BASE64`, the whole value | what Windows decrypts for the current user |
 *
 * One pass: what a secret expands to is never read again, neither for `${` nor for `{{`. Anything else stays as it is
 * written, `$NAME`, `${}`, `${A-B}` and `$${NAME}` too.
 */
import type { TemplatePart } from "../text/mod.ts";

/** Where secrets come from. Nothing here throws or rejects. */
export interface SecretSource {
  /** The value of an environment variable; undefined when it is not set. */
  variable(name: string): string | undefined;
  /** What `file:PATH` stands for; absent where no file may be read. */
  readFile?(path: string, signal: AbortSignal): Promise<SecretValue>;
  /** What `dpapi:BASE64` stands for; absent where nothing can be decrypted. */
  decrypt?(base64: string, signal: AbortSignal): Promise<SecretValue>;
}

/** One secret, or why there is none; `reason` never holds the value. */
export type SecretValue =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly reason: string };

/** What a setting with secrets came to. */
export type ExpandedText =
  | {
    readonly ok: true;
    readonly text: string;
    /** `text` in pieces: the expanded ones are `literal`, so that no template is looked for in them. */
    readonly parts: readonly TemplatePart[];
    /** Names of variables that are not set, each once; each stands for nothing in `text`. */
    readonly missing: readonly string[];
    /** Every secret that `text` holds, none of them empty: none may be shown anywhere. */
    readonly secrets: readonly string[];
  }
  /** `reason` never holds the value. */
  | { readonly ok: false; readonly reason: string };

/** Expands `${NAME}`, `file:PATH` and `dpapi:BASE64` in a setting. */
export async function expandSecrets(text: string, source: SecretSource, signal: AbortSignal): Promise<ExpandedText> {
  const kind = WHOLE_VALUES.find(({ prefix }) => text.startsWith(prefix));
  if (kind === undefined) return expandVariables(text, source);
  const found = await kind.get(text.slice(kind.prefix.length), source, signal);
  if (!found.ok) return found;
  const { value } = found;
  return {
    ok: true,
    text: value,
    parts: [{ text: value, literal: true }],
    missing: [],
    secrets: value === "" ? [] : [value],
  };
}

interface WholeValue {
  readonly prefix: string;
  readonly get: (rest: string, source: SecretSource, signal: AbortSignal) => Promise<SecretValue>;
}

const WHOLE_VALUES: readonly WholeValue[] = [
  {
    prefix: "file:",
    get: async (path, source, signal) =>
      await source.readFile?.(path, signal) ?? { ok: false, reason: "no secret is read from a file here" },
  },
  {
    prefix: "dpapi:",
    get: async (base64, source, signal) =>
      await source.decrypt?.(base64, signal) ?? { ok: false, reason: "a dpapi: value cannot be decrypted here" },
  },
];

function expandVariables(text: string, source: SecretSource): ExpandedText {
  const parts: TemplatePart[] = [];
  const missing = new Set<string>();
  const secrets = new Set<string>();
  let end = 0;
  for (const match of text.matchAll(VARIABLE)) {
    const [written, name = ""] = match;
    const value = source.variable(name);
    if (value === undefined) missing.add(name);
    else if (value !== "") secrets.add(value);
    parts.push({ text: text.slice(end, match.index), literal: false }, { text: value ?? "", literal: true });
    end = match.index + written.length;
  }
  parts.push({ text: text.slice(end), literal: false });
  return {
    ok: true,
    text: parts.map((part) => part.text).join(""),
    parts,
    missing: [...missing],
    secrets: [...secrets],
  };
}

const VARIABLE = /(?<!\$)\$\{([A-Za-z0-9_]+)\}/g;
