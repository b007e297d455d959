// Reads the arguments of a tool call while they stream, for display only: the value so far is always there to be looked at.
// Each character is read once, so the work is linear in the input however it is cut. It never throws: on input that is no
// JSON it stops and keeps what it had. What a tool runs with is parsed strictly, elsewhere, when the call has ended.

type Container = Record<string, unknown> | unknown[];
type State = "value" | "key-or-end" | "key" | "colon" | "comma-or-end" | "string" | "literal" | "stopped";

/** Nesting that a display can use; deeper input stops the preview (and only the preview). */
const DEPTH_MAX = 256;
/** Stands for an escape that is none. */
const REPLACEMENT = 0xfffd;
const ESCAPES: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** An incremental reader of one JSON object. */
export class PartialJson {
  /** The object so far. The same object is filled on each `feed`. */
  readonly value: Record<string, unknown> = {};
  #state: State = "value";
  #stack: Container[] = [];
  #keys: string[] = [];
  #inKey = false;
  #text = "";
  #escape = "";

  /** Reads the next piece of the text. */
  feed(piece: string): void {
    let at = 0;
    while (at < piece.length && this.#state !== "stopped") {
      at = this.#state === "string" ? this.#readString(piece, at) : this.#readToken(piece, at);
    }
    if (this.#state === "string" && !this.#inKey) this.#put(this.#text);
  }

  #readToken(piece: string, at: number): number {
    const character = piece[at] as string;
    if (this.#state === "literal") {
      if (/[\w.+-]/.test(character)) {
        this.#text += character;
        return at + 1;
      }
      this.#endLiteral();
      return at;
    }
    if (character === " " || character === "\n" || character === "\r" || character === "\t") return at + 1;
    switch (this.#state) {
      case "value":
        this.#beginValue(character);
        break;
      case "key-or-end":
      case "key":
        if (character === '"') this.#beginString(true);
        else if (character === "}" && this.#state === "key-or-end") this.#close(false);
        else this.#state = "stopped";
        break;
      case "colon":
        this.#state = character === ":" ? "value" : "stopped";
        break;
      default:
        this.#afterValue(character);
    }
    return at + 1;
  }

  #beginValue(character: string): void {
    const top = this.#stack.at(-1);
    if (top === undefined) {
      // The root is an object or nothing that could be arguments.
      if (character === "{") this.#open(this.value, "key-or-end");
      else this.#state = "stopped";
    } else if (character === "{") this.#openChild({}, "key-or-end");
    else if (character === "[") this.#openChild([], "value");
    else if (character === '"') this.#beginString(false);
    else if (character === "]" && Array.isArray(top) && top.length === 0) this.#close(true);
    else if (/[-\dtfn]/.test(character)) {
      this.#text = character;
      this.#state = "literal";
    } else this.#state = "stopped";
  }

  #afterValue(character: string): void {
    const top = this.#stack.at(-1);
    const inArray = Array.isArray(top);
    if (character === ",") this.#state = inArray ? "value" : "key";
    else if (character === (inArray ? "]" : "}")) this.#close(inArray);
    else this.#state = "stopped";
  }

  #open(container: Container, state: State): void {
    if (this.#stack.length >= DEPTH_MAX) {
      this.#state = "stopped";
      return;
    }
    this.#stack.push(container);
    this.#keys.push("");
    this.#state = state;
  }

  #openChild(container: Container, state: State): void {
    const top = this.#stack.at(-1);
    if (Array.isArray(top)) top.push(container);
    else this.#put(container);
    this.#open(container, state);
  }

  #close(isArray: boolean): void {
    const top = this.#stack.pop();
    this.#keys.pop();
    if (Array.isArray(top) !== isArray) this.#state = "stopped";
    else this.#state = this.#stack.length === 0 ? "stopped" : "comma-or-end";
  }

  #beginString(isKey: boolean): void {
    this.#inKey = isKey;
    this.#text = "";
    this.#state = "string";
    const top = this.#stack.at(-1);
    if (!isKey && Array.isArray(top)) top.push("");
  }

  /** Takes the longest plain run at once; only escapes are looked at character by character. */
  #readString(piece: string, at: number): number {
    if (this.#escape) return this.#readEscape(piece, at);
    let end = at;
    while (end < piece.length && piece[end] !== '"' && piece[end] !== "\\") end++;
    this.#text += piece.slice(at, end);
    if (end === piece.length) return end;
    if (piece[end] === "\\") this.#escape = "\\";
    else this.#endString();
    return end + 1;
  }

  #readEscape(piece: string, at: number): number {
    this.#escape += piece[at];
    const kind = this.#escape[1] as string;
    if (kind !== "u") {
      this.#text += ESCAPES[kind] ?? kind;
      this.#escape = "";
    } else if (this.#escape.length === 6) {
      const code = Number.parseInt(this.#escape.slice(2), 16);
      this.#text += String.fromCharCode(Number.isNaN(code) ? REPLACEMENT : code);
      this.#escape = "";
    }
    return at + 1;
  }

  #endString(): void {
    if (this.#inKey) {
      this.#keys[this.#keys.length - 1] = this.#text;
      this.#state = "colon";
    } else {
      this.#put(this.#text);
      this.#state = "comma-or-end";
    }
  }

  #endLiteral(): void {
    const value = literalOf(this.#text);
    if (value === undefined) {
      this.#state = "stopped";
      return;
    }
    const top = this.#stack.at(-1);
    if (Array.isArray(top)) top.push(value);
    else this.#put(value);
    this.#state = "comma-or-end";
  }

  /** Sets the value under construction. An array's slot was made when its string began. */
  #put(value: unknown): void {
    const top = this.#stack.at(-1);
    if (Array.isArray(top)) top[top.length - 1] = value;
    else if (top) setOwn(top, this.#keys.at(-1) as string, value);
  }
}

/** The value of a number, `true`, `false` or `null`; undefined for anything else, and for numbers that are none in a saved message. */
function literalOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "number" && !Number.isFinite(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Assignment that makes even `__proto__` an ordinary property, as JSON.parse does. */
function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__")
    Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
  else target[key] = value;
}
