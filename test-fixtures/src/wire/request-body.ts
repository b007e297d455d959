// Careful steps into a JSON value of unknown shape, shared by the four request readers. A request that lacks a field reads as
// an empty one, so that a reader never throws on what a client under test sends.

/** A JSON object whose fields are not known. */
export type JsonObject = Record<string, unknown>;

/** The value if it is an object, else an empty one. */
export function asObject(value: unknown): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

/** The objects of a list; none if it is no list. */
export function asObjects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.map(asObject) : [];
}

/** The value if it is a text, else an empty one. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Text of content that is either a text or a list of parts with a `text` field; images and the like are left out. */
export function joinTextParts(content: unknown): string {
  if (typeof content === "string") return content;
  return asObjects(content)
    .map((part) => asText(part["text"]))
    .filter((text) => text !== "")
    .join("\n");
}

/** Parses tool-call arguments that travel as text; anything but an object reads as `{}`. */
export function parseArguments(text: unknown): JsonObject {
  try {
    return asObject(JSON.parse(asText(text)));
  } catch {
    return {};
  }
}
