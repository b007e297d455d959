// Finds what a `$ref` points at inside one schema document: JSON pointers, `$id` and `$anchor` names, TypeBox's
// `Type.Recursive` and modules. Never leaves the document and never throws.
import { isObject, type JsonObject } from "./json-values.ts";

/** Most schema objects of one document that are searched for names. */
const NAMED_SCHEMAS_MAX = 10_000;

const namesOfDocument = new WeakMap<object, Map<string, JsonObject | boolean>>();

/** The schema that `reference` names in the document `root`, or undefined if the document has none. */
export function resolveReference(root: unknown, reference: unknown): JsonObject | boolean | undefined {
  if (typeof reference !== "string" || !isObject(root)) return undefined;
  if (reference === "#") return root;
  if (reference.startsWith("#/")) return asSchema(pointed(root, reference.slice(2)));
  let names = namesOfDocument.get(root);
  if (!names) {
    names = collectNames(root);
    namesOfDocument.set(root, names);
  }
  return names.get(reference);
}

function asSchema(value: unknown): JsonObject | boolean | undefined {
  return isObject(value) || typeof value === "boolean" ? value : undefined;
}

function pointed(root: unknown, pointer: string): unknown {
  let target = root;
  for (const part of pointer.split("/")) {
    if (typeof target !== "object" || target === null) return undefined;
    const key = decoded(part).replaceAll("~1", "/").replaceAll("~0", "~");
    if (!Object.hasOwn(target, key)) return undefined;
    target = (target as JsonObject)[key];
  }
  return target;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The first schema of each name wins, as TypeBox repeats a recursive type's `$id` wherever the type is used. */
function collectNames(root: JsonObject): Map<string, JsonObject | boolean> {
  const names = new Map<string, JsonObject | boolean>();
  const seen = new Set<object>([root]);
  const add = (name: unknown, schema: JsonObject) => {
    if (typeof name === "string" && !names.has(name)) names.set(name, schema);
  };
  for (const node of seen) {
    if (isObject(node)) {
      add(node["$id"], node);
      if (typeof node["$anchor"] === "string") add(`#${node["$anchor"]}`, node);
    }
    for (const child of Object.values(node)) {
      if (typeof child === "object" && child !== null && seen.size < NAMED_SCHEMAS_MAX) seen.add(child);
    }
  }
  return names;
}
