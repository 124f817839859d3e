/** What has changed in a file since it was trusted, for people: no secret in it, and bounded in time and size. */
import { replaceJsonStrings } from "../config/mod.ts";
import { bareName, maskUrl } from "../text/mod.ts";

/** A file before and now; undefined stands for no file. */
export interface FileChange {
  /** Relative to the project. */
  readonly name: string;
  readonly before: Uint8Array | undefined;
  readonly now: Uint8Array | undefined;
  /** Whether it is JSON, whose secrets have a known place. */
  readonly is_json: boolean;
}

/** A unified diff, or one line where that cannot be shown; not yet safe for a terminal. */
export async function shownTrustChange({ name, before, now, is_json: isJson }: FileChange): Promise<string> {
  const shownName = bareName(name);
  const what = before === undefined ? "new" : now === undefined ? "gone" : "changed";
  const sizes = `${before?.length ?? 0} bytes before, ${now?.length ?? 0} now`;
  const mask = createMask();
  const texts = [before, now].map((bytes) => decoded(bytes)).map((text) =>
    text === undefined || text === "" || !isJson ? text : mask(text)
  );
  const [left, right] = texts;
  if (left === undefined || right === undefined) {
    const why = isJson ? "no valid JSON, and what of it may be secret is unknown" : "no text";
    return `${shownName}: ${what}; not shown, it is ${why} (${sizes})`;
  }
  const { createTwoFilesPatch } = await import("diff");
  const patch = left.length + right.length > MAX_COMPARED_UNITS
    ? undefined
    : createTwoFilesPatch("", "", left, right, "", "", { context: 3, maxEditLength: MAX_EDIT_LENGTH });
  if (patch === undefined) return `${shownName}: ${what}, too much to show line by line (${sizes})`;
  const begin = patch.indexOf("\n@@ ");
  if (begin < 0) return `${shownName}: ${what} in bytes that show no difference (${sizes})`;
  const ages = [before === undefined ? "not trusted" : "trusted", now === undefined ? "gone" : "now"];
  return `--- ${shownName}\t${ages[0]}\n+++ ${shownName}\t${ages[1]}${patch.slice(begin)}`;
}

const MAX_COMPARED_UNITS = 2 * 1024 * 1024;

/** Bounds the time of the comparison, which grows with the square of the number of changed lines. */
const MAX_EDIT_LENGTH = 2000;

function decoded(bytes: Uint8Array | undefined): string | undefined {
  try {
    return bytes === undefined ? "" : new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const ADDRESS_KEYS: ReadonlySet<string> = new Set(["url", "webhookurl"]);
const SECRET_KEYS: ReadonlySet<string> = new Set(["secret"]);
/** Objects all of whose values may be secrets: headers of requests, environments of MCP servers. */
const SECRET_GROUPS: ReadonlySet<string> = new Set(["headers", "env"]);

/** Names the place of a secret, and is none. */
const REFERENCE = /^(?:\$\{\w+\}|file:.*)$/s;

/** A number tells two secrets apart, so that a change of one is seen and the secret is not. */
function createMask(): (text: string) => string | undefined {
  const numbers = new Map<string, number>();
  const numbered = (shown: string, value: string) => {
    if (!numbers.has(value)) numbers.set(value, numbers.size + 1);
    return `${shown} (${numbers.get(value)})`;
  };
  return (text) =>
    replaceJsonStrings(text, ({ keys, value }) => {
      const names = keys.map((key) => key.toLowerCase());
      const name = names.at(-1) ?? "";
      if (value === "" || REFERENCE.test(value)) return undefined;
      if (ADDRESS_KEYS.has(name)) {
        const shown = maskUrl(value);
        return shown === value ? undefined : numbered(shown, value);
      }
      return SECRET_KEYS.has(name) || names.some((one) => SECRET_GROUPS.has(one)) ? numbered("***", value) : undefined;
    });
}
