import type { Dialect } from "./dialect.ts";

/** Gemini's older `parameters`, a part of OpenAPI 3.0 (Gemini API reference, Schema), for servers that know no other. */
export const googleOpenapiDialect: Dialect = {
  name: "Gemini's OpenAPI subset",
  keywords: new Set([
    "format",
    "title",
    "minItems",
    "maxItems",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "pattern",
  ]),
  formats: new Set(["float", "double", "int32", "int64", "enum", "date-time"]),
  references: false,
  typeLists: false,
  enumValues: false,
  prefixItems: false,
  additionalProperties: false,
  strict: false,
};
