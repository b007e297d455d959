import fc from "fast-check";
import { expect, test } from "vitest";
import { LineReader } from "../../../src/modes/rpc/line-reader.ts";

function read(chunks: Uint8Array[], lengthMax?: number): string[] {
  const lines: string[] = [];
  const reader = new LineReader(
    (line) => lines.push(line),
    () => lines.push("(too long)"),
    lengthMax,
  );
  for (const chunk of chunks) reader.write(Buffer.from(chunk));
  reader.end();
  return lines;
}

test("lines end at line feeds alone, whatever else is in them, and a carriage return before one is taken off", () => {
  const text = "a\u2028b\u2029c\n\n  \r\nd\re\r\n北京🎼";
  expect(read([Buffer.from(text)])).toEqual(["a\u2028b\u2029c", "d\re", "北京🎼"]);
});

test("the same lines come out wherever the bytes are cut", () => {
  const bytes = Buffer.from('{"text":"a\u2028é北🎼"}\r\n{"id":"2"}\n\nlast');
  const whole = read([bytes]);
  for (let cut = 0; cut <= bytes.length; cut++)
    expect(read([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(whole);
  expect(read([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(whole);
});

test("a line that is too long is reported once, and the next one is read", () => {
  fc.assert(
    fc.property(fc.integer({ min: 11, max: 100 }), fc.integer({ min: 1, max: 20 }), (length, chunk) => {
      const bytes = Buffer.from(`${"x".repeat(length)}\nnext\n`);
      const chunks = Array.from({ length: Math.ceil(bytes.length / chunk) }, (_, index) =>
        bytes.subarray(index * chunk, (index + 1) * chunk),
      );
      expect(read(chunks, 10)).toEqual(["(too long)", "next"]);
    }),
  );
});
