// Tells when a JSON object that arrives in pieces is complete, each character looked at once. It counts braces outside of strings and
// leaves to the parser whether what is between them is sound.

export class JsonExtent {
  #depth = 0;
  #began = false;
  #inString = false;
  #escaped = false;

  /** Whether the object has been closed. */
  get complete(): boolean {
    return this.#began && this.#depth === 0;
  }

  /** Takes the next piece. */
  feed(piece: string): void {
    for (let index = 0; index < piece.length; index++) {
      const character = piece[index];
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (character === "\\") this.#escaped = true;
        else if (character === '"') this.#inString = false;
      } else if (character === '"') this.#inString = true;
      else if (character === "{") {
        this.#depth++;
        this.#began = true;
      } else if (character === "}") this.#depth--;
    }
  }
}
