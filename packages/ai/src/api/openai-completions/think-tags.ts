// Thinking that a model writes into its text between <think> and </think>, told apart while it streams. A tag counts only where a
// model puts one: the opening tag at the start of the text, the closing tag after it (or, where the server's template swallowed the
// opening tag, at the start of a line). So text about the tags stays text. However the text is cut into deltas, the result is the same.

const OPEN = "<think>";
const CLOSE = "</think>";
/** Most white space that is held back at the start while it is open whether a tag follows. */
const HELD_SPACE_MAX = 256;

/** Where the text goes. */
export interface ThinkTagSink {
  text(delta: string): void;
  thinking(delta: string): void;
  /** A closing tag came without an opening one: the text before it was thinking. */
  unopenedThinkingEnded(): void;
}

export class ThinkTagSplitter {
  readonly #sink: ThinkTagSink;
  #state: "start" | "thinking" | "afterTag" | "text" = "start";
  #held = "";
  /** Whether a closing tag may still come without an opening one. */
  #openTagMissing = true;
  #atLineStart = true;

  constructor(sink: ThinkTagSink) {
    this.#sink = sink;
  }

  write(delta: string): void {
    if (this.#state === "text" && this.#held === "" && !delta.includes("<")) {
      this.#emitText(delta);
      return;
    }
    this.#held += delta;
    while (this.#held !== "" && this.#step());
  }

  /** The text is over, or something else comes between: what was held back is no tag. */
  flush(): void {
    const rest = this.#held;
    this.#held = "";
    if (this.#state === "thinking") this.#sink.thinking(rest);
    else {
      this.#emitText(rest);
      this.#state = "start";
    }
  }

  /** Handles the beginning of what is held; false if more is needed to tell what it is. */
  #step(): boolean {
    if (this.#state === "thinking") return this.#thinkingStep();
    if (this.#state === "text") return this.#textStep();
    const text = this.#held.trimStart();
    if (this.#state === "afterTag") this.#held = text;
    if (this.#held.length - text.length <= HELD_SPACE_MAX) {
      if (text.startsWith(OPEN)) {
        this.#held = text.slice(OPEN.length);
        this.#openTagMissing = false;
        this.#state = "thinking";
        return true;
      }
      if (OPEN.startsWith(text)) return false;
    }
    this.#state = "text";
    return true;
  }

  #thinkingStep(): boolean {
    const end = this.#held.indexOf(CLOSE);
    const whole = end < 0 ? this.#held.length - heldTail(this.#held) : end;
    if (whole > 0) this.#sink.thinking(this.#held.slice(0, whole));
    this.#held = this.#held.slice(end < 0 ? whole : end + CLOSE.length);
    if (end < 0) return false;
    this.#state = "afterTag";
    return true;
  }

  #textStep(): boolean {
    if (!this.#openTagMissing) {
      this.#emitText(this.#held);
      this.#held = "";
      return false;
    }
    const end = this.#held.indexOf(CLOSE);
    const whole = end < 0 ? this.#held.length - heldTail(this.#held) : end;
    if (whole > 0) this.#emitText(this.#held.slice(0, whole));
    this.#held = this.#held.slice(whole);
    if (end < 0) return false;
    if (this.#atLineStart) {
      this.#sink.unopenedThinkingEnded();
      this.#openTagMissing = false;
      this.#state = "afterTag";
    } else this.#emitText(CLOSE);
    this.#held = this.#held.slice(CLOSE.length);
    return true;
  }

  #emitText(text: string): void {
    if (text === "") return;
    this.#atLineStart = text.endsWith("\n");
    this.#sink.text(text);
  }
}

/** Length of the longest end of a text that may be the beginning of a closing tag. */
function heldTail(text: string): number {
  for (let length = Math.min(text.length, CLOSE.length - 1); length > 0; length--) {
    if (CLOSE.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
