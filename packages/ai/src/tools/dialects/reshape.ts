// Canonical schemas in other shapes of the same or nearly the same meaning, as dialects need them.
import { anything, type CanonicalDocument, type CanonicalSchema, isAnything } from "../schema/canonical.ts";
import { mergeAlternatives, mergeBoth } from "../schema/merge.ts";

/** How often a root that refers to itself is followed. */
const ROOT_REFERENCES_MAX = 2;

/** The root as one object: what it refers to is merged in, and so are the alternatives of a choice. */
export function objectRoot({ root, definitions }: CanonicalDocument, weakened: string[]): CanonicalSchema {
  let object = root;
  for (let step = 0; step < ROOT_REFERENCES_MAX && object.reference !== undefined; step++) {
    const { reference, ...own } = object;
    object = mergeBoth(own, definitions.get(reference) ?? anything());
  }
  // A choice of whole values cannot stand at the root, and neither can a root that is nothing but itself.
  const { anyOf, enum: _members, reference: _reference, ...rest } = object;
  const alternatives = (anyOf ?? [])
    .map((branch) => (branch.reference ? (definitions.get(branch.reference) ?? branch) : branch))
    .filter((branch) => !branch.types || branch.types.includes("object"));
  if (alternatives.length === 0) return { ...rest, types: ["object"] };
  weakened.push("the alternatives at the root are offered as one object");
  const merged = mergeBoth({ ...rest, types: ["object"] }, mergeAlternatives(alternatives));
  const sets = alternatives.map(
    (branch) =>
      `{${
        Object.keys(branch.properties ?? {})
          .map((name) => (branch.required?.includes(name) ? name : `${name}?`))
          .join(", ") || (branch.required ?? []).join(", ")
      }}`,
  );
  merged.lost.push(`give one of these sets of arguments: ${sets.join(" or ")}`);
  return merged;
}

/** The part of a schema that speaks of one of its types. */
export function branchOfType(schema: CanonicalSchema, type: string): CanonicalSchema {
  const { description: _description, lost: _lost, ...rest } = schema;
  const members = schema.enum?.filter((member) => (type === "null") === (member === null));
  return { ...rest, types: [type], lost: [], ...(members ? { enum: members } : {}) };
}

/** The schema, or null. */
export function nullable(schema: CanonicalSchema): CanonicalSchema {
  if (schema.types?.includes("null") || isAnything(schema)) return schema;
  const none: CanonicalSchema = { types: ["null"], keywords: {}, lost: [] };
  if (schema.anyOf) return { ...schema, anyOf: [...schema.anyOf, none] };
  if (schema.reference !== undefined || !schema.types) return { ...anything(), anyOf: [schema, none] };
  return { ...schema, types: [...schema.types, "null"], ...(schema.enum ? { enum: [...schema.enum, null] } : {}) };
}

/** Whether a schema is null and nothing else. */
export function isNull(schema: CanonicalSchema): boolean {
  return schema.types?.length === 1 && schema.types[0] === "null";
}
