// Keeps schemas to what can be said of their types.
import type { CanonicalSchema } from "./canonical.ts";
import { VALUE_KEYWORDS } from "./keywords.ts";

/** Leaves out what speaks of a type that the value cannot have: some servers refuse `properties` on a string. */
export function withoutForeignKeywords(schema: CanonicalSchema): CanonicalSchema {
  const { types } = schema;
  if (!types || schema.reference) return schema;
  const isOf = (...wanted: string[]) => wanted.length === 0 || wanted.some((type) => types.includes(type));
  const keywords = Object.entries(schema.keywords).filter(([keyword]) =>
    isOf(...(VALUE_KEYWORDS[keyword]?.types ?? [])),
  );
  const result: CanonicalSchema = { ...schema, keywords: Object.fromEntries(keywords) };
  if (!isOf("object")) for (const part of ["properties", "required", "additional"] as const) delete result[part];
  if (!isOf("array")) for (const part of ["items", "prefixItems"] as const) delete result[part];
  return result;
}
