/** Globs over names: `*` stands for any characters, everything else for itself, in any case. */

/** A compiled glob. */
export type StarGlob = (name: string) => boolean;

/**
 * Compiles a glob that must match the whole name. Case is folded without regard to any language. Takes time linear in the
 * name and in the glob, whatever they hold.
 */
export function starGlob(glob: string): StarGlob {
  const [head, ...rest] = foldCase(glob).split("*");
  const tail = rest.pop();
  if (tail === undefined) return (name) => foldCase(name) === head;
  const middles = rest.filter((piece) => piece !== "").map(createFinder);
  return (name) => {
    const subject = foldCase(name);
    const end = subject.length - tail.length;
    if (end < head!.length || !subject.startsWith(head!) || !subject.endsWith(tail)) return false;
    let at = head!.length;
    for (const find of middles) {
      const found = find(subject, at, end);
      if (found === undefined) return false;
      at = found;
    }
    return true;
  };
}

function foldCase(text: string): string {
  return text.toLowerCase();
}

/** Gives the end of the first occurrence of the piece between `from` and `end` (Knuth, Morris and Pratt). */
type Finder = (subject: string, from: number, end: number) => number | undefined;

function createFinder(piece: string): Finder {
  const borders = bordersOf(piece);
  return (subject, from, end) => {
    let matched = 0;
    for (let at = from; at < end; at++) {
      while (matched > 0 && subject[at] !== piece[matched]) matched = borders[matched - 1]!;
      if (subject[at] === piece[matched]) matched++;
      if (matched === piece.length) return at + 1;
    }
    return undefined;
  };
}

/** For each beginning of the piece the length of its longest proper beginning that is also its end. */
function bordersOf(piece: string): readonly number[] {
  const borders = [0];
  for (let at = 1, matched = 0; at < piece.length; at++) {
    while (matched > 0 && piece[at] !== piece[matched]) matched = borders[matched - 1]!;
    if (piece[at] === piece[matched]) matched++;
    borders.push(matched);
  }
  return borders;
}
