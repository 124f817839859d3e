/**
 * Onecode hook files: from a document to hooks.
 *
 * The root holds six points by name; each holds a list of groups `{ matcher?, hooks }`. Names that OneCode gave up, internal
 * points and the flat form are named and skipped; they cost nothing else.
 */
import { type Point } from "../../protocol/mod.ts";
import type { DialectLoader, HookDraft, LoaderContext } from "../dialect_loader.ts";
import type { Member } from "../document.ts";
import { isNoteKey, kindOf, quoteKey } from "../findings.ts";
import { reportWrongType } from "./fields.ts";
import { readGroup } from "./group.ts";
import { type KeyMeaning, meaningOfKey, ONECODE_SHAPE } from "./words.ts";

/** Reads a onecode file. */
export const loadOnecode: DialectLoader = (context) => {
  const keys = context.root.members.filter(({ key }) => !isNoteKey(key)).map((member) => ({
    member,
    meaning: meaningOfKey(member.key),
  }));
  const seen = new Map<Point, Member>();
  for (const { member, meaning } of keys) {
    if (meaning.point !== undefined && meaning.exact && !seen.has(meaning.point)) seen.set(meaning.point, member);
  }
  const drafts = keys.flatMap(({ member, meaning }): readonly HookDraft[] => {
    const point = pointOf(member, meaning, seen, context);
    return point === undefined ? [] : readPoint(point, member, context);
  });
  return { usable: true, drafts };
};

/** The point of a root key, when its hooks are to be read. `seen` has the keys that are written as they should be. */
function pointOf(
  member: Member,
  meaning: KeyMeaning,
  seen: Map<Point, Member>,
  { findings }: LoaderContext,
): Point | undefined {
  const { key } = member;
  if (meaning.point === undefined) {
    const { code, message, hint } = meaning;
    findings.aboutKey(member, { severity: "error", code, message: `${message}; its hooks are skipped`, hint });
    return undefined;
  }
  const { point, exact } = meaning;
  const first = seen.get(point);
  if (first === undefined) seen.set(point, member);
  if (first !== undefined && first !== member) {
    const { line, column } = findings.document.positionAt(first.keyOffset);
    findings.aboutKey(member, {
      severity: "error",
      code: "duplicate-key",
      message: `${quoteKey(key)} is the point "${point}", which stands at ${line}:${column} already; ` +
        (exact ? "both are read" : "its hooks are skipped"),
      hint: exact ? "put all groups into one list" : `did you mean "${point}"? Put its groups into that list`,
    });
    return exact ? point : undefined;
  }
  if (!exact) {
    const message = `${quoteKey(key)} is read as "${point}"`;
    findings.aboutKey(member, { severity: "hint", code: "key-style", message, hint: `write "${point}"` });
  }
  return point;
}

function readPoint(point: Point, { value }: Member, context: LoaderContext): readonly HookDraft[] {
  if (value.type !== "array") {
    const message = `"${point}" is ${kindOf(value)}; it must be a list of groups; its hooks are skipped`;
    const hint = value.type === "object" ? "put [ ] around it" : `the shape is ${ONECODE_SHAPE}`;
    reportWrongType(value, context.findings, message, hint);
    return [];
  }
  return value.items.flatMap((item) => readGroup(item, point, context));
}
