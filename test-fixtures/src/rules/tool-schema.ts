// What the servers' own checks of a tool's schema refuse.
import type { Fields, Violations } from "./violations.ts";

/** How an API reads schemas. */
export interface SchemaRules {
  /** Keywords that the API takes; absent means all of JSON Schema 2020-12. */
  keywords?: readonly string[];
  formats?: readonly string[];
  /** `type` may be a list, and `null` is a type. */
  typeLists: boolean;
  stringEnumsOnly: boolean;
  propertyName?: RegExp;
  strict: boolean;
}

const ALL_KEYWORDS = [
  "$ref",
  "$defs",
  "type",
  "enum",
  "const",
  "properties",
  "required",
  "additionalProperties",
  "patternProperties",
  "propertyNames",
  "items",
  "prefixItems",
  "anyOf",
  "oneOf",
  "allOf",
  "not",
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
  "description",
  "default",
  "examples",
];
const STRICT_KEYWORDS = [
  "$ref",
  "$defs",
  "type",
  "enum",
  "const",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "anyOf",
  "pattern",
  "format",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minItems",
  "maxItems",
  "title",
  "description",
];
const STRICT_FORMATS = ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];
const GEMINI_JSON_KEYWORDS = [
  "$id",
  "$defs",
  "$ref",
  "$anchor",
  "type",
  "format",
  "title",
  "description",
  "enum",
  "items",
  "prefixItems",
  "minItems",
  "maxItems",
  "minimum",
  "maximum",
  "anyOf",
  "oneOf",
  "properties",
  "additionalProperties",
  "required",
  "propertyOrdering",
];
const GEMINI_OPENAPI_KEYWORDS = [
  "type",
  "format",
  "title",
  "description",
  "nullable",
  "enum",
  "maxItems",
  "minItems",
  "properties",
  "required",
  "minProperties",
  "maxProperties",
  "minLength",
  "maxLength",
  "pattern",
  "example",
  "anyOf",
  "propertyOrdering",
  "items",
  "minimum",
  "maximum",
];

const OPEN: SchemaRules = { typeLists: true, stringEnumsOnly: false, strict: false };

/** The rules of each API and mode. */
export const SCHEMA_RULES = {
  anthropic: { ...OPEN, propertyName: /^[a-zA-Z0-9_.-]{1,64}$/ },
  openai: OPEN,
  "openai-strict": { ...OPEN, keywords: STRICT_KEYWORDS, formats: STRICT_FORMATS, strict: true },
  google: { ...OPEN, keywords: GEMINI_JSON_KEYWORDS },
  "google-openapi": {
    keywords: GEMINI_OPENAPI_KEYWORDS,
    formats: ["float", "double", "int32", "int64", "enum", "date-time"],
    typeLists: false,
    stringEnumsOnly: true,
    strict: false,
  },
} satisfies Record<string, SchemaRules>;

const TYPES = ["string", "number", "integer", "boolean", "object", "array", "null"];
const COUNTS = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"];
const NUMBERS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];

/** Checks the schema of a tool's arguments. */
export function checkToolSchema(schema: unknown, rules: SchemaRules, path: string, violations: Violations): void {
  const root = violations.object(schema, path);
  if (!root) return;
  violations.check(root["type"] === "object", `${path}.type`, "must be object");
  for (const keyword of ["anyOf", "oneOf", "allOf", "not", "enum", "$ref"]) {
    violations.check(!(keyword in root), `${path}.${keyword}`, "is not permitted at the root");
  }
  new SchemaChecker(root, rules, violations).check(root, path, 1);
}

class SchemaChecker {
  readonly #root: Fields;
  readonly #rules: SchemaRules;
  readonly #violations: Violations;

  constructor(root: Fields, rules: SchemaRules, violations: Violations) {
    this.#root = root;
    this.#rules = rules;
    this.#violations = violations;
  }

  check(value: unknown, path: string, depth: number): void {
    if (typeof value === "boolean" && !this.#rules.strict) return;
    const schema = this.#violations.object(value, path, this.#rules.keywords ?? ALL_KEYWORDS);
    if (!schema) return;
    this.#checkTypes(schema, path);
    this.#checkValues(schema, path);
    this.#checkEnum(schema, path);
    this.#checkObject(schema, path, depth);
    this.#checkArray(schema, path, depth);
    this.#checkReference(schema, path);
    for (const keyword of ["anyOf", "oneOf", "allOf"]) {
      if (schema[keyword] === undefined) continue;
      const branches = this.#violations.items(schema[keyword], `${path}.${keyword}`);
      this.#violations.check(branches.length > 0, `${path}.${keyword}`, "must not be empty");
      for (const [index, branch] of branches.entries()) this.check(branch, `${path}.${keyword}[${index}]`, depth);
    }
    if (schema["$defs"] !== undefined) {
      const definitions = this.#violations.object(schema["$defs"], `${path}.$defs`) ?? {};
      for (const [name, definition] of Object.entries(definitions)) this.check(definition, `${path}.$defs.${name}`, 1);
    }
    if (this.#rules.strict) {
      const says = ["type", "anyOf", "$ref", "enum", "const"].some((keyword) => keyword in schema);
      this.#violations.check(says, path, "must have a type in strict mode");
      this.#violations.check(depth <= 10, path, "is nested too deeply for strict mode");
    }
  }

  #checkTypes(schema: Fields, path: string): void {
    const type = schema["type"];
    if (type === undefined) return;
    const types = Array.isArray(type) && this.#rules.typeLists ? type : [type];
    const known = this.#rules.typeLists ? TYPES : TYPES.filter((name) => name !== "null");
    this.#violations.check(
      types.length > 0 && types.every((name) => known.includes(name as string)),
      `${path}.type`,
      `is ${JSON.stringify(type)}`,
    );
    this.#violations.check(new Set(types).size === types.length, `${path}.type`, "names a type twice");
  }

  #checkValues(schema: Fields, path: string): void {
    for (const keyword of COUNTS) this.#violations.integer(schema[keyword], `${path}.${keyword}`, 0);
    for (const keyword of NUMBERS) {
      const value = schema[keyword];
      this.#violations.check(
        value === undefined || typeof value === "number",
        `${path}.${keyword}`,
        "must be a number",
      );
    }
    for (const keyword of ["description", "title", "format", "pattern"]) {
      const value = schema[keyword];
      this.#violations.check(value === undefined || typeof value === "string", `${path}.${keyword}`, "must be a text");
    }
    const { formats } = this.#rules;
    if (formats && schema["format"] !== undefined) this.#violations.oneOf(schema["format"], `${path}.format`, formats);
  }

  #checkEnum(schema: Fields, path: string): void {
    if (schema["enum"] === undefined) return;
    const members = this.#violations.items(schema["enum"], `${path}.enum`);
    this.#violations.check(members.length > 0, `${path}.enum`, "must not be empty");
    this.#violations.check(
      new Set(members.map((member) => JSON.stringify(member))).size === members.length,
      `${path}.enum`,
      "names a value twice",
    );
    if (!this.#rules.stringEnumsOnly) return;
    this.#violations.check(
      members.every((member) => typeof member === "string" && member !== ""),
      `${path}.enum`,
      "must be of texts",
    );
    this.#violations.check(schema["type"] === "string", `${path}.type`, "must be string beside an enum");
  }

  #checkObject(schema: Fields, path: string, depth: number): void {
    const isObject = [schema["type"]].flat().includes("object");
    if (schema["properties"] !== undefined || schema["required"] !== undefined) {
      this.#violations.check(isObject, path, "only an object has properties");
    }
    const properties =
      schema["properties"] === undefined
        ? {}
        : (this.#violations.object(schema["properties"], `${path}.properties`) ?? {});
    for (const [name, property] of Object.entries(properties)) {
      const { propertyName } = this.#rules;
      if (propertyName)
        this.#violations.check(
          propertyName.test(name),
          `${path}.properties`,
          `has a key that does not match ${propertyName}`,
        );
      this.check(property, `${path}.${name}`, depth + 1);
    }
    const required =
      schema["required"] === undefined ? [] : this.#violations.items(schema["required"], `${path}.required`);
    for (const name of required)
      this.#violations.check(
        Object.hasOwn(properties, String(name)),
        `${path}.required`,
        `names ${String(name)}, which is no property`,
      );
    if (this.#rules.strict && isObject) {
      this.#violations.check(
        schema["additionalProperties"] === false,
        `${path}.additionalProperties`,
        "must be false in strict mode",
      );
      this.#violations.check(
        required.length === Object.keys(properties).length,
        `${path}.required`,
        "must name every property in strict mode",
      );
    } else if (typeof schema["additionalProperties"] === "object")
      this.check(schema["additionalProperties"], `${path}.*`, depth + 1);
    if (this.#rules.stringEnumsOnly && isObject && depth > 1) {
      this.#violations.check(
        Object.keys(properties).length > 0,
        `${path}.properties`,
        "must not be empty for an object",
      );
    }
  }

  #checkArray(schema: Fields, path: string, depth: number): void {
    const isArray = [schema["type"]].flat().includes("array");
    if (isArray) this.#violations.check(schema["items"] !== undefined, `${path}.items`, "is missing");
    if (schema["items"] !== undefined) {
      this.#violations.check(isArray, `${path}.items`, "only a list has items");
      this.#violations.check(!Array.isArray(schema["items"]), `${path}.items`, "must not be a list");
      this.check(schema["items"], `${path}[]`, depth + 1);
    }
    const tuple =
      schema["prefixItems"] === undefined ? [] : this.#violations.items(schema["prefixItems"], `${path}.prefixItems`);
    for (const [index, item] of tuple.entries()) this.check(item, `${path}[${index}]`, depth + 1);
  }

  #checkReference(schema: Fields, path: string): void {
    const reference = schema["$ref"];
    if (reference === undefined) return;
    const name =
      typeof reference === "string" && reference.startsWith("#/$defs/")
        ? reference.slice("#/$defs/".length)
        : undefined;
    const definitions = this.#root["$defs"] as Fields | undefined;
    this.#violations.check(
      name !== undefined && definitions !== undefined && name in definitions,
      `${path}.$ref`,
      `${String(reference)} is not there`,
    );
    if (this.#rules.strict)
      this.#violations.check(Object.keys(schema).length === 1, path, "a reference stands alone in strict mode");
  }
}
