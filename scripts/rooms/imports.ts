/** Finds the imports of a token list: static, type-only, re-exports, side effects, dynamic ones. */
import type { Token } from "./tokens.ts";

/** One import. `specifier` is undefined for a dynamic import whose address is computed. */
export interface Import {
  readonly specifier: string | undefined;
  /** `import type` or `export type`; an inline `type` modifier does not count, the module may still be loaded. */
  readonly type_only: boolean;
  readonly line: number;
}

/** Every import in the order of the source. */
export function importsOf(tokens: readonly Token[]): readonly Import[] {
  const found: Import[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== "word" || isSign(tokens[index - 1], ".")) continue;
    const next = tokens[index + 1];
    const { line } = token;
    if (token.value === "import" && isSign(next, "(")) {
      const argument = tokens[index + 2];
      const after = tokens[index + 3];
      const literal = argument?.kind === "string" && (isSign(after, ")") || isSign(after, ","));
      found.push({ specifier: literal ? argument.value : undefined, type_only: false, line });
    } else if (token.value === "import" && next?.kind === "string") {
      found.push({ specifier: next.value, type_only: false, line });
    } else if ((token.value === "import" && startsClause(next)) || (token.value === "export" && startsReexport(next))) {
      const from = fromClause(tokens, index + 1);
      if (from !== undefined) found.push({ specifier: from, type_only: isTypeOnly(tokens, index + 1), line });
    }
  }
  return found;
}

function startsClause(token: Token | undefined): boolean {
  return token?.kind === "word" || isSign(token, "{") || isSign(token, "*");
}

function startsReexport(token: Token | undefined): boolean {
  return isSign(token, "{") || isSign(token, "*") || (token?.kind === "word" && token.value === "type");
}

/** `import type X from`, `import type { … }`, `export type { … }`, `export type *`; `import type from "…"` binds the name "type". */
function isTypeOnly(tokens: readonly Token[], start: number): boolean {
  if (tokens[start]?.value !== "type") return false;
  const next = tokens[start + 1];
  if (isSign(next, "{") || isSign(next, "*")) return true;
  return next?.kind === "word" && !(next.value === "from" && tokens[start + 2]?.kind === "string");
}

/** The string after `from`, if the clause that begins here has one. */
function fromClause(tokens: readonly Token[], start: number): string | undefined {
  for (let index = start; index < tokens.length; index++) {
    const token = tokens[index]!;
    const next = tokens[index + 1];
    if (token.value === "from" && token.kind === "word" && next?.kind === "string") return next.value;
    const inClause = token.kind === "word" || token.kind === "string" ||
      (token.kind === "sign" && ["{", "}", ",", "*"].includes(token.value));
    if (!inClause) return undefined;
    if (isSign(token, "}") && next?.value !== "from") return undefined;
  }
  return undefined;
}

function isSign(token: Token | undefined, value: string): boolean {
  return token?.kind === "sign" && token.value === value;
}
