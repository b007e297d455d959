// Bytes of a file as text and back, without a change to any byte that was not edited. Strict UTF-8 and UTF-16 (by its mark) are
// decoded; anything else is seen one byte to a character, so that ASCII in it can be edited and all else stays as it is.
import { isUtf8 } from "node:buffer";
import { decodeUtf16 } from "./text-pieces.ts";

/** How the bytes of a file were read. `bytes` stands for any encoding that is not known: one character for each byte. */
export type FileEncoding = "utf-8" | "utf-16le" | "utf-16be" | "bytes";

/** A file's text with what is needed to write it back. */
export interface TextFile {
  /** Without the byte-order mark. */
  text: string;
  encoding: FileEncoding;
  /** Whether the file begins with a byte-order mark. */
  mark: boolean;
}

type MarkedEncoding = Exclude<FileEncoding, "bytes">;

const MARKS: [MarkedEncoding, number[]][] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/** The byte-order mark at the beginning of a file; undefined if there is none. */
export function markOf(bytes: Uint8Array): { encoding: MarkedEncoding; length: number } | undefined {
  const marked = MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte));
  return marked && { encoding: marked[0], length: marked[1].length };
}

/** Decodes a file. Never fails: bytes in no known encoding become one character each. */
export function decodeFile(bytes: Uint8Array): TextFile {
  const marked = markOf(bytes);
  const encoding = marked?.encoding ?? "utf-8";
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const content = whole.subarray(marked?.length ?? 0);
  const mark = marked !== undefined;
  if (encoding === "utf-8" && isUtf8(content)) return { text: content.toString("utf8"), encoding, mark };
  if (encoding === "utf-8" || content.length % 2 === 1)
    return { text: whole.toString("latin1"), encoding: "bytes", mark: false };
  return { text: decodeUtf16(content, encoding), encoding, mark };
}

/** Encodes text as the file was encoded. Characters that the encoding cannot hold are a mistake of the caller's. */
export function encodeFile({ text, encoding, mark }: TextFile): Buffer {
  const markBytes = mark ? (MARKS.find(([name]) => name === encoding)?.[1] ?? []) : [];
  return Buffer.concat([Buffer.from(markBytes), encodeText(text, encoding)]);
}

function encodeText(text: string, encoding: FileEncoding): Buffer {
  if (encoding === "utf-8") return Buffer.from(text, "utf8");
  if (encoding === "bytes") return Buffer.from(text, "latin1");
  const bytes = Buffer.from(text, "utf16le");
  return encoding === "utf-16be" ? bytes.swap16() : bytes;
}

/** Whether text is ASCII alone, which is all that can be put into a file of unknown encoding. */
export function isAscii(text: string): boolean {
  return !/[^\x00-\x7f]/.test(text);
}

/** A zero byte early on marks a binary file, unless the file is UTF-16 by its mark. */
export function isBinary(bytes: Buffer): boolean {
  if (bytes.length >= 2 && [0xfeff, 0xfffe].includes(bytes.readUInt16BE(0))) return false;
  return bytes.subarray(0, 8000).includes(0);
}

/** The text of a file for reading; bytes that are no UTF-8 are shown as �, and then it is damaged. */
export function readableText(bytes: Buffer): { text: string; isDamaged: boolean } {
  const decoded = decodeFile(bytes);
  if (decoded.encoding !== "bytes") return { text: decoded.text, isDamaged: false };
  return { text: bytes.toString("utf8"), isDamaged: true };
}
