import { describe, expect, test } from "vitest";
import { plain, refusal, validate } from "./validation.ts";

describe("what older and rarer keywords refuse", () => {
  const above = { type: "number", minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: true };
  const cases: [string, unknown, unknown, string][] = [
    ["a limit that does not count (2013)", plain(above), { v: 0 }, "- v: expected more than 0, got 0"],
    ["an upper one", plain(above), { v: 9 }, "- v: expected less than 9, got 9"],
    ["beyond it", plain(above), { v: 10 }, "- v: expected at most 9, got 10"],
    ["items that are alike", plain({ uniqueItems: true }), { v: [1, 1] }, "- v: expected items that differ"],
    ["too many for a tuple", plain({ items: [{}], additionalItems: false }), { v: [1, 2] }, "- v[1]: expected nothing"],
    [
      "a forbidden name",
      plain({ properties: { a: {}, b: false } }),
      { v: { b: 1 } },
      "one of the known names (a), got",
    ],
    [
      "then",
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      plain({ if: { required: ["a"] }, then: { required: ["b"] } }),
      { v: { a: 1 } },
      "- v.b: expected a value, got nothing",
    ],
    ["else", plain({ if: { type: "string" }, else: { minimum: 3 } }), { v: 2 }, "- v: expected at least 3, got 2"],
    [
      "a name that demands another",
      plain({ properties: { b: { type: "string" } }, dependentRequired: { a: ["b"] } }),
      { v: { a: 1 } },
      '- v.b: expected string, got nothing: it is required together with "a"',
    ],
    ["a name that demands another (2013)", plain({ dependencies: { a: ["b"] } }), { v: { a: 1 } }, "- v.b: expected"],
    [
      "a name that demands a schema",
      plain({ dependentSchemas: { a: { properties: { n: { type: "integer" } } } } }),
      { v: { a: 1, n: "x" } },
      "- v.n: expected integer",
    ],
    [
      "a wrong name",
      plain({ propertyNames: { pattern: "^x" } }),
      { v: { y: 1 } },
      "- v.y: expected a name that is text",
    ],
    [
      "nothing of what it must contain",
      plain({ contains: { type: "integer" } }),
      { v: ["x"] },
      "- v: expected at least 1 of its items to be integer, got 0",
    ],
    [
      "too much of it",
      plain({ contains: { type: "integer" }, minContains: 0, maxContains: 1 }),
      { v: [1, 2] },
      "- v: expected at most 1 of its items to be integer, got 2",
    ],
    [
      "a long list of constants",
      plain({ enum: Array.from({ length: 40 }, (_, n) => n) }),
      { v: "x" },
      "29 or 10 more, got",
    ],
    ["null", plain({ type: "string" }), { v: null }, "- v: expected string, got null\n"],
  ];
  test.each(cases)("%s", (_name, schema, received, expected) => {
    expect(refusal(schema, received)).toContain(expected);
  });

  test("and take", () => {
    expect(validate(plain(above), { v: "0.5" })).toEqual({ v: 0.5 });
    expect(validate(plain({ contains: { const: 1 } }), { v: [0, 1] })).toEqual({ v: [0, 1] });
    expect(
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      validate(plain({ if: { required: ["a"] }, then: { properties: { a: { type: "integer" } } } }), { v: { a: "7" } }),
    ).toEqual({
      v: { a: 7 },
    });
    expect(validate(plain({ dependentRequired: { a: ["b"] } }), { v: { c: 1 } })).toEqual({ v: { c: 1 } });
    expect(validate(plain({ propertyNames: { maxLength: 1 } }), { v: { c: 1 } })).toEqual({ v: { c: 1 } });
  });
});
