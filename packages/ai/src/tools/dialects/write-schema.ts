// Writes a canonical schema in a dialect. What the dialect cannot say goes into the description of the place where it
// stood, for the model to read, and into the list of what was weakened, for the person.
import { type JsonObject, shownJson } from "../json-values.ts";
import { anything, type CanonicalDocument, type CanonicalSchema, isAnything } from "../schema/canonical.ts";
import { mergeBoth } from "../schema/merge.ts";
import { withoutForeignKeywords } from "../schema/without-foreign-keywords.ts";
import type { Dialect } from "./dialect.ts";
import { wordsOf } from "./lost-words.ts";
import { branchOfType, isNull, nullable, objectRoot } from "./reshape.ts";

/** How often a schema that contains itself is written out where it cannot be referred to. */
const UNROLLED_MAX = 2;
/** Schemas of one document as it is written out; those beyond are left open. */
const SCHEMAS_MAX = 2000;

/** Strict mode cannot say this schema at all. */
export class NotStrict extends Error {
  override readonly name = "NotStrict";
}

/** A schema in a dialect, and what it no longer says. */
export interface WrittenSchema {
  schema: JsonObject;
  weakened: string[];
}

/** Writes a document whose root is the arguments of a tool: an object, with no choice at its root. */
export function writeObjectSchema(document: CanonicalDocument, dialect: Dialect): WrittenSchema {
  const writer = new SchemaWriter(document, dialect);
  const schema = writer.writeRoot(objectRoot(document, writer.weakened));
  return { schema, weakened: [...document.weakened, ...writer.weakened] };
}

class SchemaWriter {
  readonly weakened: string[] = [];
  readonly #definitions: CanonicalDocument["definitions"];
  readonly #dialect: Dialect;
  readonly #used = new Set<string>();
  #schemas = 0;

  constructor(document: CanonicalDocument, dialect: Dialect) {
    this.#definitions = document.definitions;
    this.#dialect = dialect;
  }

  writeRoot(root: CanonicalSchema): JsonObject {
    // Strict mode wants the root closed, even if it has no properties.
    const closed =
      this.#dialect.strict && !root.properties && root.additional !== true
        ? { ...root, properties: {}, additional: false }
        : root;
    const schema = this.#write(closed, "", new Map());
    if (schema["type"] !== "object") schema["type"] = "object";
    if (schema["properties"] === undefined) schema["properties"] = {};
    const definitions: JsonObject = {};
    for (const name of this.#used) {
      definitions[name] = this.#write(this.#definitions.get(name) ?? anything(), `$defs.${name}`, new Map());
    }
    return this.#used.size > 0 ? { ...schema, $defs: definitions } : schema;
  }

  #write(schema: CanonicalSchema, path: string, unrolled: ReadonlyMap<string, number>): JsonObject {
    if (this.#schemas++ > SCHEMAS_MAX) return this.#leaveOpen(schema, path);
    if (schema.reference !== undefined) return this.#writeReference(schema, schema.reference, path, unrolled);
    const { anyOf, types } = schema;
    if (anyOf) return this.#writeChoice(schema, anyOf, path, unrolled);
    if (!this.#dialect.typeLists && types && types.filter((type) => type !== "null").length > 1) {
      const choice: CanonicalSchema = { ...anything(), lost: schema.lost };
      if (schema.description !== undefined) choice.description = schema.description;
      return this.#writeChoice(
        choice,
        types.map((type) => branchOfType(schema, type)),
        path,
        unrolled,
      );
    }
    return this.#writePlain(schema, path, unrolled);
  }

  #writeReference(
    schema: CanonicalSchema,
    name: string,
    path: string,
    unrolled: ReadonlyMap<string, number>,
  ): JsonObject {
    if (this.#dialect.references) {
      this.#used.add(name);
      const reference = { $ref: `#/$defs/${name}` };
      return this.#dialect.strict || schema.description === undefined
        ? reference
        : { ...reference, description: schema.description };
    }
    const times = unrolled.get(name) ?? 0;
    const target = this.#definitions.get(name);
    if (target && times < UNROLLED_MAX) {
      const { reference: _name, ...own } = schema;
      return this.#write(mergeBoth(own, target), path, new Map(unrolled).set(name, times + 1));
    }
    this.weakened.push(`${path} contains itself without end and is left open`);
    const form = target?.types ? { types: target.types } : {};
    return this.#writePlain({ ...anything(), ...form, lost: ["of the same form as what contains it"] }, path, unrolled);
  }

  #leaveOpen({ types }: CanonicalSchema, path: string): JsonObject {
    if (this.#dialect.strict) throw new NotStrict("it is too large");
    this.weakened.push(`${path} is left open: the schema is too large`);
    if (types?.length === 1 && types[0] !== "array" && types[0] !== "object" && types[0] !== "null")
      return { type: types[0] };
    return this.#dialect.typeLists ? {} : { type: "string", description: "(the text of any JSON value)" };
  }

  #writeChoice(
    schema: CanonicalSchema,
    anyOf: CanonicalSchema[],
    path: string,
    unrolled: ReadonlyMap<string, number>,
  ): JsonObject {
    const { typeLists, strict } = this.#dialect;
    const branches = typeLists ? anyOf : anyOf.filter((branch) => !isNull(branch));
    const { anyOf: _choice, ...own } = schema;
    if (typeLists && !strict) {
      const beside = this.#writePlain(own, path, unrolled, true);
      return {
        ...beside,
        anyOf: branches.map((branch, index) => this.#write(branch, `${path}|${index + 1}`, unrolled)),
      };
    }
    const [first] = branches;
    if (first === undefined) return this.#write({ ...own, types: ["null"] }, path, unrolled);
    if (branches.length === 1) {
      const only = this.#write(mergeBoth(own, first), path, unrolled);
      return branches.length < anyOf.length ? { ...only, nullable: true } : only;
    }
    // Only a description may stand beside a choice here: the rest goes into its branches.
    const { description, lost, keywords, ...shared } = own;
    const result: JsonObject = {
      anyOf: branches.map((branch, index) => {
        const whole = isAnything(shared as CanonicalSchema)
          ? branch
          : mergeBoth(branch, { ...shared, keywords: {}, lost: [] });
        return this.#write(whole, `${path}|${index + 1}`, unrolled);
      }),
    };
    if (branches.length < anyOf.length) result["nullable"] = true;
    const spoken = Object.entries(keywords).filter(([keyword]) => keyword !== "title");
    this.#describe(
      result,
      description,
      [...lost, ...spoken.map(([keyword, value]) => `${keyword}: ${shownJson(value, 200)}`)],
      path,
    );
    return result;
  }

  #writePlain(
    given: CanonicalSchema,
    path: string,
    unrolled: ReadonlyMap<string, number>,
    besideChoice = false,
  ): JsonObject {
    const schema = withoutForeignKeywords(given);
    const { dialect, lost } = { dialect: this.#dialect, lost: [...schema.lost] };
    const result: JsonObject = {};
    const open = path === "" || besideChoice ? undefined : this.#openValue(schema);
    if (open) return this.#writePlain(open, path, unrolled);
    this.#writeTypes(schema, result);
    this.#writeEnum(schema, result, lost);
    for (const [keyword, value] of Object.entries(schema.keywords))
      this.#writeKeyword(schema, keyword, value, result, lost);
    if (schema.properties || schema.types?.includes("object")) this.#writeObject(schema, result, lost, path, unrolled);
    if (schema.types?.includes("array")) this.#writeArray(schema, result, path, unrolled);
    if (dialect.strict && !besideChoice && result["type"] === undefined && !result["enum"])
      throw new NotStrict(`${path} may be anything`);
    this.#describe(result, schema.description, lost, path);
    return result;
  }

  /** For dialects that cannot leave a value open: the text of its JSON, which the local validation reads back. */
  #openValue(schema: CanonicalSchema): CanonicalSchema | undefined {
    if (this.#dialect.additionalProperties || this.#dialect.strict) return undefined;
    const isOpenObject = schema.types?.includes("object") === true && Object.keys(schema.properties ?? {}).length === 0;
    if (!isOpenObject && !isAnything(schema)) return undefined;
    const what = isOpenObject ? "a JSON object" : "any JSON value";
    const values = typeof schema.additional === "object" ? `, with values that are ${wordsOf(schema.additional)}` : "";
    const text: CanonicalSchema = {
      types: ["string"],
      keywords: {},
      lost: [...schema.lost, `the text of ${what}${values}`],
    };
    if (schema.types?.includes("null")) text.types?.push("null");
    if (schema.description !== undefined) text.description = schema.description;
    return text;
  }

  #writeTypes({ types }: CanonicalSchema, result: JsonObject): void {
    if (!types || types.length === 0) return;
    if (this.#dialect.typeLists) {
      result["type"] = types.length === 1 ? types[0] : types;
      return;
    }
    result["type"] = types.find((type) => type !== "null") ?? "string";
    if (types.includes("null")) result["nullable"] = true;
  }

  #writeEnum({ enum: members }: CanonicalSchema, result: JsonObject, lost: string[]): void {
    if (!members) return;
    if (this.#dialect.enumValues) {
      result["enum"] = members;
      return;
    }
    const values = members.filter((member) => member !== null);
    if (values.length === 0 || values.some((member) => typeof member === "object" || member === "")) {
      lost.push(`one of ${shownJson(members, 300)}`);
      return;
    }
    result["type"] = "string";
    result["enum"] = values.map(String);
  }

  #writeKeyword(schema: CanonicalSchema, keyword: string, value: unknown, result: JsonObject, lost: string[]): void {
    const { keywords, formats } = this.#dialect;
    const known = keywords.has(keyword) && (keyword !== "format" || !formats || formats.has(String(value)));
    if (known) {
      result[keyword] = value;
      return;
    }
    const whole = schema.types?.every((type) => type === "integer" || type === "null") && Number.isInteger(value);
    if (keyword === "exclusiveMinimum" && whole)
      result["minimum"] = Math.max(Number(schema.keywords["minimum"] ?? -Infinity), (value as number) + 1);
    else if (keyword === "exclusiveMaximum" && whole)
      result["maximum"] = Math.min(Number(schema.keywords["maximum"] ?? Infinity), (value as number) - 1);
    else if (keyword !== "title") lost.push(`${keyword}: ${shownJson(value, 200)}`);
  }

  #writeObject(
    schema: CanonicalSchema,
    result: JsonObject,
    lost: string[],
    path: string,
    unrolled: ReadonlyMap<string, number>,
  ): void {
    const { strict, propertyName, additionalProperties } = this.#dialect;
    const properties: [string, JsonObject][] = [];
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      const at = path ? `${path}.${name}` : name;
      if (propertyName && !propertyName.test(name)) {
        lost.push(`it also has ${shownJson(name)}: ${wordsOf(property)}`);
        continue;
      }
      const optional = strict && !schema.required?.includes(name);
      properties.push([name, this.#write(optional ? nullable(property) : property, at, unrolled)]);
    }
    const names = new Set(properties.map(([name]) => name));
    const missing = (schema.required ?? []).filter((name) => !names.has(name));
    if (missing.length > 0) lost.push(`needs ${missing.map((name) => shownJson(name)).join(", ")}`);
    if (strict) {
      if (
        typeof schema.additional === "object" ||
        schema.additional === true ||
        (properties.length === 0 && schema.additional !== false)
      ) {
        throw new NotStrict(`${path || "the root"} allows properties that have no names`);
      }
      Object.assign(result, {
        properties: Object.fromEntries(properties),
        required: [...names],
        additionalProperties: false,
      });
      return;
    }
    if (properties.length > 0 || schema.properties) result["properties"] = Object.fromEntries(properties);
    const required = (schema.required ?? []).filter((name) => names.has(name));
    if (required.length > 0) result["required"] = required;
    if (schema.additional === undefined) return;
    if (!additionalProperties) {
      if (typeof schema.additional === "object")
        lost.push(`it may have more properties, which are ${wordsOf(schema.additional)}`);
    } else if (typeof schema.additional === "boolean") result["additionalProperties"] = schema.additional;
    else result["additionalProperties"] = this.#write(schema.additional, `${path}.*`, unrolled);
  }

  /** Some servers refuse arrays that do not say what is in them. */
  #writeArray(schema: CanonicalSchema, result: JsonObject, path: string, unrolled: ReadonlyMap<string, number>): void {
    const { prefixItems, items } = schema;
    if (prefixItems && this.#dialect.prefixItems) {
      result["prefixItems"] = prefixItems.map((item, index) => this.#write(item, `${path}[${index}]`, unrolled));
      result["items"] = this.#write(items ?? anything(), `${path}[]`, unrolled);
      return;
    }
    const all = [...(prefixItems ?? []), ...(items ? [items] : [])];
    const item = all.length === 1 ? all[0] : all.length > 1 ? { ...anything(), anyOf: all } : undefined;
    if (prefixItems) this.weakened.push(`${path} is a list whose places are not told apart`);
    result["items"] = this.#write(item ?? anything(), `${path}[]`, unrolled);
  }

  #describe(result: JsonObject, description: string | undefined, lost: string[], path: string): void {
    const unique = [...new Set(lost)];
    // A default or an example binds nobody, so in words it is as good.
    const weakened = unique.filter((part) => !/^(?:default|examples): /.test(part));
    if (weakened.length > 0) this.weakened.push(`${path || "the root"}: ${weakened.join("; ")}`);
    const text = [description, unique.length > 0 ? `(${unique.join("; ")})` : undefined].filter(
      (part) => part !== undefined,
    );
    if (text.length > 0) result["description"] = text.join(" ");
  }
}
