// Tells images by their first bytes, since names lie.

const SIGNATURES: [string, RegExp][] = [
  ["image/png", /^\x89PNG\r\n\x1a\n/],
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/gif", /^GIF8[79]a/],
  ["image/webp", /^RIFF.{4}WEBP/s],
  // The header says how long it is, and two letters alone would make images of texts.
  ["image/bmp", /^BM.{4}\0{4}.{3}\0[\x0c\x28\x40\x6c\x7c]\0{3}/s],
  ["image/tiff", /^(?:II\x2a\0|MM\0\x2a)/],
  ["image/heic", /^.{4}ftyp(?:heic|heix|hevc|mif1)/s],
  ["image/avif", /^.{4}ftypavi[fs]/s],
];

/** The MIME type of an image; undefined for anything else. */
export function imageType(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 32)).toString("latin1");
  return SIGNATURES.find(([, signature]) => signature.test(start))?.[0];
}
