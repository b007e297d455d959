import { ALL_KEYWORDS, type Dialect } from "./dialect.ts";

/** OpenAI without strict mode, and the many servers that speak its APIs. */
export const openaiDialect: Dialect = {
  name: "OpenAI",
  keywords: ALL_KEYWORDS,
  references: true,
  typeLists: true,
  enumValues: true,
  prefixItems: true,
  additionalProperties: true,
  strict: false,
};
