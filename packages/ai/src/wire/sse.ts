// Bytes → server-sent events, over eventsource-parser; bare lines of JSON, which some servers send instead, are events too. Keeps the
// state of multi-byte characters across chunks, keeps what was no event at all (an HTML page, a bare JSON error), so that it can be told
// to the caller instead of vanishing, and knows at the end whether the body stopped between two events or inside one.
import { createParser } from "eventsource-parser";

/** Most characters of text outside any event that are kept: it may be a whole answer of a server that does not stream. */
const STRAY_TEXT_MAX = 8 * 1024 * 1024;
/** Most characters of one event; a body that never ends its line would otherwise fill the memory. */
const EVENT_CHARACTERS_MAX = 64 * 1024 * 1024;
/** Enough of the end of the body to tell a comment from an event that was cut off. */
const TAIL_CHARACTERS = 256;
/** An unknown field of the standard's form (`name: value`) is no damage: the standard says to pass over it. */
const UNKNOWN_FIELD = /^[A-Za-z][\w-]*:/;

/** Reads one response body. */
export class SseReader {
  readonly #decoder = new TextDecoder();
  readonly #onFrame: (event: string, data: string) => void;
  readonly #parser;
  /** Whether the body is lines of JSON instead of events; its first line decides. */
  #bare: boolean | undefined;
  #stray = "";
  #damaged = false;
  #overlong = false;
  #frames = 0;
  #tail = "";

  constructor(onFrame: (event: string, data: string) => void) {
    this.#onFrame = onFrame;
    this.#parser = createParser({
      maxBufferSize: EVENT_CHARACTERS_MAX,
      onEvent: (message) => {
        if (!message.data.startsWith("{") && message.data.trim() === "") return;
        this.#bare ??= false;
        this.#frames++;
        onFrame(message.event ?? "message", message.data);
      },
      onError: (error) => {
        if (error.type === "max-buffer-size-exceeded") this.#overlong = true;
        if (error.type === "unknown-field") this.#keepStray(error.line ?? error.field ?? "");
      },
    });
  }

  /** Whether the body is lines of JSON that stand for themselves. */
  get bare(): boolean {
    return this.#bare === true;
  }

  /** Text that belonged to no event, and the first of bare lines. */
  get strayText(): string {
    return this.#stray.trim();
  }

  /** Whether there was text that no event stream has: what should have been an event was damaged on its way. */
  get damaged(): boolean {
    return this.#damaged;
  }

  /** Whether a line grew beyond all measure. Nothing more can be read then. */
  get overlong(): boolean {
    return this.#overlong;
  }

  /** How many events with data came; others are not told. */
  get frames(): number {
    return this.#frames;
  }

  feed(bytes: Uint8Array): void {
    this.#read(this.#decoder.decode(bytes, { stream: true }));
  }

  /**
   * The body ended. Servers leave out the blank line after their last event, so what is left is taken as one.
   *
   * @returns whether the body ended inside an event that cannot be completed
   */
  end(): boolean {
    this.#read(this.#decoder.decode());
    if (this.#overlong) return true;
    const rest = this.#bare ? this.#tail.replace(/^.*[\r\n]/s, "").trim() : openLines(this.#tail);
    const before = this.#frames;
    this.#parser.feed("\n\n");
    return rest !== "" && this.#frames === before;
  }

  #read(raw: string): void {
    const text = this.#withoutPadding(raw);
    if (text === "" || this.#overlong) return;
    this.#tail =
      text.length < TAIL_CHARACTERS ? (this.#tail + text).slice(-TAIL_CHARACTERS) : text.slice(-TAIL_CHARACTERS);
    this.#parser.feed(text);
  }

  /** Without the NULs and byte order marks that proxies put before a line. Within a line they are what was said. */
  #withoutPadding(text: string): string {
    if (!text.includes("\0") && !text.includes("\uFEFF")) return text;
    const startsLine = this.#tail === "" || /[\r\n]$/.test(this.#tail);
    return text.replace(/(^|[\r\n])[\0\uFEFF]+/g, (padding: string, lineBreak: string, at: number) =>
      lineBreak !== "" || (at === 0 && startsLine) ? lineBreak : padding,
    );
  }

  #keepStray(line: string): void {
    const text = line.trim();
    if (text === "") return; // White space carries nothing that could be lost.
    this.#bare ??= this.#stray === "" && isJsonObject(text);
    if (this.#bare && (text.startsWith("{") || text === "[DONE]")) {
      if (this.#frames++ === 0) this.#stray = `${text.slice(0, STRAY_TEXT_MAX)}\n`;
      this.#onFrame("message", text);
      return;
    }
    this.#damaged ||= !UNKNOWN_FIELD.test(line);
    if (this.#stray.length < STRAY_TEXT_MAX) this.#stray += `${line.slice(0, STRAY_TEXT_MAX)}\n`;
  }
}

function isJsonObject(text: string): boolean {
  if (!text.startsWith("{") || !text.endsWith("}")) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** What follows the last blank line, without comments. */
function openLines(tail: string): string {
  const lines = tail.replace(/\r\n?/g, "\n");
  const open = lines.slice(lines.lastIndexOf("\n\n") + 1);
  return open.replace(/^:.*$/gm, "").trim();
}
