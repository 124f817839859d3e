/**
 * The file of a scripted model: JSON with comments.
 *
 *     { "model_id": "script-1", "on_exhausted": "error",
 *       "turns": [{ "text": "…", "tool_calls": [{ "name": "Bash", "input": { "command": "ls" } }] }] }
 *
 * Every finding has its place; a file with an error plays nothing.
 */
import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import {
  type Diagnostic,
  formatDiagnostic,
  isTooDeep,
  MAX_NESTING,
  nearest,
  parseJson,
  writeJson,
} from "../protocol/mod.ts";

/** A call of a scripted turn. */
export interface ScriptedCall {
  readonly name: string;
  /** The file's `input` as JSON, or its `raw_input` as it is. */
  readonly arguments_text: string;
  readonly id?: string;
}

/** One answer, or one failed try. */
export interface ScriptedTurn {
  /** The text in the pieces in which it is streamed. */
  readonly pieces: readonly string[];
  readonly tool_calls: readonly ScriptedCall[];
  /** Wait before the turn. */
  readonly delay_ms: number;
  /** A status to fail with, or a stream that breaks after the text. */
  readonly error?: { readonly status: number } | "cut";
  readonly expect: { readonly contains: readonly string[]; readonly not_contains: readonly string[] };
}

/** What happens when a request comes after the last turn. */
export type OnExhausted = "error" | "repeat_last" | "loop";

/** A script that can be played. */
export interface Script {
  /** File name for messages. */
  readonly file: string;
  readonly model_id: string;
  readonly turns: readonly ScriptedTurn[];
  readonly on_exhausted: OnExhausted;
}

/** The script, or why there is none: `message` has one line a finding. */
export type ScriptParsing =
  | { readonly kind: "script"; readonly script: Script }
  | { readonly kind: "invalid"; readonly message: string; readonly diagnostics: readonly Diagnostic[] };

/** Reads the text of a script; a byte-order mark, comments and trailing commas are accepted. */
export function parseScript(text: string, file: string): ScriptParsing {
  const reading = new Reading(text.replace(/^\uFEFF/, ""), file);
  const script = reading.script();
  const { diagnostics } = reading;
  if (script !== undefined && diagnostics.length === 0) return { kind: "script", script };
  return { kind: "invalid", diagnostics, message: diagnostics.map(formatDiagnostic).join("\n") };
}

const KEYS = {
  script: ["model_id", "turns", "on_exhausted"],
  turn: ["text", "tool_calls", "delay_ms", "chunks", "error", "expect"],
  call: ["name", "input", "id", "raw_input", "raw_args"],
  error: ["status"],
  expect: ["contains", "not_contains"],
} as const;

const ON_EXHAUSTED = ["error", "repeat_last", "loop"] as const satisfies readonly OnExhausted[];

type Members = ReadonlyMap<string, Node>;

/** One pass over the file, collecting findings. A missing or wrong value gives a harmless one and a finding. */
class Reading {
  readonly diagnostics: Diagnostic[] = [];
  readonly #text: string;
  readonly #file: string;

  constructor(text: string, file: string) {
    this.#text = text;
    this.#file = file;
  }

  script(): Script | undefined {
    if (isTooDeep(this.#text)) {
      this.#find(0, "too-deep", `the file nests deeper than ${MAX_NESTING} levels`);
      return undefined;
    }
    const errors: ParseError[] = [];
    const root = parseTree(this.#text, errors, { allowTrailingComma: true });
    const [first] = errors;
    if (first !== undefined) {
      const words = printParseErrorCode(first.error).replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
      this.#find(first.offset, "invalid-json", `the file is no valid JSON: ${words}`);
      return undefined;
    }
    if (root === undefined) {
      this.#find(0, "invalid-json", "the file is empty");
      return undefined;
    }
    const members = this.#members(root, "script");
    const turns = members.get("turns");
    if (turns === undefined) this.#find(root.offset, "missing-key", 'the script has no "turns"');
    const exhausted = this.#string(members, "on_exhausted") ?? "error";
    if (!ON_EXHAUSTED.some((word) => word === exhausted)) {
      const place = members.get("on_exhausted")!.offset;
      this.#find(place, "unknown-value", `"on_exhausted" must be one of ${ON_EXHAUSTED.join(", ")}`);
    }
    return {
      file: this.#file,
      model_id: this.#string(members, "model_id") ?? "script",
      turns: turns === undefined ? [] : this.#items(turns, "turns").map((node) => this.#turn(node)),
      on_exhausted: exhausted as OnExhausted,
    };
  }

  #turn(node: Node): ScriptedTurn {
    const members = this.#members(node, "turn");
    const calls = members.get("tool_calls");
    const expect = members.get("expect");
    const expected: Members = expect === undefined ? new Map() : this.#members(expect, "expect");
    const error = members.get("error");
    const failure = error === undefined ? undefined : this.#error(error);
    return {
      pieces: this.#pieces(members),
      tool_calls: calls === undefined ? [] : this.#items(calls, "tool_calls").map((call) => this.#call(call)),
      delay_ms: this.#number(members, "delay_ms") ?? 0,
      expect: { contains: this.#strings(expected, "contains"), not_contains: this.#strings(expected, "not_contains") },
      ...(failure !== undefined && { error: failure }),
    };
  }

  /** `chunks` is a list of pieces, or the number of pieces into which `text` is cut. */
  #pieces(members: Members): readonly string[] {
    const text = this.#string(members, "text");
    const chunks = members.get("chunks");
    if (chunks === undefined) return text === undefined || text === "" ? [] : [text];
    if (chunks.type === "number") return cutInto(text ?? "", Math.max(1, Math.floor(chunks.value)));
    const pieces = this.#strings(members, "chunks");
    if (text !== undefined && pieces.join("") !== text) {
      this.#find(chunks.offset, "contradiction", '"chunks" joined together must give "text"');
    }
    return pieces;
  }

  #call(node: Node): ScriptedCall {
    const members = this.#members(node, "call");
    const raw = this.#string(members, "raw_input") ?? this.#string(members, "raw_args");
    const input = members.get("input");
    if (node.type === "object" && !members.has("name")) {
      this.#find(node.offset, "missing-key", 'the call has no "name"');
    }
    if (raw !== undefined && input !== undefined) {
      this.#find(input.offset, "contradiction", 'write "input" or "raw_input", not both');
    }
    const id = this.#string(members, "id");
    return {
      name: this.#string(members, "name") ?? "",
      arguments_text: raw ?? (input === undefined ? "{}" : this.#json(input)),
      ...(id !== undefined && { id }),
    };
  }

  #error(node: Node): ScriptedTurn["error"] {
    if (node.type === "string" && node.value === "cut") return "cut";
    if (node.type !== "object") {
      this.#find(node.offset, "wrong-type", '"error" must be "cut" or { "status": NUMBER }');
      return undefined;
    }
    const status = this.#number(this.#members(node, "error"), "status");
    if (status === undefined) this.#find(node.offset, "missing-key", '"error" has no "status"');
    return { status: status ?? 500 };
  }

  /** The value on one line; integers of any length stay exact. */
  #json(node: Node): string {
    const source = this.#text.slice(node.offset, node.offset + node.length);
    try {
      return writeJson(parseJson(source));
    } catch {
      return writeJson(valueOf(node));
    }
  }

  #members(node: Node, what: keyof typeof KEYS): Members {
    const members = new Map<string, Node>();
    if (node.type !== "object") {
      this.#find(node.offset, "wrong-type", `the ${what} must be an object`);
      return members;
    }
    for (const property of node.children ?? []) {
      const [key, value] = property.children ?? [];
      if (key === undefined || value === undefined) continue;
      const name: string = key.value;
      if (!KEYS[what].some((known) => known === name)) this.#unknownKey(key, what);
      else if (members.has(name)) this.#find(key.offset, "duplicate-key", `"${name}" is there twice`);
      else members.set(name, value);
    }
    return members;
  }

  #unknownKey(key: Node, what: keyof typeof KEYS): void {
    const near = nearest(key.value, KEYS[what]);
    const hint = near === undefined ? `known keys: ${KEYS[what].join(", ")}` : `did you mean "${near}"?`;
    this.#find(key.offset, "unknown-key", `the ${what} has an unknown key "${key.value}"`, hint);
  }

  #items(node: Node, what: string): readonly Node[] {
    if (node.type === "array") return node.children ?? [];
    this.#find(node.offset, "wrong-type", `"${what}" must be a list`);
    return [];
  }

  #strings(members: Members, name: string): readonly string[] {
    const node = members.get(name);
    if (node === undefined) return [];
    if (node.type === "string") return [node.value];
    return this.#items(node, name).map((item) => {
      if (item.type !== "string") this.#find(item.offset, "wrong-type", `"${name}" must hold strings`);
      return String(item.value);
    });
  }

  #string(members: Members, name: string): string | undefined {
    const node = members.get(name);
    if (node === undefined || node.type === "string") return node?.value;
    this.#find(node.offset, "wrong-type", `"${name}" must be a string`);
    return undefined;
  }

  #number(members: Members, name: string): number | undefined {
    const node = members.get(name);
    if (node === undefined || (node.type === "number" && node.value >= 0)) return node?.value;
    this.#find(node.offset, "wrong-type", `"${name}" must be a number, 0 or more`);
    return undefined;
  }

  #find(offset: number, code: string, message: string, hint?: string): void {
    const before = this.#text.slice(0, offset);
    const line = before.split("\n").length;
    const column = offset - before.lastIndexOf("\n");
    this.diagnostics.push({ file: this.#file, line, column, severity: "error", code, message, ...(hint && { hint }) });
  }
}

function valueOf(node: Node): unknown {
  if (node.type === "array") return (node.children ?? []).map(valueOf);
  if (node.type !== "object") return node.value;
  return Object.fromEntries((node.children ?? []).map(({ children }) => [children![0]!.value, valueOf(children![1]!)]));
}

function cutInto(text: string, count: number): readonly string[] {
  const characters = [...text];
  const size = Math.max(1, Math.ceil(characters.length / count));
  const pieces: string[] = [];
  for (let start = 0; start < characters.length; start += size) {
    pieces.push(characters.slice(start, start + size).join(""));
  }
  return pieces;
}
