// Two canonical schemas as one: both must hold (`allOf`), or either may (`anyOf` of objects, as one object).
import { equalJson } from "../json-values.ts";
import type { CanonicalSchema } from "./canonical.ts";

/** A schema for what fits both. Where they cannot be reconciled the first stands and the second goes into words. */
export function mergeBoth(first: CanonicalSchema, second: CanonicalSchema): CanonicalSchema {
  const merged: CanonicalSchema = { ...first, keywords: { ...first.keywords }, lost: [...first.lost, ...second.lost] };
  const types = commonTypes(first.types, second.types);
  if (types) merged.types = types;
  if (second.enum)
    merged.enum = first.enum
      ? first.enum.filter((item) => second.enum?.some((other) => equalJson(item, other)))
      : second.enum;
  if (merged.enum?.length === 0) delete merged.enum;
  if (first.properties || second.properties)
    merged.properties = mergeProperties(first.properties ?? {}, second.properties ?? {}, mergeBoth);
  const required = [...new Set([...(first.required ?? []), ...(second.required ?? [])])];
  if (required.length > 0) merged.required = required;
  // Each part of an intersection may forbid what the other names, so one that merely forbids does not win.
  if (second.additional !== undefined && (first.additional === undefined || first.additional === true))
    merged.additional = second.additional;
  for (const part of ["items", "prefixItems", "anyOf", "reference"] as const) {
    if (second[part] === undefined) continue;
    if (first[part] === undefined) Object.assign(merged, { [part]: second[part] });
    else if (part === "items" && first.items && second.items) merged.items = mergeBoth(first.items, second.items);
    else if (!equalJson(first[part], second[part])) merged.lost.push(`a further condition on its ${part}`);
  }
  for (const [keyword, value] of Object.entries(second.keywords)) {
    merged.keywords[keyword] = keyword in first.keywords ? narrower(keyword, first.keywords[keyword], value) : value;
  }
  const description = first.description ?? second.description;
  if (description !== undefined) merged.description = description;
  return merged;
}

/**
 * One object schema for what fits any of several: all their properties, of which those are required that all require.
 * Says less than the alternatives did.
 */
export function mergeAlternatives(alternatives: readonly CanonicalSchema[]): CanonicalSchema {
  const merged: CanonicalSchema = { types: ["object"], properties: {}, keywords: {}, lost: [] };
  for (const alternative of alternatives) {
    merged.properties = mergeProperties(merged.properties ?? {}, alternative.properties ?? {}, eitherOf);
  }
  const [first, ...others] = alternatives;
  const required = (first?.required ?? []).filter((name) => others.every((other) => other.required?.includes(name)));
  if (required.length > 0) merged.required = required;
  if (alternatives.every((alternative) => alternative.additional === false)) merged.additional = false;
  return merged;
}

function eitherOf(first: CanonicalSchema, second: CanonicalSchema): CanonicalSchema {
  if (equalJson(first, second)) return first;
  const members = enumOf(first, second);
  if (members) return members;
  const branches = [...(first.anyOf && !first.types ? first.anyOf : [first]), second];
  return { anyOf: branches, keywords: {}, lost: [] };
}

/** Two lists of constants as one, if the schemas say nothing else. */
function enumOf(first: CanonicalSchema, second: CanonicalSchema): CanonicalSchema | undefined {
  if (!first.enum || !second.enum || first.description !== second.description) return undefined;
  const members = [
    ...first.enum,
    ...second.enum.filter((item) => !first.enum?.some((other) => equalJson(item, other))),
  ];
  const types = [...new Set([...(first.types ?? []), ...(second.types ?? [])])];
  return { ...first, types, enum: members };
}

function mergeProperties(
  first: Record<string, CanonicalSchema>,
  second: Record<string, CanonicalSchema>,
  join: (first: CanonicalSchema, second: CanonicalSchema) => CanonicalSchema,
): Record<string, CanonicalSchema> {
  const merged = new Map(Object.entries(first));
  for (const [name, schema] of Object.entries(second)) {
    const known = merged.get(name);
    merged.set(name, known ? join(known, schema) : schema);
  }
  return Object.fromEntries(merged);
}

function commonTypes(first: string[] | undefined, second: string[] | undefined): string[] | undefined {
  if (!first || !second) return first ?? second;
  const common = first.flatMap((type) => {
    if (second.includes(type) || (type === "integer" && second.includes("number"))) return [type];
    return type === "number" && second.includes("integer") ? ["integer"] : [];
  });
  return common.length > 0 ? common : first;
}

function narrower(keyword: string, first: unknown, second: unknown): unknown {
  if (typeof first !== "number" || typeof second !== "number") return first;
  if (/^(min|exclusiveMin)/.test(keyword)) return Math.max(first, second);
  return /^(max|exclusiveMax)/.test(keyword) ? Math.min(first, second) : first;
}
