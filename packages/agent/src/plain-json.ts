// Turns whatever a tool or a stream handed over into plain JSON, so that every message survives a round trip unchanged.
// Invariants: each object is looked at once, however often it is referred to; what comes out is no deeper than DEPTH_MAX
// and no larger than SIZE_MAX, also when it is written out as text.

/** Deeper than any real result; a guard against structures that build themselves while they are read. */
const DEPTH_MAX = 200;
/** In characters: room for a dozen large images, and short of what a string of JSON can hold (2^29 in V8). */
const SIZE_MAX = 2 ** 26;
/** What a value counts besides its characters: about its share of memory. At most half a million values fit. */
const VALUE_SIZE = 128;

/** A copy in plain JSON: what JSON cannot hold is dropped or written as text; cycles, depths and excess are cut and marked. */
export function toPlainJson(value: unknown): unknown {
  return inspectJson(value).plain;
}

/** The same, with the first thing in it that JSON cannot hold: "content.0.text is a function". */
export function inspectJson(value: unknown): { plain: unknown; problem?: string } {
  const copier = new Copier();
  const { plain } = copier.copy(value, 0);
  return copier.problem === undefined ? { plain } : { plain, problem: copier.problem };
}

/** A finished part: what it came to, how large that is written out, and how many levels it has. */
interface Part {
  plain: unknown;
  size: number;
  height: number;
}

class Copier {
  problem: string | undefined;
  /** `undefined` while an object is being copied: to meet it then is a cycle. */
  readonly #parts = new Map<object, Part | undefined>();
  readonly #path: (string | number)[] = [];
  #room = SIZE_MAX;

  copy(value: unknown, depth: number): Part {
    if (typeof value === "string") return value.length > this.#room ? this.#cut("too large") : this.#leaf(value);
    if (typeof value === "bigint" || typeof value === "symbol")
      return this.#complain(`is a ${typeof value}`, String(value));
    if (typeof value === "number") return this.#leaf(Number.isFinite(value) ? value + 0 : null);
    if (typeof value === "function") return this.#complain("is a function", undefined);
    if (typeof value !== "object" || value === null) return this.#leaf(value);
    if (this.#room <= 0 || isVast(value, this.#room)) return this.#cut("too large");
    if (this.#parts.has(value)) return this.#again(this.#parts.get(value), depth);
    if (depth >= DEPTH_MAX) return this.#cut("too deep");
    this.#parts.set(value, undefined);
    const part = this.#object(value, depth);
    this.#parts.set(value, part);
    return part;
  }

  /** Something met before: shared, but counted as often as it will be written. */
  #again(part: Part | undefined, depth: number): Part {
    if (!part) return this.#cut("circular");
    if (depth + part.height > DEPTH_MAX) return this.#cut("too deep");
    if (part.size > this.#room) return this.#cut("too large");
    this.#room -= part.size;
    return part;
  }

  #object(value: object, depth: number): Part {
    const roomBefore = this.#room;
    this.#room -= VALUE_SIZE;
    let contents: { plain: unknown; height: number };
    try {
      contents = this.#contents(value, depth);
    } catch {
      return this.#cut("unreadable");
    }
    return { plain: contents.plain, size: roomBefore - this.#room, height: contents.height + 1 };
  }

  #contents(value: object, depth: number): { plain: unknown; height: number } {
    if ("toJSON" in value && typeof value.toJSON === "function") return this.copy(value.toJSON(), depth + 1);
    return Array.isArray(value) ? this.#list(value, depth) : this.#record(value, depth);
  }

  #list(value: unknown[], depth: number): { plain: unknown[]; height: number } {
    const plain: unknown[] = [];
    let height = 0;
    for (let index = 0; index < value.length && this.#room > 0; index++) {
      const part = this.#at(index, value[index], depth);
      plain.push(part.plain ?? null);
      height = Math.max(height, part.height);
    }
    if (plain.length < value.length) plain.push(this.#cut("too large").plain);
    return { plain, height };
  }

  #record(value: object, depth: number): { plain: object; height: number } {
    const plain: Record<string, unknown> = {};
    let height = 0;
    for (const [key, item] of Object.entries(value)) {
      this.#room -= key.length;
      const part = this.#at(key, item, depth);
      height = Math.max(height, part.height);
      if (part.plain !== undefined) Object.defineProperty(plain, key, { value: part.plain, ...PLAIN_PROPERTY });
    }
    return { plain, height };
  }

  #at(key: string | number, value: unknown, depth: number): Part {
    this.#path.push(key);
    const part = this.copy(value, depth + 1);
    this.#path.pop();
    return part;
  }

  #leaf(plain: unknown): Part {
    const size = VALUE_SIZE + (typeof plain === "string" ? plain.length : 0);
    this.#room -= size;
    return { plain, size, height: 0 };
  }

  /** Leaves a mark in the place of something. */
  #cut(why: "circular" | "too deep" | "too large" | "unreadable"): Part {
    return this.#complain(`is ${why}`, `[${why}]`);
  }

  #complain(what: string, plain: unknown): Part {
    this.problem ??= `${this.#path.length === 0 ? "it" : this.#path.join(".")} ${what}`;
    return this.#leaf(plain);
  }
}

/** Bytes that would be written one by one. */
function isVast(value: object, room: number): boolean {
  return ArrayBuffer.isView(value) && value.byteLength * VALUE_SIZE > room;
}

/** Defined rather than assigned, so that a key named `__proto__` stays an ordinary key. */
const PLAIN_PROPERTY = { writable: true, enumerable: true, configurable: true };
