import { ALL_KEYWORDS, type Dialect } from "./dialect.ts";

/**
 * Anthropic: JSON Schema 2020-12, checked by the server. Property names are limited
 * ("Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'", error of the Messages API, 2025).
 */
export const anthropicDialect: Dialect = {
  name: "Anthropic",
  keywords: ALL_KEYWORDS,
  references: true,
  typeLists: true,
  enumValues: true,
  prefixItems: true,
  additionalProperties: true,
  strict: false,
  propertyName: /^[a-zA-Z0-9_.-]{1,64}$/,
};
