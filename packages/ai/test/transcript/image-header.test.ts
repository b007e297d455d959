import { expect, test } from "vitest";
import { readImageHeader } from "../../src/transcript/image-header.ts";

const base64 = (...parts: (string | number[])[]): string =>
  Buffer.concat(
    parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))),
  ).toString("base64");
const size = [0, 0, 0, 0];
/** The segment of a JPEG in which cameras keep what they know of a picture. */
const metadata = (length: number): number[] => [0xff, 0xe1, length >> 8, length & 255, ...Array(length - 2).fill(7)];
/** A frame header of 640 by 480 pixels: height comes first. */
const frame = (marker: number): number[] => [0xff, marker, 0, 17, 8, 480 >> 8, 480 & 255, 640 >> 8, 640 & 255, 3];

test.each<[string, string, object | undefined]>([
  [
    "PNG",
    base64("\x89PNG\r\n\x1a\n", [0, 0, 0, 13], "IHDR", [0, 0, 2, 128, 0, 0, 1, 224]),
    { mimeType: "image/png", width: 640, height: 480 },
  ],
  ["a PNG that is cut", base64("\x89PNG\r\n\x1a\n", [0, 0]), { mimeType: "image/png" }],
  ["GIF of 1987", base64("GIF87a", [128, 2, 224, 1]), { mimeType: "image/gif", width: 640, height: 480 }],
  ["GIF of 1989", base64("GIF89a", [128, 2, 224, 1]), { mimeType: "image/gif", width: 640, height: 480 }],
  ["JPEG", base64([0xff, 0xd8], frame(0xc0)), { mimeType: "image/jpeg", width: 640, height: 480 }],
  ["a progressive JPEG", base64([0xff, 0xd8], frame(0xc2)), { mimeType: "image/jpeg", width: 640, height: 480 }],
  [
    "a JPEG with a table before its frame",
    base64([0xff, 0xd8, 0xff, 0xc4, 0, 4, 1, 1], frame(0xc1)),
    { mimeType: "image/jpeg", width: 640, height: 480 },
  ],
  [
    "a JPEG with long metadata",
    base64([0xff, 0xd8], metadata(30_000), metadata(60_000), frame(0xc0)),
    { mimeType: "image/jpeg", width: 640, height: 480 },
  ],
  ["a JPEG that is cut in its metadata", base64([0xff, 0xd8], metadata(90)), { mimeType: "image/jpeg" }],
  [
    "WebP, lossy",
    base64("RIFF", size, "WEBPVP8 ", size, [0, 0, 0, 0x9d, 1, 0x2a, 128, 2 | 0x40, 224, 1 | 0x80]),
    { mimeType: "image/webp", width: 640, height: 480 },
  ],
  [
    "WebP, lossless",
    // 639 and 479 in fourteen bits each, the lowest first.
    base64("RIFF", size, "WEBPVP8L", size, [0x2f, 0x7f, 0xc2, 0x77, 0x00], size, [0]),
    { mimeType: "image/webp", width: 640, height: 480 },
  ],
  [
    "WebP, extended",
    base64("RIFF", size, "WEBPVP8X", size, [0x10, 9, 9, 9, 127, 2, 1, 223, 1, 0]),
    { mimeType: "image/webp", width: 65_536 + 640, height: 480 },
  ],
  ["PDF", base64("%PDF-1.7\n"), { mimeType: "application/pdf" }],
  ["HEIC", base64([0, 0, 0, 24], "ftypheic"), { mimeType: "image/heic" }],
  ["AVIF", base64([0, 0, 0, 24], "ftypavif"), { mimeType: "image/avif" }],
  ["BMP", base64("BM", size), { mimeType: "image/bmp" }],
  ["TIFF of Intel's", base64("II*\0"), { mimeType: "image/tiff" }],
  ["TIFF of Motorola's", base64("MM\0*"), { mimeType: "image/tiff" }],
  ["SVG", base64(' <?xml version="1.0"?><svg/>'), { mimeType: "image/svg+xml" }],
  ["text", base64("Hello."), undefined],
  ["nothing", "", undefined],
])("%s", (_name, data, header) => {
  expect(readImageHeader(data)).toEqual(header);
});
