// Names that somebody may have meant.

/** Most edits, per length of the word, between a name and what was probably meant. */
const EDITS_PER_CHARACTER = 0.4;

/**
 * The candidates nearest to a name that is none of them, best first, at most three; none if all are far off. Case does not count.
 *
 * @param editsPerCharacter how much of a name may be wrong, from 0 to 1. Default 0.4.
 */
export function nearest(
  name: string,
  candidates: readonly string[],
  editsPerCharacter: number = EDITS_PER_CHARACTER,
): string[] {
  const wanted = name.toLowerCase();
  const editsMax = (candidate: string): number => Math.max(wanted.length, candidate.length) * editsPerCharacter;
  return candidates
    .filter((candidate) => Math.abs(wanted.length - candidate.length) <= editsMax(candidate))
    .map((candidate) => ({ candidate, edits: editDistance(wanted, candidate.toLowerCase()) }))
    .filter(({ candidate, edits }) => edits <= editsMax(candidate))
    .sort((left, right) => left.edits - right.edits)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/** Levenshtein's distance, in one row of memory. */
export function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next[j] = Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
