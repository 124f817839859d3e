import { bareName } from "../../text/mod.ts";

/** Why an entry was left out of a result. */
export type LeftOutReason = keyof typeof WORDS;

const WORDS = {
  hidden: "hidden",
  ignored: "ignored by .gitignore",
  sensitive: "sensitive",
  binary: "binary",
  unreadable: "unreadable",
  linked: "linked",
} as const satisfies Record<string, string>;

const ADVICE: Partial<Record<LeftOutReason, string>> = {
  hidden: "to include one, name it in",
  ignored: "to include one, name it in",
  sensitive: "to search one, name the file in",
  linked: "links to folders are not followed; name the folder in",
};

const MAX_NAMES = 8;

/** Counts what a search or listing left out, so that its result can say so. */
export class LeftOut {
  /** `naming` says in which arguments of the call hidden and ignored entries can be named, in words. */
  constructor(readonly naming: string) {}

  readonly #entries = new Map<LeftOutReason, { count: number; readonly names: string[] }>();

  add(reason: LeftOutReason, name: string): void {
    const entry = this.#entries.get(reason) ?? { count: 0, names: [] };
    entry.count++;
    if (entry.names.length < MAX_NAMES) entry.names.push(bareName(name));
    this.#entries.set(reason, entry);
  }

  /** One sentence a reason, with numbers, the first names and how to include them; none when nothing was left out. */
  notes(): readonly string[] {
    const reasons = (Object.keys(WORDS) as LeftOutReason[]).filter((reason) => this.#entries.has(reason));
    return reasons.map((reason) => {
      const { count, names } = this.#entries.get(reason)!;
      const more = count > names.length ? `, and ${count - names.length} more` : "";
      const where = reason === "hidden" || reason === "ignored" ? this.naming : "path";
      const advice = ADVICE[reason] ? `; ${ADVICE[reason]} ${where}` : "";
      return `left out ${count} ${WORDS[reason]} (${names.join(", ")}${more})${advice}`;
    });
  }

  /** Number of entries by reason, for metadata. */
  counts(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#entries].map(([reason, { count }]) => [reason, count]));
  }
}
