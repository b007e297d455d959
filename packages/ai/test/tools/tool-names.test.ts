import fc from "fast-check";
import { expect, test } from "vitest";
import { cleanToolNames } from "../../src/tools/tool-names.ts";

test("a name that every API takes stays, others become valid and come back", () => {
  const long = "x".repeat(80);
  const names = cleanToolNames(["my.server/tool name", "read", long, "", "北京"]);
  expect(["my.server/tool name", "read", long, "", "北京"].map(names.toWire)).toEqual([
    "my_server_tool_name",
    "read",
    "x".repeat(64),
    "tool",
    "_",
  ]);
  expect(names.fromWire("my_server_tool_name")).toBe("my.server/tool name");
  expect(names.fromWire("never_sent")).toBe("never_sent");
});

test("a cleaned name never takes the name of a tool that needs no cleaning", () => {
  const names = cleanToolNames(["a.b", "a_b", "a/b"]);
  expect(names.toWire("a_b")).toBe("a_b");
  expect(names.toWire("a.b")).toMatch(/^a_b_[0-9a-z]{8}$/);
  expect(names.toWire("a/b")).toMatch(/^a_b_[0-9a-z]{8}$/);
  expect(names.toWire("a/b")).not.toBe(names.toWire("a.b"));
});

test("names start with a letter where the API demands it", () => {
  const names = cleanToolNames(["3d", "-x", `9${"y".repeat(80)}`], { letterFirst: true });
  expect(names.toWire("3d")).toBe("_3d");
  expect(names.toWire("-x")).toBe("_-x");
  expect(names.toWire(`9${"y".repeat(80)}`)).toBe(`_9${"y".repeat(62)}`);
});

test("any names map to different valid names and back", () => {
  const name = fc.oneof(
    fc.string({ unit: "binary", maxLength: 100 }),
    fc.stringMatching(/^[a_./-]{0,4}$/),
    fc.string({ minLength: 70, maxLength: 90 }),
  );
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 20 }), fc.boolean(), (list, letterFirst) => {
      const names = cleanToolNames(list, { letterFirst });
      const wire = list.map(names.toWire);
      expect(new Set(wire).size).toBe(list.length);
      for (const wireName of wire)
        expect(wireName).toMatch(letterFirst ? /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/ : /^[a-zA-Z0-9_-]{1,64}$/);
      expect(wire.map(names.fromWire)).toEqual(list);
      expect(list.map(cleanToolNames(list, { letterFirst }).toWire)).toEqual(wire);
    }),
  );
});
