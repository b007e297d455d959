import { type TSchema, Type } from "@sinclair/typebox";
import { describe, expect, test } from "vitest";
import { validateToolArguments } from "../../src/tools/validate.ts";
import type { Tool } from "../../src/types.ts";
import { plain, refusal, validate } from "./validation.ts";

const edits = Type.Object({ edits: Type.Array(Type.Object({ old: Type.String(), new: Type.String() })) });

describe("conversions that lose nothing", () => {
  const cases: [string, unknown, unknown, unknown][] = [
    ["a JSON string for an array", edits, { edits: '[{"old":"a","new":"b"}]' }, { edits: [{ old: "a", new: "b" }] }],
    ["a JSON string for an item", edits, { edits: ['{"old":"a","new":"b"}'] }, { edits: [{ old: "a", new: "b" }] }],
    ["a string that looks like JSON", plain({ type: "string" }), { v: "[1]" }, { v: "[1]" }],
    ["a JSON string inside anyOf", plain({ anyOf: [{ type: "null" }, { type: "array" }] }), { v: "[1]" }, { v: [1] }],
    ["anyOf with a string", plain({ anyOf: [{ type: "array" }, { type: "string" }] }), { v: "[1]" }, { v: "[1]" }],
    ["a number", plain({ type: "number" }), { v: "42" }, { v: 42 }],
    ["a fraction", plain({ type: "number" }), { v: "-1.50" }, { v: -1.5 }],
    ["an integer", plain({ type: "integer" }), { v: "42" }, { v: 42 }],
    ["a boolean", plain({ type: "boolean" }), { v: "true" }, { v: true }],
    ["null among other types", plain({ type: ["number", "null"] }), { v: "null" }, { v: null }],
    ["a whole number for a string", plain({ type: "string" }), { v: 42 }, { v: "42" }],
    ["an enum of numbers shown as strings", plain({ enum: [1, 2] }), { v: "2" }, { v: 2 }],
    ["null for an optional argument", Type.Object({ v: Type.Optional(Type.String()) }), { v: null }, {}],
    ["null where it is allowed", plain({ type: "string", nullable: true }), { v: null }, { v: null }],
    [
      "a nested string of JSON",
      plain({ allOf: [{ properties: { n: { type: "integer" } } }] }),
      { v: { n: "7" } },
      { v: { n: 7 } },
    ],
    [
      "the branch that a constant names",
      plain({
        oneOf: [
          { type: "object", properties: { kind: { const: "a" }, n: { type: "number" } }, required: ["kind", "n"] },
          { type: "object", properties: { kind: { const: "b" }, n: { type: "string" } }, required: ["kind", "n"] },
        ],
      }),
      { v: '{"kind":"a","n":"1"}' },
      { v: { kind: "a", n: 1 } },
    ],
  ];
  test.each(cases)("%s", (_name, schema, received, expected) => {
    expect(validate(schema, received)).toEqual(expected);
  });

  test("the root object as a JSON string", () => {
    expect(validate(edits, '{"edits":[]}')).toEqual({ edits: [] });
  });
});

describe("conversions that would lose something are refused", () => {
  const cases: [string, unknown, unknown][] = [
    ["null for a string", { type: "string" }, null],
    ["1.5 for an integer", { type: "integer" }, 1.5],
    ["'1.5' for an integer", { type: "integer" }, "1.5"],
    ["more digits than a double holds", { type: "integer" }, "12345678901234567890"],
    ["a fraction for a string", { type: "string" }, 1.1],
    ["a hexadecimal number", { type: "number" }, "0x10"],
    ["an empty string for a number", { type: "number" }, ""],
    ["a boolean for a number", { type: "number" }, true],
    ["a string for an array", { type: "array" }, "a, b"],
    ["a JSON string of the wrong container", { type: "array" }, "{}"],
    ["'yes' for a boolean", { type: "boolean" }, "yes"],
    ["null for a boolean", { type: "boolean" }, null],
  ];
  test.each(cases)("%s", (_name, schema, value) => {
    expect(refusal(plain(schema), { v: value })).toMatch(/^The arguments of "edit" do not fit its parameters.*\n- v: /);
  });
});

test("the message names the argument, what was expected and what came", () => {
  const schema = Type.Object(
    {
      path: Type.String(),
      mode: Type.Union([Type.Literal("r"), Type.Literal("w")]),
      count: Type.Integer({ minimum: 1 }),
    },
    { additionalProperties: false },
  );
  expect(refusal(schema, { mode: "x", count: 0, colour: "red" })).toBe(
    [
      'The arguments of "edit" do not fit its parameters, so the tool was not run:',
      '- mode: expected "r" or "w", got string "x"',
      "- count: expected at least 1, got 0",
      "- colour: expected one of the known names (path, mode, count), got an unknown name",
      "- path: expected string, got nothing: it is required",
      'Received: {"mode":"x","count":0,"colour":"red"}',
    ].join("\n"),
  );
});

test("a long argument is cut in the message", () => {
  const message = refusal(plain({ type: "number" }), { v: "😀".repeat(10_000) });
  expect(message.length).toBeLessThan(1200);
  expect(message).not.toMatch(/\p{Surrogate}/u);
});

test.each([null, [], "x", 3, true, undefined])("arguments that are %j are refused with their type", (value) => {
  expect(refusal(edits, value)).toMatch(/must be a JSON object, but they are/);
});

test.each([
  ['{"a', "are no complete JSON object"],
  ["[1]", "must be a JSON object, but they are array"],
  ["null", "must be a JSON object, but they are null"],
  ['{"a":1e999}', "hold a number that is too large"],
  [`{"a":${"[".repeat(600)}${"]".repeat(600)}}`, "nest deeper than 500 levels"],
])("a malformed call is told what is wrong with it: %#", (raw, why) => {
  const call = { type: "toolCall", id: "1", name: "edit", arguments: {}, malformedArguments: raw } as const;
  expect(() => validateToolArguments({ name: "edit", description: "", parameters: edits }, call)).toThrow(
    `The arguments of "edit" ${why}, so the tool was not run. Send the call again, with one whole JSON object.`,
  );
});

test("arguments have the type that the schema says, without a cast", () => {
  const parameters = Type.Object({ path: Type.String(), lines: Type.Optional(Type.Integer()) });
  const call = { type: "toolCall", id: "1", name: "read", arguments: { path: "a", lines: "3" } } as const;
  const { path, lines } = validateToolArguments({ name: "read", description: "", parameters }, call);
  expect(path.toUpperCase() + (lines ?? 0).toFixed(1)).toBe("A3.0");
  const untyped: Tool = { name: "read", description: "", parameters };
  const { path: unknown } = validateToolArguments(untyped, call);
  expect(typeof unknown).toBe("string");
});

test("a malformed call is refused with its raw text", () => {
  const tool: Tool = { name: "edit", description: "", parameters: edits };
  expect(() =>
    validateToolArguments(tool, { type: "toolCall", id: "1", name: "edit", arguments: {}, malformedArguments: '{"a' }),
  ).toThrow('Received: "{\\"a"');
});

test("a tool that changes its arguments does not change the history", () => {
  const received = { v: { deep: [1] } };
  const read = validate(plain({}), received) as typeof received;
  read.v.deep.push(2);
  expect(received).toEqual({ v: { deep: [1] } });
});

describe("schemas", () => {
  const tree = Type.Recursive((This) => Type.Object({ name: Type.String(), nodes: Type.Array(This) }));
  const module = Type.Module({
    A: Type.Object({ b: Type.Optional(Type.Ref("B")) }),
    B: Type.Object({ n: Type.Number() }),
  });
  const list = {
    $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" }, n: { type: "integer" } } } },
    $ref: "#/$defs/node",
  };

  test("recursive TypeBox", () => {
    expect(validate(tree, { name: "a", nodes: '[{"name":"b","nodes":[]}]' })).toEqual({
      name: "a",
      nodes: [{ name: "b", nodes: [] }],
    });
    expect(refusal(tree, { name: "a", nodes: [{ name: "b", nodes: [{}] }] })).toContain(
      "- nodes[0].nodes[0].name: expected string",
    );
  });

  test("a TypeBox module", () => {
    expect(validate(module.Import("A"), { b: { n: "1" } })).toEqual({ b: { n: 1 } });
    expect(refusal(module.Import("A"), { b: { n: "x" } })).toContain("- b.n: expected number");
  });

  test("$ref into $defs", () => {
    expect(validate(list, { next: { next: { n: "3" } } })).toEqual({ next: { next: { n: 3 } } });
    expect(refusal(list, { next: { next: { n: 1.5 } } })).toContain("- next.next.n: expected integer, got number 1.5");
  });

  test("intersections know the keys of all their parts", () => {
    const both = Type.Intersect([Type.Object({ a: Type.String() }), Type.Object({ b: Type.Number() })], {
      unevaluatedProperties: false,
    });
    expect(validate(both, { a: "x", b: "2" })).toEqual({ a: "x", b: 2 });
    expect(refusal(both, { a: "x", b: 2, c: 3 })).toContain("- c: expected one of the known names (a, b)");
  });

  test("records, tuples and patterns", () => {
    expect(validate(plain(Type.Record(Type.String(), Type.Number())), { v: { a: "1" } })).toEqual({ v: { a: 1 } });
    expect(
      validate(plain({ prefixItems: [{ type: "number" }], items: { type: "string" } }), { v: ["1", "2"] }),
    ).toEqual({ v: [1, "2"] });
    expect(refusal(plain({ type: "string", pattern: "^[a-z]+(-[a-z]+)*$" }), { v: "a--b" })).toContain(
      "expected text matching",
    );
    expect(
      refusal(plain(Type.TemplateLiteral([Type.Literal("on"), Type.Union([Type.Literal("0"), Type.Literal("1")])])), {
        v: "on2",
      }),
    ).toContain("expected text matching");
  });

  test("nonsense in a schema passes what it cannot say", () => {
    for (const schema of [
      null,
      3,
      "x",
      true,
      {},
      { type: "str" },
      { $ref: "#/gone" },
      { $ref: 5 },
      { type: [] },
      { enum: 1 },
      { anyOf: {} },
      { $ref: "#" },
      { pattern: "(" },
    ]) {
      expect(validate({ properties: { v: schema } }, { v: "x" })).toEqual({ v: "x" });
    }
    expect(validate({ $ref: "#" }, { v: 1 })).toEqual({ v: 1 });
    expect(
      validate({ $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } }, $ref: "#/$defs/a" }, { v: 1 }),
    ).toEqual({ v: 1 });
  });
});

test("keys such as __proto__ stay keys", () => {
  const received = JSON.parse('{"__proto__":{"polluted":true},"v":"1"}');
  const read = validate(plain({ type: "number" }), received) as object;
  expect(JSON.stringify(read)).toBe('{"__proto__":{"polluted":true},"v":1}');
  expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
});

describe("an untrusted schema cannot block the process", () => {
  // A check that backtracks would not come back from these within the age of the universe.
  test.each(["^(a+)+$", "^(a|a)*$", "(a*)*b", "^(([a-z])+.)+[A-Z]([a-z])+$", "(x+x+)+y", "^(?=(a+)+$)a"])(
    "%s",
    (pattern) => {
      expect(refusal(plain({ type: "string", pattern }), { v: `${"a".repeat(50_000)}!` })).toMatch(
        /accepted|text matching/,
      );
    },
  );

  test.each(["(((){1000}){1000}){1000}", "(((a{100}){100}){100}){100}", "a{1000000000}"])("%s", (pattern) => {
    expect(refusal(plain({ type: "string", pattern }), { v: "a" })).toBe("accepted");
  });

  test("unions of themselves", () => {
    const schema = {
      $defs: {
        x: {
          anyOf: [
            { items: { $ref: "#/$defs/x" }, type: "array" },
            { items: { $ref: "#/$defs/x" }, type: "array" },
          ],
        },
      },
      properties: { v: { $ref: "#/$defs/x" } },
    };
    let value: unknown = "end";
    for (let depth = 0; depth < 60; depth++) value = [value];
    expect(refusal(schema, { v: value })).toContain(`- v${"[0]".repeat(60)}: expected array, got string "end"`);
  });

  // Each level asks the one below it twice, once as it stands and once with conversions.
  test.each(["anyOf", "allOf", "oneOf"])("%s of itself, twenty levels deep", (keyword) => {
    let schema: unknown = { type: "number" };
    for (let depth = 0; depth < 20; depth++) schema = { [keyword]: [schema, schema] };
    expect(refusal(plain(schema), { v: "x" }).split("\n")).toEqual([
      'The arguments of "edit" do not fit its parameters, so the tool was not run:',
      `- v: expected ${keyword === "allOf" ? "number" : "a value"}, got string "x"`,
      'Received: {"v":"x"}',
    ]);
  });

  test("kinds of a syntax tree, told apart at the innermost level only", () => {
    const node = { $ref: "#/$defs/node" };
    const pair = { type: "object", properties: { left: node, right: node }, required: ["left", "right"] };
    const wrapped = { type: "object", properties: { left: node }, required: ["left"], additionalProperties: false };
    const schema = { $defs: { node: { anyOf: [pair, wrapped, { type: "number" }] } }, properties: { v: node } };
    let value: unknown = "no";
    for (let depth = 0; depth < 30; depth++) value = depth % 2 ? { left: value } : { left: value, right: 1 };
    expect(refusal(schema, { v: value })).toContain(`- v${".left".repeat(30)}: expected`);
    expect(refusal(schema, { v: JSON.parse(JSON.stringify(value).replace('"no"', '"7"')) })).toBe("accepted");
  });

  test("more than can be checked", () => {
    const branches = Array.from({ length: 40 }, (_, index) => ({ const: index }));
    const schema = { properties: { v: { items: { anyOf: branches }, type: "array" } } };
    const items = Array.from({ length: 20_000 }, () => "x");
    expect(refusal(schema, { v: items })).toContain("too complex to be checked");
  });

  test("a value nested deeper than any stack", () => {
    let value: unknown = 1;
    for (let depth = 0; depth < 100_000; depth++) value = [value];
    const schema = { $defs: { x: { items: { $ref: "#/$defs/x" } } }, properties: { v: { $ref: "#/$defs/x" } } };
    const tool: Tool = { name: "edit", description: "", parameters: schema as unknown as TSchema };
    expect(() =>
      validateToolArguments(tool, { type: "toolCall", id: "1", name: "edit", arguments: { v: value } }),
    ).toThrow("levels of nesting");
  });
});

test("a list with more problems than a call stack holds is refused in words", () => {
  const items = Array.from({ length: 200_000 }, () => "x");
  expect(() =>
    validate({ type: "object", properties: { list: { type: "array", items: { type: "integer" } } } }, { list: items }),
  ).toThrow(
    /^The arguments of "edit" do not fit its parameters, so the tool was not run:\n- list\[0\]: expected integer/,
  );
});
