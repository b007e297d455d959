// Collects what is wrong with a request body. The rules read bodies as a stranger would: nothing is known of their types.

export type Fields = Record<string, unknown>;

/** The violations of one body, and the questions that all rules ask. */
export class Violations {
  readonly list: string[] = [];

  add(path: string, what: string): void {
    this.list.push(`${path}: ${what}`);
  }

  /** Notes a violation unless the rule holds. Returns whether it does. */
  check(holds: boolean, path: string, what: string): boolean {
    if (!holds) this.add(path, what);
    return holds;
  }

  /** The value as an object whose fields are all among those allowed; undefined (and noted) if it is none. */
  object(value: unknown, path: string, allowed?: readonly string[]): Fields | undefined {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      this.add(path, "must be an object");
      return undefined;
    }
    const fields = value as Fields;
    for (const name of allowed ? Object.keys(fields) : []) {
      if (!allowed?.includes(name)) this.add(`${path}.${name}`, "extra fields are not permitted");
    }
    return fields;
  }

  /** The value as a list; empty (and noted) if it is none. */
  items(value: unknown, path: string): unknown[] {
    if (Array.isArray(value)) return value;
    this.add(path, "must be a list");
    return [];
  }

  /** A text with something to read in it. */
  text(value: unknown, path: string): void {
    if (typeof value !== "string") this.add(path, "must be a text");
    else if (value.trim() === "") this.add(path, "must not be blank");
  }

  oneOf(value: unknown, path: string, allowed: readonly unknown[]): void {
    this.check(
      allowed.includes(value),
      path,
      `must be one of ${JSON.stringify(allowed)}, not ${JSON.stringify(value)}`,
    );
  }

  /** A number within bounds, where the field is present. */
  range(value: unknown, path: string, least: number, most: number): void {
    if (value === undefined) return;
    this.check(typeof value === "number" && value >= least && value <= most, path, `must be from ${least} to ${most}`);
  }

  integer(value: unknown, path: string, least: number): void {
    if (value === undefined) return;
    this.check(
      Number.isInteger(value) && (value as number) >= least,
      path,
      `must be a whole number of at least ${least}`,
    );
  }
}

/** Half a surrogate pair anywhere in a body is refused by every server's JSON parser, and NUL by many behind it. */
export function checkCharacters(body: unknown, violations: Violations): void {
  const text = JSON.stringify(body) ?? "";
  violations.check(!/(?<!\\)(?:\\\\)*\\ud[89a-f][0-9a-f]{2}/.test(text), "body", "has half a surrogate pair in it");
  violations.check(!/(?<!\\)(?:\\\\)*\\u0000/.test(text), "body", "has a NUL character in it");
}
