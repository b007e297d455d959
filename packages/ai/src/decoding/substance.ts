// Whether a part of a frame carries anything of an answer. Servers and gateways keep a connection open with frames that look like parts of
// one and hold empty texts; whoever waits for the model must not take them for a sign of life.

/** Fields that say what something is or where it belongs, and nothing of an answer. */
const LABELS = new Set(["type", "role", "index", "format"]);
/** Deeper than any frame. */
const DEPTH_MAX = 8;

/** Whether there is any text in a value that is not empty and no label. */
export function hasSubstance(value: unknown, depth = 0): boolean {
  if (typeof value === "string") return value !== "";
  if (typeof value !== "object" || value === null || depth > DEPTH_MAX) return false;
  if (Array.isArray(value)) return value.some((item) => hasSubstance(item, depth + 1));
  for (const name in value) {
    if (!LABELS.has(name) && hasSubstance((value as Record<string, unknown>)[name], depth + 1)) return true;
  }
  return false;
}
