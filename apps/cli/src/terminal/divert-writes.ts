// What others in this process write to a terminal while a screen is drawn on it: an extension that logs, a library that warns.
// It would stand in the middle of the screen, so it is heard line by line instead.
import { StringDecoder } from "node:string_decoder";

/** A stream whose way of writing can be replaced. */
interface Writable {
  write(chunk: string, ...others: unknown[]): unknown;
}

/**
 * From now on what is written to the streams goes to `hear`, in whole lines. Who took a stream's `write` before still writes to it.
 *
 * @returns gives the streams back, with the line that was begun
 */
export function divertWrites(streams: Writable[], hear: (lines: string) => void): () => void {
  const givers = streams.map((stream) => divert(stream, hear));
  return () => {
    for (const giveBack of givers) giveBack();
  };
}

function divert(stream: Writable, hear: (lines: string) => void): () => void {
  const { write } = stream;
  const decoder = new StringDecoder();
  let begun = "";
  stream.write = (chunk: string | Uint8Array, ...others) => {
    begun += typeof chunk === "string" ? chunk : decoder.write(Buffer.from(chunk));
    const end = begun.lastIndexOf("\n") + 1;
    if (end > 0) hear(begun.slice(0, end));
    begun = begun.slice(end);
    const done = others.at(-1);
    if (typeof done === "function") queueMicrotask(() => done());
    return true;
  };
  return () => {
    stream.write = write;
    if (begun !== "") stream.write(begun);
    begun = "";
  };
}
