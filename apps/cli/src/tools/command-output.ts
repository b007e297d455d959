// Collects the output of a command in bounded memory: the beginning and the end for the model, the whole in a file once it is
// more than that. Each stream has its own decoder, so that a character cut between two reads stays whole. Of a line that was
// written over only the last state counts.
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { OverwrittenLines } from "./overwritten-lines.ts";
import { cutLine, formatBytes } from "./result.ts";

const HEAD_CHARACTERS_MAX = 10_000;
const TAIL_CHARACTERS_MAX = 30_000;
/** The file with the whole output stops here, so that `yes` cannot fill a disk. */
const FILE_BYTES_MAX = 100_000_000;

/** Output that is being collected. */
export class CommandOutput {
  readonly #file: string;
  readonly #folder: string;
  readonly #decoders = { stdout: new StringDecoder("utf8"), stderr: new StringDecoder("utf8") };
  readonly #lines = new OverwrittenLines();
  #head = "";
  #tail = "";
  #bytes = 0;
  #fileBytes = 0;
  /** Whether the middle is left out of the text. */
  #isCut = false;
  #descriptor: number | undefined;
  /** Whether the file takes no more: the disk is full, or nothing can be written there. */
  #isFileLost = false;
  #closed = false;

  /**
   * @param folder where the file goes, if one is needed; made then
   * @param name its name
   */
  constructor(folder: string, name: string) {
    this.#folder = folder;
    this.#file = join(folder, name);
  }

  /** Takes what a stream gave. After `close` it is dropped. */
  write(stream: "stdout" | "stderr", bytes: Buffer): void {
    if (this.#closed) return;
    this.#keep(this.#lines.take(this.#decoders[stream].write(bytes)));
  }

  /** Ends the collection. What comes later is dropped. */
  close(): void {
    if (this.#closed) return;
    this.#keep(this.#lines.take(this.#decoders.stdout.end() + this.#decoders.stderr.end()));
    this.#keep(this.#lines.line);
    this.#closed = true;
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
  }

  /** The file with the whole output, if there had to be one and something could be written to it. */
  get file(): string | undefined {
    return this.#fileBytes === 0 ? undefined : this.#file;
  }

  /** The text so far. */
  text(): string {
    const cut = (text: string) => text.split("\n").map(cutLine).join("\n");
    const tail = this.#closed ? this.#tail : this.#tail + this.#lines.line;
    if (!this.#isCut) return cut(this.#head + tail);
    const note = `[${formatBytes(this.#bytes)} of output; the middle is left out here. ${this.#whereAllIs()}]`;
    return `${cut(this.#head)}\n\n${note}\n\n${cut(tail)}`;
  }

  #whereAllIs(): string {
    if (this.file === undefined) return "No file could be written with all of it";
    const what = this.#fileBytes < this.#bytes ? `Its first ${formatBytes(this.#fileBytes)} are` : "All of it is";
    return `${what} in ${this.#file}`;
  }

  #keep(text: string): void {
    this.#bytes += Buffer.byteLength(text);
    if (this.#isCut) this.#writeFile(text);
    const room = HEAD_CHARACTERS_MAX - this.#head.length;
    this.#head += text.slice(0, Math.max(0, room));
    this.#tail += text.slice(Math.max(0, room));
    if (this.#tail.length <= TAIL_CHARACTERS_MAX) return;
    if (!this.#isCut) this.#writeFile(this.#head + this.#tail);
    this.#isCut = true;
    this.#tail = this.#tail.slice(-TAIL_CHARACTERS_MAX);
  }

  /** A disk that is full must not end the command, nor what runs it. */
  #writeFile(text: string): void {
    if (this.#isFileLost || this.#fileBytes >= FILE_BYTES_MAX) return;
    try {
      this.#descriptor ??= this.#openFile();
      this.#fileBytes += writeSync(this.#descriptor, text);
    } catch {
      this.#isFileLost = true;
    }
  }

  #openFile(): number {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    return openSync(this.#file, "w", 0o600);
  }
}
