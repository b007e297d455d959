import type { Dialect } from "./dialect.ts";

/** Gemini's `parametersJsonSchema` (Gemini API reference, FunctionDeclaration and responseJsonSchema, 2026). */
export const googleDialect: Dialect = {
  name: "Gemini",
  keywords: new Set(["format", "title", "minItems", "maxItems", "minimum", "maximum"]),
  references: false,
  typeLists: true,
  enumValues: true,
  prefixItems: true,
  additionalProperties: true,
  strict: false,
};
