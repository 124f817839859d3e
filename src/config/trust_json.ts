/** Strings of a JSON text that is shown to people, some of them replaced. */
import { type Node, type ParseError, parseTree } from "jsonc-parser";
import { isTooDeep } from "../protocol/mod.ts";

/** A string value with the keys that lead to it; places in lists are left out. */
export interface JsonString {
  readonly keys: readonly string[];
  readonly value: string;
}

/**
 * The text with some string values replaced and everything else, comments too, as it is. `replace` gives the new value,
 * and undefined for one that stays. Undefined when the text is no valid JSON: nobody knows what would be left in it.
 */
export function replaceJsonStrings(
  text: string,
  replace: (string: JsonString) => string | undefined,
): string | undefined {
  if (isTooDeep(text)) return undefined;
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  if (root === undefined || errors.length > 0) return undefined;
  let result = "";
  let done = 0;
  for (const { keys, value, offset, length } of stringsOf(root, [])) {
    const replacement = replace({ keys, value });
    if (replacement === undefined) continue;
    result += text.slice(done, offset) + JSON.stringify(replacement);
    done = offset + length;
  }
  return result + text.slice(done);
}

/** Offset of the first string value that `isMeant` accepts; undefined when there is none or the text is no valid JSON. */
export function offsetOfJsonString(text: string, isMeant: (string: JsonString) => boolean): number | undefined {
  if (isTooDeep(text)) return undefined;
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  if (root === undefined || errors.length > 0) return undefined;
  return stringsOf(root, []).find(isMeant)?.offset;
}

interface PlacedString extends JsonString {
  readonly offset: number;
  readonly length: number;
}

/** The string values in the order of the text. */
function stringsOf({ type, value, offset, length, children = [] }: Node, keys: readonly string[]): PlacedString[] {
  switch (type) {
    case "string":
      return [{ keys, value: value as string, offset, length }];
    case "property": {
      const [key, member] = children;
      return member === undefined ? [] : stringsOf(member, [...keys, key!.value as string]);
    }
    default:
      return children.flatMap((child) => stringsOf(child, keys));
  }
}
