// Bytes → server-sent events, over eventsource-parser. Keeps the state of multi-byte characters across chunks, and keeps what
// was no event at all (an HTML page, a bare JSON error), so that it can be told to the caller instead of vanishing.
import { createParser } from "eventsource-parser";

/** Most characters of text outside any event that are kept for an error message. */
const STRAY_TEXT_MAX = 64 * 1024;

/** Reads one response body. */
export class SseReader {
  readonly #decoder = new TextDecoder();
  readonly #parser;
  #stray = "";

  constructor(onFrame: (event: string, data: string) => void) {
    this.#parser = createParser({
      onEvent: (message) => onFrame(message.event ?? "message", message.data),
      onError: (error) => {
        if (error.type === "unknown-field" && this.#stray.length < STRAY_TEXT_MAX) {
          this.#stray += `${error.line ?? error.field ?? ""}\n`;
        }
      },
    });
  }

  /** Text that belonged to no event. */
  get strayText(): string {
    return this.#stray.trim();
  }

  feed(bytes: Uint8Array): void {
    this.#parser.feed(this.#decoder.decode(bytes, { stream: true }));
  }

  /** The body ended. Servers leave out the blank line after their last event, so what is left is taken as one. */
  end(): void {
    this.#parser.feed(`${this.#decoder.decode()}\n\n`);
  }
}
