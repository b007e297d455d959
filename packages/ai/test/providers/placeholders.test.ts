import { describe, expect, test } from "vitest";
import { fillBaseUrl, fillHeaders, settingsOf } from "../../src/providers/placeholders.ts";

const ENV = {
  HOST: "example.com",
  EMPTY: " ",
  BASE: "http://10.0.0.1:8080/v1",
  SLASH: "evil.com/x?",
  TOKEN: " t o k ",
};

describe("base URLs", () => {
  test.each([
    ["https://api.example.com/v1", "https://api.example.com/v1"],
    ["https://{HOST}/v1", "https://example.com/v1"],
    ["https://{MISSING|HOST}/v1", "https://example.com/v1"],
    ["https://{EMPTY|HOST}/v1", "https://example.com/v1"],
    ["{BASE:-http://127.0.0.1/v1}", "http://10.0.0.1:8080/v1"],
    ["{MISSING:-http://127.0.0.1/v1}", "http://127.0.0.1/v1"],
    ["https://{HOST}/a/{HOST}", "https://example.com/a/example.com"],
    ["https://x/{lower}/{}", "https://x/{lower}/{}"],
  ])("%s becomes %s", (template, filled) => {
    expect(fillBaseUrl(template, ENV)).toBe(filled);
  });

  test("a variable that is not set is named", () => {
    expect(() => fillBaseUrl("https://{ONE|TWO}.example.com", ENV)).toThrow(
      "The base URL https://{ONE|TWO}.example.com needs the environment variable ONE or TWO, which is not set.",
    );
  });

  test("a value that would lead to another server is refused and not shown", () => {
    const fill = () => fillBaseUrl("https://{SLASH}.example.com", ENV);
    expect(fill).toThrow(/SLASH cannot stand in the base URL/);
    expect(fill).not.toThrow(/evil/);
  });

  test("settings are the placeholders without a value of their own, each once", () => {
    expect(settingsOf("https://{A|B}/{C:-x}/{A|B}/{D}")).toEqual([["A", "B"], ["D"]]);
  });
});

describe("headers", () => {
  test("values are filled, whatever they hold", () => {
    const headers = { authorization: "Bearer {TOKEN}", "x-plain": "a", "x-url": "{SLASH}" };
    expect(fillHeaders(headers, ENV)).toEqual({
      authorization: "Bearer t o k",
      "x-plain": "a",
      "x-url": "evil.com/x?",
    });
    expect(fillHeaders(undefined, ENV)).toBeUndefined();
  });

  test("a variable that is not set is named with its header", () => {
    expect(() => fillHeaders({ "x-team": "{TEAM}" }, ENV)).toThrow(
      "The header x-team needs the environment variable TEAM, which is not set.",
    );
  });
});
