// A file that is read piece by piece holds what it holds when it is read at once, wherever the pieces are cut.
import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { imageType } from "../../src/images/image-type.ts";
import { type FileContent, readContent } from "../../src/tools/file-content.ts";
import { cutLine, RESULT_BYTES_MAX } from "../../src/tools/result.ts";
import { isBinary, readableText } from "../../src/tools/text-file.ts";

/** The plain way: all bytes, all text, all lines. */
function contentOf(bytes: Buffer, offset: number, limit: number): FileContent {
  if (imageType(bytes) !== undefined) return { kind: "image", bytes };
  if (isBinary(bytes)) return { kind: "binary", size: bytes.length };
  const { text, isDamaged } = readableText(bytes);
  const all = text.split("\n");
  if (all.at(-1) === "") all.pop();
  const lines: string[] = [];
  let size = 0;
  for (const line of all.slice(offset - 1, offset - 1 + limit)) {
    const shown = cutLine(line.replace(/\r$/, ""));
    size += Buffer.byteLength(shown) + 1;
    if (size > RESULT_BYTES_MAX && lines.length > 0) break;
    lines.push(shown);
  }
  return { kind: "text", hash: createHash("sha256").update(bytes).digest(), lines, count: all.length, isDamaged };
}

async function* cut(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  for (let at = 0, index = 0; at < bytes.length; index++) {
    const end = at + (sizes[index % sizes.length] ?? bytes.length);
    yield bytes.subarray(at, end);
    at = end;
  }
}

const utf16 = (text: string, isBig: boolean) => {
  const bytes = Buffer.from(text, "utf16le");
  return isBig ? bytes.swap16() : bytes;
};
const MARKS = ["", "efbbbf", "fffe", "feff", "89504e470d0a1a0a", "00"].map((hex) => Buffer.from(hex, "hex"));
/** What is hard about a text: endings, characters of each length, halves of them, bytes that are never text, and much of something. */
const fragment = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom("\n", "\r\n", "\r", "a", "ä", "漢", "😀", "\ufeff").map((c) => Buffer.from(c)),
  },
  { weight: 2, arbitrary: fc.constantFrom("\n", "\r\n", "x", "漢", "😀", "\ud83d").map((c) => utf16(c, false)) },
  { weight: 2, arbitrary: fc.constantFrom("\n", "\r\n", "x", "漢", "😀", "\udc00").map((c) => utf16(c, true)) },
  { weight: 4, arbitrary: fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes)) },
  fc.constantFrom(0xc3, 0xe6, 0xf0, 0xf4, 0xed, 0xa0, 0x80, 0xff).map((byte) => Buffer.from([byte])),
  fc
    .tuple(fc.constantFrom("y", "ä", "z\n", "w\r\n", "漢字\n"), fc.constantFrom(1, 1999, 2000, 2001, 2002, 9000))
    .map(([text, times]) => Buffer.from(text.repeat(times))),
);
const file = fc.tuple(fc.constantFrom(...MARKS), fc.array(fragment, { maxLength: 30 })).map(([mark, parts]) => {
  return Buffer.concat([mark, ...parts]);
});
const sizes = fc.oneof(
  fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
  fc.array(fc.integer({ min: 1, max: 20_000 }), { minLength: 1, maxLength: 4 }),
);
const offset = fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 10_000 }));
const limit = fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constant(2000));

test("in pieces of any size a file is what it is as a whole", async () => {
  await fc.assert(
    fc.asyncProperty(file, sizes, offset, limit, async (bytes, pieces, first, most) => {
      expect(await readContent(cut(bytes, pieces), first, most)).toEqual(contentOf(bytes, first, most));
    }),
    { numRuns: 100 },
  );
});

test.each([
  ["empty", ""],
  ["a mark alone", "\ufeff"],
  ["a mark before what is no UTF-8", Buffer.from("efbbbfff0a41", "hex")],
  ["UTF-16 of an odd length", Buffer.from("fffe41000a0042", "hex")],
  ["big-endian UTF-16", utf16("\ufeffone\r\n漢😀\n\ud83d", true)],
  ["every length of character, and halves", Buffer.from("aä漢😀\xc3".repeat(3), "utf8").subarray(0, -1)],
  ["a carriage return after the last that is shown", `${"x".repeat(2000)}\r\n${"x".repeat(2001)}\r\n`],
])("cut at each byte: %s", async (_name, content) => {
  const bytes = Buffer.from(content as string);
  const whole = contentOf(bytes, 1, 2000);
  for (let at = 1; at <= Math.min(bytes.length, 40) + 1; at++)
    expect(await readContent(cut(bytes, [at]), 1, 2000)).toEqual(whole);
});
