// The one form that all dialects are written from: what a schema says, with references followed, `allOf` merged, `oneOf`
// and `const` in terms of `anyOf` and `enum`, and what cannot be kept in words. Only recursion stays a reference.

/** A schema, reduced to what the dialects can say. */
export interface CanonicalSchema {
  /** JSON types that are allowed; absent means any. */
  types?: string[];
  enum?: unknown[];
  properties?: Record<string, CanonicalSchema>;
  required?: string[];
  /** Other properties than those named: `false` forbids them, absent says nothing. */
  additional?: boolean | CanonicalSchema;
  items?: CanonicalSchema;
  prefixItems?: CanonicalSchema[];
  anyOf?: CanonicalSchema[];
  /** Name in `CanonicalDocument.definitions`, for schemas that contain themselves. */
  reference?: string;
  /** Limits and annotations by their JSON Schema names, with values of the right kind. */
  keywords: Record<string, unknown>;
  description?: string;
  /** What the schema also says and no dialect can, in words. */
  lost: string[];
}

/** A whole schema with the definitions that its references name. */
export interface CanonicalDocument {
  root: CanonicalSchema;
  definitions: Map<string, CanonicalSchema>;
  /** What had to be weakened on the way, for a person. */
  weakened: string[];
}

/** Nothing said: any value fits. */
export function anything(): CanonicalSchema {
  return { keywords: {}, lost: [] };
}

/** Whether a schema allows any value whatever. */
export function isAnything(schema: CanonicalSchema): boolean {
  const { types, enum: members, properties, required, additional, items, prefixItems, anyOf, reference } = schema;
  return [types, members, properties, required, additional, items, prefixItems, anyOf, reference].every(
    (part) => part === undefined,
  );
}
