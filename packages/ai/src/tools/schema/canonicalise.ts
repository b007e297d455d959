// Any JSON Schema, TypeBox or plain, sound or not → the canonical form. Never throws and always ends: references and
// cycles in the object graph become named definitions, and depth and size are bounded.
import { isObject, type JsonObject, jsonTypeOf, shownJson } from "../json-values.ts";
import { resolveReference } from "../schema-references.ts";
import { anything, type CanonicalDocument, type CanonicalSchema, isAnything } from "./canonical.ts";
import { isJson, JSON_TYPES, VALUE_KEYWORDS, WORDED_KEYWORDS } from "./keywords.ts";
import { mergeBoth } from "./merge.ts";
import { withoutForeignKeywords } from "./without-foreign-keywords.ts";

/** Deeper levels are left open. */
const DEPTH_MAX = 24;
/** Schemas of one document after references are followed; those beyond are left open. */
const SCHEMAS_MAX = 2000;

/** Reads a schema into the canonical form. */
export function canonicalise(schema: unknown): CanonicalDocument {
  const reader = new Canonicaliser(schema);
  const root = reader.read(schema, "", new Set());
  return { root, definitions: reader.definitions(), weakened: reader.weakened };
}

class Canonicaliser {
  readonly weakened: string[] = [];
  readonly #root: unknown;
  readonly #names = new Map<object, string>();
  #schemas = 0;

  constructor(root: unknown) {
    this.#root = root;
  }

  /** Reads the schemas that contain themselves, until no new one turns up. */
  definitions(): Map<string, CanonicalSchema> {
    const definitions = new Map<string, CanonicalSchema>();
    for (const [schema, name] of this.#names) definitions.set(name, this.read(schema, `$defs.${name}`, new Set()));
    return definitions;
  }

  read(schema: unknown, path: string, open: ReadonlySet<object>): CanonicalSchema {
    if (!isObject(schema)) {
      if (schema === false) return { ...anything(), lost: ["no value fits"] };
      return anything();
    }
    if (open.has(schema)) return { ...anything(), reference: this.#nameOf(schema) };
    if (open.size > DEPTH_MAX || this.#schemas++ > SCHEMAS_MAX) {
      this.weakened.push(`${path || "the root"} is left open: the schema is too deep or too large`);
      return anything();
    }
    const inside = new Set(open).add(schema);
    let result = this.#ownKeywords(schema, path, inside);
    if (schema["$ref"] !== undefined) {
      const target = resolveReference(this.#root, schema["$ref"]);
      if (target === undefined)
        this.weakened.push(`${path || "the root"} refers to ${shownJson(schema["$ref"])}, which is not there`);
      else result = mergeBoth(result, this.read(target, path, inside));
    }
    for (const part of listOf(schema["allOf"])) result = mergeBoth(result, this.read(part, path, inside));
    if (schema["unevaluatedProperties"] === false && result.properties && result.additional === undefined)
      result.additional = false;
    return withoutForeignKeywords(result);
  }

  #nameOf(schema: JsonObject): string {
    let name = this.#names.get(schema);
    if (name === undefined) {
      const id = typeof schema["$id"] === "string" ? schema["$id"].replace(/[^a-zA-Z0-9_]+/g, "_").slice(0, 40) : "";
      name = `${id || "Definition"}_${this.#names.size + 1}`;
      this.#names.set(schema, name);
    }
    return name;
  }

  #ownKeywords(schema: JsonObject, path: string, inside: ReadonlySet<object>): CanonicalSchema {
    const result = anything();
    if (typeof schema["description"] === "string" && schema["description"].trim() !== "")
      result.description = schema["description"];
    const members = "const" in schema ? [schema["const"]] : schema["enum"];
    if (Array.isArray(members) && members.some(isJson)) {
      result.enum = uniqueMembers(schema["nullable"] === true ? [...members, null] : members);
    }
    const types = typesOf(schema, result.enum);
    if (types) result.types = types;
    this.#valueKeywords(schema, result, path);
    this.#objectKeywords(schema, result, path, inside);
    this.#arrayKeywords(schema, result, path, inside);
    const branches = [...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])];
    const anyOf = branches.map((branch, index) => this.read(branch, `${path}|${index + 1}`, inside));
    // A branch that says nothing makes the choice say nothing, unless it only says it in words.
    if (anyOf.length > 0 && !anyOf.every((branch) => isAnything(branch) && branch.lost.length === 0))
      addChoice(result, anyOf);
    for (const keyword of WORDED_KEYWORDS) {
      if (schema[keyword] !== undefined) result.lost.push(`${keyword}: ${shownJson(schema[keyword], 200)}`);
    }
    return result;
  }

  #valueKeywords(schema: JsonObject, result: CanonicalSchema, path: string): void {
    for (const [keyword, { fits }] of Object.entries(VALUE_KEYWORDS)) {
      const value = schema[keyword];
      if (value === undefined) continue;
      if (fits(value)) result.keywords[keyword] = JSON.parse(JSON.stringify(value));
      else if (typeof value === "boolean" && keyword.startsWith("exclusive")) draftFourLimit(schema, keyword, result);
      else if (keyword === "pattern") result.lost.push(`pattern: ${shownJson(value)}`);
      else this.weakened.push(`${path || "the root"} has a ${keyword} that makes no sense`);
    }
    // Numeric limits of the old draft are replaced by their exclusive form.
    if (schema["exclusiveMinimum"] === true) delete result.keywords["minimum"];
    if (schema["exclusiveMaximum"] === true) delete result.keywords["maximum"];
  }

  #objectKeywords(schema: JsonObject, result: CanonicalSchema, path: string, inside: ReadonlySet<object>): void {
    if (isObject(schema["properties"])) {
      const entries = Object.entries(schema["properties"]).filter(([, property]) => property !== false);
      result.properties = Object.fromEntries(
        entries.map(([name, property]) => [name, this.read(property, path ? `${path}.${name}` : name, inside)]),
      );
    }
    const required = listOf(schema["required"]).filter((name) => typeof name === "string");
    if (required.length > 0) result.required = [...new Set(required)];
    const others = schema["additionalProperties"];
    if (typeof others === "boolean") result.additional = others;
    else if (isObject(others)) result.additional = this.read(others, `${path}.*`, inside);
    if (!isObject(schema["patternProperties"])) return;
    const patterns = Object.entries(schema["patternProperties"]);
    const values = patterns.map(([, value]) => this.read(value, `${path}.*`, inside));
    if (values.length === 0) return;
    result.additional = values.length === 1 ? (values[0] as CanonicalSchema) : { ...anything(), anyOf: values };
    const names = patterns.map(([pattern]) => pattern).filter((pattern) => !/^\^?\(?\.\*\)?\$?$/.test(pattern));
    if (names.length > 0)
      result.lost.push(`names of its properties match ${names.map((name) => shownJson(name)).join(" or ")}`);
  }

  #arrayKeywords(schema: JsonObject, result: CanonicalSchema, path: string, inside: ReadonlySet<object>): void {
    const tuple = Array.isArray(schema["items"]) ? schema["items"] : listOf(schema["prefixItems"]);
    const rest = Array.isArray(schema["items"]) ? schema["additionalItems"] : schema["items"];
    if (tuple.length > 0) result.prefixItems = tuple.map((item, index) => this.read(item, `${path}[${index}]`, inside));
    if (isObject(rest)) result.items = this.read(rest, `${path}[]`, inside);
    if (tuple.length > 0 && rest === false) result.keywords["maxItems"] ??= tuple.length;
  }
}

function addChoice(result: CanonicalSchema, anyOf: CanonicalSchema[]): void {
  const constants = anyOf.every(
    (branch) =>
      branch.enum && !branch.description && branch.lost.length === 0 && Object.keys(branch.keywords).length === 0,
  );
  if (constants && !result.enum) {
    result.enum = uniqueMembers(anyOf.flatMap((branch) => branch.enum ?? []));
    result.types ??= [...new Set(anyOf.flatMap((branch) => branch.types ?? []))];
  } else if (anyOf.length === 1 && anyOf[0]) Object.assign(result, mergeBoth(result, anyOf[0]));
  else result.anyOf = anyOf;
}

function draftFourLimit(schema: JsonObject, keyword: string, result: CanonicalSchema): void {
  const limit = schema[keyword === "exclusiveMinimum" ? "minimum" : "maximum"];
  if (schema[keyword] === true && typeof limit === "number") result.keywords[keyword] = limit;
}

function typesOf(schema: JsonObject, members: unknown[] | undefined): string[] | undefined {
  const listed = (Array.isArray(schema["type"]) ? schema["type"] : [schema["type"]]).map((type) =>
    type === "Date" || type === "RegExp" ? "string" : type,
  );
  const types = [
    ...new Set(listed.filter((type): type is string => JSON_TYPES.includes(type as (typeof JSON_TYPES)[number]))),
  ];
  if (schema["nullable"] === true && types.length > 0 && !types.includes("null")) types.push("null");
  if (members) return typesOfMembers(members, types);
  if (types.length > 0) return types.includes("number") ? types.filter((type) => type !== "integer") : types;
  if (
    isObject(schema["properties"]) ||
    Array.isArray(schema["required"]) ||
    isObject(schema["additionalProperties"]) ||
    isObject(schema["patternProperties"])
  )
    return ["object"];
  return schema["items"] !== undefined || schema["prefixItems"] !== undefined ? ["array"] : undefined;
}

/** The members decide; a declared `number` covers its integers. */
function typesOfMembers(members: unknown[], declared: string[]): string[] {
  const found = [...new Set(members.map(jsonTypeOf))];
  const types = found.map((type) => (type === "integer" && declared.includes("number") ? "number" : type));
  if (types.includes("number")) return [...new Set(types.filter((type) => type !== "integer"))];
  return [...new Set(types)];
}

function uniqueMembers(members: unknown[]): unknown[] {
  const texts = new Set(members.filter(isJson).map((member) => JSON.stringify(member)));
  return [...texts].map((text): unknown => JSON.parse(text));
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
