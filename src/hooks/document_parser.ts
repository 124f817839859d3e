/**
 * The parser behind `document.ts`: a loop over the scanner of `jsonc-parser`. Without recursion, nesting cannot
 * overflow the stack; it stops at the first error, because a file that is not JSON contributes nothing anyway.
 */
import { createScanner } from "jsonc-parser";
import type { ArrayNode, DocumentNode, DuplicateKey, Fault, Member, ObjectNode, Position } from "./document.ts";

/** The tree of a text, or its first fault. Never throws. */
export function parseText(
  text: string,
  positionAt: (offset: number) => Position,
): { readonly root: DocumentNode; readonly duplicates: readonly DuplicateKey[] } | { readonly fault: Fault } {
  const scanner = createScanner(text, false);
  const duplicates: DuplicateKey[] = [];
  const open: (ObjectNode | ArrayNode)[] = [];
  let root: DocumentNode | undefined;
  let key: { readonly text: string; readonly offset: number } | undefined;
  let previousEnd = 0;
  let expected: Expected = "value";

  for (;;) {
    const kind: number = scanner.scan();
    const offset = scanner.getTokenOffset();
    const end = offset + scanner.getTokenLength();
    const source = () => text.slice(offset, Math.min(end, offset + 40));
    const broken = TOKEN_ERRORS[scanner.getTokenError() as number];
    if (broken !== undefined) return { fault: invalid(offset, broken[0], broken[1]) };
    if (TRIVIA.has(kind)) continue;
    if (kind === TOKEN.unknown) return { fault: unknownWord(offset, source()) };
    const fault = (message: string, hint?: string) => ({ fault: invalid(offset, message, hint) });

    if (kind === TOKEN.end) {
      if (root === undefined) return { fault: { ...EMPTY_FILE, offset: text.length } };
      const container = open.at(-1);
      if (container === undefined) return { root, duplicates };
      return fault("the file ends too early", stillOpen(container, positionAt));
    }

    switch (expected) {
      case "end":
        return fault(`${quote(source())} stands after the end of the document`);

      case "colon":
        if (kind !== TOKEN.colon) return fault(`a colon is missing after the key ${JSON.stringify(key!.text)}`);
        expected = "value";
        break;

      case "comma_or_close": {
        const container = open.at(-1)!;
        if (kind === TOKEN.comma) {
          expected = container.type === "object" ? "key_or_close" : "item_or_close";
        } else if (kind === closerOf(container)) {
          expected = close(open, end, duplicates);
        } else if (isCloser(kind)) {
          return fault(`${quote(source())} closes nothing here`, stillOpen(container, positionAt));
        } else {
          const { line, column } = positionAt(previousEnd);
          return fault(
            `a comma is missing before ${quote(source())}`,
            `put a comma after the value that ends at ${line}:${column}`,
          );
        }
        break;
      }

      case "key_or_close":
        if (kind === TOKEN.closeBrace) {
          expected = close(open, end, duplicates);
        } else if (kind === TOKEN.string) {
          key = { text: scanner.getTokenValue(), offset };
          expected = "colon";
        } else {
          return fault(
            `a key in double quotes is missing before ${quote(source())}`,
            stillOpen(open.at(-1)!, positionAt),
          );
        }
        break;

      case "item_or_close":
      case "value": {
        const container = open.at(-1);
        if (expected === "item_or_close" && kind === TOKEN.closeBracket) {
          expected = close(open, end, duplicates);
          break;
        }
        const node = nodeOf(kind, scanner.getTokenValue(), {
          offset,
          end,
          parent: container,
          step: container?.type === "array" ? container.items.length : key?.text ?? "",
        });
        if (node === undefined) {
          return fault(`a value is missing before ${quote(source())}`, container && stillOpen(container, positionAt));
        }
        root ??= node;
        if (container?.type === "array") container.items.push(node);
        if (container?.type === "object") {
          container.members.push({ key: key!.text, keyOffset: key!.offset, value: node });
        }
        if (node.type === "object" || node.type === "array") {
          open.push(node);
          if (open.length > MAX_DEPTH) return { fault: { ...TOO_DEEP, offset } };
          expected = node.type === "object" ? "key_or_close" : "item_or_close";
        } else {
          expected = open.length === 0 ? "end" : "comma_or_close";
        }
        break;
      }
    }
    previousEnd = end;
  }
}

/** What may come next. Commas may stand before a closing bracket. */
type Expected = "value" | "item_or_close" | "key_or_close" | "colon" | "comma_or_close" | "end";

/** Nesting that is refused: no hook file comes near it, and what reads the tree may recurse. */
const MAX_DEPTH = 200;

/** Numbers of `SyntaxKind` in jsonc-parser 3, whose ambient const enums a module-wise compiler cannot read. */
const TOKEN = {
  openBrace: 1,
  closeBrace: 2,
  openBracket: 3,
  closeBracket: 4,
  comma: 5,
  colon: 6,
  null: 7,
  true: 8,
  false: 9,
  string: 10,
  number: 11,
  unknown: 16,
  end: 17,
} as const;
const TRIVIA: ReadonlySet<number> = new Set([12, 13, 14, 15]);

/** Messages and hints by `ScanError` of jsonc-parser 3. */
const TOKEN_ERRORS: Readonly<Record<number, readonly [message: string, hint?: string]>> = {
  1: ["the comment is not closed", "close it with */"],
  2: ["the string is not closed on its line", 'end it with "; write a line break in it as \\n'],
  3: ["the number is not complete"],
  4: ["\\u is not followed by four hexadecimal digits"],
  5: ["unknown escape in the string", "write a backslash as \\\\"],
  6: ["a control character in the string", "write it as \\n, \\t or \\u00XX"],
};

const EMPTY_FILE = {
  code: "empty-file",
  message: "the file is empty",
  hint: 'a file without hooks is written { "version": 1, "hooks": {} }',
} as const;

const TOO_DEEP = {
  code: "nested-too-deeply",
  message: `more than ${MAX_DEPTH} objects and lists inside each other`,
} as const;

function invalid(offset: number, message: string, hint?: string): Fault {
  return hint === undefined
    ? { code: "invalid-json", offset, message }
    : { code: "invalid-json", offset, message, hint };
}

function unknownWord(offset: number, source: string): Fault {
  const hint = source.startsWith("'")
    ? "strings stand in double quotes"
    : /^[\p{L}_$]/u.test(source)
    ? "keys and strings stand in double quotes; other words are only true, false and null"
    : undefined;
  return invalid(offset, `${quote(source)} is not JSON`, hint);
}

function stillOpen(container: ObjectNode | ArrayNode, positionAt: (offset: number) => Position): string {
  const { line, column } = positionAt(container.offset);
  return `the ${container.type === "object" ? '"{"' : '"["'} at ${line}:${column} is still open`;
}

function closerOf(container: ObjectNode | ArrayNode): number {
  return container.type === "object" ? TOKEN.closeBrace : TOKEN.closeBracket;
}

function isCloser(kind: number): boolean {
  return kind === TOKEN.closeBrace || kind === TOKEN.closeBracket;
}

function close(open: (ObjectNode | ArrayNode)[], end: number, duplicates: DuplicateKey[]): Expected {
  const container = open.pop()!;
  container.end = end;
  if (container.type === "object" && container.members.length > 1) {
    const seen = new Map<string, Member>();
    for (const member of container.members) {
      const first = seen.get(member.key);
      if (first === undefined) seen.set(member.key, member);
      else duplicates.push({ node: container, first, second: member });
    }
  }
  return open.length === 0 ? "end" : "comma_or_close";
}

type NodePlace = Pick<DocumentNode, "offset" | "end" | "parent" | "step">;

function nodeOf(kind: number, value: string, place: NodePlace): DocumentNode | undefined {
  switch (kind) {
    case TOKEN.openBrace:
      return { type: "object", members: [], ...place };
    case TOKEN.openBracket:
      return { type: "array", items: [], ...place };
    case TOKEN.string:
      return { type: "string", value, ...place };
    case TOKEN.number:
      return { type: "number", value: Number(value), ...place };
    case TOKEN.true:
    case TOKEN.false:
      return { type: "boolean", value: kind === TOKEN.true, ...place };
    case TOKEN.null:
      return { type: "null", value: null, ...place };
    default:
      return undefined;
  }
}

/** A piece of the text for a message; a string token has its quotes already. */
function quote(source: string): string {
  return source.startsWith('"') ? source : JSON.stringify(source);
}
