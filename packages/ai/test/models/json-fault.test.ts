// The place of a mistake in JSON, whatever the parser says of it.
import { findJsonFault } from "@rondo/ai/node";
import { expect, test } from "vitest";

function faultOf(text: string): string | undefined {
  try {
    JSON.parse(text);
  } catch (error) {
    const { line, column, problem } = findJsonFault(text, error);
    return `${line}:${column} ${problem}`;
  }
}

const LONG = `{\n  "a": [1, 2,\n    tru\n  ],\n  "b": "${"filler ".repeat(40)}"\n}`;

test.each([
  ["{", "1:2 Expected property name or '}'"],
  ['{\n  "a": 1,\n}', "3:1 Expected double-quoted property name"],
  ['{\n  "a" 1}', "2:7 Expected ':' after property name"],
  ["", "1:1 Unexpected end of JSON input"],
  ['{\n  "a": ', "2:8 Unexpected end of JSON input"],
  ['{\n  "a": "b', "2:10 Unterminated string"],
  ["[1,]", "1:4 Unexpected token ']'"],
  ["[\n1,\n,", "3:1 Unexpected token ','"],
  ["// x", "1:1 Unexpected token '/'"],
  ["x", "1:1 Unexpected token 'x'"],
  ["[1]\nx", "2:1 Unexpected non-whitespace character after JSON"],
  [LONG, "3:8 Unexpected token '\\n'"],
  [LONG.replace("tru", "true").replace("1, 2", "1, b"), "2:12 Unexpected token 'b'"],
  ["[1, 2]", undefined],
])("%j", (text, fault) => {
  expect(faultOf(text)).toBe(fault);
});
