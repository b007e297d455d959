// What a dialect is: the facts in which APIs differ in their reading of JSON Schema, one small file each.

/** How one API wants schemas written. */
export interface Dialect {
  /** For people, as in "was weakened for Gemini". */
  name: string;
  /** The value keywords that the API takes; others go into the description. */
  keywords: ReadonlySet<string>;
  /** The values of `format` that it takes; absent means any. */
  formats?: ReadonlySet<string>;
  /** Schemas that contain themselves may be written with `$ref` and `$defs`. */
  references: boolean;
  /** `type` may be a list, and `null` is a type. Without it, null is said by `nullable`. */
  typeLists: boolean;
  /** Members of an enum may be other than strings. */
  enumValues: boolean;
  prefixItems: boolean;
  /** `additionalProperties` may be said; without it objects whose names are not known become text that holds JSON. */
  additionalProperties: boolean;
  /** Every property is required, optional ones are nullable, other properties are forbidden, nothing is left open. */
  strict: boolean;
  /** Names of properties that the API takes; absent means any. */
  propertyName?: RegExp;
}

/** All value keywords of JSON Schema. */
export const ALL_KEYWORDS: ReadonlySet<string> = new Set([
  "minLength",
  "maxLength",
  "pattern",
  "format",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minItems",
  "maxItems",
  "uniqueItems",
  "minProperties",
  "maxProperties",
  "title",
  "default",
  "examples",
]);
