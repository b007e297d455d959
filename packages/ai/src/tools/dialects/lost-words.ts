// A schema in a few words, for descriptions.
import { shownJson } from "../json-values.ts";
import type { CanonicalSchema } from "../schema/canonical.ts";

/** What a value is, such as `string or null`. */
export function wordsOf(schema: CanonicalSchema): string {
  if (schema.enum) return `one of ${shownJson(schema.enum, 100)}`;
  if (schema.anyOf) return schema.anyOf.map(wordsOf).join(" or ");
  const types = schema.types?.join(" or ") ?? "any JSON value";
  return schema.description === undefined ? types : `${types}, ${schema.description}`;
}
