// Schemas of every kind, sound and unsound, and the judgement of the APIs' own checks on what becomes of them.
import { checkToolSchema, SCHEMA_RULES, Violations } from "@rondo/test-fixtures";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { convertSchema, type SchemaDialect } from "../../src/tools/schema-dialect.ts";

export const DIALECTS = ["anthropic", "openai", "openai-strict", "google", "google-openapi"] as const;

/** What an API's own check would refuse in a converted schema. */
export function refused(schema: unknown, dialect: SchemaDialect): string[] {
  const converted = convertSchema(schema, dialect);
  if (!converted) return [];
  const violations = new Violations();
  const rules = dialect === "openai-strict" && !converted.strict ? SCHEMA_RULES.openai : SCHEMA_RULES[dialect];
  checkToolSchema(converted.schema, rules, "schema", violations);
  expect(JSON.parse(JSON.stringify(converted.schema))).toEqual(converted.schema);
  return violations.list;
}

const { schema: anySchema } = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<unknown>(
      {},
      true,
      false,
      { type: "string" },
      { $ref: "#" },
      { $ref: "#/$defs/d" },
      { type: "Date" },
      5,
      null,
    ),
    tie("node"),
  ),
  node: fc.record(
    {
      type: fc.oneof(
        fc.constantFrom("string", "number", "integer", "boolean", "object", "array", "null", "any"),
        fc.constant(["string", "null"]),
        fc.constant(["object", "array", "number"]),
      ),
      properties: fc.oneof(
        fc.dictionary(fc.constantFrom("a", "b", "default", "title", "bad name!", "$ref"), tie("schema"), {
          maxKeys: 3,
        }),
        fc.constant(7),
      ),
      required: fc.oneof(fc.subarray(["a", "gone", "title"]), fc.constant(true)),
      additionalProperties: tie("schema"),
      patternProperties: fc.dictionary(fc.constantFrom("^x", "^(.*)$"), tie("schema"), { maxKeys: 2 }),
      items: fc.oneof(tie("schema"), fc.array(tie("schema"), { maxLength: 2 })),
      prefixItems: fc.array(tie("schema"), { maxLength: 2 }),
      anyOf: fc.array(tie("schema"), { maxLength: 3 }),
      oneOf: fc.array(tie("schema"), { maxLength: 2 }),
      allOf: fc.array(tie("schema"), { maxLength: 2 }),
      not: tie("schema"),
      enum: fc.array(fc.oneof(fc.constantFrom<unknown>("a", "", 1, 1.5, null, true), fc.object()), { maxLength: 3 }),
      const: fc.constantFrom<unknown>("a", 1, null, { a: 1 }),
      minLength: fc.constantFrom<unknown>(1, "3", -1),
      minimum: fc.constantFrom<unknown>(1, "3"),
      exclusiveMinimum: fc.constantFrom<unknown>(1, true, 0.5),
      pattern: fc.constantFrom("^a$", "("),
      format: fc.constantFrom<unknown>("uri", "date-time", 5),
      default: fc.anything(),
      nullable: fc.boolean(),
      description: fc.constantFrom<unknown>("words", "", 4),
      $id: fc.constantFrom("T0", "T1"),
      $defs: fc.record({ d: tie("schema") }),
      "x-own": fc.anything(),
    },
    { requiredKeys: [] },
  ),
}));

/** Describes the conversion of any schema to every dialect, with so many schemas for each. */
export function describeAnySchema(runs: number): void {
  describe("any schema", () => {
    test.each(DIALECTS)("is written as %s takes it", (dialect) => {
      fc.assert(
        fc.property(anySchema, (schema) => {
          expect(refused(schema, dialect)).toEqual([]);
        }),
        { numRuns: runs },
      );
    });
  });
}
