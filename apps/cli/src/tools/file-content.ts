// What a file holds, for reading: found out piece by piece as the bytes come, so that a large file holds neither the event loop nor
// the memory. Of a text only the lines that are asked for are kept; all others are decoded, counted and let go.
import { createHash } from "node:crypto";
import { imageType } from "../images/image-type.ts";
import { LineWindow } from "./line-window.ts";
import { isBinary, markOf } from "./text-file.ts";
import { type PieceDecoder, pieceDecoder } from "./text-pieces.ts";

/** With as many of the first bytes it is known what a file is; `isBinary` looks at no more. */
const HEAD_BYTES = 8192;

/** A text, as much of it as was asked for. */
export interface TextContent {
  kind: "text";
  /** SHA-256 of all bytes. */
  hash: Buffer;
  /** The lines that were asked for, each cut if it is too long. */
  lines: string[];
  /** Lines in the whole file; 0 if it is empty. */
  count: number;
  /** Whether bytes were no text in the encoding of the file; � stands for them. */
  isDamaged: boolean;
}

/** What a file holds; `size` in bytes. */
export type FileContent = { kind: "image"; bytes: Buffer } | { kind: "binary"; size: number } | TextContent;

/**
 * Reads a file to its end, whose bytes may come in pieces of any size.
 *
 * @param offset first line to keep, from 1
 * @param limit most lines to keep; fewer are kept if they are long
 */
export async function readContent(pieces: AsyncIterable<Buffer>, offset: number, limit: number): Promise<FileContent> {
  const iterator = pieces[Symbol.asyncIterator]();
  const rest = { [Symbol.asyncIterator]: () => iterator };
  const head = await readHead(iterator);
  if (imageType(head) !== undefined) {
    const parts = [head];
    for await (const piece of rest) parts.push(piece);
    return { kind: "image", bytes: Buffer.concat(parts) };
  }
  if (isBinary(head)) {
    let size = head.length;
    for await (const piece of rest) size += piece.length;
    return { kind: "binary", size };
  }
  const hash = createHash("sha256").update(head);
  const reading = new TextReading(head, () => new LineWindow(offset, limit));
  for await (const piece of rest) {
    hash.update(piece);
    reading.write(piece);
  }
  return { kind: "text", hash: hash.digest(), ...reading.end() };
}

async function readHead(iterator: AsyncIterator<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let size = 0; size < HEAD_BYTES; ) {
    const { done, value } = await iterator.next();
    if (done) break;
    parts.push(value);
    size += value.length;
  }
  return Buffer.concat(parts);
}

/**
 * The text that `readableText` would make of the whole file. Whether a file with a byte-order mark is what the mark says is known at
 * its end alone, so until then it is read in both ways.
 */
class TextReading {
  readonly #readings: { decoder: PieceDecoder; window: LineWindow }[] = [];

  constructor(head: Buffer, newWindow: () => LineWindow) {
    const mark = markOf(head);
    if (mark) this.#begin(pieceDecoder(mark.encoding), head.subarray(mark.length), newWindow());
    this.#begin(pieceDecoder("utf-8"), head, newWindow());
  }

  #begin(decoder: PieceDecoder, head: Buffer, window: LineWindow): void {
    window.write(decoder.write(head));
    this.#readings.push({ decoder, window });
  }

  write(piece: Buffer): void {
    for (const { decoder, window } of this.#readings) window.write(decoder.write(piece));
  }

  end(): { lines: string[]; count: number; isDamaged: boolean } {
    const ended = this.#readings.map(({ decoder, window }) => {
      const { text, isDamaged } = decoder.end();
      window.write(text);
      return { ...window.end(), isDamaged };
    });
    return ended.find(({ isDamaged }) => !isDamaged) ?? ended.at(-1)!;
  }
}
