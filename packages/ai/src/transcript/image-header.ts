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
  const header = parseHeader(bytesOf(base64.slice(0, HEADER_CHARACTERS)));
  const isCutJpeg = header?.mimeType === "image/jpeg" && header.width === undefined;
  return isCutJpeg && base64.length > HEADER_CHARACTERS ? parseHeader(bytesOf(base64)) : header;
}

/** What a web page has too: it knows no Buffer. */
function bytesOf(base64: string): DataView {
  const characters = atob(base64);
  const bytes = new Uint8Array(characters.length);
  for (let index = 0; index < bytes.length; index++) bytes[index] = characters.charCodeAt(index);
  return new DataView(bytes.buffer);
}

function parseHeader(bytes: DataView): ImageHeader | undefined {
  const text = String.fromCharCode(...new Uint8Array(bytes.buffer, 0, Math.min(64, bytes.byteLength)));
  if (text.startsWith("\x89PNG\r\n\x1a\n"))
    return sized("image/png", bytes, 24, () => [bytes.getUint32(16), bytes.getUint32(20)]);
  if (/^GIF8[79]a/.test(text))
    return sized("image/gif", bytes, 10, () => [bytes.getUint16(6, true), bytes.getUint16(8, true)]);
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
  bytes: DataView,
  length: number,
  sides: () => [number, number] | undefined,
): ImageHeader {
  const found = bytes.byteLength >= length ? sides() : undefined;
  return found === undefined ? { mimeType } : { mimeType, width: found[0], height: found[1] };
}

function webpSides(bytes: DataView, text: string): [number, number] | undefined {
  const kind = text.slice(12, 16);
  if (kind === "VP8X") return [(bytes.getUint32(23, true) >>> 8) + 1, (bytes.getUint32(26, true) >>> 8) + 1];
  if (kind === "VP8 ") return [bytes.getUint16(26, true) & 0x3fff, bytes.getUint16(28, true) & 0x3fff];
  if (kind !== "VP8L") return undefined;
  const bits = bytes.getUint32(21, true);
  return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
}

/** Walks the segments to the frame header, which holds the sides. */
function jpegHeader(bytes: DataView): ImageHeader {
  let offset = 2;
  while (offset + 9 <= bytes.byteLength && bytes.getUint8(offset) === 0xff) {
    const marker = bytes.getUint8(offset + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame)
      return { mimeType: "image/jpeg", width: bytes.getUint16(offset + 7), height: bytes.getUint16(offset + 5) };
    offset += 2 + bytes.getUint16(offset + 2);
  }
  return { mimeType: "image/jpeg" };
}
