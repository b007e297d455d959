// Text that comes in numbered parts, each by deltas, whole, or both. It tells what is new, so that nothing is said twice.

export class StreamedParts {
  readonly #separator: string;
  readonly #parts = new Map<number, string[]>();
  /** Everything that was told, in pieces: servers that mix up the parts still tell the text in its order. */
  readonly #told: string[] = [];

  /** @param separator stands between parts */
  constructor(separator: string) {
    this.#separator = separator;
  }

  /** Notes a delta; returns the text to append, with a separator where a new part begins. */
  add(index: number, delta: string): string {
    if (delta === "") return "";
    const part = this.#parts.get(index);
    const text = part || this.#told.length === 0 ? delta : this.#separator + delta;
    if (part) part.push(delta);
    else this.#parts.set(index, [delta]);
    this.#told.push(text);
    return text;
  }

  /** What a whole part adds to its deltas: nothing if they said something else. */
  restOfPart(index: number, whole: string): string {
    return rest(this.#parts.get(index)?.join("") ?? "", whole);
  }

  /** What all parts together add to everything so far. Nothing may be added after it. */
  restOfAll(parts: readonly string[]): string {
    return rest(this.#told.join(""), parts.join(this.#separator));
  }
}

const rest = (before: string, whole: string): string => (whole.startsWith(before) ? whole.slice(before.length) : "");
