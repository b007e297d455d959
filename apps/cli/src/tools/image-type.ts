// Tells images by their first bytes, since names lie.

const SIGNATURES: [string, RegExp][] = [
  ["image/png", /^\x89PNG\r\n\x1a\n/],
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/gif", /^GIF8[79]a/],
  ["image/webp", /^RIFF.{4}WEBP/s],
];

/** The MIME type of an image that models take; undefined for anything else. */
export function imageType(bytes: Buffer): string | undefined {
  const start = bytes.subarray(0, 16).toString("latin1");
  return SIGNATURES.find(([, signature]) => signature.test(start))?.[0];
}
