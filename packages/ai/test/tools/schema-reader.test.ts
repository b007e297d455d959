import { type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readBySchema } from "../../src/tools/reader/schema-reader.ts";

/**
 * Any JSON value. In place of `Type.Any()`, and beside `Type.Not()`, since TypeBox lets a required property be missing whose schema
 * takes `undefined`, which no JSON Schema does.
 */
const anything = Type.Union([
  Type.String(),
  Type.Number(),
  Type.Boolean(),
  Type.Null(),
  Type.Array(Type.Any()),
  Type.Record(Type.String(), Type.Any()),
]);

const { schema } = fc.letrec<{ schema: TSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<TSchema>(
      Type.String(),
      Type.String({ minLength: 1, maxLength: 3 }),
      Type.String({ pattern: "^[a-c]+$" }),
      Type.Number({ minimum: 0, exclusiveMaximum: 10 }),
      Type.Integer({ multipleOf: 3 }),
      Type.Boolean(),
      Type.Null(),
      anything,
      Type.Literal("a"),
      Type.Literal(1),
    ),
    tie("schema").map((item) => Type.Array(item, { maxItems: 2 })),
    fc.array(tie("schema"), { minLength: 1, maxLength: 2 }).map((items) => Type.Tuple(items)),
    fc.array(tie("schema"), { minLength: 1, maxLength: 3 }).map((branches) => Type.Union(branches)),
    tie("schema").map((value) => Type.Record(Type.String(), value)),
    tie("schema").map((refused) => Type.Intersect([Type.Not(refused), anything])),
    fc
      .record({ a: tie("schema"), b: tie("schema").map((value) => Type.Optional(value)) }, { requiredKeys: [] })
      .chain((properties) =>
        fc.boolean().map((open) => Type.Object(properties as Record<string, TSchema>, { additionalProperties: open })),
      ),
    tie("schema").map((value) =>
      Type.Intersect([Type.Object({ a: value }), Type.Object({ c: Type.Optional(Type.String()) })], {
        unevaluatedProperties: false,
      }),
    ),
    fc.constant(Type.Recursive((This) => Type.Object({ a: Type.Optional(This), b: Type.Optional(Type.Number()) }))),
  ),
}));

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<unknown>("", "a", "abc", "abcd", 0, 1, 3, 4.5, 10, -1, true, false, null),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.record({ a: tie("value"), b: tie("value"), c: tie("value"), d: tie("value") }, { requiredKeys: [] }),
  ),
}));

test("what TypeBox's own checks accept is accepted, and nothing else", () => {
  fc.assert(
    fc.property(schema, value, (parameters, received) => {
      const accepted = accepts(parameters, received);
      fc.pre(accepted !== undefined);
      const reading = readBySchema(parameters, received, false);
      expect(reading.problems.length === 0).toBe(accepted);
      expect(readBySchema(JSON.parse(JSON.stringify(parameters)), received, false)).toEqual(reading);
    }),
    { numRuns: 1500 },
  );
});

test("what is accepted after a conversion is accepted without one afterwards, and what fits is never converted", () => {
  fc.assert(
    fc.property(schema, value, (parameters, received) => {
      const text = JSON.stringify(received);
      const spelled = readBySchema(parameters, text, true);
      for (const reading of [spelled, readBySchema(parameters, received, true)]) {
        if (reading.problems.length === 0) expect(readBySchema(parameters, reading.value, false)).toEqual(reading);
      }
      if (accepts(parameters, received))
        expect(readBySchema(parameters, received, true)).toEqual({ value: received, problems: [] });
    }),
    { numRuns: 800 },
  );
});

/** Undefined where TypeBox has no answer: its check of an intersection throws for what is no object at all. */
function accepts(parameters: TSchema, received: unknown): boolean | undefined {
  try {
    return Value.Check(parameters, received);
  } catch {
    return undefined;
  }
}
