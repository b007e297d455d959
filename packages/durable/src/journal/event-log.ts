// The events of a run as a file for readers: written in the background, never waited for by the loop, not forced to the
// disk. The journal is the truth; after a crash the loop tells everything again and readers leave out what they had.
import { setTimeout as delay } from "node:timers/promises";
import { EventFilter, joinDeltas } from "../event-filter.ts";
import type { DurableEvent, PublishedEvent } from "../types.ts";
import { LineWriter, readLines, repairTail } from "./json-lines.ts";

/** Often enough for text to flow, seldom enough to cost nothing. */
const FLUSH_MS = 50;
const POLL_MS = 50;

/** Collects events and writes them a few times a second. */
export class EventWriter {
  readonly #writer: LineWriter;
  #waiting: PublishedEvent[] = [];
  #timer: NodeJS.Timeout | undefined;
  #written: Promise<void> = Promise.resolve();

  private constructor(writer: LineWriter) {
    this.#writer = writer;
  }

  static async open(path: string): Promise<EventWriter> {
    await repairTail(path, (await readLines(path)).end);
    return new EventWriter(await LineWriter.open(path, false));
  }

  publish(event: PublishedEvent): void {
    this.#waiting.push(event);
    this.#timer ??= setTimeout(() => void this.flush().catch(() => {}), FLUSH_MS);
  }

  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting.length > 0) this.#written = this.#writer.append(joinDeltas(this.#waiting.splice(0)));
    return this.#written;
  }

  async close(): Promise<void> {
    await this.flush().catch(() => {});
    await this.#writer.close();
  }
}

/**
 * Follows the file until the run has ended and everything was read.
 * @throws what `unknownPosition` makes, if nothing is or was at `after`
 */
export async function* followEvents(
  path: string,
  hasEnded: () => Promise<boolean>,
  unknownPosition: (position: string) => Error,
  options: { after?: string; signal?: AbortSignal },
): AsyncGenerator<DurableEvent> {
  const { after } = options;
  if (after !== undefined && !/^\d+\.\d+$/.test(after)) throw unknownPosition(after);
  const filter = new EventFilter();
  let passed = after === undefined;
  let offset = 0;
  let lineNumber = 0;
  while (options.signal?.aborted !== true) {
    const ended = await hasEnded();
    const { lines, end } = await readLines(path, offset);
    offset = end;
    for (const line of lines) {
      lineNumber++;
      for (const [index, published] of (JSON.parse(line) as PublishedEvent[]).entries()) {
        const position = `${lineNumber}.${index}`;
        const { turn, attempt, event } = published;
        if (filter.admit(published) && passed) yield { position, turn, attempt, event };
        if (position === after) passed = true;
      }
    }
    if (ended && after !== undefined && !passed) throw unknownPosition(after);
    if (ended) return;
    if (lines.length === 0)
      await delay(POLL_MS, undefined, options.signal ? { signal: options.signal } : {}).catch(() => {});
  }
}
