// Reads objects: properties, patterns of names, what else is allowed, what is required.
import { isObject, type JsonObject } from "../json-values.ts";
import { resolveReference } from "../schema-references.ts";
import {
  countProblems,
  describeSchema,
  joined,
  listOf,
  matchesPattern,
  type Problem,
  pathOf,
  type Reading,
  type Step,
  type Walk,
} from "./walk.ts";

export const readObject: Step = (schema, value, path, depth, walk) => {
  if (!isObject(value)) return { value, problems: [] };
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const problems: Problem[] = [];
  const entries: [string, unknown][] = [];
  let converted = false;
  for (const [key, item] of Object.entries(value)) {
    const schemas = schemasOfKey(schema, properties, key, walk);
    let reading: Reading = { value: item, problems: [] };
    for (const itemSchema of schemas.length > 0 ? schemas : [schema["additionalProperties"]]) {
      if (itemSchema === false) reading.problems.push(unknownKey(path, key, properties));
      else reading = joined(reading, walk.read(itemSchema, reading.value, pathOf(path, key), depth + 1, walk));
    }
    // Strict dialects make a model write null for an optional argument that it leaves out.
    const leftOut =
      walk.coerce &&
      item === null &&
      reading.problems.length > 0 &&
      !required.includes(key) &&
      Object.hasOwn(properties, key);
    converted ||= leftOut || !Object.is(reading.value, item);
    if (leftOut) continue;
    entries.push([key, reading.value]);
    for (const problem of reading.problems) problems.push(problem);
  }
  for (const key of required) {
    if (typeof key === "string" && !Object.hasOwn(value, key)) {
      problems.push({
        path: pathOf(path, key),
        expected: describeSchema(properties[key]),
        got: "nothing: it is required",
      });
    }
  }
  problems.push(...countProblems(schema, "Properties", entries.length, path, "arguments"));
  problems.push(...unevaluatedProblems(schema, entries, path, walk));
  return { value: converted ? Object.fromEntries(entries) : value, problems };
};

function schemasOfKey(schema: JsonObject, properties: JsonObject, key: string, walk: Walk): unknown[] {
  const schemas: unknown[] = Object.hasOwn(properties, key) ? [properties[key]] : [];
  if (isObject(schema["patternProperties"])) {
    for (const [pattern, propertySchema] of Object.entries(schema["patternProperties"])) {
      walk.left.visits--;
      if (matchesPattern(pattern, key, walk) !== false) schemas.push(propertySchema);
    }
  }
  return schemas;
}

function unknownKey(path: string, key: string, properties: JsonObject): Problem {
  const known = Object.keys(properties)
    .filter((name) => properties[name] !== false)
    .slice(0, 30);
  const names = known.length > 0 ? `one of the known names (${known.join(", ")})` : "no arguments here";
  return { path: pathOf(path, key), expected: names, got: "an unknown name" };
}

/** `unevaluatedProperties: false`, as `Type.Intersect` writes it: no key beside those that any part knows. */
function unevaluatedProblems(schema: JsonObject, entries: [string, unknown][], path: string, walk: Walk): Problem[] {
  if (schema["unevaluatedProperties"] !== false) return [];
  const known = knownProperties(schema, walk, 0);
  if (known === undefined) return [];
  return entries.filter(([key]) => !Object.hasOwn(known, key)).map(([key]) => unknownKey(path, key, known));
}

/** The properties that a schema and its parts name, or undefined if they allow others. */
function knownProperties(schema: unknown, walk: Walk, depth: number): JsonObject | undefined {
  if (!isObject(schema) || depth > 8 || isObject(schema["patternProperties"])) return undefined;
  if (schema["additionalProperties"] !== undefined && schema["additionalProperties"] !== false) return undefined;
  let known: JsonObject = isObject(schema["properties"]) ? schema["properties"] : {};
  const parts = ["allOf", "anyOf", "oneOf"].flatMap((keyword) => listOf(schema[keyword]));
  if (schema["$ref"] !== undefined) parts.push(resolveReference(walk.root, schema["$ref"]));
  for (const part of parts) {
    const more = knownProperties(part, walk, depth + 1);
    if (more === undefined) return undefined;
    known = { ...known, ...more };
  }
  return known;
}
