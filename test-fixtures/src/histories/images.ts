// Images and files for histories, made of headers alone: what counts is what their first bytes say.

/** A PNG of the given size, as base64; its pixels are missing. */
export function pngOfSize(width: number, height: number): string {
  const bytes = Buffer.alloc(33);
  Buffer.from("89504e470d0a1a0a0000000d49484452", "hex").copy(bytes);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  bytes.set([8, 6], 24);
  return bytes.toString("base64");
}

const gif = Buffer.from("GIF89a\x02\x00\x03\x00\x00\x00\x00;", "latin1").toString("base64");
const jpeg = Buffer.from("ffd8ffe000104a46494600010100000100010000ffc0000b080010001001011100ffd9", "hex").toString(
  "base64",
);
const webp = Buffer.from("RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x01\x00\x00\x00\x00", "latin1").toString(
  "base64",
);
const bmp = Buffer.from("BM\x3a\x00\x00\x00\x00\x00\x00\x00", "latin1").toString("base64");
const pdf = Buffer.from("%PDF-1.7\n%%EOF\n").toString("base64");
const image = (data: string, mimeType: string) => ({ type: "image", data, mimeType });

/** Sound images of each kind, and what people and tools send in their place. */
export const IMAGES = [
  image(pngOfSize(2, 2), "image/png"),
  image(gif, "image/gif"),
  image(jpeg, "image/jpeg"),
  image(webp, "image/webp"),
  image(pdf, "application/pdf"),
  image(pngOfSize(2500, 100), "image/png"),
  image(pngOfSize(8001, 10), "image/png"),
  image(pngOfSize(3, 3), "image/jpg"),
  image(bmp, "image/bmp"),
  image(bmp, "image/png"),
  image(`data:image/png;base64,${pngOfSize(4, 4)}`, "image/png"),
  image(`${pngOfSize(5, 5).slice(0, 20)}\n${pngOfSize(5, 5).slice(20)}`, "image/png"),
  image("", "image/png"),
  image("not base64!", "image/png"),
] as const;
