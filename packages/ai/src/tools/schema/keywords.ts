// The keywords of JSON Schema that carry a plain value: to which types they apply and which values make sense. A server
// that checks schemas refuses a whole request for one `minLength: "3"`.

type Check = (value: unknown) => boolean;
const isCount: Check = (value) => Number.isInteger(value) && (value as number) >= 0;
const isNumber: Check = (value) => typeof value === "number" && Number.isFinite(value);
const isText: Check = (value) => typeof value === "string";

/** Keyword → the types it speaks of (none: all) and the values it may have. */
export const VALUE_KEYWORDS: Record<string, { types: readonly string[]; fits: Check }> = {
  minLength: { types: ["string"], fits: isCount },
  maxLength: { types: ["string"], fits: isCount },
  pattern: { types: ["string"], fits: isPattern },
  format: { types: ["string", "number", "integer"], fits: isText },
  minimum: { types: ["number", "integer"], fits: isNumber },
  maximum: { types: ["number", "integer"], fits: isNumber },
  exclusiveMinimum: { types: ["number", "integer"], fits: isNumber },
  exclusiveMaximum: { types: ["number", "integer"], fits: isNumber },
  multipleOf: { types: ["number", "integer"], fits: (value) => isNumber(value) && (value as number) > 0 },
  minItems: { types: ["array"], fits: isCount },
  maxItems: { types: ["array"], fits: isCount },
  uniqueItems: { types: ["array"], fits: (value) => typeof value === "boolean" },
  minProperties: { types: ["object"], fits: isCount },
  maxProperties: { types: ["object"], fits: isCount },
  title: { types: [], fits: isText },
  default: { types: [], fits: isJson },
  examples: { types: [], fits: (value) => Array.isArray(value) && isJson(value) },
};

/** Keywords whose meaning is only kept in words: dialects refuse them or read them differently. */
export const WORDED_KEYWORDS = [
  "not",
  "if",
  "then",
  "else",
  "contains",
  "minContains",
  "maxContains",
  "propertyNames",
  "dependentRequired",
  "dependentSchemas",
  "dependencies",
] as const;

/** The types of JSON Schema. Others, such as TypeBox's `Date`, say nothing about JSON. */
export const JSON_TYPES = ["string", "number", "integer", "boolean", "object", "array", "null"] as const;

function isPattern(value: unknown): boolean {
  if (typeof value !== "string") return false;
  try {
    new RegExp(value, "u");
    return true;
  } catch {
    return false;
  }
}

/** Whether a value can be written as JSON. */
export function isJson(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}
