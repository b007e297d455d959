// Decodes a text whose bytes come in pieces, cut anywhere, to what decoding all of them at once would give.
import { isUtf8 } from "node:buffer";

/** Decodes one text. */
export interface PieceDecoder {
  /** Gives the characters that are whole so far. The piece may be a part of a larger buffer; it is not changed. */
  write(piece: Buffer): string;
  /** The rest, and whether any bytes were no text in this encoding. In UTF-8, � stands for them; in UTF-16 an odd last one is left out. */
  end(): { text: string; isDamaged: boolean };
}

/** Makes a decoder. In UTF-16 half of a pair is no damage, but an odd number of bytes is. */
export function pieceDecoder(encoding: "utf-8" | "utf-16le" | "utf-16be"): PieceDecoder {
  let open: Buffer = Buffer.alloc(0);
  let isDamaged = false;
  const decode = (bytes: Buffer): string => {
    if (encoding !== "utf-8") return decodeUtf16(bytes, encoding);
    isDamaged ||= !isUtf8(bytes);
    return bytes.toString("utf8");
  };
  return {
    write(piece) {
      const bytes = open.length === 0 ? piece : Buffer.concat([open, piece]);
      const length = encoding === "utf-8" ? wholeUtf8(bytes) : bytes.length - (bytes.length % 2);
      open = bytes.subarray(length);
      return decode(bytes.subarray(0, length));
    },
    end: () => ({
      text: open.toString(encoding === "utf-8" ? "utf8" : "utf16le"),
      isDamaged: isDamaged || open.length > 0,
    }),
  };
}

/** Decodes an even number of bytes. */
export function decodeUtf16(bytes: Buffer, encoding: "utf-16le" | "utf-16be"): string {
  // swap16 works in place, and the bytes are the caller's.
  return (encoding === "utf-16be" ? Buffer.from(bytes).swap16() : bytes).toString("utf16le");
}

/**
 * The length without a character at the end that may go on. A byte that can begin a character ends whatever came before it, valid
 * or not, so that a cut before it changes nothing.
 */
function wholeUtf8(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte >= 0x80 && byte < 0xc0) continue;
    const length = byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
