import { type TSchema, Type } from "@sinclair/typebox";
import { describe, expect, test } from "vitest";
import { createModelLayer } from "../../src/stream.ts";
import { convertSchema, convertTools, type SchemaDialect } from "../../src/tools/schema-dialect.ts";
import { validateToolArguments } from "../../src/tools/validate.ts";
import type { Tool } from "../../src/types.ts";
import { testModel } from "../api/decoding.ts";
import { DIALECTS, describeAnySchema, refused } from "./any-schema-suite.ts";

const tool = (name: string, parameters: unknown): Tool => ({
  name,
  description: `The tool ${name}`,
  parameters: parameters as TSchema,
});

const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `n${index}`);
const nested = (levels: number): object => ({
  type: "object",
  properties: { v: levels > 1 ? nested(levels - 1) : { type: "string" } },
});

describe("each construct in each dialect", () => {
  const property = (schema: unknown, dialect: SchemaDialect) => {
    const converted = convertSchema({ type: "object", properties: { v: schema }, required: ["v"] }, dialect);
    return ((converted?.schema["properties"] ?? {}) as Record<string, unknown>)["v"];
  };

  test("a constant", () => {
    expect(property({ const: "a" }, "anthropic")).toEqual({ type: "string", enum: ["a"] });
    expect(property({ const: 7 }, "google-openapi")).toEqual({ type: "string", enum: ["7"] });
  });

  test("a union of constants becomes an enum", () => {
    const union = Type.Union([Type.Literal("a"), Type.Literal("b")]);
    for (const dialect of DIALECTS) expect(property(union, dialect)).toEqual({ type: "string", enum: ["a", "b"] });
  });

  test("numbers as enum values", () => {
    expect(property({ type: "integer", enum: [1, 2] }, "google")).toEqual({ type: "integer", enum: [1, 2] });
    expect(property({ type: "integer", enum: [1, 2] }, "google-openapi")).toEqual({ type: "string", enum: ["1", "2"] });
  });

  test("nullable in all its spellings", () => {
    for (const schema of [{ type: "string", nullable: true }, { type: ["string", "null"] }]) {
      expect(property(schema, "anthropic")).toEqual({ type: ["string", "null"] });
      expect(property(schema, "google-openapi")).toEqual({ type: "string", nullable: true });
    }
    const union = { anyOf: [{ type: "string" }, { type: "null" }] };
    expect(property(union, "openai")).toEqual(union);
    expect(property(union, "google-openapi")).toEqual({ type: "string", nullable: true });
  });

  test("limits that a dialect does not know go into the description", () => {
    const schema = { type: "string", pattern: "^\\d+$", format: "uri", minLength: 2, description: "An id" };
    expect(property(schema, "openai")).toEqual(schema);
    expect(property(schema, "openai-strict")).toEqual({
      type: "string",
      pattern: "^\\d+$",
      description: 'An id (minLength: 2; format: "uri")',
    });
    expect(property(schema, "google")).toEqual({
      type: "string",
      format: "uri",
      description: 'An id (minLength: 2; pattern: "^\\\\d+$")',
    });
  });

  test("exclusive limits of integers become inclusive ones", () => {
    expect(property({ type: "integer", exclusiveMinimum: 0, exclusiveMaximum: 10 }, "google")).toEqual({
      type: "integer",
      minimum: 1,
      maximum: 9,
    });
    expect(property({ type: "integer", minimum: 0, exclusiveMinimum: true }, "anthropic")).toEqual({
      type: "integer",
      exclusiveMinimum: 0,
    });
  });

  test("intersections are merged", () => {
    const both = Type.Intersect(
      [Type.Object({ a: Type.String() }), Type.Object({ b: Type.Optional(Type.Integer()) })],
      { unevaluatedProperties: false },
    );
    expect(convertSchema(both, "anthropic")?.schema).toEqual({
      type: "object",
      properties: { a: { type: "string" }, b: { type: "integer" } },
      required: ["a"],
      additionalProperties: false,
    });
  });

  test("lists without items, tuples and records", () => {
    expect(property({ type: "array" }, "openai")).toEqual({ type: "array", items: {} });
    expect(property(Type.Tuple([Type.String(), Type.Integer()]), "google-openapi")).toEqual({
      type: "array",
      minItems: 2,
      maxItems: 2,
      items: { anyOf: [{ type: "string" }, { type: "integer" }] },
    });
    expect(property(Type.Record(Type.String(), Type.Number()), "google")).toEqual({
      type: "object",
      additionalProperties: { type: "number" },
    });
  });

  test("strict mode requires every property and lets optional ones be null", () => {
    const schema = Type.Object({
      a: Type.String(),
      b: Type.Optional(Type.Integer()),
      c: Type.Optional(Type.Union([Type.Literal("x"), Type.Literal("y")])),
    });
    expect(convertSchema(schema, "openai-strict")).toEqual({
      schema: {
        type: "object",
        properties: {
          a: { type: "string" },
          b: { type: ["integer", "null"] },
          c: { type: ["string", "null"], enum: ["x", "y", null] },
        },
        required: ["a", "b", "c"],
        additionalProperties: false,
      },
      strict: true,
      weakened: [],
    });
  });

  test.each<[string, object, RegExp | undefined]>([
    ["ten levels", nested(10), undefined],
    ["eleven levels", nested(11), /more than 10 levels deep/],
    ["a thousand constants", { properties: { v: { enum: numbered(1000) } }, required: ["v"] }, undefined],
    ["more constants", { properties: { v: { enum: numbered(1001) } } }, /more than 1000 enum values/],
    [
      "many properties",
      { properties: Object.fromEntries(numbered(2001).map((name) => [name, { type: "string" }])) },
      /it is too large/,
    ],
    ["long names", { properties: { ["n".repeat(120_001)]: { type: "string" } } }, /names and enum values are too long/],
  ])("strict mode and its limits: %s", (_name, schema, reason) => {
    const converted = convertSchema({ type: "object", ...schema }, "openai-strict");
    expect(converted?.strict).toBe(reason === undefined);
    if (reason) expect(converted?.weakened[0]).toMatch(reason);
  });

  test("what strict mode cannot say is sent without it", () => {
    const converted = convertSchema(Type.Object({ env: Type.Record(Type.String(), Type.String()) }), "openai-strict");
    expect(converted?.strict).toBe(false);
    expect(converted?.weakened[0]).toMatch(/without strict mode: env/);
  });

  test("properties named like keywords stay", () => {
    const names = ["default", "title", "format", "type", "properties", "$ref", "enum", "required", "description"];
    const schema = { type: "object", properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])) };
    for (const dialect of ["openai", "openai-strict", "google", "google-openapi"] as const) {
      expect(Object.keys(convertSchema(schema, dialect)?.schema["properties"] as object)).toEqual(names);
    }
  });
});

describe("the root", () => {
  const union = Type.Union([
    Type.Object({ kind: Type.Literal("file"), path: Type.String() }),
    Type.Object({ kind: Type.Literal("url"), url: Type.String(), depth: Type.Optional(Type.Integer()) }),
  ]);

  test("alternatives become one object that says what goes together", () => {
    expect(convertSchema(union, "anthropic")?.schema).toEqual({
      type: "object",
      properties: {
        kind: { type: "string", enum: ["file", "url"] },
        path: { type: "string" },
        url: { type: "string" },
        depth: { type: "integer" },
      },
      required: ["kind"],
      description: "(give one of these sets of arguments: {kind, path} or {kind, url, depth?})",
    });
  });

  test("the arguments are still checked against the alternatives", () => {
    const call = { type: "toolCall" as const, id: "1", name: "open", arguments: { kind: "url", path: "x" } };
    expect(() => validateToolArguments(tool("open", union), call)).toThrow("- url: expected string");
  });

  test("nothing said becomes an object without properties", () => {
    for (const schema of [undefined, null, true, {}, { type: ["object", "null"] }]) {
      for (const dialect of ["anthropic", "openai", "google", "google-openapi"] as const) {
        expect(convertSchema(schema, dialect)?.schema).toEqual({ type: "object", properties: {} });
      }
    }
  });
});

describe("recursion", () => {
  const tree = Type.Recursive((This) => Type.Object({ name: Type.String(), nodes: Type.Array(This) }));

  test("is referred to where that is allowed", () => {
    const { schema } = convertSchema(tree, "openai-strict") ?? {};
    const [name] = Object.keys((schema?.["$defs"] ?? {}) as object);
    expect(schema?.["properties"]).toEqual({
      name: { type: "string" },
      nodes: { type: "array", items: { $ref: `#/$defs/${name}` } },
    });
  });

  test("is written out to a depth elsewhere", () => {
    const converted = convertSchema(tree, "google");
    expect(JSON.stringify(converted?.schema)).not.toContain("$ref");
    expect(JSON.stringify(converted?.schema).split('"nodes":').length).toBe(4);
    expect(converted?.weakened[0]).toMatch(/contains itself/);
  });

  test("a cycle of JavaScript objects ends too", () => {
    const node: Record<string, unknown> = { type: "object", properties: {} };
    (node["properties"] as Record<string, unknown>)["child"] = node;
    for (const dialect of DIALECTS) expect(refused(node, dialect)).toEqual([]);
  });

  test("definitions that double at every level end", () => {
    const definitions = Object.fromEntries(
      Array.from({ length: 40 }, (_, level) => [
        `d${level}`,
        { type: "object", properties: { a: { $ref: `#/$defs/d${level + 1}` }, b: { $ref: `#/$defs/d${level + 1}` } } },
      ]),
    );
    for (const dialect of DIALECTS) expect(refused({ $ref: "#/$defs/d0", $defs: definitions }, dialect)).toEqual([]);
  });
});

describe("a list of tools", () => {
  test("keeps its order and loses no good tool to a bad one", () => {
    const tools = [
      tool("good", Type.Object({ a: Type.String() })),
      tool("a list", { type: "array" }),
      tool("good", Type.Object({})),
      null as unknown as Tool,
      tool("my.server/tool", { type: "object", properties: { x: { type: "string", pattern: "^a" } } }),
    ];
    const converted = convertTools(tools, "google");
    expect(converted.tools.map(({ name }) => name)).toEqual(["good", "my_server_tool"]);
    expect(converted.names.fromWire("my_server_tool")).toBe("my.server/tool");
    expect(converted.diagnostics).toEqual([
      { code: "tool_left_out", message: "A tool was left out: it has no name." },
      { code: "tool_left_out", message: 'The tool "a list" was left out: its parameters are no object.' },
      { code: "tool_left_out", message: 'The tool "good" was left out: there is another of that name before it.' },
      {
        code: "schema_weakened",
        message: 'The tool "my.server/tool" has a schema that Gemini cannot express whole: x: pattern: "^a"',
      },
    ]);
  });
});

describe("a tool whose parameters are not spelled out", () => {
  test.each([undefined, null, true, {}])("%s is offered without any", (parameters) => {
    for (const dialect of DIALECTS) {
      const { schema, weakened } = convertSchema(parameters, dialect) ?? {};
      expect(schema).toMatchObject({ type: "object", properties: {} });
      expect(weakened).toEqual([]);
    }
  });

  test("is left out where nothing can fit them, and the others are not", async () => {
    let sent: { tools?: { function: { name: string } }[] } = {};
    const { completeSimple } = createModelLayer({ env: {} });
    const tools = [false, null, true, undefined].map((parameters, index) => tool(`t${index}`, parameters));
    const message = await completeSimple(
      testModel("openai-completions"),
      { messages: [{ role: "user", content: "Hi", timestamp: 0 }], tools },
      {
        apiKey: "test",
        onPayload: (body) => {
          sent = body as typeof sent;
          throw new Error("Far enough.");
        },
      },
    );
    expect(sent.tools?.map((each) => each.function.name)).toEqual(["t1", "t2", "t3"]);
    expect(message.diagnostics?.map(({ code, message: what }) => `${code} ${what}`)).toEqual([
      'tool_left_out The tool "t0" was left out: its parameters are no object.',
    ]);
  });
});

describeAnySchema(30);
