// Reads what an image is from its first bytes: names and MIME types lie, and a request with one wrong type is refused
// whole. Knows nothing of APIs or limits.

/** Enough for the header of anything but a JPEG with long metadata. */
const HEADER_CHARACTERS = 8192;

/** What the bytes say. Sides are absent where the format does not tell at its start. */
export interface ImageHeader {
  mimeType: string;
  width?: number;
  height?: number;
}

/** The header of a base64 text, or undefined if it is no image (or PDF) that we know. */
export function readImageHeader(base64: string): ImageHeader | undefined {
  const header = parseHeader(Buffer.from(base64.slice(0, HEADER_CHARACTERS), "base64"));
  const isCutJpeg = header?.mimeType === "image/jpeg" && header.width === undefined;
  return isCutJpeg && base64.length > HEADER_CHARACTERS ? parseHeader(Buffer.from(base64, "base64")) : header;
}

function parseHeader(bytes: Buffer): ImageHeader | undefined {
  const text = bytes.toString("latin1", 0, 64);
  if (text.startsWith("\x89PNG\r\n\x1a\n"))
    return sized("image/png", bytes, 24, () => [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]);
  if (/^GIF8[79]a/.test(text))
    return sized("image/gif", bytes, 10, () => [bytes.readUInt16LE(6), bytes.readUInt16LE(8)]);
  if (text.startsWith("\xff\xd8\xff")) return jpegHeader(bytes);
  if (text.startsWith("RIFF") && text.slice(8, 12) === "WEBP")
    return sized("image/webp", bytes, 30, () => webpSides(bytes, text));
  if (text.startsWith("%PDF-")) return { mimeType: "application/pdf" };
  if (/^....ftyp(?:heic|heix|hevc|mif1)/s.test(text)) return { mimeType: "image/heic" };
  if (/^....ftypavif/s.test(text)) return { mimeType: "image/avif" };
  if (text.startsWith("BM")) return { mimeType: "image/bmp" };
  if (text.startsWith("II*\0") || text.startsWith("MM\0*")) return { mimeType: "image/tiff" };
  if (/^\s*<(?:\?xml|svg)/i.test(text)) return { mimeType: "image/svg+xml" };
  return undefined;
}

function sized(
  mimeType: string,
  bytes: Buffer,
  length: number,
  sides: () => [number, number] | undefined,
): ImageHeader {
  const found = bytes.length >= length ? sides() : undefined;
  return found === undefined ? { mimeType } : { mimeType, width: found[0], height: found[1] };
}

function webpSides(bytes: Buffer, text: string): [number, number] | undefined {
  const kind = text.slice(12, 16);
  if (kind === "VP8X") return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
  if (kind === "VP8 ") return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
  if (kind !== "VP8L") return undefined;
  const bits = bytes.readUInt32LE(21);
  return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
}

/** Walks the segments to the frame header, which holds the sides. */
function jpegHeader(bytes: Buffer): ImageHeader {
  let offset = 2;
  while (offset + 9 <= bytes.length && bytes[offset] === 0xff) {
    const marker = bytes[offset + 1] as number;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame)
      return { mimeType: "image/jpeg", width: bytes.readUInt16BE(offset + 7), height: bytes.readUInt16BE(offset + 5) };
    offset += 2 + bytes.readUInt16BE(offset + 2);
  }
  return { mimeType: "image/jpeg" };
}
