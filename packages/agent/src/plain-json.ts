// Turns whatever a tool or a stream handed over into plain JSON, so that every message survives a round trip unchanged.

/** Deeper than any real result; a guard against structures that build themselves while they are read. */
const DEPTH_MAX = 200;

/** A copy in plain JSON: what JSON cannot hold is dropped or written as text, cycles and depths are cut and marked. */
export function toPlainJson(value: unknown): unknown {
  return convert(value, []);
}

function convert(value: unknown, ancestors: object[]): unknown {
  if (typeof value === "bigint" || typeof value === "symbol") return String(value);
  if (typeof value === "number") return Number.isFinite(value) ? value + 0 : null;
  if (typeof value === "function") return undefined;
  if (typeof value !== "object" || value === null) return value;
  if (ancestors.includes(value)) return "[circular]";
  if (ancestors.length >= DEPTH_MAX) return "[too deep]";
  return convertObject(value, [...ancestors, value]);
}

function convertObject(value: object, ancestors: object[]): unknown {
  try {
    if ("toJSON" in value && typeof value.toJSON === "function") return convert(value.toJSON(), ancestors);
    if (Array.isArray(value)) return Array.from(value, (item) => convert(item, ancestors) ?? null);
    const copy: Record<string, unknown> = {};
    for (const [key, item] of Object.entries(value)) {
      const plain = convert(item, ancestors);
      if (plain !== undefined) Object.defineProperty(copy, key, { value: plain, ...PLAIN_PROPERTY });
    }
    return copy;
  } catch {
    return "[unreadable]";
  }
}

/** Defined rather than assigned, so that a key named `__proto__` stays an ordinary key. */
const PLAIN_PROPERTY = { writable: true, enumerable: true, configurable: true };
