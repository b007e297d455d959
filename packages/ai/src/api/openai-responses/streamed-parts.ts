// Text that comes in numbered parts, each by deltas, whole, or both. It tells what is new, so that nothing is said twice.

export class StreamedParts {
  readonly #separator: string;
  readonly #parts = new Map<number, string>();
  #all = "";

  /** @param separator stands between parts */
  constructor(separator: string) {
    this.#separator = separator;
  }

  /** Notes a delta; returns the text to append, with a separator where a new part begins. */
  add(index: number, delta: string): string {
    if (delta === "") return "";
    const before = this.#parts.get(index);
    this.#parts.set(index, (before ?? "") + delta);
    const text = before === undefined && this.#all !== "" ? this.#separator + delta : delta;
    this.#all += text;
    return text;
  }

  /** What a whole part adds to its deltas: nothing if they said something else. */
  restOfPart(index: number, whole: string): string {
    return rest(this.#parts.get(index) ?? "", whole);
  }

  /** What all parts together add to everything so far. */
  restOfAll(parts: readonly string[]): string {
    const text = rest(this.#all, parts.join(this.#separator));
    this.#all += text;
    return text;
  }
}

const rest = (before: string, whole: string): string => (whole.startsWith(before) ? whole.slice(before.length) : "");
