import { isObject, type JsonObject } from "../json-values.ts";
import type { Dialect } from "./dialect.ts";

/** OpenAI's strict mode ("Structured Outputs: supported schemas", 2026). What it cannot say at all is sent without it. */
export const openaiStrictDialect: Dialect = {
  name: "OpenAI's strict mode",
  keywords: new Set([
    "pattern",
    "format",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minItems",
    "maxItems",
    "title",
  ]),
  formats: new Set(["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"]),
  references: true,
  typeLists: true,
  enumValues: true,
  prefixItems: false,
  additionalProperties: false,
  strict: true,
};

/** Limits of one strict schema, from the same page. That of 5,000 properties lies beyond what is written of any schema. */
const DEPTH_MAX = 10;
const ENUM_VALUES_MAX = 1000;
const NAMES_LENGTH_MAX = 120_000;

/** Which limit of strict mode a written schema is over, if any. */
export function strictExcess(schema: JsonObject): string | undefined {
  const counts = { depth: 0, enumValues: 0, namesLength: 0 };
  const visit = (node: unknown, depth: number): void => {
    if (!isObject(node)) return;
    if (isObject(node["properties"])) {
      counts.depth = Math.max(counts.depth, depth);
      for (const [name, property] of Object.entries(node["properties"])) {
        counts.namesLength += name.length;
        visit(property, depth + 1);
      }
    }
    if (Array.isArray(node["enum"])) {
      counts.enumValues += node["enum"].length;
      counts.namesLength += JSON.stringify(node["enum"]).length;
    }
    visit(node["items"], depth + 1);
    if (Array.isArray(node["anyOf"])) for (const branch of node["anyOf"]) visit(branch, depth);
    if (isObject(node["$defs"])) for (const definition of Object.values(node["$defs"])) visit(definition, 1);
  };
  visit(schema, 1);
  if (counts.depth > DEPTH_MAX) return `it is nested more than ${DEPTH_MAX} levels deep`;
  if (counts.enumValues > ENUM_VALUES_MAX) return `it has more than ${ENUM_VALUES_MAX} enum values`;
  return counts.namesLength > NAMES_LENGTH_MAX ? "its names and enum values are too long" : undefined;
}
