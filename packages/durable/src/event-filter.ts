// The reader's half of the event channel, which delivers at least once and from more than one attempt. Invariants: an event
// with a key comes out once; progress comes out only of the newest attempt, and not after the event that makes it void.
import type { PublishedEvent } from "./types.ts";

/** What one reader of a run has heard so far. */
export class EventFilter {
  readonly #seen = new Set<string>();
  #attempt = 0;

  /** Whether a reader should get this event. */
  admit({ key, until, attempt }: PublishedEvent): boolean {
    if (key !== undefined) {
      if (this.#seen.has(key)) return false;
      this.#seen.add(key);
      return true;
    }
    if (attempt < this.#attempt || (until !== undefined && this.#seen.has(until))) return false;
    this.#attempt = attempt;
    return true;
  }
}

/** Joins neighbouring deltas of one block into one event, for channels that pay per event. */
export function joinDeltas(events: PublishedEvent[]): PublishedEvent[] {
  const joined: PublishedEvent[] = [];
  for (const published of events) {
    const sum = addDeltas(joined.at(-1), published);
    if (sum) joined[joined.length - 1] = sum;
    else joined.push(published);
  }
  return joined;
}

function addDeltas(left: PublishedEvent | undefined, right: PublishedEvent): PublishedEvent | undefined {
  if (left?.event.type !== "message_update" || right.event.type !== "message_update") return undefined;
  const first = left.event.assistantMessageEvent;
  const second = right.event.assistantMessageEvent;
  if (!first || !second || !("delta" in first) || !("delta" in second)) return undefined;
  const same = first.type === second.type && first.contentIndex === second.contentIndex;
  if (!same || left.until !== right.until || left.attempt !== right.attempt) return undefined;
  const assistantMessageEvent = { ...first, delta: first.delta + second.delta };
  return { ...left, event: { type: "message_update", assistantMessageEvent } };
}
