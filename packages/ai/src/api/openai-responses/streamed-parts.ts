// Text that comes in numbered parts, each by deltas, whole, or both. It tells what is new, so that nothing is said twice.

export class StreamedParts {
  readonly #separator: string;
  /** The deltas of each part, in the order in which the parts began. */
  readonly #parts = new Map<number, string[]>();

  /** @param separator stands between parts */
  constructor(separator: string) {
    this.#separator = separator;
  }

  /** Notes a delta; returns the text to append, with a separator where a new part begins. */
  add(index: number, delta: string): string {
    if (delta === "") return "";
    const part = this.#parts.get(index);
    if (part) {
      part.push(delta);
      return delta;
    }
    const isFirst = this.#parts.size === 0;
    this.#parts.set(index, [delta]);
    return isFirst ? delta : this.#separator + delta;
  }

  /** What a whole part adds to its deltas: nothing if they said something else. */
  restOfPart(index: number, whole: string): string {
    return rest(this.#parts.get(index)?.join("") ?? "", whole);
  }

  /** What all parts together add to everything so far. Nothing may be added after it. */
  restOfAll(parts: readonly string[]): string {
    const before = Array.from(this.#parts.values(), (deltas) => deltas.join(""));
    return rest(before.join(this.#separator), parts.join(this.#separator));
  }
}

const rest = (before: string, whole: string): string => (whole.startsWith(before) ? whole.slice(before.length) : "");
